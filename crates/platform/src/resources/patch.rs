//! Patching a resource: some properties are replaced, or added to (D-23, R-134 to R-138).

use super::accept::{self, Given, Operators, accept};
use super::change::{self, check};
use super::record::Record;
use super::row_rights::RowRights;
use super::{Body, IfMatch, ItemRef, Written, relations, settle, turns};
use crate::actor::Allowed;
use crate::error::{Error, Result};
use crate::expressions::Reading;
use crate::kinds::{self, Stored};
use crate::tenants::Call;
use crate::types::{Action, Property};
use database::Tx;

/// Changes the properties that the body names and gives the resource as the caller may read it then. The row is
/// locked while it is read, so that concurrent `+=` lose nothing.
pub fn patch(
    tx: &mut Tx<'_>,
    call: &Call,
    collection: &str,
    item: &ItemRef,
    if_match: Option<&IfMatch>,
    body: &Body,
) -> Result<Written> {
    let of_type = call.actor.allowed(&call.model, collection, Action::Edit)?;
    let given = accept(call, &of_type, body, Operators::Read)?;
    accept::refuse_blind_sums(&of_type, &given)?;
    turns::to_change(tx, of_type.resource_type, given.iter().map(|value| value.property.position))?;
    let old = Record::lock(tx, of_type.resource_type, item)?;
    let rights = RowRights::of(tx, call, (&of_type, Action::Edit), old.id()?)?;
    let allowed = rights.allowed.as_ref();
    accept::refuse_blind_sums(allowed, &given)?;
    check(tx, call, allowed, &old, if_match)?;
    let changed = changed(tx, call, allowed, (&old, Reading::Hold), given)?;
    change::write(tx, call, (&of_type, rights), &old, changed, &[])
}

/// What the given values make of a resource's properties, checked as far as they need no other property.
pub(super) fn changed<'m>(
    tx: &mut Tx<'_>,
    call: &Call,
    allowed: &Allowed<'m>,
    (old, reading): (&Record, Reading),
    mut given: Vec<Given<'m>>,
) -> Result<Vec<(&'m Property, Stored)>> {
    accept::check_choices(allowed, &given, Some(&old.values))?;
    relations::resolve(tx, call, allowed, &mut given, (Some(&old.values), reading))?;
    accept::resolve_files(tx, call, allowed, &mut given, Some(&old.values))?;
    let mut changed = Vec::with_capacity(given.len());
    let mut problems = Vec::new();
    // Whether what may not apply must be given is seen when that is known.
    let expected = |property: &Property| property.required && !settle::decides(allowed.resource_type, property);
    for value in given {
        let property = value.property;
        match sum(call, old, value) {
            Ok(value) if expected(property) && accept::is_empty(&value) => problems.push(accept::missing(property)),
            Ok(value) => changed.push((property, value)),
            Err(fault) => problems.push(fault.of(&property.name, &property.title)),
        }
    }
    if problems.is_empty() { Ok(changed) } else { Err(Error::problems(problems)) }
}

/// The new value: what is given, or that added to the old one.
fn sum(call: &Call, old: &Record, given: Given<'_>) -> Result<Stored, kinds::Fault> {
    match given.operator {
        None => Ok(given.value),
        Some(operator) => {
            let before = &old.values[given.property.position];
            kinds::combine(given.property.kind.as_ref(), operator, before, given.value, &call.context())
        }
    }
}
