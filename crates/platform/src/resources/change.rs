//! What PUT and PATCH have in common: the precondition, and what may not be changed.

use super::record::Record;
use super::row_rights::{RowRights, Subject};
use super::{IfMatch, Written, accept, calculate, relations, ripple, settle, store};
use crate::actor::Allowed;
use crate::error::{Error, Result};
use crate::expressions::Reading;
use crate::kinds::{Fault, Stored};
use crate::tenants::Call;
use crate::types::{Action, Property};
use database::Tx;

/// Checks `If-Match` against the body that get-one gives the caller (D-26).
pub(super) fn check(
    tx: &mut Tx<'_>,
    call: &Call,
    allowed: &Allowed<'_>,
    old: &Record,
    if_match: Option<&IfMatch>,
) -> Result<()> {
    match if_match {
        Some(if_match) => if_match.check(call, || old.body(tx, call, allowed)),
        None => Ok(()),
    }
}

/// Writes a change of a resource that is locked, and gives it as the caller may read it then.
pub(super) fn write<'m>(
    tx: &mut Tx<'_>,
    call: &'m Call,
    (of_type, rights): (&Allowed<'m>, RowRights<'_, 'm>),
    old: &Record,
    changed: Vec<(&'m Property, Stored)>,
    left_out: &[usize],
) -> Result<Written> {
    let rest = (changed, left_out);
    let (changed, differing) = settled(tx, call, (of_type, &rights), (old, Reading::Hold), rest)?;
    let (new, differs) = store::update(tx, call, rights.allowed.as_ref(), old, changed)?;
    let new = match differs {
        true => ripple::follow(tx, call, of_type.resource_type, (Some(old), new), 0)?,
        false => new,
    };
    call.reads.note(of_type.resource_type, &[new.id()?]);
    let row = Subject::Stored(new.id()?);
    let allowed = rights.after(tx, call, (of_type, Action::Edit), row, &differing)?;
    new.written(tx, call, &allowed)
}

/// All that a change comes to, with what grants and expressions add; and what of it the caller changes, where that
/// decides about the rights.
#[expect(clippy::type_complexity, reason = "two lists of properties, which nobody else makes")]
pub(super) fn settled<'m>(
    tx: &mut Tx<'_>,
    call: &Call,
    (of_type, rights): (&Allowed<'m>, &RowRights<'_, 'm>),
    (old, reading): (&Record, Reading),
    (mut changed, left_out): (Vec<(&'m Property, Stored)>, &[usize]),
) -> Result<(Vec<(&'m Property, Stored)>, Vec<&'m Property>)> {
    let allowed = rights.allowed.as_ref();
    refuse(tx, call, allowed, (old, reading), &mut changed)?;
    let differing = changed.iter().filter(|(property, value)| store::differs(allowed, old, property, value));
    let differing: Vec<&Property> = match rights.varies() {
        true => differing.map(|(property, _)| *property).collect(),
        false => Vec::new(),
    };
    if !differing.is_empty() {
        let named = |property: &Property| changed.iter().any(|(known, _)| known.position == property.position);
        let presets = rights.presets(tx, call, of_type, named)?;
        changed.extend(presets);
    }
    let changed = settle::change(tx, call, of_type.resource_type, old, changed, left_out)?;
    Ok((changed, differing))
}

/// Refuses changes of what the caller, or anybody, may not change. A value that stays as it is is no change, so
/// that a resource may be sent back as it was read (D-12); where the caller cannot have read it, it is one, or
/// else values could be guessed (D-3).
fn refuse(
    tx: &mut Tx<'_>,
    call: &Call,
    allowed: &Allowed<'_>,
    (old, reading): (&Record, Reading),
    changed: &mut Vec<(&Property, Stored)>,
) -> Result<()> {
    let mut problems = Vec::new();
    let wanted: Vec<usize> =
        changed.iter().map(|(property, _)| property).filter(|of| of.is_virtual()).map(|of| of.position).collect();
    let shown = match wanted.as_slice() {
        [] => None,
        wanted => Some(calculate::complete(tx, call, allowed.resource_type, &old.values, wanted)?),
    };
    let values = shown.as_ref().unwrap_or(&old.values);
    for (property, value) in changed.iter() {
        if values[property.position] == *value && allowed.readable.contains(property) {
            continue;
        }
        if accept::read_only(property) {
            problems.push(accept::refuse_read_only(property));
        } else if property.write_once && !accept::is_empty(&old.values[property.position]) {
            problems.push(Fault::new("write_once", "can be set only once").of(&property.name, &property.title));
        } else if !accept::writable(&call.actor, allowed, property) {
            return Err(accept::not_writable(property));
        } else if reading == Reading::Hold && allowed.resource_type.parent_property == Some(property.position) {
            relations::refuse_circle(tx, allowed.resource_type, property, old.id()?, value)?;
        }
    }
    // What is calculated to be shown came back as it was: it is not stored.
    changed.retain(|(property, _)| !property.is_virtual());
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}
