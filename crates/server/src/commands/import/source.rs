//! Files of rows: opened, unpacked, and read one row at a time.

use super::quotes::QuoteCheck;
use crate::commands::Failure;
use clap::ValueEnum;
use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use model::error::{Error, Result};
use serde::de::{self, Deserializer as _, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use transfer::import::Import;

/// A line of JSON may be this long.
const LINE: u64 = 16 * 1024 * 1024;

/// The form in which the rows of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// Cells by commas, the first line their names
    Csv,
    /// An array of objects
    Json,
    /// An object on each line
    Jsonl,
}

/// The source of rows.
pub struct ImportSource {
    file: File,
    packed: bool,
    format: ImportFormat,
    delimiter: u8,
    size: Option<u64>,
}

impl ImportSource {
    /// A file, or standard input where it is `-`.
    pub fn file(path: &Path, format: Option<ImportFormat>, delimiter: char) -> Result<Self, Failure> {
        let name = path.to_string_lossy().to_lowercase();
        let delimiter = u8::try_from(delimiter)
            .map_err(|_| Failure::new("The delimiter must be one character of ASCII.", "Such as --delimiter ';'."))?;
        let (packed, name) = name.strip_suffix(".gz").map_or((false, name.as_str()), |name| (true, name));
        let by_name = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv") => Some(ImportFormat::Csv),
            Some("json") => Some(ImportFormat::Json),
            Some("jsonl" | "ndjson") => Some(ImportFormat::Jsonl),
            _ => None,
        };
        let format = format.or(by_name).ok_or_else(|| {
            Failure::new("The file's name does not show its format.", "Use --format csv, json or jsonl.")
        })?;
        let missing = |error: io::Error| Failure::new(format!("Cannot read {}: {error}.", path.display()), "");
        let file = if name == "-" { spooled(&mut io::stdin()) } else { File::open(path) }.map_err(missing)?;
        let whole = file.metadata().map_err(missing)?.is_file();
        // Rows are read more than once.
        let mut file = if whole { file } else { spooled(&mut &file).map_err(missing)? };
        let size = Some(file.seek(SeekFrom::End(0)).map_err(missing)?);
        if packed && !has_gzip_signature(&mut file).map_err(missing)? {
            let message = format!("{} is not compressed with gzip, as its name says.", path.display());
            return Err(Failure::new(message, "Compress it, or rename it without .gz."));
        }
        Ok(ImportSource { file, packed, format, delimiter, size })
    }

    /// Returns the number of bytes to read, where that is known.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Hands all rows to an import, from the first on.
    pub(super) fn feed(&mut self, import: &mut Import<'_, '_>, bar: &ProgressBar) -> Result<()> {
        self.file.rewind().map_err(unreadable)?;
        bar.set_position(0);
        let counted = bar.wrap_read(&self.file);
        let reader: Box<dyn Read> =
            if self.packed { Box::new(MultiGzDecoder::new(BufReader::new(counted))) } else { Box::new(counted) };
        let reader = BufReader::with_capacity(128 * 1024, reader);
        match self.format {
            ImportFormat::Csv => csv_rows(import, reader, self.delimiter),
            ImportFormat::Json => json_rows(import, reader),
            ImportFormat::Jsonl => json_lines(import, reader),
        }
    }
}

/// All that a reader gives, in a file without a name.
fn spooled(reader: &mut impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(reader, &mut file)?;
    Ok(file)
}

/// Returns true if a file begins as gzip does (RFC 1952, 2.3.1).
fn has_gzip_signature(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.rewind()?;
    file.take(2).read_to_end(&mut head)?;
    Ok(head == [0x1f, 0x8b])
}

fn csv_rows(import: &mut Import<'_, '_>, mut reader: impl BufRead, delimiter: u8) -> Result<()> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    if reader.fill_buf().map_err(unreadable)?.starts_with(BYTE_ORDER_MARK) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    // Where lines end in two characters, the parser begins a row between them: on the line before.
    let beginning = reader.fill_buf().map_err(unreadable)?;
    let ends_in_two =
        beginning.iter().position(|byte| *byte == b'\n').is_some_and(|end| beginning[..end].ends_with(b"\r"));
    let line = |position: Option<&csv::Position>| position.map_or(0, csv::Position::line) + u64::from(ends_in_two);
    let checked = QuoteCheck::new(reader, delimiter);
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(checked);
    let header = reader.headers().map_err(unreadable)?.clone();
    let end = reader.position().byte();
    if let Some(fault) = reader.get_mut().before(end) {
        return Err(unreadable(format!("line {}: {}", fault.line, fault.message.trim_end_matches('.'))));
    }
    if header.is_empty() {
        let message = "The file is empty: its first line must have the names of the columns.";
        return Err(Error::invalid("header_missing", message));
    }
    import
        .header(header.iter().map(str::trim))
        .map_err(|error| other_delimiter(&header, delimiter).unwrap_or(error))?;
    let mut record = csv::StringRecord::new();
    loop {
        let read = reader.read_record(&mut record);
        let end = reader.position().byte();
        let fault = reader.get_mut().before(end);
        match read {
            Ok(true) if let Some(fault) = fault => import.unreadable(fault.line, fault.message)?,
            Ok(false) => return Ok(()),
            Ok(true) => import.cells(line(record.position()), record.iter())?,
            Err(error) if matches!(error.kind(), csv::ErrorKind::Utf8 { .. }) => {
                import.unreadable(line(error.position()), "The row is not UTF-8.")?;
            }
            Err(error) => return Err(unreadable(error)),
        }
    }
}

/// Returns the error of a header that is one name only because other characters stand between its names.
fn other_delimiter(header: &csv::StringRecord, delimiter: u8) -> Option<Error> {
    const OTHERS: [(char, &str); 4] = [(';', "';'"), ('\t', "$'\\t'"), ('|', "'|'"), (',', "','")];
    let only = header.get(0).filter(|_| header.len() == 1)?;
    let (other, argument) =
        OTHERS.into_iter().find(|(other, _)| *other != char::from(delimiter) && only.contains(*other))?;
    let message = format!(
        "The first line has {other:?} between the names, and not {:?}: try --delimiter {argument}.",
        char::from(delimiter)
    );
    Some(Error::invalid("delimiter", message))
}

fn json_lines(import: &mut Import<'_, '_>, mut reader: impl BufRead) -> Result<()> {
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let length = reader.by_ref().take(LINE).read_until(b'\n', &mut bytes).map_err(unreadable)?;
        if length == 0 {
            break;
        }
        if length as u64 == LINE {
            return Err(unreadable(format!("line {number} is longer than {LINE} bytes")));
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<Map<String, Json>>(&bytes) {
            Ok(object) => import.object(number, &object)?,
            Err(error) => import.unreadable(number, &format!("The line is not a JSON object: {error}."))?,
        }
    }
    Ok(())
}

fn json_rows(import: &mut Import<'_, '_>, reader: impl Read) -> Result<()> {
    let mut failed = None;
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let read =
        deserializer.deserialize_seq(ImportRows { import, failed: &mut failed }).and_then(|()| deserializer.end());
    match (failed, read) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(unreadable(error)),
        (None, Ok(())) => Ok(()),
    }
}

/// Takes the members of an array as they come.
struct ImportRows<'v, 't, 'c> {
    import: &'v mut Import<'t, 'c>,
    failed: &'v mut Option<Error>,
}

impl<'de> Visitor<'de> for ImportRows<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(row) = rows.next_element::<Map<String, Json>>()? {
            number += 1;
            if let Err(error) = self.import.object(number, &row) {
                *self.failed = Some(error);
                return Err(de::Error::custom("the import failed"));
            }
        }
        Ok(())
    }
}

fn unreadable(error: impl fmt::Display) -> Error {
    Error::invalid("file_unreadable", format!("The file cannot be read: {error}."))
}
