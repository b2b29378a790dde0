//! The destination of log lines, and their form.

mod journal;
mod sample;

pub use journal::{is_journal, marked};

use journal::{INFO, mark};
use sample::Sample;
use settings::{LogFormat, LogSettings};
use std::io::{self, IsTerminal, Write};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Starts writing log lines to standard error; for a journal, each begins with its priority. Fails where the level cannot
/// be read.
pub fn start(settings: &LogSettings, journal: bool) -> Result<(), String> {
    let filter = EnvFilter::try_new(&settings.level).map_err(|error| format!("log.level: {error}"))?;
    // What sends our requests tells at lower levels where to, and an address may hold a secret.
    let filter = ["hyper_util=info", "reqwest=info"]
        .into_iter()
        .fold(filter, |filter, directive| filter.add_directive(directive.parse().expect("this is a directive")));
    let is_terminal = io::stderr().is_terminal();
    let sample = Sample::start(settings.alike.max(1))?;
    let is_text = is_text(settings, is_terminal);
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(is_terminal);
    let started = match (is_terminal, is_text) {
        (true, true) => builder.with_writer(sample.of(io::stderr)).compact().try_init(),
        (true, false) => builder.with_writer(sample.of(io::stderr)).json().flatten_event(true).try_init(),
        (false, true) => builder.with_writer(sample.of(in_batches(journal)?)).compact().try_init(),
        (false, false) => builder.with_writer(sample.of(in_batches(journal)?)).json().flatten_event(true).try_init(),
    };
    started.map_err(|error| error.to_string())?;
    if !is_terminal && !is_text {
        DIRECT.get_or_init(|| DirectLog { journal });
    }
    Ok(())
}

/// The way of lines in JSON that have their text already.
pub(crate) struct DirectLog {
    /// True if each line begins with its priority.
    journal: bool,
}

static DIRECT: OnceLock<DirectLog> = OnceLock::new();

/// Returns the way of lines that have their text already; none where the log is not JSON in batches.
pub(crate) fn direct() -> Option<&'static DirectLog> {
    DIRECT.get()
}

impl DirectLog {
    /// Returns what stands before a line of the level `info`.
    pub(crate) fn mark(&self) -> &'static str {
        if self.journal { INFO } else { "" }
    }

    /// Writes a line that has its mark.
    pub(crate) fn write_line(&self, line: &[u8]) {
        LINES.add(line, false);
    }
}

fn is_text(settings: &LogSettings, is_terminal: bool) -> bool {
    match settings.format {
        LogFormat::Text => true,
        LogFormat::Json => false,
        LogFormat::Auto => is_terminal,
    }
}

/// Returns true if standard output is the same stream as the log's, all of whose lines are JSON.
pub fn has_output_in_json(settings: &LogSettings) -> bool {
    let file = |stat: rustix::fs::Stat| (stat.st_dev, stat.st_ino);
    let is_same = match (rustix::fs::fstat(io::stdout()), rustix::fs::fstat(io::stderr())) {
        (Ok(output), Ok(log)) => file(output) == file(log),
        _ => false,
    };
    is_same && !is_text(settings, io::stderr().is_terminal())
}

/// Writes what still waits; the last act of a process that logs.
pub fn finish() {
    LINES.write_out();
}

/// Lines on their way. A system call for each line would cost as much as the rest of a small request.
struct LogLines {
    waiting: Mutex<Vec<u8>>,
    came: Condvar,
    /// Held while writing, so that batches keep their order: the room of the last batch, for the next one.
    output: Mutex<Vec<u8>>,
}

static LINES: LogLines =
    LogLines { waiting: Mutex::new(Vec::new()), came: Condvar::new(), output: Mutex::new(Vec::new()) };

/// The time for which a line may wait. Warnings and errors do not.
const DELAY: Duration = Duration::from_millis(100);
/// From so many bytes on, the thread that logs writes.
const BATCH: usize = 64 * 1024;
/// The most room that is kept for the next batch.
const ROOM: usize = 2 * BATCH;

fn in_batches(journal: bool) -> Result<LogBatches, String> {
    let written = || loop {
        let waiting = lock(&LINES.waiting);
        drop(LINES.came.wait_while(waiting, |waiting| waiting.is_empty()));
        std::thread::sleep(DELAY);
        LINES.write_out();
    };
    std::thread::Builder::new().name("log".into()).spawn(written).map_err(|error| error.to_string())?;
    Ok(LogBatches { journal })
}

impl LogLines {
    fn add(&self, line: &[u8], at_once: bool) {
        let mut waiting = lock(&self.waiting);
        let is_first = waiting.is_empty();
        waiting.extend_from_slice(line);
        let full = waiting.len() >= BATCH;
        drop(waiting);
        if is_first {
            self.came.notify_one();
        }
        if at_once || full {
            self.write_out();
        }
    }

    fn write_out(&self) {
        let mut lines = lock(&self.output);
        std::mem::swap(&mut *lines, &mut *lock(&self.waiting));
        // There is nowhere left to report that the log cannot be written.
        let _ = io::stderr().write_all(&lines);
        lines.clear();
        lines.shrink_to(ROOM);
    }
}

/// Makes a writer for each line.
struct LogBatches {
    /// True if each line begins with its priority.
    journal: bool,
}

struct LogLine {
    at_once: bool,
    /// The level to mark it with, for a journal.
    mark: Option<Level>,
}

impl<'a> MakeWriter<'a> for LogBatches {
    type Writer = LogLine;

    fn make_writer(&'a self) -> LogLine {
        LogLine { at_once: true, mark: self.journal.then_some(Level::INFO) }
    }

    fn make_writer_for(&'a self, of: &Metadata<'_>) -> LogLine {
        LogLine { at_once: *of.level() <= Level::WARN, mark: self.journal.then_some(*of.level()) }
    }
}

impl Write for LogLine {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match self.mark {
            None => LINES.add(line, self.at_once),
            Some(level) => LINES.add(&mark(line, level), self.at_once),
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
