//! Rows of CSV: a lenient parser, beside which quotes are checked.

use super::quotes::QuoteCheck;
use super::{RowTaker, SourceRow, TypedCells, unreadable};
use crate::formula;
use model::error::{Error, Result};
use std::io::BufRead;

/// The byte order marks of UTF-16.
const OTHER_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// The way in which a file of cells is written, and the most bytes of a row.
#[derive(Clone, Copy)]
pub(super) struct CsvDialect {
    pub(super) delimiter: u8,
    pub(super) safe: bool,
    pub(super) row: u64,
}

pub(super) fn read(mut reader: impl BufRead, dialect: CsvDialect, taker: &mut dyn RowTaker) -> Result<()> {
    let CsvDialect { delimiter, safe, row } = dialect;
    let start = reader.fill_buf().map_err(unreadable)?;
    if OTHER_MARKS.iter().any(|mark| start.starts_with(mark)) {
        return Err(unreadable("it is UTF-16. Save it as UTF-8"));
    }
    // Where lines end in two characters, the parser begins a row between them: on the line before.
    let beginning = reader.fill_buf().map_err(unreadable)?;
    let ends_in_two =
        beginning.iter().position(|byte| *byte == b'\n').is_some_and(|end| beginning[..end].ends_with(b"\r"));
    let line = |position: Option<&csv::Position>| position.map_or(0, csv::Position::line) + u64::from(ends_in_two);
    let checked = QuoteCheck::new(reader, delimiter, row);
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(checked);
    let header = reader.headers().map_err(|error| unreadable_row(&error, 1))?.clone();
    let end = reader.position().byte();
    if let Some(fault) = reader.get_mut().before(end) {
        return Err(unreadable(format!("line {}: {}", fault.line, fault.message)));
    }
    if header.is_empty() {
        let message = "The file is empty: its first line must have the names of the columns.";
        return Err(Error::invalid("header_missing", message));
    }
    let names = header.iter().map(str::trim).collect();
    taker.header(&names).map_err(|error| other_delimiter(&header, delimiter).unwrap_or(error))?;
    let mut record = csv::StringRecord::new();
    loop {
        let read = reader.read_record(&mut record);
        let end = reader.position().byte();
        let fault = reader.get_mut().before(end);
        match read {
            Ok(true) if let Some(fault) = fault => {
                taker.row(fault.line, &SourceRow::Unreadable(fault.message.to_owned()))?;
            }
            Ok(false) => return Ok(()),
            Ok(true) => {
                let line = line(record.position());
                if safe {
                    record = record.iter().map(formula::unguarded).collect();
                }
                let row = SourceRow::Cells(std::mem::take(&mut record), TypedCells::default());
                taker.row(line, &row)?;
                if let SourceRow::Cells(cells, _) = row {
                    record = cells;
                }
            }
            Err(error) => return Err(unreadable_row(&error, line(error.position()))),
        }
    }
}

/// Returns the error of a row that the parser cannot read. One that is not UTF-8 is told for the whole file: each row with
/// an accent would be such a row.
fn unreadable_row(error: &csv::Error, line: u64) -> Error {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => unreadable(format!("line {line} is not UTF-8. Save the file as UTF-8")),
        _ => unreadable(error),
    }
}

/// Returns the error of a header that is one name only because other characters stand between its names.
fn other_delimiter(header: &csv::StringRecord, delimiter: u8) -> Option<Error> {
    let (other, argument) = likely_delimiter(header, delimiter)?;
    let message = format!(
        "The first line has {other:?} between the names, and not {:?}: try --delimiter {argument}.",
        char::from(delimiter)
    );
    Some(Error::invalid("delimiter", message))
}

/// The character that seems to stand between the names of a header, which is one name only without it; and how a shell
/// has it.
fn likely_delimiter(header: &csv::StringRecord, delimiter: u8) -> Option<(char, &'static str)> {
    const OTHERS: [(char, &str); 4] = [(';', "';'"), ('\t', "$'\\t'"), ('|', "'|'"), (',', "','")];
    let only = header.get(0).filter(|_| header.len() == 1)?;
    OTHERS.into_iter().find(|(other, _)| *other != char::from(delimiter) && only.contains(*other))
}

/// The character that seems to stand between the names of a header instead of a delimiter.
pub fn other_delimiter_of(header: &csv::StringRecord, delimiter: u8) -> Option<char> {
    likely_delimiter(header, delimiter).map(|(other, _)| other)
}

/// Returns true if cells may be divided by a byte.
pub fn is_delimiter(byte: u8) -> bool {
    byte == b'\t' || byte == b' ' || byte.is_ascii_punctuation() && byte != b'"'
}
