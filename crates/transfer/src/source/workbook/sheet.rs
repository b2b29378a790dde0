//! The rows of a sheet: the first with values has the names of the columns.

use super::cells;
use super::formats::CellFormats;
use super::texts::{SharedTexts, TextPlace};
use super::xml::{XmlItem, XmlReader, XmlTag};
use crate::column_letters;
use crate::source::{RowTaker, SourceRow, TypedCells, unreadable};
use model::error::{Error, Result};
use std::io::Read;

/// The most rows and columns that spreadsheets have.
const ROWS: u64 = 1_048_576;
const COLUMNS: usize = 16_384;

/// A reader of a sheet.
pub(super) struct SheetReader<'s, R: Read> {
    xml: XmlReader<R>,
    texts: &'s SharedTexts,
    formats: &'s CellFormats,
    /// The number of columns, once their names are known.
    width: Option<usize>,
    /// The number of the row under way.
    line: u64,
    cells: Vec<String>,
    /// The cells that are no texts.
    typed: TypedCells,
    /// The columns whose cells have a value.
    used: Vec<usize>,
    is_in_row: bool,
    /// True if a cell of the row has a value.
    some: bool,
    /// The number of the next cell's column.
    column: usize,
    /// The first mistake of the row.
    fault: Option<String>,
}

/// A cell while it is read.
struct OpenCell {
    column: usize,
    kind: String,
    style: Option<String>,
    /// Its value, or its text where that stands in the cell itself.
    value: String,
    place: TextPlace,
    in_value: bool,
    has_formula: bool,
}

impl<'s, R: Read> SheetReader<'s, R> {
    pub(super) fn new(xml: XmlReader<R>, texts: &'s SharedTexts, formats: &'s CellFormats) -> Self {
        SheetReader {
            xml,
            texts,
            formats,
            width: None,
            line: 0,
            cells: Vec::new(),
            typed: TypedCells::default(),
            used: Vec::new(),
            is_in_row: false,
            some: false,
            column: 0,
            fault: None,
        }
    }

    /// Hands all rows over.
    pub(super) fn read(mut self, taker: &mut dyn RowTaker) -> Result<()> {
        let mut cell: Option<OpenCell> = None;
        while let Some(item) = self.xml.next()? {
            match (&item, &mut cell) {
                (XmlItem::Start(tag), None) if tag.name() == "row" => self.begin_row(tag)?,
                (XmlItem::Start(tag), None) if tag.name() == "c" => cell = Some(self.begin_cell(tag)?),
                (XmlItem::End(name), Some(_)) if name == "c" => {
                    cell.take().into_iter().for_each(|cell| self.end_cell(cell))
                }
                (item, Some(cell)) => cell.take(item),
                (XmlItem::End(name), None) if name == "row" => self.end_row(taker)?,
                (XmlItem::End(name), None) if name == "sheetData" => break,
                _ => {}
            }
        }
        let width = self.width;
        self.xml.finish()?;
        match width {
            Some(_) => Ok(()),
            None => {
                let message = "The sheet is empty: its first row must have the names of the columns.";
                Err(Error::invalid("header_missing", message))
            }
        }
    }

    fn begin_row(&mut self, tag: &XmlTag) -> Result<()> {
        let line = match tag.value("r") {
            Some(number) => number.parse().map_err(|_| unreadable(format!("a row has the number {number:?}")))?,
            None => self.line + 1,
        };
        if line > ROWS {
            return Err(unreadable(format!("it has the row {line}, and a sheet has at most {ROWS} rows")));
        }
        if line <= self.line || self.is_in_row {
            let place = if self.is_in_row { "stands in" } else { "follows" };
            return Err(unreadable(format!("the row {line} {place} the row {}", self.line)));
        }
        self.line = line;
        self.xml.begin_line(line);
        // Most rows of a wide sheet have few cells. A long text gives its memory back.
        self.used.drain(..).for_each(|column| self.cells[column] = String::new());
        self.cells.truncate(self.width.unwrap_or(0));
        self.typed.clear();
        (self.is_in_row, self.some, self.column, self.fault) = (true, false, 0, None);
        Ok(())
    }

    fn begin_cell(&mut self, tag: &XmlTag) -> Result<OpenCell> {
        let line = self.line;
        if !self.is_in_row {
            return Err(unreadable(format!("a cell behind the row {line} stands in no row")));
        }
        let column = match tag.value("r") {
            Some(name) => {
                let column = column_letters::index(name).filter(|column| {
                    // Behind the letters stands the row.
                    name.get(column_letters::letters(*column).len()..) == Some(line.to_string().as_str())
                });
                column.ok_or_else(|| unreadable(format!("a cell of the row {line} has the name {name:?}")))?
            }
            None => self.column,
        };
        if column >= COLUMNS {
            return Err(unreadable(format!("a sheet has at most {COLUMNS} columns")));
        }
        self.column = column + 1;
        Ok(OpenCell {
            column,
            kind: tag.value("t").unwrap_or("n").to_owned(),
            style: tag.value("s").map(str::to_owned),
            value: String::new(),
            place: TextPlace::default(),
            in_value: false,
            has_formula: false,
        })
    }

    fn end_cell(&mut self, cell: OpenCell) {
        let (column, is_text) = (cell.column, cell.is_text());
        let value = match self.value(cell) {
            Ok(value) if value.is_empty() => return,
            Ok(value) => value,
            Err(message) => return self.refuse(column, &message),
        };
        self.some = true;
        match self.width {
            Some(width) if column >= width => self.refuse(column, "is behind the columns that the first row names"),
            _ if self.cells.get(column).is_some_and(|known| !known.is_empty()) => {
                self.refuse(column, "stands twice in its row");
            }
            _ => {
                self.cells.resize(self.cells.len().max(column + 1), String::new());
                self.cells[column] = value;
                self.used.push(column);
                if !is_text {
                    self.typed.note(column);
                }
            }
        }
    }

    /// Notes a mistake in the cell of a column.
    fn refuse(&mut self, column: usize, message: &str) {
        self.some = true;
        let line = self.line;
        self.fault.get_or_insert_with(|| format!("The cell {}{line} {message}.", column_letters::letters(column)));
    }

    /// The text of a cell; fails where it has none.
    fn value(&self, cell: OpenCell) -> std::result::Result<String, String> {
        let OpenCell { kind, style, value, has_formula, .. } = cell;
        if value.is_empty() && has_formula && kind != "str" {
            return Err("has a formula without its value: open the file in a spreadsheet, and save it".to_owned());
        }
        match kind.as_str() {
            _ if value.is_empty() => Ok(value),
            "s" => {
                let text = value.trim().parse().ok().and_then(|index| self.texts.get(index));
                text.map(str::to_owned).ok_or_else(|| "refers to a text that is not there".to_owned())
            }
            "str" | "inlineStr" => Ok(cells::unescaped(&value).into_owned()),
            "b" => match value.trim() {
                "1" | "true" => Ok("true".to_owned()),
                "0" | "false" => Ok("false".to_owned()),
                other => Err(format!("has the truth value {other:?}, which is neither 1 nor 0")),
            },
            "e" => Err(format!("has the error {}", value.trim())),
            "d" => Ok(value.trim().to_owned()),
            _ => {
                let text = cells::number(value.trim(), self.formats.of(style.as_deref()), self.formats.from_1904);
                text.ok_or_else(|| format!("has the number {:?}, which is none, or no day", value.trim()))
            }
        }
    }

    fn end_row(&mut self, taker: &mut dyn RowTaker) -> Result<()> {
        self.xml.restart();
        self.is_in_row = false;
        if !self.some {
            return Ok(());
        }
        match (self.width, self.fault.take()) {
            (None, Some(fault)) => Err(unreadable(fault)),
            (None, None) => {
                let names: csv::StringRecord = self.cells.iter().map(|name| name.trim()).collect();
                self.width = Some(names.len());
                taker.header(&names)
            }
            (Some(_), Some(fault)) => taker.row(self.line, &SourceRow::Unreadable(fault)),
            (Some(_), None) => taker.row(self.line, &SourceRow::Cells(self.cells.iter().collect(), self.typed.clone())),
        }
    }
}

impl OpenCell {
    /// Returns true if the cell has a text, or a formula whose value is one.
    fn is_text(&self) -> bool {
        matches!(self.kind.as_str(), "s" | "str" | "inlineStr")
    }

    fn take(&mut self, item: &XmlItem) {
        match item {
            XmlItem::Start(tag) if tag.name() == "v" => self.in_value = true,
            XmlItem::End(name) if name == "v" => self.in_value = false,
            XmlItem::Start(tag) if tag.name() == "f" => self.has_formula = true,
            XmlItem::Text(piece) if self.in_value => self.value.push_str(piece),
            item => self.place.take(item, &mut self.value),
        }
    }
}
