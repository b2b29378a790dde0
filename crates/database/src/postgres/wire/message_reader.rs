//! Frames: the server's messages, cut out of the bytes of a socket.

use super::messages::broken;
use std::io::{self, Read};
use std::ops::Range;

/// The number of bytes that are read at once, where no message is longer.
const USUAL: usize = 16 * 1024;
/// The size from which on the memory is freed.
const LARGE: usize = 512 * 1024;

/// A source of bytes that may wait before it is read.
pub(crate) trait WaitingRead: Read {
    /// Waits, for some time, until there is something to read.
    fn wait(&self) -> io::Result<()>;
}

/// Bytes that came, of which some are messages that nobody has seen yet.
pub(crate) struct MessageReader {
    bytes: Vec<u8>,
    unseen: Range<usize>,
    /// The kind of the message that was given last, and where it stands.
    seen: (u8, Range<usize>),
}

impl MessageReader {
    pub(crate) fn new() -> Self {
        MessageReader { bytes: vec![0; USUAL], unseen: 0..0, seen: (0, 0..0) }
    }

    /// The next message: its kind and what it says. Waits for it.
    pub(crate) fn next(&mut self, socket: &mut impl WaitingRead) -> io::Result<(u8, &[u8])> {
        self.fill(socket, 5)?;
        let head = &self.bytes[self.unseen.start..];
        let kind = head[0];
        let length = usize::try_from(i32::from_be_bytes([head[1], head[2], head[3], head[4]]));
        let Some(whole) = length.ok().filter(|length| *length >= 4).map(|length| length + 1) else {
            return Err(broken());
        };
        self.fill(socket, whole)?;
        let start = self.unseen.start;
        self.unseen.start += whole;
        self.seen = (kind, start + 5..start + whole);
        Ok(self.last())
    }

    /// The message that was given last.
    pub(crate) fn last(&self) -> (u8, &[u8]) {
        (self.seen.0, &self.bytes[self.seen.1.clone()])
    }

    /// Frees the memory of long messages.
    pub(crate) fn shrink(&mut self) {
        if self.unseen.is_empty() {
            self.unseen = 0..0;
            self.seen = (0, 0..0);
            if self.bytes.len() > LARGE {
                self.bytes = vec![0; USUAL];
            }
        }
    }

    /// Returns the number of bytes of memory that the reader takes.
    #[cfg(test)]
    pub(super) fn memory(&self) -> usize {
        self.bytes.len()
    }

    /// Reads until so many bytes are there.
    fn fill(&mut self, socket: &mut impl WaitingRead, needed: usize) -> io::Result<()> {
        while self.unseen.len() < needed {
            if self.unseen.start + needed > self.bytes.len() {
                self.bytes.copy_within(self.unseen.clone(), 0);
                self.unseen = 0..self.unseen.len();
            }
            if self.unseen.end == self.bytes.len() {
                // A length is a claim: memory grows with what came.
                self.bytes.resize(2 * self.bytes.len(), 0);
            }
            match socket.wait().and_then(|()| socket.read(&mut self.bytes[self.unseen.end..])) {
                Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection")),
                Ok(count) => self.unseen.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
