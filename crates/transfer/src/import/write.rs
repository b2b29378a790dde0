//! Writes batches: new rows at once; old ones are read at once, and those that differ are changed.

use super::journal::GroupChanges;
use super::ready::ReadyRow;
use super::uuids::RowUuids;
use super::{Import, RowSink};
use context::audit;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Tx, Value};
use model::error::{Error, Result};
use model::kinds;
use model::kinds::{StoredValue, ValueStorage};
use model::types::{FIRST_PROPERTY, Property, ResourceType};
use model::user_columns::USER_TYPE;
use query::request::item_missing;
use query::search;
use resources::events;
use resources::expressions::Reading;
use resources::record;
use resources::record::Record;
use resources::ripple::WritePropagation;
use resources::{numbering, relations, row_size, settle, store, tally, turns, unique};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A transaction, and who writes in it.
type WriteJob<'j, 'c> = (&'j mut Tx<'c>, &'j RequestContext);

/// A resource as it was and as it is.
pub(super) type RowChange = (Record, Record);

/// Write that is made of ready rows.
#[derive(Clone, Copy)]
enum ReadyWrite {
    Insert,
    Update,
}

impl Import<'_, '_> {
    /// Writes all rows that wait.
    pub fn flush(&mut self) -> Result<()> {
        match std::mem::replace(&mut self.sink, RowSink::Count) {
            RowSink::Count => Ok(()),
            RowSink::Whole(tx) => {
                let written = self.write_pending(tx, self.call);
                // The transaction takes itself back.
                self.done = GroupChanges::default();
                self.sink = RowSink::Whole(tx);
                written
            }
            RowSink::Groups(takeover) => {
                let written = takeover.group(|tx, call| self.write_group(tx, call));
                self.sink = RowSink::Groups(takeover);
                written
            }
        }
    }

    /// Ends the import: what is kept about the type as a whole.
    pub fn close(&mut self) -> Result<()> {
        self.flush()?;
        if let RowSink::Whole(tx) = std::mem::replace(&mut self.sink, RowSink::Count) {
            // What rests on the rows is calculated once for all of them.
            self.settle(tx, self.call, [0; 2])?;
        }
        Ok(())
    }

    /// Writes all rows that wait in a transaction of their own, with all that follows from them.
    fn write_group(&mut self, tx: &mut Tx<'_>, call: &RequestContext) -> Result<GroupChanges> {
        turns::to_change_many(tx, self.resource_type)?;
        // Others may have changed or deleted what was found before.
        self.lookups.forget();
        let before = [self.report.created, self.report.updated];
        let numbers = numbering::last(tx, self.resource_type)?;
        self.write_pending(tx, call)?;
        let followed = self.settle(tx, call, before)?;
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
        call: &RequestContext,
        [created, updated]: [u64; 2],
    ) -> Result<BTreeSet<i64>> {
        let mut followed = BTreeSet::new();
        if self.report.created > created || self.report.updated > updated {
            let created = i64::try_from(self.report.created - created).unwrap_or(i64::MAX);
            let rows = BTreeMap::from([(self.resource_type.id, created)]);
            let mut changed = std::mem::take(&mut self.ripple).end(tx, call, rows)?;
            followed = changed.remove(&self.resource_type.id).unwrap_or_default();
        }
        if self.resource_type.id == USER_TYPE {
            tx.raise_access()?;
        }
        Ok(followed)
    }

    fn write_pending(&mut self, tx: &mut Tx<'_>, call: &RequestContext) -> Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        for row in &pending {
            self.want(row);
        }
        self.lookups.find(tx)?;
        let mut segment = Vec::with_capacity(pending.len());
        let mut keys = HashSet::new();
        // Filters on the rows of the type itself must see what the rows before made of them.
        let filtered = self.lookups.filtered(self.resource_type);
        let mut changed = HashSet::new();
        for row in pending.drain(..) {
            let key = self.key_of(&row);
            // A row may refer to one before it, or have its key: that one must be there first.
            let waits = self.refers_ahead(&row)
                || key.as_ref().is_some_and(|key| keys.contains(key))
                || self.refers_to(&row, &changed);
            if waits && !segment.is_empty() {
                self.write((tx, call), std::mem::take(&mut segment))?;
                self.lookups.renew(tx, self.resource_type, &changed)?;
                keys.clear();
                changed.clear();
            }
            keys.extend(key);
            let ready = self.ready(row);
            changed.extend(ready.as_ref().and_then(|ready| ready.id).filter(|_| filtered));
            segment.extend(ready);
        }
        self.pending = pending;
        self.write((tx, call), segment)?;
        self.lookups.renew(tx, self.resource_type, &changed)
    }

    fn write(&mut self, (tx, call): WriteJob<'_, '_>, rows: Vec<ReadyRow>) -> Result<()> {
        let (old, new): (Vec<ReadyRow>, Vec<ReadyRow>) = rows.into_iter().partition(|row| row.id.is_some());
        self.write_as((tx, call), ReadyWrite::Insert, &new)?;
        self.write_as((tx, call), ReadyWrite::Update, &old)
    }

    /// Writes all rows at once; where that fails for a row's sake, one after another, to tell whose.
    fn write_as(&mut self, (tx, call): WriteJob<'_, '_>, write: ReadyWrite, rows: &[ReadyRow]) -> Result<()> {
        match self.attempt((tx, call), write, rows) {
            Err(error) if !error.problems.is_empty() => {}
            outcome => return outcome,
        }
        for row in rows {
            match self.attempt((tx, call), write, std::slice::from_ref(row)) {
                Err(error) if !error.problems.is_empty() => {
                    error.problems.into_iter().take(1).for_each(|problem| self.report.add(row.line, problem));
                }
                outcome => outcome?,
            }
        }
        Ok(())
    }

    fn attempt(&mut self, (tx, call): WriteJob<'_, '_>, write: ReadyWrite, rows: &[ReadyRow]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let (of, uuids) = (self.resource_type, &mut self.uuids);
        // What was undone had no consequences.
        let mut ripple = WritePropagation::default();
        let (count, noted) = (rows.len() as u64, call.audit.count());
        // What was undone is nothing to write down.
        let undone = |error| {
            call.audit.forget(noted);
            error
        };
        match write {
            ReadyWrite::Insert => {
                let ids = tx.savepoint(|tx| insert(tx, call, of, (uuids, &mut ripple), rows)).map_err(undone)?;
                self.report.created += count;
                self.learn(rows, &ids);
                self.done.created(ids);
            }
            ReadyWrite::Update => {
                let changed = tx.savepoint(|tx| update(tx, call, of, &mut ripple, rows)).map_err(undone)?;
                self.report.updated += changed.len() as u64;
                self.report.unchanged += count - changed.len() as u64;
                self.done.changed(of, &changed)?;
            }
        }
        self.ripple.join(ripple);
        Ok(())
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

fn insert(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    of: &Arc<ResourceType>,
    (uuids, ripple): (&mut RowUuids, &mut WritePropagation),
    rows: &[ReadyRow],
) -> Result<Vec<i64>> {
    let settled = settled(tx, call, of, rows)?;
    let rows = settled.as_deref().unwrap_or(rows);
    for row in rows {
        let absent = StoredValue::One(Value::Null);
        row_size::check(call, of, row.values.iter().map(|value| value.as_ref().unwrap_or(&absent)), None)?;
    }
    // The engine gives the id, which is the first.
    let fields: Vec<(&Property, ColumnType)> = record::columns(of).skip(1).collect();
    let columns: Vec<(Name, ColumnType)> =
        fields.iter().map(|(property, column)| (property.column.clone(), *column)).collect();
    let mut values: Vec<Vec<Value>> = Vec::with_capacity(rows.len());
    for row in rows {
        let uuid = Value::Uuid(uuids.next(call));
        values.push(fields.iter().map(|(property, _)| value(call, property, row, &uuid)).collect());
    }
    for (column, (property, _)) in fields.iter().enumerate() {
        // Where expressions complete rows, they have their numbers already.
        if let Some(pattern) = property.kind.autonumber().filter(|_| settled.is_none()) {
            let numbers = numbering::take(tx, call, property, pattern, rows.len())?;
            values.iter_mut().zip(numbers).for_each(|(row, number)| row[column] = number);
        }
    }
    let ids = tx.insert_many(&of.table, &columns, &values).map_err(|error| unique::explain(error, call, of))?;
    for property in of.properties() {
        insert_links(tx, property, rows, &ids)?;
    }
    search::put(tx, of, || {
        let place = |property: &Property| fields.iter().position(|(field, _)| field.position == property.position);
        let rows = ids.iter().zip(&values);
        rows.map(|(id, row)| search::document(of, *id, |property| row.get(place(property)?))).collect()
    })?;
    tally::count(tx, of, &ids, 1)?;
    for (place, id) in ids.iter().enumerate() {
        audit::created(call, of, *id, |position| rows[place].values.get(position)?.as_ref());
        if of.rules().watch_new() {
            let mut stored: Vec<StoredValue> = of.fields.iter().map(record::empty).collect();
            for (field, value) in of.fields.iter().zip(&rows[place].values) {
                if let Some(value) = value {
                    stored[field.position] = value.clone();
                }
            }
            for ((field, _), value) in fields.iter().zip(&values[place]) {
                stored[field.position] = StoredValue::One(value.clone());
            }
            stored[0] = StoredValue::One(Value::Integer(*id));
            ripple.note(tx, call, of, [None, Some(&stored)])?;
        }
    }
    events::created(tx, call, of, &ids)?;
    Ok(ids)
}

/// The rows as expressions complete and check them; nothing where the type has none.
fn settled(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    of: &Arc<ResourceType>,
    rows: &[ReadyRow],
) -> Result<Option<Vec<ReadyRow>>> {
    if of.rules().concern_no_write() {
        return Ok(None);
    }
    let mut settled = rows.to_vec();
    for row in &mut settled {
        let mut drafts = Vec::with_capacity(of.fields.len());
        for property in &of.fields {
            let own = property.position >= FIRST_PROPERTY;
            let given = row.values[property.position].take();
            let number = property.kind.autonumber().filter(|_| given.is_none());
            let number = number.map(|pattern| numbering::take(tx, call, property, pattern, 1)).transpose()?;
            let number = number.and_then(|mut numbers| numbers.pop()).map(StoredValue::One);
            let value = given.or(number);
            drafts.push(settle::DraftValue {
                given: !own || value.is_some(),
                value: value.unwrap_or_else(|| match property.name.as_str() {
                    "created" | "updated" if !own => StoredValue::One(Value::Timestamp(call.now.as_millisecond())),
                    "version" if !own => StoredValue::One(Value::Integer(1)),
                    "createdBy" | "updatedBy" if !own => StoredValue::One(call.user().into()),
                    _ => record::empty(property),
                }),
            });
        }
        settle::new(tx, call, of, &mut drafts, Reading::Hold)?;
        let values = drafts.into_iter().zip(&of.fields);
        row.values = values.map(|(draft, field)| (field.position >= FIRST_PROPERTY).then_some(draft.value)).collect();
    }
    Ok(Some(settled))
}

/// The value of a column of a new row.
fn value(call: &RequestContext, property: &Property, row: &ReadyRow, uuid: &Value) -> Value {
    match property.name.as_str() {
        "uuid" if property.position < FIRST_PROPERTY => uuid.clone(),
        "created" | "updated" if property.position < FIRST_PROPERTY => Value::Timestamp(call.now.as_millisecond()),
        "version" if property.position < FIRST_PROPERTY => Value::Integer(1),
        _ if property.position < FIRST_PROPERTY => call.user().into(),
        _ => match &row.values[property.position] {
            Some(StoredValue::One(value)) => value.clone(),
            _ => Value::Null,
        },
    }
}

fn insert_links(tx: &mut Tx<'_>, property: &Property, rows: &[ReadyRow], ids: &[i64]) -> Result<()> {
    let ValueStorage::Links(column) = property.kind.storage() else { return Ok(()) };
    let mut links = Vec::new();
    for (row, id) in rows.iter().zip(ids) {
        let Some(Some(StoredValue::Many(members))) = row.values.get(property.position) else { continue };
        for (member, position) in members.iter().zip(0_i64..) {
            links.push(vec![Value::Integer(*id), Value::Integer(position), member.clone()]);
        }
    }
    if !links.is_empty() {
        tx.insert_many(&property.column, &store::link_columns(column), &links)?;
    }
    Ok(())
}

/// Changes what differs of resources, each of which is there once; gives those that differ, as they were and as they are.
fn update(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    of: &Arc<ResourceType>,
    ripple: &mut WritePropagation,
    rows: &[ReadyRow],
) -> Result<Vec<RowChange>> {
    let mut ids: Vec<i64> = rows.iter().filter_map(|row| row.id).collect();
    ids.sort_unstable();
    let found = Record::lock_all(tx, of, &ids)?;
    let mut old: HashMap<i64, Record> =
        found.into_iter().map(|record| Ok((record.id()?, record))).collect::<Result<_>>()?;
    let mut changed = Vec::new();
    for row in rows {
        let old = row.id.and_then(|id| old.remove(&id)).ok_or_else(item_missing)?;
        changed.extend(update_one(tx, call, of, (old, ripple), row)?);
    }
    Ok(changed)
}

/// Changes what differs of a locked resource; gives it as it was and as it is, where anything does.
fn update_one(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    of: &Arc<ResourceType>,
    (old, ripple): (Record, &mut WritePropagation),
    row: &ReadyRow,
) -> Result<Option<RowChange>> {
    for (position, target) in &row.refused {
        if !relations::members(&old.values[*position]).contains(&Value::Integer(*target)) {
            return Err(Error::problems(vec![relations::refused(of, (*position, *target))]));
        }
    }
    let mut changed = Vec::new();
    for property in of.properties() {
        let given = row.values[property.position].as_ref();
        if let Some(value) = given.filter(|value| **value != old.values[property.position]) {
            kinds::check_choice(property.kind.as_ref(), value, Some(&old.values[property.position]))
                .map_err(|fault| Error::problems(vec![fault.of(&property.name, &property.title)]))?;
            if of.parent_property == Some(property.position) {
                relations::refuse_circle(tx, of, property, old.id()?, value)?;
            }
            changed.push((property, value.clone()));
        }
    }
    if changed.is_empty() {
        return Ok(None);
    }
    let draft = settle::ChangeDraft { resource_type: of, old: &old, values: changed, left_out: &[] };
    let changed = settle::change(tx, call, draft, Reading::Hold)?;
    let new = store::update_one_of_many(tx, call, of, &old, changed)?;
    ripple.note(tx, call, of, [Some(&old.values), Some(&new.values)])?;
    Ok(Some((old, new)))
}
