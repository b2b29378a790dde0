//! Deleting a resource, and what follows from it (D-25).

use super::foreign_reads::ForeignReads;
use super::record::{Purpose, Record};
use super::ripple::WritePropagation;
use super::row_rights::RowRights;
use super::{IfMatch, hold, settle, tally, totals, turns};
use crate::events;
use crate::files;
use crate::users::authority;
use context::audit;
use context::request_context::RequestContext;
use database::{ColumnType, Sql, Tx, Value};
use model::error::{Error, Result};
use model::kinds::{OnDelete, ValueStorage};
use model::references::{IncomingRelation, references};
use model::types::{ResourceAction, ResourceType};
use query::request::ItemRef;
use query::search;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most resources that one deletion may take with it.
const MOST: usize = 100_000;

/// The most resources that are in memory at once.
const BATCH: usize = 1_000;

/// The resources to delete, by type id.
type DoomedRows = BTreeMap<i64, BTreeSet<i64>>;

/// Deletes a resource, and with it those whose relations cascade. One that a restricting relation refers to,
/// and that is not deleted itself, stands against it.
pub fn delete(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    item: &ItemRef,
    if_match: Option<&IfMatch>,
) -> Result<()> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Delete)?;
    let references = references(&request.model);
    let reads = ForeignReads::of_change(&allowed, if_match, &[]);
    turns::to_delete(tx, &request.model, &references, allowed.resource_type.id, reads)?;
    let record = Record::lock_to_delete(tx, allowed.resource_type, item)?;
    hold::grants(tx, request, &allowed, &record.values)?;
    let rights = RowRights::of(tx, request, &allowed, ResourceAction::Delete, record.id()?)?;
    record.check(tx, request, &rights.allowed, if_match)?;
    take(tx, request, &references, allowed.resource_type.id, BTreeSet::from([record.id()?]))
}

/// Takes back resources of a type, as far as they are there. One that another resource refers to stays, whatever its
/// relation says of deletions: nothing of others goes or changes. Returns how many stay.
pub fn take_back(tx: &mut Tx<'_>, request: &RequestContext, of: &ResourceType, ids: &[i64]) -> Result<usize> {
    let references = references(&request.model);
    turns::to_delete(tx, &request.model, &references, of.id, ForeignReads::default())?;
    let there = Record::lock_all(tx, of, ids)?.iter().map(Record::id).collect::<Result<BTreeSet<_>>>()?;
    let mut going = there.clone();
    if referred_to(tx, &references, of, ids, &going)? {
        // Later ones refer to earlier ones, and what one that stays refers to stays with it.
        for id in there.iter().rev() {
            if referred_to(tx, &references, of, &[*id], &going)? {
                going.remove(id);
            }
        }
    }
    let stay = there.len() - going.len();
    take(tx, request, &references, of.id, going).map(|()| stay)
}

/// Returns true if a resource refers to one of the targets, which are of a type; without those of this type that go.
/// What is calculated does not count.
fn referred_to(
    tx: &mut Tx<'_>,
    references: &[IncomingRelation<'_>],
    of: &ResourceType,
    targets: &[i64],
    going: &BTreeSet<i64>,
) -> Result<bool> {
    for reference in references.iter().filter(|reference| reference.target == of.id && !reference.calculated()) {
        let beside = (reference.owner.id == of.id).then_some(going);
        if reference.any_owner(tx, targets, beside)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Deletes resources of a type, which are locked, and what goes with them. Where something stands against it, nothing
/// is changed.
fn take(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    references: &[IncomingRelation<'_>],
    type_id: i64,
    ids: BTreeSet<i64>,
) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let doomed = closure(tx, references, type_id, ids)?;
    if let Some(accounts) = doomed.get(&model::user_columns::USER_TYPE) {
        authority::check_deletion(tx, request, accounts.iter().copied())?;
    }
    refuse_restricted(tx, request, references, &doomed)?;
    let mut changed = BTreeMap::new();
    let mut ripple = WritePropagation::default();
    note_doomed(tx, request, &doomed, &mut ripple)?;
    let (calculated, given): (Vec<_>, Vec<_>) = references.iter().partition(|reference| reference.calculated());
    for reference in given {
        changed.extend(let_go(tx, request, reference, &doomed, &mut ripple)?);
    }
    // What is calculated may lead to what goes by way of others that are calculated, until all of them are cut.
    let cuts: Vec<Option<CutReferences<'_>>> = calculated
        .into_iter()
        .map(|reference| CutReferences::calculated(tx, request, reference, &doomed))
        .collect::<Result<_>>()?;
    let mut followed = BTreeSet::new();
    for mut cut in cuts.into_iter().flatten() {
        // The first of all cuts has the resource as it was; what follows from one is seen after all of them.
        cut.leave_out(&mut followed)?;
        changed.extend(cut.follow(tx, request, &mut ripple)?);
    }
    remove(tx, request, &doomed, &mut changed)?;
    ripple.end(tx, request, changed).map(drop)
}

/// Notes the resources that go, as far as others rest on them.
fn note_doomed(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    doomed: &DoomedRows,
    ripple: &mut WritePropagation,
) -> Result<()> {
    for (type_id, ids) in doomed {
        let Some(of) = request.model.type_by_id(*type_id).filter(|of| !of.rules().watchers.is_empty()) else {
            continue;
        };
        let ids: Vec<i64> = ids.iter().copied().collect();
        for batch in ids.chunks(BATCH) {
            for record in Record::lock_all(tx, of, batch)? {
                ripple.note(tx, request, of, [Some(&record.values), None])?;
            }
        }
    }
    Ok(())
}

/// The resources and all that cascading relations lead to, each row locked.
fn closure(
    tx: &mut Tx<'_>,
    references: &[IncomingRelation<'_>],
    type_id: i64,
    ids: BTreeSet<i64>,
) -> Result<DoomedRows> {
    let mut frontier = vec![(type_id, ids.iter().copied().collect::<Vec<_>>())];
    let mut doomed = DoomedRows::from([(type_id, ids)]);
    let mut count = 1;
    while let Some((target, ids)) = frontier.pop() {
        let cascading =
            |reference: &&IncomingRelation<'_>| reference.target == target && reference.on_delete == OnDelete::Cascade;
        for reference in references.iter().filter(cascading) {
            let mut owners = locked_owners(tx, reference, &ids, None, Purpose::Deletion)?;
            let known = doomed.entry(reference.owner.id).or_default();
            owners.retain(|owner| known.insert(*owner));
            count += owners.len();
            if count > MOST {
                let message = format!("The deletion would delete more than {MOST} resources.");
                return Err(Error::conflict("delete_too_large", message));
            }
            if !owners.is_empty() {
                frontier.push((reference.owner.id, owners));
            }
        }
    }
    doomed.retain(|_, ids| !ids.is_empty());
    Ok(doomed)
}

/// Locks those that refer to one of the targets, without those that are left out. One that was changed in the meantime,
/// so that it refers to none of them any more, is not among them.
fn locked_owners(
    tx: &mut Tx<'_>,
    reference: &IncomingRelation<'_>,
    targets: &[i64],
    without: Option<&BTreeSet<i64>>,
    purpose: Purpose,
) -> Result<Vec<i64>> {
    let owners = reference.owners(tx, targets, without)?;
    if owners.is_empty() {
        return Ok(owners);
    }
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&reference.owner.table).push(" WHERE id");
    sql.any_of(ColumnType::Integer, owners.into_iter().map(Value::Integer).collect()).push(" ORDER BY id");
    purpose.push(&mut sql);
    tx.query(&sql, &mut |_| Ok(()))?;
    reference.owners(tx, targets, without)
}

fn refuse_restricted(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    references: &[IncomingRelation<'_>],
    doomed: &DoomedRows,
) -> Result<()> {
    for reference in references {
        let required = reference.on_delete == OnDelete::SetNull && reference.property.required;
        let Some(targets) = doomed.get(&reference.target) else { continue };
        if reference.calculated() || reference.on_delete != OnDelete::Restrict && !required {
            continue;
        }
        let targets: Vec<i64> = targets.iter().copied().collect();
        if !reference.any_owner(tx, &targets, doomed.get(&reference.owner.id))? {
            continue;
        }
        let (owner, property) = (reference.owner, reference.property);
        let message = match request.actor.knows_of_all(owner, property) {
            true => format!("It cannot be deleted: {} of {} refers to it.", property.title, owner.title),
            false => "It cannot be deleted: something refers to it.".to_owned(),
        };
        return Err(Error::conflict("delete_restricted", message));
    }
    Ok(())
}

/// Takes the references to deleted resources out of those that stay, some at a time, with what follows from it; and out
/// of those that go, so that no order of deleting is wrong. Gives the type whose resources changed by it.
///
/// What is calculated out of one that comes later is calculated anew when that one has changed.
fn let_go(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    reference: &IncomingRelation<'_>,
    doomed: &DoomedRows,
    ripple: &mut WritePropagation,
) -> Result<Option<(i64, i64)>> {
    let Some(targets) = doomed.get(&reference.target) else { return Ok(None) };
    let targets: Vec<i64> = targets.iter().copied().collect();
    let mut changed = None;
    if reference.on_delete == OnDelete::SetNull {
        // Of those, the ids alone are in memory at once.
        let mut staying = locked_owners(tx, reference, &targets, doomed.get(&reference.owner.id), Purpose::Change)?;
        staying.sort_unstable();
        for some in staying.chunks(BATCH) {
            if reference.owner.id == model::user_columns::USER_TYPE {
                authority::check_release(tx, request, reference.property, some)?;
            }
            let cut = CutReferences::new(tx, request, reference, some.to_vec())?;
            reference.clear(tx, &targets, Some(some))?;
            changed = cut.follow(tx, request, ripple)?.or(changed);
        }
    }
    reference.clear(tx, &targets, None)?;
    tally::forget_targets(tx, reference.property, &targets)?;
    Ok(changed)
}

/// Resources that stay, out of which the references to deleted ones were taken.
struct CutReferences<'r> {
    owner: &'r Arc<ResourceType>,
    staying: Vec<i64>,
    /// As they were, where others rest on them.
    old: Vec<Record>,
    before: events::RowsBefore,
}

impl<'r> CutReferences<'r> {
    /// Those that stay, as they are before.
    fn new(
        tx: &mut Tx<'_>,
        request: &RequestContext,
        reference: &IncomingRelation<'r>,
        staying: Vec<i64>,
    ) -> Result<Self> {
        let watched = !reference.owner.rules().watchers.is_empty();
        let old = if watched { Record::lock_all(tx, reference.owner, &staying)? } else { Vec::new() };
        let before = events::before(tx, request, reference.owner, &staying)?;
        Ok(CutReferences { owner: reference.owner, staying, old, before })
    }

    /// Takes calculated references to deleted resources out of all. None where nothing refers to any.
    fn calculated(
        tx: &mut Tx<'_>,
        request: &RequestContext,
        reference: &IncomingRelation<'r>,
        doomed: &DoomedRows,
    ) -> Result<Option<Self>> {
        let Some(targets) = doomed.get(&reference.target) else { return Ok(None) };
        let targets: Vec<i64> = targets.iter().copied().collect();
        let staying = locked_owners(tx, reference, &targets, doomed.get(&reference.owner.id), Purpose::Change)?;
        let cut = CutReferences::new(tx, request, reference, staying)?;
        reference.clear(tx, &targets, None)?;
        tally::forget_targets(tx, reference.property, &targets)?;
        Ok(Some(cut))
    }

    /// Leaves out resources of which another cut had the earlier state, and notes the others.
    fn leave_out(&mut self, known: &mut BTreeSet<(i64, i64)>) -> Result<()> {
        let twice: BTreeSet<i64> =
            self.staying.iter().copied().filter(|id| known.contains(&(self.owner.id, *id))).collect();
        self.staying.retain(|id| !twice.contains(id));
        known.extend(self.staying.iter().map(|id| (self.owner.id, *id)));
        let mut old = Vec::with_capacity(self.old.len());
        for record in std::mem::take(&mut self.old) {
            if !twice.contains(&record.id()?) {
                old.push(record);
            }
        }
        self.old = old;
        Ok(())
    }

    /// Draws the consequences; gives the type whose resources changed by it.
    fn follow(
        self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        ripple: &mut WritePropagation,
    ) -> Result<Option<(i64, i64)>> {
        let CutReferences { owner, staying, old, before } = self;
        if staying.is_empty() {
            return Ok(None);
        }
        if owner.id == model::user_columns::USER_TYPE {
            // Grants may look at what users refer to.
            tx.raise_access()?;
        }
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&owner.table).push(" SET version = version + 1, updated = ");
        sql.bind(Value::Timestamp(request.now.as_millisecond())).push(", updated_by = ").bind(request.user());
        sql.push(" WHERE id").any_of(ColumnType::Integer, staying.iter().copied().map(Value::Integer).collect());
        tx.execute(&sql)?;
        // What follows from it is told with it.
        let new = settle::follow(tx, &request.quietly(), owner, &staying)?;
        for (old, new) in old.iter().zip(&new) {
            ripple.note(tx, request, owner, [Some(&old.values), Some(&new.values)])?;
        }
        events::updated_past(tx, request, owner, before)?;
        Ok(Some((owner.id, 0)))
    }
}

/// Deletes; notes how many rows each type loses.
fn remove(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    doomed: &DoomedRows,
    changed: &mut BTreeMap<i64, i64>,
) -> Result<()> {
    for (type_id, ids) in doomed {
        let Some(resource_type) = request.model.type_by_id(*type_id) else { continue };
        let ids: Vec<i64> = ids.iter().copied().collect();
        events::deleted(tx, request, resource_type, &ids)?;
        search::remove(tx, resource_type, &ids)?;
        tally::count(tx, resource_type, &ids, -1)?;
        totals::forget(tx, resource_type, &ids)?;
        audit::deleted(request, resource_type, &ids);
        let ids: Vec<Value> = ids.into_iter().map(Value::Integer).collect();
        for property in resource_type.properties() {
            if property.kind.files().is_some() {
                files::abandon_resources(tx, property, ids.clone())?;
            }
            if matches!(property.kind.storage(), ValueStorage::Links(_)) {
                let mut sql = tx.sql();
                sql.push("DELETE FROM ").table(&property.column).push(" WHERE owner");
                tx.execute(sql.any_of(ColumnType::Integer, ids.clone()))?;
            }
        }
        request.listener.resources_deleted(tx, *type_id, &ids)?;
        let removed = tx.execute(&rows(tx.sql(), resource_type, ids.clone()))?;
        if *type_id == model::user_columns::USER_TYPE {
            // Keys go after their owners.
            request.listener.users_deleted(tx, request, &ids)?;
            tx.raise_access()?;
        }
        changed.insert(*type_id, -i64::try_from(removed).unwrap_or(i64::MAX));
    }
    Ok(())
}

fn rows(mut sql: Sql, resource_type: &ResourceType, ids: Vec<Value>) -> Sql {
    sql.push("DELETE FROM ").table(&resource_type.table).push(" WHERE id").any_of(ColumnType::Integer, ids);
    sql
}
