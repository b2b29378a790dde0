//! How many rows of a type have which value, of properties that have few values by their kind and an index: so that
//! the exact total of a list of one such value, or of some, need not be counted.
//!
//! Every write that makes, removes or moves such rows adds to the numbers in its own transaction. As with the number
//! of a type's rows, each connection has slots of its own, so that writes do not wait for one another; a number is the
//! sum over all slots. Numbers of slots may be negative, sums are not.

use super::condition::{Check, Comparison, Condition};
use crate::configuration;
use crate::error::Result;
use crate::kinds::{Class, Stored};
use crate::tables::TALLY;
use crate::types::{Model, Property, Type};
use database::{ColumnType, Name, Sql, Tx, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What decides which properties are counted, and how: a store that was counted otherwise is counted anew when it is
/// opened.
pub(crate) const FORM: &str = "1";

const VALUE: Name = Name::fixed("value");
const MERGE: &str = " ON CONFLICT (property, value, slot) DO UPDATE SET rows = c.rows + excluded.rows";

/// The properties of a type whose values are counted.
fn counted(of: &Type) -> impl Iterator<Item = &Property> {
    of.properties().iter().filter(|property| is_counted(property))
}

/// A relation may have as many values as there are rows: keeping their numbers would cost more than counting few rows.
fn is_counted(property: &Property) -> bool {
    property.index && matches!(property.kind.class(), Class::Enumeration | Class::Boolean)
}

/// The statement that counts a row which comes, or which has other values than before; none where nothing moves.
pub(super) fn statement(tx: &Tx<'_>, of: &Type, old: Option<&[Stored]>, new: &[Stored]) -> Option<Sql> {
    // In order, so that no two writes wait for each other.
    let mut moves: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for property in counted(of) {
        for (values, rows) in [(old, -1), (Some(new), 1)] {
            if let Some(Stored::One(value)) = values.map(|values| &values[property.position])
                && let Some(text) = text(value)
            {
                *moves.entry((property.id, text)).or_default() += rows;
            }
        }
    }
    moves.retain(|_, rows| *rows != 0);
    if moves.is_empty() {
        return None;
    }
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&TALLY).push(" AS c (property, value, slot, rows) VALUES ");
    for (index, ((property, value), rows)) in moves.into_iter().enumerate() {
        sql.push(if index > 0 { ", (" } else { "(" });
        sql.bind_as(ColumnType::Integer, property).push(", ").bind_as(ColumnType::Text, value).push(", ");
        sql.bind_as(ColumnType::Integer, tx.slot()).push(", ").bind_as(ColumnType::Integer, rows).push(")");
    }
    sql.push(MERGE);
    Some(sql)
}

/// Counts rows as they stand in the table, which came or are about to go or change: each adds `sign`.
pub(crate) fn count(tx: &mut Tx<'_>, of: &Type, ids: &[i64], sign: i64) -> Result<()> {
    for property in counted(of) {
        let mut sql = tx.sql();
        add(&mut sql, tx.slot(), of, property, sign);
        sql.push(" AND id").any_of(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
        sql.push(" GROUP BY 2 ORDER BY 2").push(MERGE);
        tx.defer(sql)?;
    }
    Ok(())
}

/// Counts all anew that a change from one model to another has left uncounted, and forgets what is not counted any
/// more. Nobody else writes to the store.
pub(crate) fn follow(tx: &mut Tx<'_>, old: Option<&Model>, new: &Model, touched: &BTreeSet<i64>) -> Result<()> {
    let properties = |model: &Model| -> BTreeSet<i64> {
        model.types.iter().flat_map(|of| counted(of).map(|property| property.id)).collect()
    };
    let (before, now) = (old.map(properties).unwrap_or_default(), properties(new));
    for gone in before.difference(&now) {
        forget(tx, *gone)?;
    }
    for of in &new.types {
        for property in counted(of).filter(|property| touched.contains(&of.id) || !before.contains(&property.id)) {
            recount(tx, of, property)?;
        }
    }
    Ok(())
}

/// Counts all anew, in a store that was counted otherwise or not at all.
pub(crate) fn renew(tx: &mut Tx<'_>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&TALLY);
    tx.execute(&sql)?;
    match configuration::stored_model(tx)? {
        Some(model) => follow(tx, None, &model, &BTreeSet::new()),
        None => Ok(()),
    }
}

/// Whether the rows for which a condition holds are counted.
pub(super) fn knows(condition: &Condition<'_>) -> bool {
    asked(condition).is_some()
}

/// Appends the statement that gives how many rows satisfy a condition, where they are counted.
pub(super) fn total(sql: &mut Sql, condition: &Condition<'_>) -> bool {
    let Some((property, values)) = asked(condition) else { return false };
    sql.push("SELECT CAST(COALESCE(SUM(rows), 0) AS ").column_type(ColumnType::Integer).push(") FROM ");
    sql.table(&TALLY).push(" WHERE property = ").bind(property.id).push(" AND ").name(&VALUE);
    sql.any_of(ColumnType::Text, values.into_iter().map(Value::from).collect());
    true
}

/// The property and the values that a condition asks for, and nothing else.
fn asked<'c>(condition: &'c Condition<'_>) -> Option<(&'c Property, Vec<&'c str>)> {
    match condition {
        Condition::All(parts) | Condition::Any(parts) if parts.len() == 1 => asked(&parts[0]),
        Condition::Test(place, check) if place.level == 0 && place.inside.is_none() && is_counted(place.property) => {
            let values = match check {
                Check::Compare(Comparison::Equal, value) => std::slice::from_ref(value),
                Check::OneOf(values) => values,
                _ => return None,
            };
            Some((place.property, values.iter().map(text).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Boolean(true) => Some("true"),
        Value::Boolean(false) => Some("false"),
        _ => None,
    }
}

fn recount(tx: &mut Tx<'_>, of: &Type, property: &Property) -> Result<()> {
    forget(tx, property.id)?;
    let mut sql = tx.sql();
    add(&mut sql, tx.slot(), of, property, 1);
    sql.push(" GROUP BY 2").push(MERGE);
    tx.execute(&sql)?;
    Ok(())
}

fn forget(tx: &mut Tx<'_>, property: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&TALLY).push(" WHERE property = ").bind(property);
    tx.execute(&sql)?;
    Ok(())
}

/// Appends what adds the numbers of rows by their value, up to the condition that says which rows.
fn add(sql: &mut Sql, slot: i64, of: &Type, property: &Property, sign: i64) {
    sql.push("INSERT INTO ").table(&TALLY).push(" AS c (property, value, slot, rows) SELECT ");
    sql.bind_as(ColumnType::Integer, property.id).push(", ");
    match property.kind.class() {
        Class::Boolean => _ = sql.push("CASE WHEN ").name(&property.column).push(" THEN 'true' ELSE 'false' END"),
        _ => _ = sql.name(&property.column),
    }
    sql.push(", ").bind_as(ColumnType::Integer, slot).push(", ");
    sql.bind_as(ColumnType::Integer, sign).push(" * COUNT(*) FROM ").table(&of.table);
    sql.push(" WHERE ").name(&property.column).push(" IS NOT NULL");
}
