//! Calculating all resources of a type anew, after what they are calculated by changed.

use super::record::Record;
use super::ripple::WritePropagation;
use super::{settle, store, summary, totals, turns};
use context::counter;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::types::{CalculationTime, ResourceType};
use model::user_columns::USER_TYPE;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most resources that are calculated anew at once.
const BATCH: i64 = 500;

/// Calculates all resources of a type anew, in the same transaction.
pub fn recalculate(tx: &mut Tx<'_>, request: &RequestContext, of: &Arc<ResourceType>, clears: bool) -> Result<()> {
    let (mut last, mut done) = (0, 0);
    while let Some(batch) = next(tx, of, last)? {
        calculate(tx, request, of, &batch, clears)?;
        last = *batch.last().unwrap_or(&i64::MAX);
        done += batch.len();
        tracing::info!(name = of.name, done, "calculating anew");
    }
    counter::changed(tx, of.id, 0)
}

/// The next resources behind an id; none where there are no more.
pub fn next(tx: &mut Tx<'_>, of: &ResourceType, after: i64) -> Result<Option<Vec<i64>>> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&of.table).push(" WHERE id > ").bind(after).push(" ORDER BY id");
    sql.limit(BATCH, 0);
    let mut ids = Vec::new();
    tx.query(&sql, &mut |row| {
        ids.push(row.integer(0)?);
        Ok(())
    })?;
    Ok(Some(ids).filter(|ids| !ids.is_empty()))
}

/// Calculates some resources of a type anew, and all that rests on what differs; clears what does not apply where that is
/// wanted. That is nobody's change: versions stay.
pub fn calculate(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    ids: &[i64],
    clears: bool,
) -> Result<()> {
    turns::to_change_many(tx, of)?;
    let records = Record::lock_all(tx, of, ids)?;
    let sums = summary::sums(tx, request, of, &records, None, None)?;
    let all = settle::recalculated(tx, request, of, &records, None, &sums)?;
    let request = &request.quietly();
    let mut ripple = WritePropagation::of_nobody();
    for (old, mut changed) in records.iter().zip(all) {
        // Values that were given are lost by nobody's word.
        changed.retain(|(property, _)| clears || property.calculated.is_some());
        if changed.is_empty() {
            continue;
        }
        let new = store::put_calculated(tx, request, of, old, changed)?;
        ripple.note(tx, request, of, [Some(&old.values), Some(&new.values)])?;
    }
    ripple.end(tx, request, BTreeMap::from([(of.id, 0)])).map(drop)
}

/// Takes away what was calculated of a resource, which is wrong and cannot be calculated anew.
pub fn forget(tx: &mut Tx<'_>, request: &RequestContext, of: &Arc<ResourceType>, id: i64) -> Result<()> {
    let request = &request.quietly();
    let mut ripple = WritePropagation::of_nobody();
    for old in Record::lock_all(tx, of, &[id])? {
        let calculated = of.properties().iter().filter(|property| property.calculated == Some(CalculationTime::Stored));
        let changed = calculated.map(|property| (property, super::empty_of(property))).collect();
        let new = store::put_calculated(tx, request, of, &old, changed)?;
        totals::forget(tx, of, &[id])?;
        ripple.note(tx, request, of, [Some(&old.values), Some(&new.values)])?;
    }
    ripple.end(tx, request, BTreeMap::from([(of.id, 0)])).map(drop)
}

/// Calculates users anew, whose values came from files: those that were there have values from before.
pub fn follow_users(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    seeded: &[(i64, Option<&[model::kinds::StoredValue]>)],
) -> Result<()> {
    let users = request.model.type_by_id(USER_TYPE).filter(|_| !seeded.is_empty());
    let Some(of) = users else { return Ok(()) };
    let mut ids: Vec<i64> = seeded.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    let mut ripple = WritePropagation::of_all();
    note_seeded(tx, request, &mut ripple, of, seeded)?;
    calculate(tx, request, of, &ids, true)?;
    note_seeded(tx, request, &mut ripple, of, seeded)?;
    ripple.end(tx, request, BTreeMap::new()).map(drop)
}

/// Notes what became of users since before the files were written.
fn note_seeded(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    ripple: &mut WritePropagation,
    of: &Arc<ResourceType>,
    seeded: &[(i64, Option<&[model::kinds::StoredValue]>)],
) -> Result<()> {
    let mut ids: Vec<i64> = seeded.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    for new in Record::lock_all(tx, of, &ids)? {
        let id = new.id()?;
        let old = seeded.iter().find(|(known, _)| *known == id).and_then(|(_, old)| *old);
        ripple.note(tx, request, of, [old, Some(&new.values)])?;
    }
    Ok(())
}
