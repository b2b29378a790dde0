//! ZIP archives (APPNOTE 6.3), written as a stream: the sizes of a file stand behind it.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io;
use std::io::Write;

const LOCAL: u32 = 0x0403_4b50;
const DESCRIPTOR: u32 = 0x0807_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// The version that readers need: deflate.
const VERSION: u16 = 20;
/// The flags of sizes behind the data, and of names in UTF-8.
const FLAGS: u16 = 0x0808;
const DEFLATE: u16 = 8;
/// 1 January 1980: an archive does not tell when it was made.
const DATE: u16 = 0x0021;

/// An archive between two files.
pub(super) struct Archive<W: Write> {
    out: Counted<W>,
    files: Vec<ArchivedFile>,
}

/// A file that is written into an archive.
pub(super) struct OpenFile<W: Write> {
    encoder: DeflateEncoder<Counted<W>>,
    crc: Crc,
    length: u64,
    name: &'static str,
    start: u64,
    files: Vec<ArchivedFile>,
}

struct ArchivedFile {
    name: &'static str,
    start: u32,
    crc: u32,
    packed: u32,
    length: u32,
}

/// A writer that knows how much it wrote.
struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Archive<W> {
    pub(super) fn new(out: W) -> Self {
        Archive { out: Counted { out, bytes: 0 }, files: Vec::new() }
    }

    /// Writes a whole file.
    pub(super) fn file(self, name: &'static str, content: &str) -> io::Result<Self> {
        let mut file = self.begin(name)?;
        file.write_all(content.as_bytes())?;
        file.end()
    }

    /// Begins a file.
    pub(super) fn begin(mut self, name: &'static str) -> io::Result<OpenFile<W>> {
        let start = self.out.bytes;
        let mut head = Vec::with_capacity(64);
        head.extend_from_slice(&LOCAL.to_le_bytes());
        for part in [VERSION, FLAGS, DEFLATE, 0, DATE] {
            head.extend_from_slice(&part.to_le_bytes());
        }
        head.extend_from_slice(&[0; 12]);
        head.extend_from_slice(&name_length(name).to_le_bytes());
        head.extend_from_slice(&[0; 2]);
        head.extend_from_slice(name.as_bytes());
        self.out.write_all(&head)?;
        let encoder = DeflateEncoder::new(self.out, Compression::fast());
        Ok(OpenFile { encoder, crc: Crc::new(), length: 0, name, start, files: self.files })
    }

    /// Writes the directory.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let (start, count) = (small(self.out.bytes)?, u16::try_from(self.files.len()).map_err(io::Error::other)?);
        for file in &self.files {
            let mut entry = Vec::with_capacity(96);
            entry.extend_from_slice(&CENTRAL.to_le_bytes());
            for part in [VERSION, VERSION, FLAGS, DEFLATE, 0, DATE] {
                entry.extend_from_slice(&part.to_le_bytes());
            }
            for part in [file.crc, file.packed, file.length] {
                entry.extend_from_slice(&part.to_le_bytes());
            }
            entry.extend_from_slice(&name_length(file.name).to_le_bytes());
            entry.extend_from_slice(&[0; 12]);
            entry.extend_from_slice(&file.start.to_le_bytes());
            entry.extend_from_slice(file.name.as_bytes());
            self.out.write_all(&entry)?;
        }
        let length = small(self.out.bytes)? - start;
        let mut end = Vec::with_capacity(22);
        end.extend_from_slice(&END.to_le_bytes());
        end.extend_from_slice(&[0; 4]);
        end.extend_from_slice(&count.to_le_bytes());
        end.extend_from_slice(&count.to_le_bytes());
        end.extend_from_slice(&length.to_le_bytes());
        end.extend_from_slice(&start.to_le_bytes());
        end.extend_from_slice(&[0; 2]);
        self.out.write_all(&end)?;
        self.out.flush()
    }
}

impl<W: Write> OpenFile<W> {
    /// Ends the file.
    pub(super) fn end(self) -> io::Result<Archive<W>> {
        let OpenFile { encoder, crc, length, name, start, mut files } = self;
        let mut out = encoder.finish()?;
        let packed = out.bytes - start - 30 - u64::from(name_length(name));
        let file =
            ArchivedFile { name, start: small(start)?, crc: crc.sum(), packed: small(packed)?, length: small(length)? };
        for part in [DESCRIPTOR, file.crc, file.packed, file.length] {
            out.write_all(&part.to_le_bytes())?;
        }
        files.push(file);
        Ok(Archive { out, files })
    }
}

impl<W: Write> Write for OpenFile<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.encoder.write(bytes)?;
        self.crc.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn name_length(name: &str) -> u16 {
    u16::try_from(name.len()).unwrap_or(u16::MAX)
}

fn small(bytes: u64) -> io::Result<u32> {
    u32::try_from(bytes).map_err(|_| io::Error::other("a workbook has at most 4 GB"))
}
