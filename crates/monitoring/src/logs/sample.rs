//! Warnings and errors that come again and again: some are written, the others counted.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing::callsite::Identifier;
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// For how long lines of one kind are counted.
const WINDOW: Duration = Duration::from_secs(10);

/// The number of lines of each kind that came, by the place in the program that logs them.
#[derive(Clone)]
pub(super) struct Sample {
    most: u32,
    seen: Arc<Mutex<HashMap<Identifier, (u32, &'static Metadata<'static>)>>>,
}

/// A maker of writers that leaves out what is too much.
pub(super) struct Sampled<M> {
    sample: Sample,
    inner: M,
}

/// The writer of a line, or nothing.
pub(super) struct SampledLine<W>(Option<W>);

impl Sample {
    /// Begins to count; a thread tells every ten seconds what was left out.
    pub(super) fn start(most: u32) -> Result<Self, String> {
        let sample = Sample { most, seen: Arc::default() };
        let told = sample.clone();
        let tell = move || loop {
            std::thread::sleep(WINDOW);
            told.tell();
        };
        std::thread::Builder::new().name("log sample".into()).spawn(tell).map_err(|error| error.to_string())?;
        Ok(sample)
    }

    pub(super) fn of<M>(&self, inner: M) -> Sampled<M> {
        Sampled { sample: self.clone(), inner }
    }

    /// Returns whether a line may be written.
    fn admits(&self, of: &Metadata<'_>) -> bool {
        if *of.level() > Level::WARN {
            return true;
        }
        let mut seen = super::lock(&self.seen);
        let metadata = of.callsite().0.metadata();
        let (count, _) = seen.entry(of.callsite()).or_insert((0, metadata));
        *count = count.saturating_add(1);
        *count <= self.most
    }

    /// Begins to count anew, and tells what was left out.
    fn tell(&self) {
        // Telling takes the lock again.
        let seen = std::mem::take(&mut *super::lock(&self.seen));
        for (count, metadata) in seen.into_values() {
            let left_out = count.saturating_sub(self.most);
            if left_out > 0 {
                let (file, line) = (metadata.file().unwrap_or(""), metadata.line().unwrap_or(0));
                tracing::warn!(left_out, file, line, "more lines of one kind came in ten seconds than are written");
            }
        }
    }
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for Sampled<M> {
    type Writer = SampledLine<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        SampledLine(Some(self.inner.make_writer()))
    }

    fn make_writer_for(&'a self, of: &Metadata<'_>) -> Self::Writer {
        SampledLine(self.sample.admits(of).then(|| self.inner.make_writer_for(of)))
    }
}

impl<W: Write> Write for SampledLine<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(line.len()), |writer| writer.write(line))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(line)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_of_one_kind_are_counted() {
        let buffer = Buffer::default();
        let sample = Sample { most: 3, seen: Arc::default() };
        let made = buffer.clone();
        let subscriber = tracing_subscriber::fmt().with_writer(sample.of(move || made.clone())).finish();
        tracing::subscriber::with_default(subscriber, || {
            for round in 0..2 {
                for number in 0..50 {
                    tracing::warn!(number, "the database is away");
                    tracing::info!(number, "served");
                }
                tracing::error!(round, "another kind");
                sample.tell();
            }
        });
        let text = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
        let count = |part: &str| text.matches(part).count();
        assert_eq!((count("is away"), count("served"), count("another kind")), (6, 100, 2), "{text}");
        assert_eq!(count("more lines of one kind"), 2, "{text}");
    }
}
