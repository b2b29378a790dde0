//! Files of rows, read one row at a time: CSV, JSON, lines of JSON, packed with gzip or not; sheets of workbooks.

mod csv_source;
mod file_source;
mod gzip;
mod json_source;
mod quotes;
mod row_limit;
mod typed_cells;
mod workbook;

pub use csv_source::{is_delimiter, other_delimiter_of};
pub use file_source::FileSource;
pub use gzip::has_gzip_signature;
pub use typed_cells::TypedCells;

use csv_source::CsvDialect;
use model::error::{Error, Result};
use model::json::LongNumber;
use serde_json::{Map, Value as Json};
use std::fmt;
use std::io::{BufRead as _, BufReader, Read, Seek};

/// A row of an operator's file may have this many bytes: one that never ends does not fill the memory.
pub const LARGEST_ROW: u64 = 16 * 1024 * 1024;
/// Bytes that are read at once.
const PIECE: usize = 128 * 1024;
/// The memory of the texts of a request's workbook, at least and at most, and how much more than the file they take.
const TEXTS: (usize, usize) = (1 << 20, 32 << 20);
const TEXT_RATIO: usize = 20;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Form in which the rows of a file are written.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// A sheet of a workbook: the first row with values has the names of the columns.
    Xlsx {
        /// The name or the number of the sheet; none means the first that is shown.
        sheet: Option<String>,
    },
}

/// Limits on what a file takes.
#[derive(Clone, Copy, Debug)]
pub struct FileLimits {
    /// The bytes of a row.
    row: u64,
    /// The memory of a workbook's texts.
    texts: usize,
    /// The bytes of the file, or of a part of it, once it is unpacked.
    unpacked: u64,
}

impl FileLimits {
    /// Those of a request's file of so many bytes.
    pub fn of_request(row: u64, length: u64) -> Self {
        FileLimits { row, texts: Self::texts_of_request(length), unpacked: gzip::most(length) }
    }

    /// The memory that the texts of a request's workbook of so many bytes may take.
    pub fn texts_of_request(length: u64) -> usize {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        length.saturating_mul(TEXT_RATIO).clamp(TEXTS.0, TEXTS.1)
    }

    /// Those of the operator's own file, which may be of any size.
    pub fn of_operator() -> Self {
        FileLimits { row: LARGEST_ROW, texts: 1 << 30, unpacked: u64::MAX }
    }
}

/// A row as it stands in its file.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceRow {
    /// Cells, in the order of the header; and those that have a type.
    Cells(csv::StringRecord, TypedCells),
    /// Values by name, in wire form; and the numbers of many digits among them.
    Object(Map<String, Json>, Vec<LongNumber>),
    /// None that can be read, and why.
    Unreadable(String),
}

impl SourceRow {
    /// About how many bytes of memory it takes.
    pub fn size(&self) -> usize {
        const ROW: usize = 128;
        /// A value, and a member of an object with its name and its place in the index.
        const VALUE: usize = size_of::<Json>();
        const MEMBER: usize = VALUE + 80;
        fn members(object: &Map<String, Json>) -> usize {
            object.iter().map(|(name, member)| MEMBER + name.len() + value(member)).sum()
        }
        fn value(json: &Json) -> usize {
            match json {
                Json::String(text) => 16 + text.len(),
                Json::Array(values) => values.iter().map(|member| VALUE + value(member)).sum(),
                Json::Object(object) => members(object),
                Json::Null | Json::Bool(_) | Json::Number(_) => 0,
            }
        }
        ROW + match self {
            SourceRow::Cells(cells, typed) => cells.as_slice().len() + 8 * cells.len() + typed.size(),
            SourceRow::Object(object, numbers) => {
                members(object)
                    + numbers.iter().map(|number| 64 + number.member.len() + number.literal.len()).sum::<usize>()
            }
            SourceRow::Unreadable(message) => message.len(),
        }
    }

    /// A copy that takes no more memory than it must. A record keeps the room of the longest row before it, and so does
    /// its clone: a file with one long row would fill the memory.
    pub fn compact(&self) -> Self {
        let SourceRow::Cells(cells, typed) = self else { return self.clone() };
        let mut copy = csv::StringRecord::with_capacity(cells.as_slice().len(), cells.len());
        cells.iter().for_each(|cell| copy.push_field(cell));
        SourceRow::Cells(copy, typed.clone())
    }
}

/// Takes the rows of a file, from the first on.
pub trait RowTaker {
    /// Takes the names of the columns that the cells of all rows are in.
    fn header(&mut self, names: &csv::StringRecord) -> Result<()>;

    /// Takes a row. The line is its place in the file, or its number in an array.
    fn row(&mut self, line: u64, row: &SourceRow) -> Result<()>;
}

/// Hands all rows of a file over, which is packed with gzip or not.
pub fn read_file(
    format: &SourceFormat,
    packed: bool,
    limits: FileLimits,
    reader: impl Read + Seek,
    taker: &mut dyn RowTaker,
) -> Result<()> {
    match (format, packed) {
        (SourceFormat::Xlsx { sheet }, false) => workbook::read_sheet(reader, sheet.as_deref(), limits, taker),
        (SourceFormat::Xlsx { .. }, true) => Err(unreadable("a workbook is packed in itself, and not with gzip")),
        (format, true) => read_rows(format, limits.row, gzip::unpacked(BufReader::new(reader), limits.unpacked), taker),
        (format, false) => read_rows(format, limits.row, reader, taker),
    }
}

/// Hands all rows of a text over, each of which may have so many bytes.
fn read_rows(format: &SourceFormat, row: u64, reader: impl Read, taker: &mut dyn RowTaker) -> Result<()> {
    let mut reader = BufReader::with_capacity(PIECE, reader);
    if reader.fill_buf().map_err(unreadable)?.starts_with(BYTE_ORDER_MARK) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    match *format {
        SourceFormat::Csv { delimiter, safe } => csv_source::read(reader, CsvDialect { delimiter, safe, row }, taker),
        SourceFormat::Xlsx { .. } => Err(unreadable("a workbook is no text")),
        SourceFormat::Json => json_source::array(reader, row, taker),
        SourceFormat::Jsonl => json_source::lines(reader, row, taker),
    }
}

fn unreadable(error: impl fmt::Display) -> Error {
    let error = error.to_string();
    Error::invalid("file_unreadable", format!("The file cannot be read: {}.", error.trim_end_matches('.')))
}

#[cfg(test)]
mod tests {
    use super::{SourceRow, TypedCells};

    #[test]
    fn a_short_row_behind_a_long_one_is_short() {
        let text = format!("{}\na\nb\n", "x".repeat(1 << 20));
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let mut record = csv::StringRecord::new();
        let mut rows = Vec::new();
        while reader.read_record(&mut record).unwrap() {
            let row = SourceRow::Cells(std::mem::take(&mut record), TypedCells::default());
            rows.push(row.compact());
            let SourceRow::Cells(cells, _) = row else { unreachable!() };
            record = cells;
        }
        let sizes: Vec<usize> = rows.iter().map(SourceRow::size).collect();
        assert_eq!(sizes, [(1 << 20) + 136, 137, 137]);
        assert_eq!(rows[2], SourceRow::Cells(["b"].iter().collect(), TypedCells::default()));
    }
}
