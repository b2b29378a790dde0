//! Rows of a list on their way into its body. About a megabyte of them is in memory: the rest is in a spool.
//!
//! Rows that refer to others, or have calculated values, are spooled as they come. Once the cursor has ended, what
//! belongs into them is read for some rows at a time. Until then 64 bytes are kept of each such value, and eight of
//! each reference and each row.

use super::plan::ListPlan;
use crate::expand;
use crate::fields::Selection;
use crate::output::{OmittedField, RowPlaceholder, WrittenRows, refuse_more};
use crate::sparing::LargeRows;
use context::request_context::RequestContext;
use context::spool::{IN_MEMORY, SpoolWriter};
use database::{Row, Tx};
use model::error::{Error, Result};
use model::kinds::ValueContext;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Rows of the first part, where the values of rows are read again. A list of no more rows has one part.
const ROWS: usize = 100;
/// The most references that are followed at once.
const REFERENCES: usize = 500;
/// The most rows or references at once, and the least, however large their resources are.
const MOST: usize = 1_000;
const LEAST: usize = 16;

/// The rows of a list while a cursor gives them.
pub(super) struct RowGathering<'p, 'm> {
    selection: &'p Selection<'m>,
    written: WrittenRows,
    spool: SpoolWriter,
    /// True if something belongs into the rows that is not read yet.
    lacking: bool,
    /// True if the list is of one moment, so that its rows can be read again.
    may_read_anew: bool,
    /// Rows that were moved to the spool for good.
    moved: usize,
    failure: Option<Error>,
}

/// Rows that are complete.
pub(super) struct GatheredRows {
    /// Separated by commas.
    pub(super) rows: SpoolWriter,
    pub(super) fetched: usize,
    /// The large rows, where those that are too large for a list are left out.
    pub(super) sparing: Option<LargeRows>,
}

/// Returns true if what belongs into the rows of a list has to be of their moment.
pub(super) fn needs_moment(plan: &ListPlan<'_>) -> bool {
    plan.selection.expands() || (plan.per_page as usize > ROWS && plan.selection.calculates())
}

/// Returns how many resources of a size are read at once, if that is known.
pub(super) fn at_once(bytes: Option<usize>) -> usize {
    bytes.map_or(ROWS, |bytes| (IN_MEMORY / bytes.max(1)).clamp(LEAST, MOST))
}

impl<'p, 'm> RowGathering<'p, 'm> {
    pub(super) fn new(request: &RequestContext, plan: &'p ListPlan<'m>) -> Self {
        let selection = &plan.selection;
        let lacking = selection.calculates() || selection.embeds();
        let written = WrittenRows::for_rows(plan.per_page as usize).sparing(plan.sparing.then(LargeRows::default));
        let spool = spool(request, plan);
        RowGathering { selection, written, spool, lacking, may_read_anew: needs_moment(plan), moved: 0, failure: None }
    }

    /// Takes a row; returns true if the list has it. What fails is told in the end.
    pub(super) fn row(&mut self, row: &Row<'_>, context: &ValueContext<'_>) -> database::Result<bool> {
        if self.failure.is_some() || self.written.overfull() {
            return Ok(false);
        }
        let end = self.written.bytes.len();
        if self.written.end() > 0 {
            self.written.bytes.push(b',');
        }
        if !self.written.row(row, self.selection, context)? {
            self.written.bytes.truncate(end);
            return Ok(false);
        }
        if self.spool.spills() {
            if self.may_read_anew {
                self.written.carry_less(IN_MEMORY, self.selection);
            }
            if self.written.bytes.len() > IN_MEMORY {
                self.failure = self.relieve().err();
            }
        }
        Ok(true)
    }

    /// Moves what is written to the spool.
    fn relieve(&mut self) -> Result<()> {
        let bytes = self.written.bytes.len();
        self.spool.take(&mut self.written.bytes)?;
        self.written.moved += bytes;
        if !self.lacking {
            self.moved += self.written.ends.len();
            self.written.ends.clear();
        }
        Ok(())
    }

    /// Reads what belongs into the rows.
    pub(super) fn finish(mut self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<GatheredRows> {
        self.failure.map_or(Ok(()), Err)?;
        self.written.check(0)?;
        if !self.lacking {
            let fetched = self.moved + self.written.ends.len();
            self.spool.put(self.written.bytes)?;
            return Ok(GatheredRows { rows: self.spool, fetched, sparing: self.written.sparing });
        }
        let fetched = self.written.ends.len();
        if self.spool.spilt() {
            self.spool.take(&mut self.written.bytes)?;
        }
        let mut rows = SpoolWriter::like(&self.spool);
        if !self.spool.spilt() && (!self.spool.spills() || is_small(self.selection, &self.written)) {
            let filled = expand::fill(tx, request, self.selection, self.written)?;
            rows.put(filled.bytes)?;
            return Ok(GatheredRows { rows, fetched, sparing: filled.sparing });
        }
        let mut sparing = self.written.sparing.take();
        let mut parts = RowParts::new(self.selection, self.written, self.spool);
        while let Some(part) = parts.next(sparing.take())? {
            let (bytes, references) = (part.bytes.len(), part.holes.iter().map(|hole| hole.ids.len()).sum::<usize>());
            let filled = expand::fill(tx, request, self.selection, part)?;
            refuse_more(rows.len() + filled.bytes.len())?;
            rows.write(&filled.bytes)?;
            sparing = filled.sparing;
            if let Some(each) = filled.bytes.len().saturating_sub(bytes).checked_div(references) {
                parts.references = at_once(Some(each));
            }
        }
        Ok(GatheredRows { rows, fetched, sparing })
    }
}

/// The place of a list's rows: only what is an answer may lie in a file.
pub(super) fn spool(request: &RequestContext, plan: &ListPlan<'_>) -> SpoolWriter {
    SpoolWriter::new(request.spools.as_ref().filter(|_| plan.sparing))
}

/// Returns true if rows are few enough to be filled at once.
fn is_small(selection: &Selection<'_>, written: &WrittenRows) -> bool {
    let references: usize = written.holes.iter().map(|hole| hole.ids.len()).sum();
    let anew = selection.calculates() && written.carried_by_row(selection) == 1;
    references <= REFERENCES && (!anew || written.ends.len() <= ROWS)
}

/// Rows that lack something, a part after the other.
struct RowParts {
    spool: SpoolWriter,
    /// The bytes of all rows, where they are not in the spool.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    holes: Peekable<IntoIter<RowPlaceholder>>,
    gaps: Peekable<IntoIter<OmittedField>>,
    carried: IntoIter<database::Value>,
    /// The number of values that are carried for a row.
    width: usize,
    anew: bool,
    /// The most rows, and the most references, of the next part.
    rows: usize,
    references: usize,
    /// The number of the row that is next.
    row: usize,
    /// The place where it begins.
    start: usize,
}

impl RowParts {
    fn new(selection: &Selection<'_>, written: WrittenRows, spool: SpoolWriter) -> Self {
        let width = written.carried_by_row(selection);
        RowParts {
            spool,
            width,
            rows: if width == 1 && selection.calculates() { ROWS } else { usize::MAX },
            anew: written.anew,
            bytes: written.bytes,
            ends: written.ends,
            holes: written.holes.into_iter().peekable(),
            gaps: written.gaps.into_iter().peekable(),
            carried: written.carried.into_iter(),
            references: REFERENCES,
            row: 0,
            start: 0,
        }
    }

    fn next(&mut self, sparing: Option<LargeRows>) -> Result<Option<WrittenRows>> {
        let (first, start) = (self.row, self.start);
        let (mut row, mut end, mut references) = (first, start, 0);
        let mut part = WrittenRows::default().sparing(sparing);
        part.anew = self.anew;
        while let Some(row_end) = self.ends.get(row).copied() {
            let is_full = row_end - start > IN_MEMORY || references >= self.references || row - first >= self.rows;
            if row > first && is_full {
                break;
            }
            while let Some(hole) = self.holes.next_if(|hole| hole.row == row) {
                references += hole.ids.len();
                part.holes.push(RowPlaceholder { at: hole.at - start, row: row - first, ..hole });
            }
            while let Some(gap) = self.gaps.next_if(|gap| gap.row == row) {
                let range = gap.range.start - start..gap.range.end - start;
                part.gaps.push(OmittedField { range, row: row - first, ..gap });
            }
            part.ends.push(row_end - start);
            (row, end) = (row + 1, row_end);
        }
        if row == first {
            return Ok(None);
        }
        part.carried = self.carried.by_ref().take((row - first) * self.width).collect();
        part.bytes = match self.spool.spilt() {
            true => self.spool.read(start..end)?,
            false => self.bytes[start..end].to_vec(),
        };
        (self.row, self.start) = (row, end);
        Ok(Some(part))
    }
}
