//! Steps that PUT and PATCH have in common: the precondition, and the check of members that may not be changed.

use super::record::Record;
use super::row_rights::{RowRights, RowSubject};
use super::{IfMatch, Written, accept, calculate, hold, presets, relations, ripple, settle, store};
use crate::expressions::Reading;
use crate::users::authority;
use context::actor::Allowed;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, Result};
use model::kinds::{KindClass, StoredValue, ValueFault};
use model::types::{FIRST_PROPERTY, Property, ResourceAction};
use serde_json::Value as Json;

/// New values of properties, and what a PUT leaves out of them, by position.
pub(super) type PropertyChanges<'m> = (Vec<(&'m Property, StoredValue)>, Vec<usize>);

/// Checks `If-Match` against the body that get-one gives the caller (D-26). What that shows of others is locked.
pub(super) fn check(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    allowed: &Allowed<'_>,
    old: &Record,
    if_match: Option<&IfMatch>,
) -> Result<()> {
    match if_match {
        Some(if_match) => if_match.check(call, || old.body(tx, call, allowed, Reading::Hold)),
        None => Ok(()),
    }
}

/// Returns the value that a property has with these changes.
pub(super) fn final_value(old: &Record, changed: &[(&Property, StoredValue)], property: &Property) -> StoredValue {
    let new = changed.iter().find(|(known, _)| known.position == property.position).map(|(_, value)| value);
    new.unwrap_or(&old.values[property.position]).clone()
}

/// Writes a change of a resource that is locked, and gives it as the caller may read it then.
pub(super) fn write<'m>(
    tx: &mut Tx<'_>,
    call: &'m RequestContext,
    (of_type, rights): (&Allowed<'m>, RowRights<'_, 'm>),
    old: &Record,
    changed: Vec<(&'m Property, StoredValue)>,
    left_out: &[usize],
) -> Result<Written> {
    let (new, differing) = put(tx, call, (of_type, &rights), old, changed, left_out)?;
    call.reads.note(of_type.resource_type, &[new.id()?]);
    let row = RowSubject::Stored(new.id()?);
    let allowed = rights.after(tx, call, (of_type, ResourceAction::Edit), row, &differing)?;
    new.written(tx, call, &allowed)
}

/// The rights with the grants alone whose values the change takes. `changes` tells what it is by some of them.
pub(super) fn choose<'a, 'm>(
    tx: &mut Tx<'_>,
    call: &'m RequestContext,
    (of_type, rights): (&Allowed<'m>, RowRights<'a, 'm>),
    old: &Record,
    changes: impl Fn(&RowRights<'_, 'm>) -> Result<PropertyChanges<'m>>,
) -> Result<RowRights<'a, 'm>> {
    rights.hold(tx, call, of_type)?;
    rights.choose(of_type, |rights| {
        presets::trial(tx, call, |tx, quiet| {
            let (changed, left_out) = changes(rights)?;
            let (new, _) = put(tx, quiet, (of_type, rights), old, changed, &left_out)?;
            rights.holding(tx, call, of_type, RowSubject::Stored(new.id()?))
        })
    })
}

/// Writes a change of a resource that is locked, and what follows from it; and gives what of it the caller changes,
/// where that decides about the rights.
fn put<'m>(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    (of_type, rights): (&Allowed<'m>, &RowRights<'_, 'm>),
    old: &Record,
    changed: Vec<(&'m Property, StoredValue)>,
    left_out: &[usize],
) -> Result<(Record, Vec<&'m Property>)> {
    let rest = (changed, left_out);
    let (changed, differing) = settled(tx, call, (of_type, rights), (old, Reading::Hold), rest)?;
    let (new, differs) = store::update(tx, call, rights.allowed.as_ref(), old, changed)?;
    let new = match differs {
        true => ripple::follow(tx, call, of_type.resource_type, (Some(old), new), 0)?,
        false => new,
    };
    hold::grants(tx, call, of_type, &new.values)?;
    Ok((new, differing))
}

/// All that a change comes to, with what grants and expressions add; and what of it the caller changes, where that
/// decides about the rights.
#[expect(clippy::type_complexity, reason = "two lists of properties, which nobody else makes")]
pub(super) fn settled<'m>(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    (of_type, rights): (&Allowed<'m>, &RowRights<'_, 'm>),
    (old, reading): (&Record, Reading),
    (mut changed, left_out): (Vec<(&'m Property, StoredValue)>, &[usize]),
) -> Result<(Vec<(&'m Property, StoredValue)>, Vec<&'m Property>)> {
    let allowed = rights.allowed.as_ref();
    refuse(tx, call, allowed, (old, reading), &mut changed)?;
    let differing = changed.iter().filter(|(property, value)| store::differs(allowed, old, property, value));
    let differing: Vec<&Property> = match rights.varies() {
        true => differing.map(|(property, _)| *property).collect(),
        false => Vec::new(),
    };
    if !differing.is_empty() {
        let named = |property: &Property| changed.iter().any(|(known, _)| known.position == property.position);
        let presets = rights.presets(tx, call, (of_type, reading), named)?;
        changed.extend(presets);
    }
    let changed = settle::change(tx, call, of_type.resource_type, (old, reading), changed, left_out)?;
    let differ = changed.iter().filter(|(property, value)| store::differs(allowed, old, property, value));
    let differ: Vec<(&Property, &StoredValue)> = differ.map(|(property, value)| (*property, value)).collect();
    authority::check_change(call, of_type.resource_type, &old.values, &differ)?;
    Ok((changed, differing))
}

/// Refuses changes of what the caller, or anybody, may not change. A value that stays as it is is no change, so
/// that a resource may be sent back as it was read (D-12); where the caller cannot have read it, it is one, or
/// else values could be guessed (D-3).
fn refuse(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    allowed: &Allowed<'_>,
    (old, reading): (&Record, Reading),
    changed: &mut Vec<(&Property, StoredValue)>,
) -> Result<()> {
    let mut problems = Vec::new();
    let wanted: Vec<usize> =
        changed.iter().map(|(property, _)| property).filter(|of| of.is_virtual()).map(|of| of.position).collect();
    let shown = match wanted.as_slice() {
        [] => None,
        wanted => Some(calculate::complete(tx, call, allowed.resource_type, &old.values, (wanted, reading))?),
    };
    let values = shown.as_ref().unwrap_or(&old.values);
    for (property, value) in changed.iter() {
        if is_same(property, &values[property.position], value) && allowed.readable.contains(property) {
            continue;
        }
        if accept::read_only(property) {
            problems.push(accept::refuse_read_only(property));
        } else if property.write_once && !accept::is_empty(&old.values[property.position]) {
            problems.push(ValueFault::new("write_once", "can be set only once").of(&property.name, &property.title));
        } else if !accept::writable(&call.actor, allowed, property) {
            return Err(accept::not_writable(property));
        } else if reading == Reading::Hold && allowed.resource_type.parent_property == Some(property.position) {
            relations::refuse_circle(tx, allowed.resource_type, property, old.id()?, value)?;
        }
    }
    // What nobody gives came back as it was, be it with numbers that are written otherwise.
    changed.retain(|(property, value)| {
        let shown = property.position < FIRST_PROPERTY || property.is_virtual();
        !shown && (!accept::read_only(property) || old.values[property.position] == *value)
    });
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}

/// Returns true if two values of a property are the same; documents by what they say.
fn is_same(property: &Property, left: &StoredValue, right: &StoredValue) -> bool {
    if let (KindClass::Json, StoredValue::One(Value::Text(left)), StoredValue::One(Value::Text(right))) =
        (property.kind.class(), left, right)
    {
        let read = |text: &str| serde_json::from_str::<Json>(text).ok();
        return left == right || read(left).is_some_and(|document| read(right) == Some(document));
    }
    left == right
}
