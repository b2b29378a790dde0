//! ZIP archives (APPNOTE 6.3), read by their directory.

use crate::source::gzip::UnpackLimit;
use crate::source::unreadable;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use model::error::Result;
use std::io;
use std::io::{BufReader, Read, Seek, SeekFrom};

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";
/// The signature of compound files: workbooks of before 2007, and those with a password.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0";
/// Bytes at the end among which the end of the directory is: its own 22, and a comment.
const TAIL: u64 = 22 + 65_535;
/// The most bytes of the directory.
const DIRECTORY: u64 = 4 << 20;
/// The number that stands for one in a longer field.
const ELSEWHERE: u64 = 0xffff_ffff;

/// An archive whose directory is read.
pub(super) struct ArchiveReader<R> {
    reader: R,
    entries: Vec<ArchiveEntry>,
    /// The most bytes of an unpacked part.
    unpacked: u64,
}

struct ArchiveEntry {
    name: String,
    flags: u16,
    method: u16,
    packed: u64,
    start: u64,
    /// The checksum of its bytes.
    checksum: u32,
}

impl<R: Read + Seek> ArchiveReader<R> {
    /// Reads the directory.
    pub(super) fn open(mut reader: R, unpacked: u64) -> io::Result<Self> {
        let directory = directory(&mut reader)?;
        Ok(ArchiveReader { reader, entries: entries(&directory)?, unpacked })
    }

    /// The bytes of a part.
    pub(super) fn part(&mut self, name: &str) -> Result<Box<dyn Read + '_>> {
        let entry = self.entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name));
        let entry = entry.ok_or_else(|| unreadable(format!("the workbook has no part {name:?}")))?;
        if entry.flags & 1 != 0 {
            return Err(unreadable("the workbook is protected with a password"));
        }
        let start = data_start(&mut self.reader, entry.start).map_err(unreadable)?;
        self.reader.seek(SeekFrom::Start(start)).map_err(unreadable)?;
        let packed = (&mut self.reader).take(entry.packed);
        match entry.method {
            0 => Ok(Box::new(CheckedPart::new(UnpackLimit::new(packed, self.unpacked), entry.checksum))),
            8 => {
                let unpacked = DeflateDecoder::new(BufReader::new(packed));
                Ok(Box::new(CheckedPart::new(UnpackLimit::new(unpacked, self.unpacked), entry.checksum)))
            }
            method => {
                Err(unreadable(format!("a part is packed by the method {method}, which spreadsheets do not use")))
            }
        }
    }
}

/// A part that fails at its end where its bytes are not those that its writer had.
struct CheckedPart<R> {
    reader: R,
    found: Crc,
    expected: u32,
}

impl<R> CheckedPart<R> {
    fn new(reader: R, expected: u32) -> Self {
        CheckedPart { reader, found: Crc::new(), expected }
    }
}

impl<R: Read> Read for CheckedPart<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(bytes)?;
        self.found.update(&bytes[..count]);
        if count == 0 && !bytes.is_empty() && self.found.sum() != self.expected {
            return Err(invalid("it is damaged: its checksum is another one"));
        }
        Ok(count)
    }
}

/// The bytes of the directory.
fn directory(reader: &mut (impl Read + Seek)) -> io::Result<Vec<u8>> {
    let length = reader.seek(SeekFrom::End(0))?;
    let mut head = vec![0; 4];
    reader.rewind()?;
    reader.take(4).read_exact(&mut head).map_err(|_| no_workbook())?;
    if head == COMPOUND {
        return Err(invalid("it is of the old form .xls, or protected with a password. Save it as .xlsx, without one"));
    }
    let from = length.saturating_sub(TAIL);
    let tail = bytes(reader, from, length - from)?;
    let end = tail.windows(4).rposition(|window| window == END).ok_or_else(no_workbook)?;
    let (mut size, mut start) = (number(&tail, end + 12, 4)?, number(&tail, end + 16, 4)?);
    if let Some(locator) = end.checked_sub(20).filter(|at| tail[*at..].starts_with(LOCATOR_64)) {
        let end = bytes(reader, number(&tail, locator + 8, 8)?, 56)?;
        if !end.starts_with(END_64) {
            return Err(no_workbook());
        }
        (size, start) = (number(&end, 40, 8)?, number(&end, 48, 8)?);
    }
    if size > DIRECTORY {
        return Err(invalid("it has too many parts"));
    }
    bytes(reader, start, size)
}

fn entries(directory: &[u8]) -> io::Result<Vec<ArchiveEntry>> {
    let (mut entries, mut at) = (Vec::new(), 0);
    while directory.get(at..).is_some_and(|rest| rest.starts_with(CENTRAL)) {
        let field = |offset, length| number(directory, at + offset, length);
        let lengths = [field(28, 2)?, field(30, 2)?, field(32, 2)?].map(|length| length as usize);
        let name = directory.get(at + 46..at + 46 + lengths[0]).ok_or_else(no_workbook)?;
        let extra = directory.get(at + 46 + lengths[0]..at + 46 + lengths[0] + lengths[1]).ok_or_else(no_workbook)?;
        let name = String::from_utf8_lossy(name).replace('\\', "/");
        let mut entry = ArchiveEntry {
            name: name.trim_start_matches('/').to_owned(),
            flags: field(8, 2)? as u16,
            method: field(10, 2)? as u16,
            packed: field(20, 4)?,
            start: field(42, 4)?,
            checksum: field(16, 4)? as u32,
        };
        entry.read_long(field(24, 4)? == ELSEWHERE, extra)?;
        entries.push(entry);
        at += 46 + lengths.iter().sum::<usize>();
    }
    Ok(entries)
}

impl ArchiveEntry {
    /// Takes the numbers that need eight bytes from the extra field (APPNOTE 4.5.3).
    fn read_long(&mut self, unpacked: bool, mut extra: &[u8]) -> io::Result<()> {
        while extra.len() >= 4 {
            let (id, length) = (number(extra, 0, 2)?, number(extra, 2, 2)? as usize);
            let field = extra.get(4..4 + length).ok_or_else(no_workbook)?;
            if id == 1 {
                let mut at = if unpacked { 8 } else { 0 };
                for value in [&mut self.packed, &mut self.start] {
                    if *value == ELSEWHERE {
                        *value = number(field, at, 8)?;
                        at += 8;
                    }
                }
            }
            extra = &extra[4 + length..];
        }
        Ok(())
    }
}

/// The place of a part's bytes, behind its own head.
fn data_start(reader: &mut (impl Read + Seek), at: u64) -> io::Result<u64> {
    let head = bytes(reader, at, 30)?;
    if !head.starts_with(LOCAL) {
        return Err(no_workbook());
    }
    Ok(at + 30 + number(&head, 26, 2)? + number(&head, 28, 2)?)
}

fn bytes(reader: &mut (impl Read + Seek), from: u64, count: u64) -> io::Result<Vec<u8>> {
    reader.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    reader.take(count).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == count { Ok(bytes) } else { Err(no_workbook()) }
}

/// A number in so many bytes, the lowest first.
fn number(bytes: &[u8], at: usize, length: usize) -> io::Result<u64> {
    let bytes = bytes.get(at..at + length).ok_or_else(no_workbook)?;
    Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn no_workbook() -> io::Error {
    invalid("it is no workbook (.xlsx), or it is damaged")
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.to_owned())
}
