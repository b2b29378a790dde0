//! Rows as CSV (RFC 4180), also so that a spreadsheet reads no cell as a formula.

use super::cells::{CellColumns, text};
use super::{RowWriter, unwritable};
use crate::formula;
use model::error::Result;
use resources::fields::Selection;
use std::io::Write;

/// Writes rows as CSV.
pub(super) struct CsvRows<'w> {
    columns: CellColumns,
    safe: bool,
    csv: csv::Writer<&'w mut dyn Write>,
}

impl<'w> CsvRows<'w> {
    /// Writes the names of the columns.
    pub(super) fn begin(selection: &Selection<'_>, safe: bool, out: &'w mut dyn Write) -> Result<Self> {
        let (columns, mut csv) = (CellColumns::of(selection), csv::Writer::from_writer(out));
        csv.write_record(&columns.names).map_err(|error| unwritable(error.into()))?;
        Ok(CsvRows { columns, safe, csv })
    }
}

impl RowWriter for CsvRows<'_> {
    fn row(&mut self, row: &[u8]) -> Result<()> {
        let cells = self.columns.read(row)?;
        for (value, form) in cells.into_iter().zip(&self.columns.forms) {
            let cell = text(value, *form);
            // A number is no formula, and stays one.
            let is_text = value.is_some_and(|value| value.get().starts_with(['"', '[']));
            let cell = if self.safe && is_text { formula::guarded(cell) } else { cell };
            self.csv.write_field(cell.as_bytes()).map_err(|error| unwritable(error.into()))?;
        }
        self.csv.write_record(None::<&[u8]>).map_err(|error| unwritable(error.into()))
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.csv.flush().map_err(unwritable)
    }
}
