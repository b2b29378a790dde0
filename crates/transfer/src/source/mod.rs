//! Files of rows, read one row at a time: CSV, JSON, lines of JSON, packed with gzip or not.

mod csv_source;
mod file_source;
mod gzip;
mod json_source;
mod quotes;
mod row_limit;

pub use file_source::FileSource;
pub use gzip::{has_gzip_signature, unpacked};

use csv_source::CsvDialect;
use model::error::{Error, Result};
use serde_json::{Map, Value as Json};
use std::fmt;
use std::io::{BufReader, Read};

/// A row of an operator's file may have this many bytes: one that never ends does not fill the memory.
pub const LARGEST_ROW: u64 = 16 * 1024 * 1024;
/// Bytes that are read at once.
const PIECE: usize = 128 * 1024;

/// Form in which the rows of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceFormat {
    /// Cells by a delimiter, the first line their names.
    Csv {
        /// The character between cells.
        delimiter: u8,
        /// True if the sign before formulas is taken away.
        safe: bool,
    },
    /// An array of objects.
    Json,
    /// An object on each line.
    Jsonl,
}

/// A row as it stands in its file.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceRow {
    /// Cells, in the order of the header.
    Cells(csv::StringRecord),
    /// Values by name, in wire form.
    Object(Map<String, Json>),
    /// None that can be read, and why.
    Unreadable(String),
}

impl SourceRow {
    /// About how many bytes of memory it takes.
    pub fn size(&self) -> usize {
        const CELL: usize = 64;
        fn value(json: &Json) -> usize {
            CELL + match json {
                Json::String(text) => text.len(),
                Json::Array(members) => members.iter().map(value).sum(),
                Json::Object(members) => members.iter().map(|(name, member)| name.len() + value(member)).sum(),
                Json::Null | Json::Bool(_) | Json::Number(_) => 0,
            }
        }
        match self {
            SourceRow::Cells(cells) => cells.as_slice().len() + 8 * cells.len(),
            SourceRow::Object(object) => object.iter().map(|(name, member)| name.len() + value(member)).sum(),
            SourceRow::Unreadable(message) => message.len(),
        }
    }
}

/// Takes the rows of a file, from the first on.
pub trait RowTaker {
    /// Takes the names of the columns that the cells of all rows are in.
    fn header(&mut self, names: &csv::StringRecord) -> Result<()>;

    /// Takes a row. The line is its place in the file, or its number in an array.
    fn row(&mut self, line: u64, row: &SourceRow) -> Result<()>;
}

/// Hands all rows of a file over, each of which may have so many bytes.
pub fn read_rows(format: SourceFormat, row: u64, reader: impl Read, taker: &mut dyn RowTaker) -> Result<()> {
    let reader = BufReader::with_capacity(PIECE, reader);
    match format {
        SourceFormat::Csv { delimiter, safe } => csv_source::read(reader, CsvDialect { delimiter, safe, row }, taker),
        SourceFormat::Json => json_source::array(reader, row, taker),
        SourceFormat::Jsonl => json_source::lines(reader, row, taker),
    }
}

fn unreadable(error: impl fmt::Display) -> Error {
    let error = error.to_string();
    Error::invalid("file_unreadable", format!("The file cannot be read: {}.", error.trim_end_matches('.')))
}
