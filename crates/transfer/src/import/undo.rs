//! Taking back what a group of an import did.

use super::journal::{ChangedRow, GroupChanges, STAMP};
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::Result;
use model::kinds::StoredValue;
use model::table_names::IMPORT_GROUP;
use model::types::{Property, ResourceType};
use resources::delete;
use resources::numbering;
use resources::record::Record;
use resources::ripple::WritePropagation;
use resources::{settle, store, turns};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Takes back the last group of an import that is left, and forgets it; gives how many of its rows stay, or nothing
/// where no group is left.
pub(super) fn last_group(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    import: i64,
    type_id: i64,
) -> Result<Option<usize>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, content FROM ").table(&IMPORT_GROUP).push(" WHERE import = ").bind(import);
    sql.push(" ORDER BY id DESC").limit(1, 0);
    let mut found = None;
    tx.query(&sql, &mut |row| {
        found = Some((row.integer(0)?, row.text(1)?.to_owned()));
        Ok(())
    })?;
    let Some((id, content)) = found else { return Ok(None) };
    let done = GroupChanges::decode(&content)?;
    let mut stay = 0;
    // A type that is gone took its rows with it.
    if let Some(of) = context.model.type_by_id(type_id) {
        turns::to_change_many(tx, of)?;
        let (untouched, others) = done.untouched(tx, of)?;
        for row in done.changed.iter().rev() {
            restore(tx, context, of, row)?;
        }
        let going = done.created.iter().map(|row| row.id).filter(|id| untouched.contains(id));
        stay = others + delete::take_back(tx, context, of, &going.collect::<Vec<_>>())?;
        stamp(tx, of, &done, &untouched)?;
        // Rows that stay have their numbers.
        for (property, period, numbers) in done.numbers.iter().filter(|_| stay == 0) {
            numbering::give_back(tx, *property, period, *numbers)?;
        }
    }
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&IMPORT_GROUP).push(" WHERE id = ").bind(id);
    tx.execute(&sql)?;
    Ok(Some(stay))
}

/// Gives a resource the values back that it had, as far as they are still those of the import.
fn restore(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    row: &ChangedRow,
) -> Result<()> {
    let Some(current) = Record::lock_all(tx, resource_type, &[row.id])?.pop() else { return Ok(()) };
    let mut fields: Vec<(&Property, StoredValue)> = Vec::new();
    for (id, [old, new]) in &row.fields {
        let property = resource_type.properties().iter().find(|property| property.id == *id);
        if let Some(property) = property
            && property.calculated.is_none()
            && current.values[property.position] == new.stored()
        {
            fields.push((property, old.stored()));
        }
    }
    let all =
        tx.savepoint(|tx| store::update_one_of_many(tx, context, resource_type, &current, fields.clone()).map(drop));
    match all {
        // What a value referred to may be gone, or another resource may have it by now: the rest is given back.
        Err(error) if !error.problems.is_empty() => {
            for field in fields {
                let now = Record::lock_all(tx, resource_type, &[row.id])?.pop();
                let Some(now) = now else { return Ok(()) };
                let one = tx
                    .savepoint(|tx| store::update_one_of_many(tx, context, resource_type, &now, vec![field]).map(drop));
                match one {
                    Err(error) if !error.problems.is_empty() => {}
                    outcome => outcome?,
                }
            }
        }
        outcome => outcome?,
    }
    let mut ripple = WritePropagation::default();
    for new in settle::follow(tx, context, resource_type, &[row.id])? {
        ripple.note(tx, context, resource_type, [Some(&current.values), Some(&new.values)])?;
    }
    ripple.end(tx, context, BTreeMap::from([(resource_type.id, 0)])).map(drop)
}

/// Gives resources that nobody else changed their former stamps: nothing tells of the import.
fn stamp(tx: &mut Tx<'_>, resource_type: &ResourceType, done: &GroupChanges, untouched: &BTreeSet<i64>) -> Result<()> {
    for row in done.followed.iter().filter(|row| untouched.contains(&row.id)) {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&resource_type.table).push(" SET version = ").bind(row.version - 1);
        sql.push(" WHERE id = ").bind(row.id);
        tx.execute(&sql)?;
    }
    // A resource that was changed twice gets what it had first.
    for row in done.changed.iter().rev().filter(|row| untouched.contains(&row.id)) {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&resource_type.table).push(" SET ");
        for (index, (position, cell)) in STAMP.into_iter().zip(&row.stamp).enumerate() {
            sql.push(if index > 0 { ", " } else { "" }).name(&resource_type.fields[position].column).push(" = ");
            sql.bind(Value::from(cell.clone()));
        }
        sql.push(" WHERE id = ").bind(row.id);
        tx.execute(&sql)?;
    }
    Ok(())
}
