//! The destination of log lines, and their form.

mod sample;

use sample::Sample;
use settings::{LogFormat, LogSettings};
use std::io::{self, IsTerminal, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Starts writing log lines to standard error. Fails where the level cannot be read.
pub fn start(settings: &LogSettings) -> Result<(), String> {
    let filter = EnvFilter::try_new(&settings.level).map_err(|error| format!("log.level: {error}"))?;
    // What sends our requests tells at lower levels where to, and an address may hold a secret.
    let filter = ["hyper_util=info", "reqwest=info"]
        .into_iter()
        .fold(filter, |filter, directive| filter.add_directive(directive.parse().expect("this is a directive")));
    let is_terminal = io::stderr().is_terminal();
    let sample = Sample::start(settings.alike.max(1))?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(is_terminal);
    let as_text = match settings.format {
        LogFormat::Text => true,
        LogFormat::Json => false,
        LogFormat::Auto => is_terminal,
    };
    let started = match (is_terminal, as_text) {
        (true, true) => builder.with_writer(sample.of(io::stderr)).compact().try_init(),
        (true, false) => builder.with_writer(sample.of(io::stderr)).json().flatten_event(true).try_init(),
        (false, true) => builder.with_writer(sample.of(in_batches()?)).compact().try_init(),
        (false, false) => builder.with_writer(sample.of(in_batches()?)).json().flatten_event(true).try_init(),
    };
    started.map_err(|error| error.to_string())
}

/// Writes what still waits; the last act of a process that logs.
pub fn finish() {
    LINES.write_out();
}

/// Lines on their way. A system call for each line would cost as much as the rest of a small request.
struct LogLines {
    waiting: Mutex<Vec<u8>>,
    came: Condvar,
    /// Held while writing, so that batches keep their order.
    output: Mutex<()>,
}

static LINES: LogLines = LogLines { waiting: Mutex::new(Vec::new()), came: Condvar::new(), output: Mutex::new(()) };

/// The time for which a line may wait. Warnings and errors do not.
const DELAY: Duration = Duration::from_millis(100);
/// From so many bytes on, the thread that logs writes.
const BATCH: usize = 64 * 1024;

fn in_batches() -> Result<LogBatches, String> {
    let written = || loop {
        let waiting = lock(&LINES.waiting);
        drop(LINES.came.wait_while(waiting, |waiting| waiting.is_empty()));
        std::thread::sleep(DELAY);
        LINES.write_out();
    };
    std::thread::Builder::new().name("log".into()).spawn(written).map_err(|error| error.to_string())?;
    Ok(LogBatches)
}

impl LogLines {
    fn add(&self, line: &[u8], at_once: bool) {
        let mut waiting = lock(&self.waiting);
        if waiting.is_empty() {
            self.came.notify_one();
        }
        waiting.extend_from_slice(line);
        let full = waiting.len() >= BATCH;
        drop(waiting);
        if at_once || full {
            self.write_out();
        }
    }

    fn write_out(&self) {
        let _order = lock(&self.output);
        let lines = std::mem::take(&mut *lock(&self.waiting));
        // There is nowhere left to report that the log cannot be written.
        let _ = io::stderr().write_all(&lines);
    }
}

/// Makes a writer for each line.
struct LogBatches;

struct LogLine {
    at_once: bool,
}

impl<'a> MakeWriter<'a> for LogBatches {
    type Writer = LogLine;

    fn make_writer(&'a self) -> LogLine {
        LogLine { at_once: true }
    }

    fn make_writer_for(&'a self, of: &Metadata<'_>) -> LogLine {
        LogLine { at_once: *of.level() <= Level::WARN }
    }
}

impl Write for LogLine {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        LINES.add(line, self.at_once);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
