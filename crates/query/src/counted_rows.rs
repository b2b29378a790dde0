//! Numbers of rows that writes keep: of all rows of a type, and of those with each value of a property. What is asked of
//! these alone is read from there, without the table.

use crate::condition::{Condition, ValueCheck, ValueComparison};
use crate::condition_sql;
use crate::row_alias::row_alias;
use database::{ColumnType, Name, Sql, Value};
use model::kinds::ValueStorage;
use model::table_names::{COUNTER, TALLY};
use model::types::Property;
use std::borrow::Cow;

/// The column with the value of a number.
pub const VALUE: Name = Name::fixed("value");
const ROWS: Name = Name::fixed("rows");
const TALLIES: Name = Name::fixed("c");
const COUNTED: Name = Name::fixed("counted");

/// Rows whose numbers are kept.
pub enum CountedRows<'c, 'm> {
    /// All rows of the type with that id.
    All(i64),
    /// Rows with one of some values of a property.
    With(&'c Property, Vec<Cow<'c, str>>),
    /// Rows that refer to a resource for which a condition holds.
    Behind(&'m Property, Condition<'m>),
}

/// Returns true if numbers of rows are kept by the values of a property. A relation has an index whether it asks for one
/// or not; that it does says that its values have many rows each.
pub fn is_counted(property: &Property) -> bool {
    property.index
        && property.kind.counts_values()
        // No value of a unique one has two rows.
        && !(property.unique && property.kind.is_relation())
}

/// Returns the name that the number of a value has.
pub fn name_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Text(text) => Some(Cow::Borrowed(text)),
        Value::Boolean(true) => Some(Cow::Borrowed("true")),
        Value::Boolean(false) => Some(Cow::Borrowed("false")),
        Value::Integer(id) => Some(Cow::Owned(id.to_string())),
        _ => None,
    }
}

/// Appends the number of all rows of a type, as a value.
pub fn push_all(sql: &mut Sql, type_id: i64) {
    sql.push("(");
    CountedRows::All(type_id).push_total(sql, 1);
    sql.push(")");
}

impl<'c, 'm> CountedRows<'c, 'm> {
    /// The rows with values that a condition asks for, and for nothing else; none where they are not counted.
    pub fn with(condition: &'c Condition<'m>) -> Option<Self> {
        match condition {
            Condition::All(parts) | Condition::Any(parts) if parts.len() == 1 => CountedRows::with(&parts[0]),
            Condition::Test(place, check)
                if place.level == 0 && place.inside.is_none() && is_counted(place.property) =>
            {
                let values = match check {
                    ValueCheck::Compare(ValueComparison::Equal, value) => std::slice::from_ref(value),
                    ValueCheck::OneOf(values) => values,
                    _ => return None,
                };
                Some(CountedRows::With(place.property, values.iter().map(name_of).collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// The rows that refer to a resource for which something holds, where a condition asks for nothing else.
    pub fn behind(condition: &Condition<'m>) -> Option<Self> {
        let (property, inner) = condition.behind_one()?;
        is_counted(property).then_some(CountedRows::Behind(property, inner))
    }

    /// The rows of a type for which a condition holds; none where they are not counted.
    pub fn of(type_id: i64, condition: Option<&'c Condition<'m>>) -> Option<Self> {
        match condition {
            None => Some(CountedRows::All(type_id)),
            Some(condition) => CountedRows::with(condition).or_else(|| CountedRows::behind(condition)),
        }
    }

    /// Returns true if their numbers are kept by each value of a property.
    pub fn by(&self, key: &Property) -> bool {
        match self {
            CountedRows::All(_) => is_counted(key),
            CountedRows::With(property, _) | CountedRows::Behind(property, _) => property.id == key.id,
        }
    }

    /// Appends a statement that gives how many there are, as often as it is wanted.
    pub fn push_total(&self, sql: &mut Sql, times: usize) {
        for time in 0..times {
            sum(sql.push(if time == 0 { "SELECT " } else { ", " }));
        }
        match self {
            CountedRows::All(type_id) => _ = sql.push(" FROM ").table(&COUNTER).push(" WHERE type = ").bind(*type_id),
            CountedRows::With(property, _) | CountedRows::Behind(property, _) => self.tallies(sql, property),
        }
    }

    /// Appends the rest of a statement that tells how many there are, with more columns of the resources that they refer
    /// to.
    pub fn push_behind(sql: &mut Sql, property: &Property, inner: &Condition<'_>, more: impl FnOnce(&mut Sql)) {
        sum(sql);
        more(sql);
        // Equal ids mean one resource.
        sql.push(", COALESCE(MIN(r1.id), 0), COALESCE(MAX(r1.id), 1)");
        resources(sql, property, inner);
    }

    /// Appends a statement that gives the number for each value of a property, by which they are counted: the value, then
    /// the number as often as it is wanted.
    pub fn push_groups(&self, sql: &mut Sql, key: &Property, times: usize) {
        sql.push("SELECT ");
        match key.kind.storage() {
            ValueStorage::Column(ColumnType::Boolean) => {
                sql.column(&COUNTED, &VALUE).push(" = ").bind_as(ColumnType::Text, "true".to_owned());
            }
            ValueStorage::Column(ColumnType::Integer) => {
                sql.push("CAST(").column(&COUNTED, &VALUE).push(" AS ").column_type(ColumnType::Integer).push(")");
            }
            _ => _ = sql.column(&COUNTED, &VALUE),
        }
        for _ in 0..times {
            sql.push(", ").column(&COUNTED, &ROWS);
        }
        sql.push(" FROM (SELECT ").name(&VALUE).push(", ");
        sum(sql);
        sql.push(" AS ").name(&ROWS);
        self.tallies(sql, key);
        sql.push(" GROUP BY ").name(&VALUE);
        if let CountedRows::All(type_id) = self {
            // Rows without a value have no number: they are what is left of all.
            sql.push(" UNION ALL SELECT NULL, ");
            push_all(sql, *type_id);
            sql.push(" - (SELECT ");
            sum(sql);
            self.tallies(sql, key);
            sql.push(")");
        }
        sql.push(") AS ").name(&COUNTED).push(" WHERE ").column(&COUNTED, &ROWS).push(" <> 0");
    }

    /// Appends where the numbers of a property's values stand.
    fn tallies(&self, sql: &mut Sql, property: &Property) {
        if let CountedRows::Behind(_, inner) = self {
            return resources(sql, property, inner);
        }
        sql.push(" FROM ").table(&TALLY).push(" WHERE property = ").bind(property.id);
        if let CountedRows::With(_, values) = self {
            let values = values.iter().map(|value| Value::Text(value.clone().into_owned())).collect();
            sql.push(" AND ").name(&VALUE).any_of(ColumnType::Text, values);
        }
    }
}

/// Appends the resources for which a condition holds, with the numbers of rows that refer to them.
fn resources(sql: &mut Sql, property: &Property, inner: &Condition<'_>) {
    let target = property.kind.relation().map_or(0, |relation| relation.type_id);
    let resource = row_alias(1);
    // In this order: the resources are few beside the numbers.
    sql.push(" FROM ").table(&Name::numbered("t", target)).push(" AS ").name(&resource).push(" CROSS JOIN ");
    sql.table(&TALLY).push(" AS ").name(&TALLIES).push(" WHERE c.property = ").bind(property.id).push(" AND ");
    sql.column(&TALLIES, &VALUE).push(" = ");
    sql.cast_text(|sql| _ = sql.column(&resource, &Name::fixed("id"))).push(" AND ");
    condition_sql::push(sql, inner);
}

/// Appends the sum of numbers.
fn sum(sql: &mut Sql) {
    sql.push("CAST(COALESCE(SUM(rows), 0) AS ").column_type(ColumnType::Integer).push(")");
}
