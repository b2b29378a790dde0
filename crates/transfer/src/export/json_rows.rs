//! Rows as JSON: an array, or an object on each line.

use super::{RowWriter, unwritable};
use model::error::Result;
use std::io::Write;

/// Writes rows as JSON.
pub(super) struct JsonRows<'w> {
    out: &'w mut dyn Write,
    /// The text before the next row, and that between two.
    before: &'static str,
    between: &'static str,
    /// The text behind the last row, and that where there is none.
    after: &'static str,
    empty: &'static str,
    some: bool,
}

impl<'w> JsonRows<'w> {
    /// Writes an array, with a row on each line.
    pub(super) fn array(out: &'w mut dyn Write) -> Self {
        JsonRows { out, before: "[\n", between: ",\n", after: "\n]\n", empty: "[]\n", some: false }
    }

    /// Writes lines.
    pub(super) fn lines(out: &'w mut dyn Write) -> Self {
        JsonRows { out, before: "", between: "\n", after: "\n", empty: "", some: false }
    }
}

impl RowWriter for JsonRows<'_> {
    fn row(&mut self, row: &[u8]) -> Result<()> {
        self.out.write_all(self.before.as_bytes()).and_then(|()| self.out.write_all(row)).map_err(unwritable)?;
        (self.before, self.some) = (self.between, true);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let end = if self.some { self.after } else { self.empty };
        self.out.write_all(end.as_bytes()).and_then(|()| self.out.flush()).map_err(unwritable)
    }
}
