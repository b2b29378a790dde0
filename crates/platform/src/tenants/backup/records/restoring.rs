//! The way through all records that are asked for, batch by batch.

use super::batch::{Batch, BatchOutcome};
use super::comparison::Comparison;
use super::former::FormerRecords;
use super::outcome::{RecordState, RecordsOutcome};
use super::selection::{self, Asked, BATCH};
use super::{RecordsArchive, RecordsListener, RecordsRequest};
use model::error::{ErrorKind, Result};
use std::collections::HashSet;
use std::sync::Arc;
use tenant::Tenant;

/// A restoration of records on its way.
pub(super) struct Restoring<'r> {
    pub archive: &'r RecordsArchive,
    pub tenant: &'r Arc<Tenant>,
    pub request: &'r RecordsRequest,
    pub outcome: RecordsOutcome,
    /// Records that were written without all that they refer to.
    pub begun: HashSet<i64>,
    pub listener: &'r mut dyn RecordsListener,
}

impl Restoring<'_> {
    /// Compares all records, and writes them where that is asked for.
    pub(super) fn run(mut self) -> Result<RecordsOutcome> {
        let (mut after, mut waiting) = (0, Vec::new());
        loop {
            let ids = page(&self.archive.tenant, self.request, after, "The archive")?;
            let Some(last) = ids.last() else { break };
            after = *last;
            self.outcome.matching += ids.len() as u64;
            waiting.extend(self.records(&ids, false)?);
        }
        // Those that refer to others that came after them: each round brings some, from the other end.
        while !waiting.is_empty() {
            waiting.reverse();
            let before = self.outcome.created;
            let left = self.records(&waiting, false)?;
            if left.len() == waiting.len() && self.outcome.created == before {
                self.records(&left, true)?;
                break;
            }
            waiting = left;
        }
        self.outcome.new = self.new_ones()?;
        Ok(self.outcome)
    }

    /// Compares and writes records; returns those that wait for others.
    fn records(&mut self, ids: &[i64], last: bool) -> Result<Vec<i64>> {
        let (mut rest, mut waiting) = (ids, Vec::new());
        while !rest.is_empty() {
            let some = &rest[..rest.len().min(BATCH)];
            let former = self.archive.tenant.read_as_administrator(|tx, context| {
                let of = selection::type_named(context, &self.request.collection, "The archive")?;
                FormerRecords::read(tx, context, of, some, self.request.condition.as_deref())
            })?;
            // Large ones are read in parts.
            let count = former.records.len().max(1);
            rest = &rest[count..];
            let (archive, tenant, request) = (self.archive, self.tenant, self.request);
            let batch = Batch { archive, tenant, request, former: &former, last };
            let done = if request.apply { batch.write()? } else { batch.compare()? };
            waiting.extend(self.tell(done)?);
            self.listener.compared(count as u64);
        }
        Ok(waiting)
    }

    /// Counts and tells a batch; returns the records that wait for others.
    fn tell(&mut self, done: BatchOutcome) -> Result<Vec<i64>> {
        let mut waiting = Vec::new();
        for comparison in done.compared {
            let told = &comparison.told;
            let is_first = !self.begun.contains(&told.id);
            if self.request.apply && comparison.waits {
                waiting.push(told.id);
                if !done.written.contains(&told.id) {
                    continue;
                }
                self.begun.insert(told.id);
            }
            if is_first {
                self.count(&comparison, done.written.contains(&told.id));
            }
            self.outcome.refused += u64::from(told.refused.is_some());
            let has_more = told.refused.is_some() || !told.notes.is_empty();
            if has_more || is_first && told.state != RecordState::Same {
                self.listener.record(told)?;
            }
        }
        Ok(waiting)
    }

    fn count(&mut self, comparison: &Comparison, is_written: bool) {
        let outcome = &mut self.outcome;
        let (counter, written) = match comparison.told.state {
            RecordState::Missing => (&mut outcome.missing, &mut outcome.created),
            RecordState::Differing => (&mut outcome.differing, &mut outcome.changed),
            RecordState::Same => (&mut outcome.same, &mut outcome.changed),
        };
        *counter += 1;
        *written += u64::from(is_written);
    }

    /// The number of records of today that the archive does not have; none where the condition does not fit today's type.
    fn new_ones(&self) -> Result<Option<u64>> {
        let (mut after, mut new) = (0, 0);
        loop {
            let ids = match page(self.tenant, self.request, after, "The tenant") {
                Err(error) if error.kind == ErrorKind::Invalid => return Ok(None),
                ids => ids?,
            };
            let Some(last) = ids.last() else { return Ok(Some(new)) };
            after = *last;
            let known = self.archive.tenant.read_as_administrator(|tx, context| {
                let of = selection::type_named(context, &self.request.collection, "The archive")?;
                selection::uuids(tx, of, &ids.iter().copied().collect())
            })?;
            new += (ids.len() - known.len()) as u64;
        }
    }
}

/// The next records of a tenant that are asked for.
fn page(tenant: &Tenant, request: &RecordsRequest, after: i64, name: &str) -> Result<Vec<i64>> {
    tenant.read_as_administrator(|tx, context| {
        let of = selection::type_named(context, &request.collection, name)?;
        selection::matching(tx, context, of, request.condition.as_deref(), Asked::After(after))
    })
}
