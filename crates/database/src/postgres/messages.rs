//! The server's messages, as they come from the socket.

use super::decode::Fields;
use super::errors::ServerError;
use super::socket::Socket;
use std::io::{self, Read};
use std::ops::Range;
use tokio_postgres::types::{Kind, Type};

/// The number of bytes that are read at once, where no message is longer.
const USUAL: usize = 16 * 1024;
/// From which size on the memory is given back.
const LARGE: usize = 512 * 1024;

/// Bytes that came, of which some are messages that nobody has seen yet.
pub(super) struct Incoming {
    bytes: Vec<u8>,
    unseen: Range<usize>,
    /// The kind of the message that was given last, and where it stands.
    seen: (u8, Range<usize>),
}

impl Incoming {
    pub(super) fn new() -> Self {
        Incoming { bytes: vec![0; USUAL], unseen: 0..0, seen: (0, 0..0) }
    }

    /// The next message: its kind and what it says. Waits for it.
    pub(super) fn next(&mut self, socket: &mut Socket) -> io::Result<(u8, &[u8])> {
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
    pub(super) fn last(&self) -> (u8, &[u8]) {
        (self.seen.0, &self.bytes[self.seen.1.clone()])
    }

    /// Gives back the memory of long messages.
    pub(super) fn settle(&mut self) {
        if self.unseen.is_empty() {
            self.unseen = 0..0;
            self.seen = (0, 0..0);
            if self.bytes.len() > LARGE {
                self.bytes = vec![0; USUAL];
            }
        }
    }

    /// Reads until so many bytes are there.
    fn fill(&mut self, socket: &mut Socket, needed: usize) -> io::Result<()> {
        while self.unseen.len() < needed {
            if self.unseen.start + needed > self.bytes.len() {
                self.bytes.copy_within(self.unseen.clone(), 0);
                self.unseen = 0..self.unseen.len();
                if needed > self.bytes.len() {
                    self.bytes.resize(needed.max(2 * self.bytes.len()), 0);
                }
            }
            match socket.rest().and_then(|()| socket.read(&mut self.bytes[self.unseen.end..])) {
                Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection")),
                Ok(count) => self.unseen.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The places of a row's values in its message.
pub(super) type Places = Vec<Option<Range<usize>>>;

/// The values of a row.
pub(super) fn row<'r>(body: &'r [u8], columns: &'r [Type], places: &'r mut Places) -> io::Result<Fields<'r>> {
    places.clear();
    let mut at = 2;
    for _ in columns {
        let length = word(body, at)?;
        at += 4;
        match usize::try_from(length) {
            Ok(length) => {
                places.push(Some(at..at + length));
                at += length;
            }
            Err(_) => places.push(None),
        }
    }
    if at > body.len() {
        return Err(broken());
    }
    Ok(Fields { columns, places, body })
}

/// The types of a statement's parameters.
pub(super) fn parameters(body: &[u8]) -> io::Result<Vec<Type>> {
    (2..body.len()).step_by(4).map(|at| word(body, at).map(type_of)).collect()
}

/// The types of a statement's columns.
pub(super) fn columns(body: &[u8]) -> io::Result<Vec<Type>> {
    let mut types = Vec::new();
    let mut at = 2;
    while at < body.len() {
        let name = body[at..].iter().position(|byte| *byte == 0).ok_or_else(broken)?;
        // The name, its table, the column there; behind the type are its size, its modifier and a format.
        types.push(type_of(word(body, at + name + 7)?));
        at += name + 19;
    }
    Ok(types)
}

/// Returns the number of rows that a statement changed or gave: the last word of `INSERT 0 1`.
pub(super) fn count(body: &[u8]) -> u64 {
    let tag = body.strip_suffix(&[0]).unwrap_or(body);
    let number = tag.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    std::str::from_utf8(number).ok().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Returns the fields of an error or a notice.
pub(super) fn error(body: &[u8]) -> ServerError {
    let mut error = ServerError::default();
    for field in body.split(|byte| *byte == 0) {
        let Some((kind, text)) = field.split_first() else { continue };
        let text = || String::from_utf8_lossy(text).into_owned();
        match kind {
            b'V' => error.severity = text(),
            b'C' => error.code = text(),
            b'M' => error.message = text(),
            b'D' => error.detail = Some(text()),
            b't' => error.table = Some(text()),
            b'n' => error.constraint = Some(text()),
            b'R' => error.routine = Some(text()),
            _ => {}
        }
    }
    error
}

fn type_of(number: i32) -> Type {
    let number = number.cast_unsigned();
    // Our statements speak of none but the server's own.
    Type::from_oid(number).unwrap_or_else(|| Type::new(format!("type {number}"), number, Kind::Simple, String::new()))
}

fn word(body: &[u8], at: usize) -> io::Result<i32> {
    let bytes = body.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    bytes.map(i32::from_be_bytes).ok_or_else(broken)
}

pub(super) fn broken() -> io::Error {
    io::Error::other("the server does not keep to the protocol")
}
