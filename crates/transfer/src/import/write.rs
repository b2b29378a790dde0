//! Writes batches: new rows at once; old ones are read at once, and those that differ are changed.

use super::caller_rows;
use super::insert::insert;
use super::journal::{GroupChanges, RowChange};
use super::lookups::LookupKey;
use super::options::ImportMode;
use super::problem_texts;
use super::ready_rows::ReadyRow;
use super::report::{ImportReport, RowFault};
use super::state::{Import, RowSink};
use super::update::update;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{InputProblem, Result};
use model::kinds;
use model::kinds::{StoredValue, ValueFault};
use model::types::Property;
use model::user_columns::USER_TYPE;
use resources::ripple::WritePropagation;
use resources::{numbering, turns};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Write that is made of ready rows.
#[derive(Clone, Copy)]
enum ReadyWrite {
    Insert,
    Update,
}

impl Import<'_, '_> {
    /// Writes all rows that wait.
    pub(super) fn flush(&mut self) -> Result<()> {
        match std::mem::replace(&mut self.sink, RowSink::Count) {
            RowSink::Count => Ok(()),
            RowSink::Check(tx) => {
                let checked = self.check_pending(tx);
                self.sink = RowSink::Check(tx);
                checked
            }
            RowSink::Whole(tx) => {
                let quiet = self.options.quiet.then(|| self.context.quietly());
                let written = self.write_pending(tx, quiet.as_ref().unwrap_or(self.context));
                // The transaction takes itself back.
                self.done = GroupChanges::default();
                self.sink = RowSink::Whole(tx);
                written
            }
            RowSink::Groups(lease) => {
                let written = lease.group(|tx, context| {
                    let quiet = self.options.quiet.then(|| context.quietly());
                    self.write_group(tx, quiet.as_ref().unwrap_or(context))
                });
                self.sink = RowSink::Groups(lease);
                written
            }
        }
    }

    /// Ends the import; gives its report.
    pub(super) fn finish(mut self) -> Result<ImportReport> {
        self.close()?;
        Ok(self.report())
    }

    /// Ends the import: what is kept about the type as a whole.
    fn close(&mut self) -> Result<()> {
        self.flush()?;
        if let RowSink::Whole(tx) = std::mem::replace(&mut self.sink, RowSink::Count) {
            // What rests on the rows is calculated once for all of them.
            let quiet = self.options.quiet.then(|| self.context.quietly());
            self.settle(tx, quiet.as_ref().unwrap_or(self.context), [0; 2])?;
        }
        Ok(())
    }

    /// Writes all rows that wait in a transaction of their own, with all that follows from them.
    fn write_group(&mut self, tx: &mut Tx<'_>, context: &RequestContext) -> Result<GroupChanges> {
        turns::to_change_many(tx, self.resource_type)?;
        // Others may have changed or deleted what was found before.
        self.lookups.forget();
        let before = [self.report.created, self.report.updated];
        let numbers = numbering::last(tx, self.resource_type)?;
        self.write_pending(tx, context)?;
        let followed = self.settle(tx, context, before)?;
        let mut done = std::mem::take(&mut self.done);
        done.end(tx, self.resource_type, followed)?;
        done.numbers(&numbers, numbering::last(tx, self.resource_type)?);
        Ok(done)
    }

    /// Draws the consequences of rows that were written since so many were created and changed. Returns which of the type
    /// were calculated anew.
    fn settle(
        &mut self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        [created, updated]: [u64; 2],
    ) -> Result<BTreeSet<i64>> {
        let mut followed = BTreeSet::new();
        if !self.rights.are_direct() {
            // Each row has drawn its own.
            return Ok(followed);
        }
        if self.report.created > created || self.report.updated > updated {
            let created = i64::try_from(self.report.created - created).unwrap_or(i64::MAX);
            let rows = BTreeMap::from([(self.resource_type.id, created)]);
            let mut changed = std::mem::take(&mut self.ripple).end(tx, context, rows)?;
            followed = changed.remove(&self.resource_type.id).unwrap_or_default();
        }
        if self.resource_type.id == USER_TYPE {
            tx.raise_access()?;
        }
        Ok(followed)
    }

    /// Finds what the rows that wait refer to, and whether two of the file have the same key. Nothing is written.
    fn check_pending(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        self.lookups.begin_batch();
        for row in &pending {
            self.want(row);
        }
        self.lookups.find(tx)?;
        for row in pending.drain(..) {
            let (line, keys) = (row.line, self.unique_keys(&row));
            let title = self.title_of(&row).filter(|(property, _)| !property.unique);
            let title = title.map(|(property, title)| (property.position, LookupKey::Text(title.to_owned())));
            let is_ready = self.ready(row).is_some();
            for (property, key) in keys {
                let is_first = self.file_keys.note(property.position, &key);
                if is_ready && !is_first && self.options.mode == ImportMode::Create {
                    let message = format!("is {key} in a row before, and must be unique");
                    let problem = ValueFault::new("row_double", message).of(&property.name, &property.title);
                    self.report.add(line, problem);
                }
            }
            // Rows behind it may refer to it by its title.
            title.iter().for_each(|(position, title)| _ = self.file_keys.note(*position, title));
        }
        self.pending = pending;
        Ok(())
    }

    fn write_pending(&mut self, tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        self.lookups.begin_batch();
        for row in &pending {
            self.want(row);
        }
        self.lookups.find(tx)?;
        let mut segment = Vec::with_capacity(pending.len());
        let (mut keys, mut titles) = (HashSet::new(), HashSet::new());
        // Filters on the rows of the type itself, and titles, must see what the rows before made of them.
        let watched = self.lookups.filtered(self.resource_type) || self.lookups.title_of(self.resource_type).is_some();
        let mut changed = HashSet::new();
        for row in pending.drain(..) {
            let key = self.key_of(&row);
            // A row may refer to one before it, or have its key: that one must be there first.
            let waits = self.refers_ahead(&row)
                || key.as_ref().is_some_and(|key| keys.contains(key))
                || self.refers_to(&row, &changed, &titles);
            if waits && !segment.is_empty() {
                self.write(tx, context, std::mem::take(&mut segment))?;
                self.lookups.renew(tx, self.resource_type, &changed)?;
                self.lookups.refresh_titles(tx)?;
                keys.clear();
                changed.clear();
                titles.clear();
            }
            keys.extend(key);
            titles.extend(self.title_of(&row).map(|(_, title)| title.to_owned()));
            let ready = self.ready(row);
            changed.extend(ready.as_ref().and_then(|ready| ready.id).filter(|_| watched));
            segment.extend(ready);
        }
        self.pending = pending;
        self.write(tx, context, segment)?;
        self.lookups.renew(tx, self.resource_type, &changed)
    }

    fn write(&mut self, tx: &mut Tx<'_>, context: &RequestContext, rows: Vec<ReadyRow>) -> Result<()> {
        let (old, new): (Vec<ReadyRow>, Vec<ReadyRow>) = rows.into_iter().partition(|row| row.id.is_some());
        self.write_as(tx, context, ReadyWrite::Insert, &new)?;
        self.write_as(tx, context, ReadyWrite::Update, &old)
    }

    /// Writes all rows at once; where that fails for a row's sake, one after another, to tell whose.
    fn write_as(
        &mut self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        write: ReadyWrite,
        rows: &[ReadyRow],
    ) -> Result<()> {
        if self.rights.are_direct() {
            match self.attempt(tx, context, write, rows) {
                Err(error) if !error.problems.is_empty() => {}
                outcome => return outcome,
            }
        }
        for row in rows {
            match self.attempt(tx, context, write, std::slice::from_ref(row)) {
                Err(error) if !error.problems.is_empty() => {
                    self.report_refusal(row, error.problems);
                }
                outcome => outcome?,
            }
        }
        Ok(())
    }

    /// Tells why a row was not written: one message that is about several properties once.
    fn report_refusal(&mut self, row: &ReadyRow, problems: Vec<InputProblem>) {
        let mut told = HashSet::new();
        for mut problem in problems {
            if !told.insert(problem.message.clone()) {
                continue;
            }
            let property = self.resource_type.field(&problem.property);
            let value = property.and_then(|property| value_of(self.context, property, row));
            if let (Some(value), "unique") = (&value, problem.code) {
                problem.message = format!("{}: {value:?}.", problem.message.trim_end_matches('.'));
            }
            self.report.add(row.line, RowFault { problem, value });
        }
    }

    fn attempt(
        &mut self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        write: ReadyWrite,
        rows: &[ReadyRow],
    ) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let (of, uuids, key) = (self.resource_type, &mut self.uuids, self.key.map(|(key, _)| key));
        // What was undone had no consequences.
        let mut ripple = WritePropagation::default();
        let (count, noted) = (rows.len() as u64, context.audit.count());
        // What was undone is nothing to write down.
        let undone = |error| {
            context.audit.forget(noted);
            error
        };
        match write {
            _ if !self.rights.are_direct() => {
                for row in rows {
                    let (id, differs) =
                        tx.savepoint(|tx| caller_rows::write(tx, context, of, key, row)).map_err(undone)?;
                    match (row.id, differs) {
                        (None, _) => self.note_created(&[id]),
                        (Some(_), true) => {
                            self.lookups.note_changes(of, true);
                            self.report.updated += 1;
                        }
                        (Some(_), false) => self.report.unchanged += 1,
                    }
                    self.learn(std::slice::from_ref(row), &[id]);
                }
            }
            ReadyWrite::Insert => {
                let ids = tx.savepoint(|tx| insert(tx, context, of, uuids, &mut ripple, rows)).map_err(undone)?;
                self.note_created(&ids);
                self.learn(rows, &ids);
                self.done.created(ids);
            }
            ReadyWrite::Update => {
                let changed = tx.savepoint(|tx| update(tx, context, of, &mut ripple, rows)).map_err(undone)?;
                self.report.updated += changed.len() as u64;
                self.report.unchanged += count - changed.len() as u64;
                let is_renamed = |change: &RowChange| {
                    of.title_property.is_some_and(|at| change.old.values[at] != change.new.values[at])
                };
                self.lookups.note_changes(of, changed.iter().any(is_renamed));
                self.done.changed(of, &changed)?;
            }
        }
        self.ripple.join(ripple);
        Ok(())
    }

    fn note_created(&mut self, ids: &[i64]) {
        self.report.created += ids.len() as u64;
        if self.options.keep_ids {
            self.report.created_ids.extend_from_slice(ids);
        }
    }

    /// Notes new rows, so that rows behind them can refer to them.
    fn learn(&mut self, rows: &[ReadyRow], ids: &[i64]) {
        let of = self.resource_type.as_ref();
        if !self.lookups.concern(of) {
            return;
        }
        for (row, id) in rows.iter().zip(ids) {
            self.lookups.learn(of, *id, |property| match row.values.get(property.position) {
                Some(Some(StoredValue::One(value))) => Some(value),
                _ => None,
            });
        }
    }
}

/// The value that a row gives for a property, as problems tell it.
fn value_of(context: &RequestContext, property: &Property, row: &ReadyRow) -> Option<String> {
    match row.values[property.position].as_ref()? {
        StoredValue::One(Value::Null) | StoredValue::Many(_) => None,
        StoredValue::One(value) => {
            let text = kinds::write_plain(property.kind.as_ref(), value.as_ref(), &context.value_context());
            Some(problem_texts::value(&text))
        }
    }
}
