//! Framing: messages with a `Content-Length` before them, within limits.

use serde_json::Value as Json;
use std::io::{self, BufRead, Read, Write};

/// The most bytes of a message: a file of a tenant has at most 1 MiB, and each byte may take six in JSON.
pub(crate) const LARGEST_MESSAGE: u64 = 8 << 20;
/// The most bytes of the headers of a message.
const LARGEST_HEADERS: u64 = 4 << 10;

/// A message as it came in.
#[derive(Debug)]
pub(crate) enum IncomingMessage {
    /// JSON of any kind.
    Json(Json),
    /// Bytes that are not JSON.
    Malformed,
    /// A message with more bytes than a message may have. They were read and thrown away.
    TooLarge,
}

/// Reads a message; none at the end of the input. An error means that nobody knows where the next message begins.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<IncomingMessage>> {
    let Some(length) = headers(input)? else { return Ok(None) };
    if length > LARGEST_MESSAGE {
        let thrown_away = io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok((thrown_away == length).then_some(IncomingMessage::TooLarge));
    }
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&body).map_or(IncomingMessage::Malformed, IncomingMessage::Json)))
}

/// Reads the headers up to the empty line. Returns the length of the body; none at the end of the input.
fn headers(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut input = input.take(LARGEST_HEADERS);
    let (mut length, mut line) = (None, Vec::new());
    loop {
        line.clear();
        input.read_until(b'\n', &mut line)?;
        if line.is_empty() && input.limit() > 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let Some(text) = text.strip_suffix('\n') else { return Err(malformed("The headers of a message do not end.")) };
        let text = text.trim_end_matches('\r');
        if text.is_empty() {
            return length.map(Some).ok_or_else(|| malformed("A message has no Content-Length."));
        }
        let (name, value) = text.split_once(':').ok_or_else(|| malformed("A header has no colon."))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(value.trim().parse().map_err(|_| malformed("The Content-Length is not a number."))?);
        }
    }
}

fn malformed(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Writes a message.
pub(crate) fn write(output: &mut dyn Write, message: &Json) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}
