//! Ids of a part of a list by the groups of its first key: the way leads along the values of that, and the ids of the
//! part's own groups are read then, in the order of the other keys.

use super::access_path::ListPart;
use super::plan::ListPlan;
use crate::order_sql;
use crate::select::from;
use database::{ColumnType, Sql, Tx, Value};
use model::error::Result;
use model::kinds::ValueStorage;
use model::types::Property;
use query::condition_sql;
use query::counted_rows::{self, CountedRows};
use query::order::SortKey;
use query::row_alias::row_alias;
use std::cmp::Ordering;

/// Values that are looked at before a page, for the beginning of the group that it begins in.
const TIES: i64 = 250;

/// Rows with one value, which follow one another.
struct Run {
    value: Value,
    length: i64,
}

/// The rows of a part by their values.
struct Runs {
    runs: Vec<Run>,
    /// The number of rows with the first value that come before the part.
    before: i64,
    /// The number of all rows with the first value, where it is known.
    first: Option<i64>,
}

/// Rows by their value.
#[derive(Clone, Copy)]
enum Range<'v> {
    Below(&'v Value),
    Above(&'v Value),
    UpTo(&'v Value),
    From(&'v Value),
    Empty,
    Present,
}

/// The part of the list, and its key.
pub(super) struct Grouped<'p, 'm> {
    pub(super) plan: &'p ListPlan<'m>,
    pub(super) key: &'p SortKey<'m>,
    pub(super) part: ListPart,
    /// The number of rows of the list.
    pub(super) total: i64,
}

impl Grouped<'_, '_> {
    /// The ids.
    pub(super) fn ids(&self, tx: &mut Tx<'_>) -> Result<Vec<i64>> {
        let is_tallied = self.plan.condition.is_none() && counted_rows::is_counted(self.key.path.property);
        let found = if is_tallied { self.tallied(tx)? } else { self.walked(tx)? };
        let Some(Runs { runs, before, first }) = found else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        let last = runs.len() - 1;
        self.group(tx, &runs[0], before, first, &mut all)?;
        if last > 1 {
            // All rows between are the part's.
            let ranges = match (self.key.descending, &runs[0].value, &runs[last].value) {
                (_, Value::Null, end) => [Some(Range::Above(end)), None],
                (_, begin, Value::Null) => [Some(Range::Above(begin)), None],
                (false, begin, end) => [Some(Range::Above(begin)), Some(Range::Below(end))],
                (true, begin, end) => [Some(Range::Below(begin)), Some(Range::Above(end))],
            };
            let mut sql = self.select(tx, |sql| _ = sql.push("r0.id"), &ranges);
            order_sql::push(&mut sql, &self.plan.order, &vec![row_alias(0); self.plan.order.len()]);
            sql.limit(runs[1..last].iter().map(|run| run.length).sum(), 0);
            all.extend(ids(tx, &sql)?);
        }
        if last > 0 {
            self.group(tx, &runs[last], 0, None, &mut all)?;
        }
        Ok(all)
    }

    /// Appends ids of rows with one value, behind so many of them; their number may be known.
    fn group(&self, tx: &mut Tx<'_>, run: &Run, before: i64, all: Option<i64>, into: &mut Vec<i64>) -> Result<()> {
        let behind = all.map_or(i64::MAX, |all| all - before - run.length);
        let is_turned = behind < before;
        let mut sql = self.select(tx, |sql| _ = sql.push("r0.id"), &[]);
        sql.push(if self.plan.condition.is_some() { " AND " } else { " WHERE " });
        self.is(&mut sql, &run.value);
        let rest = self.plan.order[1..].iter();
        let keys: Vec<SortKey<'_>> =
            rest.map(|key| SortKey { descending: key.descending != is_turned, ..key.clone() }).collect();
        order_sql::push(&mut sql, &keys, &vec![row_alias(0); keys.len()]);
        sql.limit(run.length, if is_turned { behind } else { before });
        let mut found = ids(tx, &sql)?;
        if is_turned {
            found.reverse();
        }
        into.extend(found);
        Ok(())
    }

    /// The values of the part, out of the numbers that writes keep.
    fn tallied(&self, tx: &mut Tx<'_>) -> Result<Option<Runs>> {
        let of = self.plan.selection.resource_type;
        let property = self.key.path.property;
        let Some(column) = column(property) else { return Ok(None) };
        let mut sql = tx.sql();
        CountedRows::All(of.id).push_groups(&mut sql, property, 1);
        let mut groups = Vec::new();
        tx.query(&sql, &mut |row| {
            groups.push(Run { value: row.get(0, column)?.to_value(), length: row.integer(1)? });
            Ok(())
        })?;
        groups.sort_by(|one, other| {
            let order = compare(&one.value, &other.value);
            if self.key.descending { order.reverse() } else { order }
        });
        let (mut at, mut runs, mut before, mut first) = (0, Vec::new(), 0, None);
        let end = self.part.start + self.part.length;
        for group in groups {
            let (begin, size) = (at, group.length);
            at += size;
            let length = at.min(end) - begin.max(self.part.start);
            if length > 0 {
                if runs.is_empty() {
                    (before, first) = (self.part.start - begin, Some(size));
                }
                runs.push(Run { value: group.value, length });
            }
        }
        Ok((!runs.is_empty()).then_some(Runs { runs, before, first }))
    }

    /// The values of the part, along the index.
    fn walked(&self, tx: &mut Tx<'_>) -> Result<Option<Runs>> {
        let Some(column) = column(self.key.path.property) else { return Ok(None) };
        let ListPart { start, length } = self.part;
        let ahead = TIES.min(start);
        let behind = self.total - start - length;
        let is_turned = behind < start - ahead;
        let key = SortKey { descending: self.key.descending != is_turned, ..self.key.clone() };
        let mut sql = self.select(tx, |sql| self.value(sql), &[]);
        order_sql::push(&mut sql, std::slice::from_ref(&key), &[row_alias(0)]);
        sql.limit(ahead + length, if is_turned { behind } else { start - ahead });
        let mut values = Vec::new();
        tx.query(&sql, &mut |row| {
            values.push(row.get(0, column)?.to_value());
            Ok(())
        })?;
        if is_turned {
            values.reverse();
        }
        let ahead = usize::try_from(ahead).unwrap_or(0);
        let Some(first) = values.get(ahead) else { return Ok(None) };
        let begin = values.iter().position(|value| value == first).unwrap_or(ahead);
        let before = match begin {
            0 if start > ahead as i64 => start - self.count_before(tx, first)?,
            _ => (ahead - begin) as i64,
        };
        let mut runs: Vec<Run> = Vec::new();
        for value in values.into_iter().skip(ahead) {
            match runs.last_mut() {
                Some(run) if run.value == value => run.length += 1,
                _ => runs.push(Run { value, length: 1 }),
            }
        }
        Ok(Some(Runs { runs, before, first: None }))
    }

    /// The number of rows before the first one with a value, counted from the nearer end.
    fn count_before(&self, tx: &mut Tx<'_>, value: &Value) -> Result<i64> {
        use Range::{Above, Below, Empty, From, Present, UpTo};
        let is_near_end = self.part.start > self.total / 2;
        let ranges: &[Range<'_>] = match (self.key.descending, value, is_near_end) {
            (false, Value::Null, false) => &[Present],
            (false, Value::Null, true) => &[Empty],
            (false, value, false) => &[Below(value)],
            (false, value, true) => &[From(value), Empty],
            (true, Value::Null, _) => return Ok(0),
            (true, value, false) => &[Above(value), Empty],
            (true, value, true) => &[UpTo(value)],
        };
        let mut count = 0;
        for range in ranges {
            let sql = self.select(tx, |sql| _ = sql.push("COUNT(*)"), &[Some(*range)]);
            count += number(tx, &sql)?;
        }
        Ok(if is_near_end { self.total - count } else { count })
    }

    /// A statement about the list's rows whose values are in ranges, up to their order.
    fn select(&self, tx: &Tx<'_>, what: impl FnOnce(&mut Sql), ranges: &[Option<Range<'_>>]) -> Sql {
        let mut sql = tx.sql();
        sql.push("SELECT ");
        what(&mut sql);
        from(&mut sql, self.plan.selection.resource_type);
        let mut word = " WHERE ";
        if let Some(condition) = &self.plan.condition {
            condition_sql::push(sql.push(word), condition);
            word = " AND ";
        }
        for range in ranges.iter().flatten() {
            self.value(sql.push(word));
            match range {
                Range::Below(value) => _ = sql.push(" < ").bind((*value).clone()),
                Range::Above(value) => _ = sql.push(" > ").bind((*value).clone()),
                Range::UpTo(value) => _ = sql.push(" <= ").bind((*value).clone()),
                Range::From(value) => _ = sql.push(" >= ").bind((*value).clone()),
                Range::Empty => _ = sql.push(" IS NULL"),
                Range::Present => _ = sql.push(" IS NOT NULL"),
            }
            word = " AND ";
        }
        sql
    }

    /// Appends that a row has a value.
    fn is(&self, sql: &mut Sql, value: &Value) {
        self.value(sql);
        match value {
            Value::Null => _ = sql.push(" IS NULL"),
            value => _ = sql.push(" = ").bind(value.clone()),
        }
    }

    /// Appends the value of a row.
    fn value(&self, sql: &mut Sql) {
        self.key.path.push(sql, &row_alias(0));
    }
}

/// The order of values as the engines have it, with nulls last.
fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Greater,
        (_, Value::Null) => Ordering::Less,
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        (Value::Boolean(one), Value::Boolean(other)) => one.cmp(other),
        (Value::Integer(one), Value::Integer(other)) => one.cmp(other),
        _ => Ordering::Equal,
    }
}

/// The type of a property's column, where its values have an order that an index has.
pub(super) fn column(property: &Property) -> Option<ColumnType> {
    match property.kind.storage() {
        ValueStorage::Column(ColumnType::Json | ColumnType::Bytes) => None,
        ValueStorage::Column(column) => Some(column),
        _ => None,
    }
}

/// The ids that a statement gives.
pub(super) fn ids(tx: &mut Tx<'_>, sql: &Sql) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    tx.query(sql, &mut |row| {
        ids.push(row.integer(0)?);
        Ok(())
    })?;
    Ok(ids)
}

/// The number that a statement gives.
pub(super) fn number(tx: &mut Tx<'_>, sql: &Sql) -> Result<i64> {
    let mut number = 0;
    tx.query(sql, &mut |row| {
        number = row.integer(0)?;
        Ok(())
    })?;
    Ok(number)
}
