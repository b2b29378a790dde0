//! All rows of a list at one moment, some at a time: memory does not grow with their number, apart from their ids.

use super::access_path::ListPart;
use super::plan::ListPlan;
use super::statement;
use crate::expand;
use crate::fields::{Member, Selection};
use crate::output::WrittenRows;
use crate::select;
use context::request_context::RequestContext;
use context::spool::IN_MEMORY;
use database::Tx;
use model::error::{Error, Result};
use model::types::ResourceAction;
use query::request::ListRequest;
use std::collections::HashMap;
use std::ops::Range;

/// The most rows that are read at once, and the least, however large they are.
const MOST: usize = 1_000;
const LEAST: usize = 16;
/// Rows of the first read, which shows how large they are.
const FIRST: usize = 100;
/// The most rows of all: eight bytes are kept of each.
const ALL: i64 = 5_000_000;

/// A list without pages. Its rows are those of all pages of the same list, in the same order.
pub struct WholeList<'m> {
    plan: ListPlan<'m>,
}

impl<'m> WholeList<'m> {
    /// Plans a list of a type for the caller.
    pub fn new(request: &'m RequestContext, collection: &str, list: &ListRequest) -> Result<Self> {
        let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
        Ok(WholeList { plan: ListPlan::new(request, allowed, list)? })
    }

    /// The same with some of the fields.
    #[must_use]
    pub fn only(self, keep: impl FnMut(&Member<'m>) -> bool) -> Self {
        WholeList { plan: ListPlan { selection: self.plan.selection.only(keep), ..self.plan } }
    }

    /// Its fields.
    pub fn selection(&self) -> &Selection<'m> {
        &self.plan.selection
    }

    /// Hands over each row as JSON, in wire form; returns their number.
    pub fn read(
        &self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        each: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<u64> {
        self.plan.selection.begin_reads(&request.reads)?;
        tx.snapshot()?;
        let ids = self.ids(tx)?;
        let (mut rest, mut count) = (ids.as_slice(), FIRST);
        while !rest.is_empty() {
            tx.check_deadline()?;
            let (some, others) = rest.split_at(count.min(rest.len()));
            let bytes = self.some(tx, request, some, each)?;
            count = (IN_MEMORY / (bytes / some.len()).max(1)).clamp(LEAST, MOST);
            rest = others;
        }
        Ok(ids.len() as u64)
    }

    /// The ids of all rows, in the order of the list.
    fn ids(&self, tx: &mut Tx<'_>) -> Result<Vec<i64>> {
        let mut sql = tx.sql();
        statement::ids(&mut sql, &self.plan, ListPart { start: 0, length: ALL + 1 }, None);
        let mut ids = Vec::new();
        tx.query(&sql, &mut |row| {
            ids.push(row.integer(0)?);
            Ok(())
        })?;
        if ids.len() as u64 > ALL.unsigned_abs() {
            let message = format!("There are more than {ALL} rows. Use filters, and export them in parts.");
            return Err(Error::invalid("rows_too_many", message));
        }
        Ok(ids)
    }

    /// Reads rows by id and hands them over; returns their bytes. Where they are too large together, they are read in
    /// parts.
    fn some(
        &self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        ids: &[i64],
        each: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<usize> {
        let selection = &self.plan.selection;
        let mut sql = tx.sql();
        select::by_ids(&mut sql, selection, ids.to_vec());
        let (mut written, mut found) = (WrittenRows::for_rows(ids.len()), Vec::with_capacity(ids.len()));
        let context = request.answer_context();
        tx.query(&sql, &mut |row| {
            if !written.overfull() {
                written.row(row, selection, &context)?;
                found.push(row.integer(selection.id_column())?);
            }
            Ok(())
        })?;
        let filled = match expand::fill(tx, request, selection, written) {
            Err(error) if error.code == crate::output::TOO_LARGE && ids.len() > 1 => {
                let (first, second) = ids.split_at(ids.len() / 2);
                return Ok(self.some(tx, request, first, each)? + self.some(tx, request, second, each)?);
            }
            filled => filled?,
        };
        request.reads.note(selection.resource_type, &found);
        let starts = std::iter::once(0).chain(filled.ends.iter().copied());
        let ranges = starts.zip(filled.ends.iter().copied()).map(|(start, end)| start..end);
        let places: HashMap<i64, Range<usize>> = found.into_iter().zip(ranges).collect();
        for id in ids {
            if let Some(place) = places.get(id) {
                each(&filled.bytes[place.clone()])?;
            }
        }
        Ok(filled.bytes.len())
    }
}
