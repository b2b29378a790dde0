//! Statements that group rows.

use crate::buckets::Buckets;
use crate::cell::{FLOAT_SCALE, is_float};
use crate::columns::{PlannedKey, PlannedValue};
use crate::members;
use crate::plan::AggregatePlan;
use database::{ColumnType, Name, Sql, Value};
use model::groups::AggregateFunction;
use query::condition_sql;
use query::counted_rows::CountedRows;
use query::joined_rows;
use query::summing::HALF;
use query::value_path::ValuePath;

/// The most groups in all.
pub(crate) const MOST_GROUPS: usize = 100_000;
/// Floats beyond this are added apart, made smaller by a power of two: no sum leaves the range of floats, where
/// PostgreSQL would fail.
const LARGE: f64 = 1e290;

const VALUE: Name = Name::fixed("value");

/// A plan with the names of the rows that its values lie in.
pub(crate) struct GroupStatement<'p, 'm> {
    plan: &'p AggregatePlan<'m>,
    aliases: Vec<Name>,
    /// The owners whose groups are wanted, by the only key; all groups without them.
    owners: Option<&'p [i64]>,
}

impl<'p, 'm> GroupStatement<'p, 'm> {
    /// Names the joined rows; the statement serves for nothing else.
    pub(crate) fn new(plan: &'p AggregatePlan<'m>, mut scratch: Sql) -> Self {
        GroupStatement { plan, aliases: joined_rows::push(&mut scratch, plan.joined()), owners: None }
    }

    /// The same for some owners, which the key's relation refers to.
    pub(crate) fn owned_by(self, owners: &'p [i64]) -> Self {
        GroupStatement { owners: Some(owners), ..self }
    }

    /// The least and the greatest value of each key that is grouped by periods.
    pub(crate) fn ranges(&self, sql: &mut Sql) {
        let mut separator = "SELECT ";
        for (place, key) in self.plan.keys.iter().enumerate().filter(|(_, key)| key.calendar.is_some()) {
            for function in ["MIN(", "MAX("] {
                sql.push(separator).push(function);
                self.key_value(sql, place, key);
                sql.push(")");
                separator = ", ";
            }
        }
        self.rows(sql, true);
    }

    /// The groups, or the values of all rows, from numbers that writes keep; false where these do not tell.
    pub(crate) fn counted(&self, sql: &mut Sql, with_keys: bool) -> bool {
        let plan = self.plan;
        let all = plan.values.iter().all(PlannedValue::is_number_of_rows);
        let Some(rows) = CountedRows::of(plan.resource_type.id, plan.condition.as_ref()).filter(|_| all) else {
            return false;
        };
        match &plan.keys[..] {
            keys if keys.is_empty() || !with_keys => rows.push_total(sql, plan.values.len()),
            [key] if key.is_whole() && rows.by(key.path.property) => {
                rows.push_groups(sql, key.path.property, plan.values.len());
                sql.limit(MOST_GROUPS as i64 + 1, 0);
            }
            _ => return false,
        }
        true
    }

    /// The groups, or the values of all rows.
    pub(crate) fn groups(&self, sql: &mut Sql, buckets: &[Buckets], with_keys: bool) {
        let keys = if with_keys { &self.plan.keys[..] } else { &[] };
        let mut separator = self.keys(sql, keys, buckets);
        let mut alias = self.plan.keys.len();
        for value in &self.plan.values {
            sql.push(separator);
            separator = ", ";
            self.value(sql, value, self.aliases.get(alias));
            alias += usize::from(value.path.is_some());
        }
        self.rows(sql, with_keys);
        for place in 0..keys.len() {
            sql.push(if place == 0 { " GROUP BY " } else { ", " }).literal(place as i64 + 1);
        }
        if !keys.is_empty() && self.owners.is_none() {
            sql.limit(MOST_GROUPS as i64 + 1, 0);
        }
    }

    /// The rows themselves: their keys, and a column for each value, which is null where it does not count.
    pub(crate) fn ungrouped(&self, sql: &mut Sql, buckets: &[Buckets]) {
        let mut separator = self.keys(sql, &self.plan.keys, buckets);
        let mut alias = self.plan.keys.len();
        for value in &self.plan.values {
            sql.push(separator);
            separator = ", ";
            if let Some(condition) = &value.condition {
                sql.push("CASE WHEN ");
                condition_sql::push(sql, condition);
                sql.push(" THEN ");
            }
            match value.path.as_ref().zip(self.aliases.get(alias)) {
                Some((path, name)) => {
                    path.push(sql, name);
                    alias += 1;
                }
                None => _ = sql.push("1"),
            }
            sql.push(if value.condition.is_some() { " END" } else { "" });
        }
        self.rows(sql, true);
    }

    /// Appends keys; returns what stands before the next column.
    fn keys(&self, sql: &mut Sql, keys: &[PlannedKey<'_>], buckets: &[Buckets]) -> &'static str {
        let mut separator = "SELECT ";
        for (place, key) in keys.iter().enumerate() {
            sql.push(separator);
            separator = ", ";
            match &key.calendar {
                None => self.key_value(sql, place, key),
                Some(calendar) => calendar.push(sql, &buckets[place], |sql| self.key_value(sql, place, key)),
            }
        }
        separator
    }

    /// Appends the rows that are grouped. With keys, one of several values stands as often as it has values.
    fn rows(&self, sql: &mut Sql, with_keys: bool) {
        sql.push(" FROM ").table(&self.plan.resource_type.table).push(" AS r0");
        joined_rows::push(sql, self.plan.joined());
        for (place, key) in self.plan.keys.iter().enumerate().filter(|_| with_keys) {
            let Some(several) = &key.several else { continue };
            sql.push(if self.owners.is_some() { " JOIN (" } else { " LEFT JOIN (" });
            several.push(sql);
            if let Some(owners) = self.owners {
                sql.push(" WHERE ").name(&VALUE).any_of(ColumnType::Integer, numbers(owners));
            }
            sql.push(") AS ").name(&links(place));
            members::push_tie(sql, &links(place), &self.aliases[place], key.path.guard.as_ref());
        }
        let mut before = " WHERE ";
        if let (Some(owners), [PlannedKey { several: None, path, .. }]) = (self.owners, &self.plan.keys[..]) {
            sql.push(before).column(&self.aliases[0], &path.property.column);
            sql.any_of(ColumnType::Integer, numbers(owners));
            before = " AND ";
        }
        if let Some(condition) = &self.plan.condition {
            sql.push(before);
            condition_sql::push(sql, condition);
        }
    }

    fn key_value(&self, sql: &mut Sql, place: usize, key: &PlannedKey<'_>) {
        match key.several {
            Some(_) => _ = sql.column(&links(place), &VALUE),
            None => key.path.push(sql, &self.aliases[place]),
        }
    }

    fn value(&self, sql: &mut Sql, value: &PlannedValue<'_>, alias: Option<&Name>) {
        let Some((path, alias)) = value.path.as_ref().zip(alias) else {
            sql.push("COUNT(*)");
            return filter(sql, value);
        };
        match (value.function, is_float(value)) {
            (AggregateFunction::Count, _) => call(sql, "COUNT(", value, path, alias),
            (AggregateFunction::CountDistinct, _) => call(sql, "COUNT(DISTINCT ", value, path, alias),
            (AggregateFunction::Least, _) => call(sql, "MIN(", value, path, alias),
            (AggregateFunction::Greatest, _) => call(sql, "MAX(", value, path, alias),
            (AggregateFunction::Sum, true) => float_sum(sql, value, path, alias),
            (AggregateFunction::Sum, false) => exact_sum(sql, value, path, alias),
            (AggregateFunction::Average, float) => {
                let sum = if float { float_sum } else { exact_sum };
                sum(sql, value, path, alias);
                sql.push(", ");
                call(sql, "COUNT(", value, path, alias);
            }
        }
    }
}

/// The name of the members of a key with several values.
fn links(place: usize) -> Name {
    Name::numbered("m", place as i64)
}

fn call(sql: &mut Sql, function: &'static str, value: &PlannedValue<'_>, path: &ValuePath<'_>, alias: &Name) {
    sql.push(function);
    path.push(sql, alias);
    sql.push(")");
    filter(sql, value);
}

/// Appends a sum in two halves, which fit the engines' integers for all numbers.
fn exact_sum(sql: &mut Sql, value: &PlannedValue<'_>, path: &ValuePath<'_>, alias: &Name) {
    for (operator, after) in [(" / ", ", "), (" % ", "")] {
        sql.push("CAST(SUM((");
        path.push(sql, alias);
        sql.push(")").push(operator).literal(HALF).push(")");
        filter(sql, value);
        sql.push(" AS ").column_type(ColumnType::Integer).push(")").push(after);
    }
}

/// Appends the sum of most floats, and that of large ones, which is scaled.
fn float_sum(sql: &mut Sql, value: &PlannedValue<'_>, path: &ValuePath<'_>, alias: &Name) {
    for (comparison, scaled) in [(" <= ", false), (" > ", true)] {
        let part = |sql: &mut Sql| {
            sql.push("CASE WHEN abs(");
            path.push(sql, alias);
            sql.push(")").push(comparison).bind_as(ColumnType::Float, LARGE).push(" THEN (");
            path.push(sql, alias);
            sql.push(")");
            if scaled {
                sql.push(" * ").bind_as(ColumnType::Float, FLOAT_SCALE);
            }
            sql.push(" END");
        };
        sql.float_sum(part, |sql| _ = sql.push("r0.id"));
        filter(sql, value);
        sql.push(if scaled { "" } else { ", " });
    }
}

/// Appends which rows of a group count.
fn filter(sql: &mut Sql, value: &PlannedValue<'_>) {
    if let Some(condition) = &value.condition {
        sql.push(" FILTER (WHERE ");
        condition_sql::push(sql, condition);
        sql.push(")");
    }
}

fn numbers(ids: &[i64]) -> Vec<Value> {
    ids.iter().copied().map(Value::Integer).collect()
}
