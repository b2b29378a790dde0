//! The preview of a file: its columns, what they seem to be, and its first rows.

use super::plan::{FileForm, FormName};
use context::request_context::RequestContext;
use context::spool::{ReadBody, SpooledBody};
use model::error::{Error, Result};
use serde_json::{Map, Value as Json, json};
use std::io;
use std::io::{Read, Seek, SeekFrom};
use transfer::import::{CallerRows, DateOrder, DayOrders, DecimalSign, NumberSigns, propose};
use transfer::source::{RowTaker, SourceRow};

/// Rows that are shown, and samples of a column.
const SHOWN: usize = 20;
const SAMPLES: usize = 3;
/// The most columns, and rows, of a file.
const COLUMNS: usize = 1_000;
const ROWS: u64 = 5_000_000;
/// Bytes of rows that are kept in memory.
pub(super) const KEPT: usize = 8 << 20;
/// Characters of a value that are shown.
const LENGTH: usize = 200;

/// Rows and columns of a file.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The number of its rows.
    pub(super) rows: u64,
    /// The first of them: those that are shown, or all where they are few enough to be kept.
    pub(super) kept: CallerRows,
    most: u64,
    /// True if all rows are kept.
    pub(super) whole: bool,
    bytes: usize,
    /// The most bytes of rows that are kept.
    room: usize,
    /// The signs that the texts of each column show, where the file has cells and is only shown.
    signs: Option<Vec<ColumnSigns>>,
}

/// The signs by which the texts of a column are read.
#[derive(Clone, Debug, Default)]
struct ColumnSigns {
    numbers: NumberSigns,
    days: DayOrders,
}

impl Survey {
    /// Reads a file to its end. All rows are kept where there are at most so many.
    pub(super) fn of(form: &FileForm, reader: impl Read + Seek, most: u64) -> Result<Self> {
        let signs = (most == 0 && form.name.has_cells()).then(Vec::new);
        let most = most.max(SHOWN as u64);
        let mut survey = Survey { most, whole: true, room: form.kept(), signs, ..Survey::default() };
        form.read(reader, &mut survey)?;
        Ok(survey)
    }

    /// The names of the columns, in their order.
    fn names(&self) -> Vec<String> {
        if let Some(header) = &self.kept.header {
            return header.iter().map(str::to_owned).collect();
        }
        let mut names: Vec<String> = Vec::new();
        for (_, row) in self.kept.rows.iter().take(SHOWN) {
            let SourceRow::Object(object, _) = row else { continue };
            for name in
                object.keys().filter(|name| !names.contains(name)).take(COLUMNS - names.len()).collect::<Vec<_>>()
            {
                names.push(name.clone());
            }
        }
        names
    }

    /// The preview as it is told.
    pub(super) fn told(&self, context: &RequestContext, collection: &str, id: i64, form: FormName) -> Result<Json> {
        let names = self.names();
        let rows: Vec<Map<String, Json>> =
            self.kept.rows.iter().take(SHOWN).map(|(_, row)| shown(row, &names)).collect();
        let proposals = propose(context, collection, &names)?;
        let column = |(name, proposal): (&String, Option<(String, bool)>)| {
            let samples = rows.iter().filter_map(|row| row.get(name)).filter(|value| !value.is_null() && *value != "");
            let samples: Vec<&Json> = samples.take(SAMPLES).collect();
            let sure = proposal.as_ref().is_some_and(|(_, sure)| *sure);
            json!({"name": name, "samples": samples, "property": proposal.map(|(property, _)| property), "sure": sure})
        };
        let mut columns: Vec<Json> = names.iter().zip(proposals).map(column).collect();
        for (column, signs) in columns.iter_mut().zip(self.signs.iter().flatten()) {
            if let Some(sample) = signs.numbers.sample() {
                let decimal = signs.numbers.decimal().map(DecimalSign::text);
                column["numbers"] = json!({"decimal": decimal, "sample": sample});
            }
            if let Some(sample) = signs.days.sample() {
                column["days"] = json!({"dates": signs.days.order().map(DateOrder::word), "sample": sample});
            }
        }
        Ok(json!({"import": id, "format": form.word(), "total": self.rows, "columns": columns, "rows": rows}))
    }
}

impl RowTaker for Survey {
    fn header(&mut self, names: &csv::StringRecord) -> Result<()> {
        if names.len() > COLUMNS {
            let message = format!("The file has {} columns, and may have at most {COLUMNS}.", names.len());
            return Err(Error::invalid("columns_too_many", message));
        }
        self.kept.header = Some(names.clone());
        Ok(())
    }

    fn row(&mut self, line: u64, row: &SourceRow) -> Result<()> {
        self.rows += 1;
        if self.rows > ROWS {
            let message = format!("The file has more than {ROWS} rows. Import it in parts.");
            return Err(Error::invalid("rows_too_many", message));
        }
        if let (Some(signs), SourceRow::Cells(cells, typed)) = (&mut self.signs, row) {
            signs.resize_with(cells.len().clamp(signs.len(), COLUMNS), ColumnSigns::default);
            for (signs, (column, cell)) in signs.iter_mut().zip(cells.iter().enumerate()) {
                if !typed.has(column) {
                    signs.numbers.note(cell);
                    signs.days.note(cell);
                }
            }
        }
        if !self.whole {
            return Ok(());
        }
        self.bytes += row.size();
        if self.rows <= self.most && self.bytes <= self.room {
            self.kept.rows.push((line, row.compact()));
        } else {
            // They are too many, or too large, to be kept.
            self.whole = false;
            self.kept.rows.truncate(SHOWN);
            self.kept.rows.shrink_to_fit();
        }
        Ok(())
    }
}

/// A row as it is shown, cut where it is long.
fn shown(row: &SourceRow, names: &[String]) -> Map<String, Json> {
    let text = |text: &str| match text.char_indices().nth(LENGTH) {
        None => Json::from(text),
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    };
    match row {
        SourceRow::Cells(cells, _) => names.iter().cloned().zip(cells.iter().map(text)).collect(),
        SourceRow::Object(object, _) => {
            let value = |value: &Json| match value {
                Json::String(value) => text(value),
                Json::Array(_) | Json::Object(_) => text(&value.to_string()),
                value => value.clone(),
            };
            object.iter().take(COLUMNS).map(|(name, member)| (name.clone(), value(member))).collect()
        }
        SourceRow::Unreadable(_) => Map::new(),
    }
}

/// A body that lies in memory or in a file, as a reader. It blocks.
pub(super) struct BodyReader<'b> {
    body: &'b ReadBody,
    at: u64,
    /// A piece of a file, and its first byte.
    piece: Vec<u8>,
    start: u64,
}

impl<'b> BodyReader<'b> {
    pub(super) fn new(body: &'b ReadBody) -> Self {
        BodyReader { body, at: 0, piece: Vec::new(), start: 0 }
    }

    /// The bytes at hand from the next one on.
    fn rest(&self) -> &[u8] {
        let (bytes, start) = match self.body {
            ReadBody::Whole(bytes) => (bytes, 0),
            ReadBody::Spooled(_) => (&self.piece, self.start),
        };
        let from = self.at.checked_sub(start).and_then(|from| usize::try_from(from).ok());
        from.and_then(|from| bytes.get(from..)).unwrap_or_default()
    }
}

impl Read for BodyReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let (true, ReadBody::Spooled(spooled)) = (self.rest().is_empty() && !bytes.is_empty(), self.body) {
            self.piece = SpooledBody::read(spooled, self.at).map_err(io::Error::other)?;
            self.start = self.at;
        }
        let count = self.rest().read(bytes)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for BodyReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let length = match self.body {
            ReadBody::Whole(bytes) => bytes.len() as u64,
            ReadBody::Spooled(spooled) => spooled.len(),
        };
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(offset) => length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = place.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}
