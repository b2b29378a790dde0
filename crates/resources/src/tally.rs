//! Number of rows of a type with each value, of enums, booleans and relations with `index: true`. The exact total of a
//! list of one such value, or of some, need not be counted then.
//!
//! Every write that makes, removes or moves such rows adds to the numbers in its own transaction. As with the number
//! of a type's rows, each connection has slots of its own, so that writes do not wait for one another; a number is the
//! sum over all slots. Numbers of slots may be negative, sums are not.
//!
//! Enums and booleans have few values. Relations may have as many as there are resources to refer to: what nothing
//! refers to any more leaves no number where it can be seen, and a resource that goes takes its numbers with it.

use database::{ColumnType, Sql, Tx, Value};
use model::error::Result;
use model::kinds::StoredValue;
use model::table_names::TALLY;
use model::types::{Model, Property, ResourceType};
use query::counted_rows::{VALUE, is_counted, name_of};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Version of the rules for the properties that are counted. A store that was counted by others is counted anew when it
/// is opened.
pub const FORM: &str = "2";

const MERGE: &str = " ON CONFLICT (property, value, slot) DO UPDATE SET rows = c.rows + excluded.rows";

/// The properties of a type whose values are counted.
fn counted(of: &ResourceType) -> impl Iterator<Item = &Property> {
    of.properties().iter().filter(|property| is_counted(property))
}

/// The statements that count a row which comes, or which has other values than before; none where nothing moves.
pub(super) fn statements(tx: &Tx<'_>, of: &ResourceType, old: Option<&[StoredValue]>, new: &[StoredValue]) -> Vec<Sql> {
    let mut moves: Vec<(i64, Cow<'_, str>, i64)> = Vec::new();
    let mut left: Vec<(i64, String)> = Vec::new();
    for property in counted(of) {
        let before = old.and_then(|old| stored_text(&old[property.position]));
        let now = stored_text(&new[property.position]);
        if before == now {
            continue;
        }
        if let Some(text) = before {
            if property.kind.relation().is_some() {
                left.push((property.id, text.to_string()));
            }
            moves.push((property.id, text, -1));
        }
        moves.extend(now.map(|text| (property.id, text, 1)));
    }
    if moves.is_empty() {
        return Vec::new();
    }
    // In order, so that no two writes wait for each other.
    moves.sort_unstable();
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&TALLY).push(" AS c (property, value, slot, rows) VALUES ");
    for (index, (property, value, rows)) in moves.into_iter().enumerate() {
        sql.push(if index > 0 { ", (" } else { "(" });
        sql.bind_as(ColumnType::Integer, property).push(", ").bind_as(ColumnType::Text, value.into_owned()).push(", ");
        sql.bind_as(ColumnType::Integer, tx.slot()).push(", ").bind_as(ColumnType::Integer, rows).push(")");
    }
    sql.push(MERGE);
    let mut statements = vec![sql];
    if !left.is_empty() {
        let (properties, values): (Vec<Value>, Vec<Value>) =
            left.into_iter().map(|(property, value)| (Value::Integer(property), Value::Text(value))).unzip();
        let mut sql = tx.sql();
        empty_numbers(&mut sql, tx.slot());
        sql.push(" AND property").any_of(ColumnType::Integer, properties);
        sql.push(" AND ").name(&VALUE).any_of(ColumnType::Text, values);
        statements.push(sql);
    }
    statements
}

/// Counts rows as they stand in the table, which came or are about to go or change: each adds `sign`.
pub fn count(tx: &mut Tx<'_>, of: &ResourceType, ids: &[i64], sign: i64) -> Result<()> {
    let ids: Vec<Value> = ids.iter().copied().map(Value::Integer).collect();
    for property in counted(of) {
        let mut sql = tx.sql();
        add(&mut sql, tx.slot(), of, property, sign);
        sql.push(" AND id").any_of(ColumnType::Integer, ids.clone());
        sql.push(" GROUP BY 2 ORDER BY 2").push(MERGE);
        tx.defer(sql)?;
        if sign < 0 && property.kind.relation().is_some() {
            let mut sql = tx.sql();
            empty_numbers(&mut sql, tx.slot());
            sql.push(" AND property = ").bind(property.id).push(" AND ").name(&VALUE).push(" IN (SELECT ");
            property.kind.push_counted(&mut sql, &property.column);
            sql.push(" FROM ").table(&of.table).push(" WHERE id").any_of(ColumnType::Integer, ids.clone()).push(")");
            tx.defer(sql)?;
        }
    }
    Ok(())
}

/// Forgets the numbers of resources that a relation refers to no more, since they go. All rows that referred to them
/// are changed already, so that whoever else did the same has committed: nobody adds to these numbers afterwards.
pub(super) fn forget_targets(tx: &mut Tx<'_>, property: &Property, targets: &[i64]) -> Result<()> {
    if !is_counted(property) {
        return Ok(());
    }
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&TALLY).push(" WHERE property = ").bind(property.id).push(" AND ").name(&VALUE);
    sql.any_of(ColumnType::Text, targets.iter().map(|target| Value::Text(target.to_string())).collect());
    Ok(tx.defer(sql)?)
}

/// Counts all anew that a change from one model to another has left uncounted, and forgets what is not counted any
/// more. Nobody else writes to the store.
pub fn follow(tx: &mut Tx<'_>, old: Option<&Model>, new: &Model, touched: &BTreeSet<i64>) -> Result<()> {
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

/// Counts the rows of a model's types anew, in a store that was counted otherwise or not at all.
pub fn renew(tx: &mut Tx<'_>, model: Option<&Model>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&TALLY);
    tx.execute(&sql)?;
    model.map_or(Ok(()), |model| follow(tx, None, model, &BTreeSet::new()))
}

fn stored_text(stored: &StoredValue) -> Option<Cow<'_, str>> {
    match stored {
        StoredValue::One(value) => name_of(value),
        StoredValue::Many(_) => None,
    }
}

fn recount(tx: &mut Tx<'_>, of: &ResourceType, property: &Property) -> Result<()> {
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
fn add(sql: &mut Sql, slot: i64, of: &ResourceType, property: &Property, sign: i64) {
    sql.push("INSERT INTO ").table(&TALLY).push(" AS c (property, value, slot, rows) SELECT ");
    sql.bind_as(ColumnType::Integer, property.id).push(", ");
    property.kind.push_counted(sql, &property.column);
    sql.push(", ").bind_as(ColumnType::Integer, slot).push(", ");
    sql.bind_as(ColumnType::Integer, sign).push(" * COUNT(*) FROM ").table(&of.table);
    sql.push(" WHERE ").name(&property.column).push(" IS NOT NULL");
}

/// Appends the statement that removes numbers of the slot which have come to nothing, up to the condition that says
/// which. They are the transaction's own: it just wrote them.
fn empty_numbers(sql: &mut Sql, slot: i64) {
    sql.push("DELETE FROM ").table(&TALLY).push(" WHERE rows = 0 AND slot = ").bind(slot);
}
