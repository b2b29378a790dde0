//! Output of commands: all that they write on standard output and standard error goes through here.

use super::Failure;
use std::fmt;
use std::io::{self, BufWriter, Write};

/// Bytes that are written together.
const BLOCK: usize = 64 * 1024;

/// Prints a line on standard output. That nobody reads on, as behind `| head`, is no failure.
pub(super) fn print_line(text: impl fmt::Display) -> Result<(), Failure> {
    stream(|out| writeln!(out, "{text}").map_err(unwritable))
}

/// Prints a text on standard output as it is.
pub(super) fn print_text(text: &str) -> Result<(), Failure> {
    stream(|out| out.write_all(text.as_bytes()).map_err(unwritable))
}

/// Prints a line that is shown once. It is lost where nobody reads on, too: then the advice says what to do.
pub(super) fn print_once(text: impl fmt::Display, advice: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    written.map_err(|error| Failure { advice: advice.to_owned(), ..unwritable(error) })
}

/// Has `write` write on standard output, in blocks. A reader that goes before the end ends it without a failure.
pub(super) fn stream(write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut pipe = Pipe { out: BufWriter::with_capacity(BLOCK, io::stdout().lock()), closed: false };
    let written = write(&mut pipe).and_then(|()| pipe.flush().map_err(unwritable));
    if pipe.closed { Ok(()) } else { written }
}

/// Prints a line on standard error. There is nowhere left to report that it cannot be written.
pub(super) fn tell(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Returns the failure of an output.
pub(super) fn unwritable(error: io::Error) -> Failure {
    Failure::new(format!("The output cannot be written: {error}."), "")
}

/// Standard output, whose reader may go before the end.
struct Pipe<W: Write> {
    out: W,
    closed: bool,
}

impl<W: Write> Pipe<W> {
    fn note<T>(&mut self, written: io::Result<T>) -> io::Result<T> {
        self.closed |= written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        written
    }
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.note(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.note(flushed)
    }
}
