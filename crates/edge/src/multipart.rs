//! `multipart/form-data` that is read as it comes: of a part, no more is in memory than what came last.

use super::answer::Problem;
use super::stream::BodyStream;
use bytes::{Buf, Bytes, BytesMut};
use memchr::memmem::Finder;
use percent_encoding::percent_decode_str;

/// Bytes of the head of a part.
const HEAD: usize = 8 * 1024;

/// A source of bytes.
pub trait BodySource {
    /// The next bytes; none at the end.
    fn next(&mut self) -> impl Future<Output = Result<Option<Bytes>, Problem>> + Send;
}

impl BodySource for BodyStream {
    fn next(&mut self) -> impl Future<Output = Result<Option<Bytes>, Problem>> + Send {
        BodyStream::next(self)
    }
}

/// A body of parts.
pub struct Multipart<S> {
    source: S,
    /// The bytes that end a part: line end, dashes and the boundary.
    delimiter: Finder<'static>,
    buffer: BytesMut,
}

/// The head of a part.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// The field's name.
    pub name: String,
    /// The name of the file, as the client says.
    pub filename: Option<String>,
    /// Its type, as the client says.
    pub content_type: Option<String>,
}

impl<S: BodySource> Multipart<S> {
    /// A body whose parts have this boundary, without its dashes, between them.
    pub fn new(source: S, boundary: &str) -> Self {
        let delimiter = Finder::new(format!("\r\n--{boundary}").as_bytes()).into_owned();
        // The line end of the first delimiter is missing.
        Multipart { source, delimiter, buffer: BytesMut::from(&b"\r\n"[..]) }
    }

    /// The source of the body.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The head of the next part; none after the last. The part before must have been read to its end.
    pub async fn part(&mut self) -> Result<Option<Part>, Problem> {
        let length = self.delimiter.needle().len();
        self.fill(length + 2).await?;
        if !self.buffer.starts_with(self.delimiter.needle()) {
            return Err(invalid("it does not begin with its boundary"));
        }
        match &self.buffer[length..length + 2] {
            b"--" => {
                // What may follow is to be passed over (RFC 2046), and is counted against the limit.
                while self.source.next().await?.is_some() {}
                return Ok(None);
            }
            b"\r\n" => self.buffer.advance(length),
            _ => return Err(invalid("a boundary is malformed")),
        }
        // The line end stays, so that a head without fields ends like any other.
        let mut looked = 0;
        loop {
            if let Some(end) = memchr::memmem::find(&self.buffer[looked..], b"\r\n\r\n") {
                let head = self.buffer.split_to(looked + end);
                self.buffer.advance(4);
                // An empty body has its delimiter at once, whose line end is the one before.
                return head_of(&head).map(Some);
            }
            if self.buffer.len() > HEAD {
                return Err(invalid("the head of a part is too long"));
            }
            looked = self.buffer.len().saturating_sub(3);
            self.more().await?;
        }
    }

    /// The next bytes of the part; none at its end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Problem> {
        let length = self.delimiter.needle().len();
        loop {
            match self.delimiter.find(&self.buffer) {
                Some(0) => return Ok(None),
                Some(end) => return Ok(Some(self.buffer.split_to(end).freeze())),
                // The delimiter may have begun.
                None if self.buffer.len() >= length => {
                    let sure = self.buffer.len() - (length - 1);
                    return Ok(Some(self.buffer.split_to(sure).freeze()));
                }
                None => self.more().await?,
            }
        }
    }

    async fn fill(&mut self, length: usize) -> Result<(), Problem> {
        while self.buffer.len() < length {
            self.more().await?;
        }
        Ok(())
    }

    async fn more(&mut self) -> Result<(), Problem> {
        let bytes = self.source.next().await?.ok_or_else(|| invalid("it does not end with its boundary"))?;
        if self.buffer.is_empty() {
            self.buffer = BytesMut::from(bytes);
        } else {
            self.buffer.extend_from_slice(&bytes);
        }
        Ok(())
    }
}

fn head_of(head: &[u8]) -> Result<Part, Problem> {
    let head = String::from_utf8_lossy(head);
    let fields = || head.split("\r\n").filter_map(|line| line.split_once(':'));
    let field =
        |name: &str| fields().find(|(known, _)| known.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value);
    let disposition = field("content-disposition").ok_or_else(|| invalid("a part has no name"))?;
    let (mut name, mut plain, mut extended) = (None, None, None);
    let mut rest = disposition.split_once(';').map_or("", |(_, rest)| rest);
    while !rest.trim().is_empty() {
        let (key, value) = rest.split_once('=').ok_or_else(|| invalid("a part's head is malformed"))?;
        let (value, after) = parameter(value.trim_start())?;
        match key.trim().to_ascii_lowercase().as_str() {
            "name" => name = Some(value),
            "filename" => plain = Some(value),
            "filename*" => extended = value.split_once("''").map(|(_, coded)| decoded(coded)),
            _ => {}
        }
        rest = after;
    }
    Ok(Part {
        name: name.ok_or_else(|| invalid("a part has no name"))?,
        filename: extended.or(plain),
        content_type: field("content-type").map(|value| value.trim().to_owned()),
    })
}

/// The value of a parameter, in quotes or not, and what comes after it.
fn parameter(text: &str) -> Result<(String, &str), Problem> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, rest) = text.split_once(';').unwrap_or((text, ""));
        return Ok((value.trim().to_owned(), rest));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices().peekable();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => {
                let rest = quoted[index + 1..].trim_start();
                return Ok((value, rest.strip_prefix(';').unwrap_or(rest)));
            }
            // Only a quote is escaped by whoever escapes at all: other backslashes are those of a path.
            '\\' if characters.peek().is_some_and(|(_, next)| *next == '"') => {
                value.push('"');
                characters.next();
            }
            other => value.push(other),
        }
    }
    Err(invalid("a part's head is malformed"))
}

fn decoded(coded: &str) -> String {
    percent_decode_str(coded).decode_utf8_lossy().into_owned()
}

fn invalid(why: &str) -> Problem {
    Problem::invalid("form_invalid", format!("The form cannot be read: {why}."))
}

#[cfg(test)]
mod tests {
    use super::{BodySource, Multipart, Part};
    use crate::Problem;
    use bytes::Bytes;

    struct Pieces(Vec<Bytes>);

    impl BodySource for Pieces {
        async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
            Ok(if self.0.is_empty() { None } else { Some(self.0.remove(0)) })
        }
    }

    /// Reads a body that comes in pieces of that size.
    async fn read(body: &[u8], size: usize) -> Result<Vec<(Part, Vec<u8>)>, Problem> {
        let pieces = body.chunks(size).map(Bytes::copy_from_slice).collect();
        let mut multipart = Multipart::new(Pieces(pieces), "x");
        let mut parts = Vec::new();
        while let Some(part) = multipart.part().await? {
            let mut content = Vec::new();
            while let Some(chunk) = multipart.chunk().await? {
                content.extend_from_slice(&chunk);
            }
            parts.push((part, content));
        }
        Ok(parts)
    }

    #[tokio::test]
    async fn parts_are_the_same_however_they_come() {
        let body = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a \\\"b\\\";.png\"\r\ncontent-type: image/png\r\n\r\n\
            one\r\n--y\r\n-\r\n\r\n--x\r\ncontent-disposition: form-data; filename*=UTF-8''%C5%BE.txt; name=file\r\n\r\n\r\n--x--\r\nepilogue";
        for size in [1, 2, 3, 7, 64, 1_000] {
            let parts = read(body, size).await.unwrap();
            assert_eq!(parts.len(), 2, "{size}");
            let (first, content) = &parts[0];
            assert_eq!((first.name.as_str(), first.filename.as_deref()), ("file", Some("a \"b\";.png")));
            assert_eq!(first.content_type.as_deref(), Some("image/png"));
            assert_eq!(content, b"one\r\n--y\r\n-\r\n");
            assert_eq!((parts[1].0.filename.as_deref(), parts[1].1.as_slice()), (Some("ž.txt"), &b""[..]));
        }
        assert_eq!(read(b"--x--", 2).await.unwrap().len(), 0);
    }

    #[tokio::test]
    async fn what_is_malformed_is_refused() {
        let endless = [b"--x\r\n".to_vec(), vec![b'a'; 20_000]].concat();
        for body in [
            &b""[..],
            b"preamble\r\n--x--",
            b"--x",
            b"--xy\r\n\r\n\r\n--x--",
            b"--x\r\n\r\na\r\n--x--",
            b"--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--",
            b"--x\r\nContent-Disposition: form-data; name=\"file\r\n\r\na\r\n--x--",
            b"--x\r\nContent-Disposition: form-data; name=file\r\n\r\na",
            b"--x\r\nContent-Disposition: form-data; name=file\r\n\r\na\r\n--x",
            &endless,
        ] {
            assert!(read(body, 5).await.is_err(), "{:?}", String::from_utf8_lossy(body));
        }
    }
}
