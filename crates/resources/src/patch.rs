//! Patching a resource: some properties are replaced, or added to (D-23, R-134 to R-138).

use super::accept::{self, OperatorReading, PropertyInput, accept};
use super::change::{self, check};
use super::foreign_reads::ForeignReads;
use super::record::Record;
use super::row_rights::RowRights;
use super::{Body, IfMatch, Written, hold, presets, relations, settle, turns};
use crate::expressions::Reading;
use context::actor::Allowed;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use model::kinds;
use model::kinds::StoredValue;
use model::types::{Property, ResourceAction};
use query::request::ItemRef;

/// Changes the properties that the body names and gives the resource as the caller may read it then. The row is
/// locked while it is read, so that concurrent `+=` lose nothing.
pub fn patch(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    collection: &str,
    item: &ItemRef,
    if_match: Option<&IfMatch>,
    body: &Body,
) -> Result<Written> {
    let of_type = call.actor.allowed(&call.model, collection, ResourceAction::Edit)?;
    let given = accept(call, &of_type, body, OperatorReading::Read)?;
    accept::refuse_blind_sums(&of_type, &given)?;
    let positions = given.iter().map(|value| value.property.position);
    let reads = ForeignReads::of_change(&of_type, if_match, &given);
    turns::to_change(tx, &of_type, positions.chain(presets::positions(&of_type)), reads)?;
    let old = Record::lock(tx, of_type.resource_type, item)?;
    hold::grants(tx, call, &of_type, &old.values)?;
    let rights = RowRights::of(tx, call, (&of_type, ResourceAction::Edit), old.id()?)?;
    let allowed = rights.allowed.as_ref();
    accept::refuse_blind_sums(allowed, &given)?;
    check(tx, call, allowed, &old, if_match)?;
    let changed = changed(tx, call, allowed, (&old, Reading::Hold), given)?;
    body.check_login(of_type.resource_type, |property| change::final_value(&old, &changed, property))?;
    let rights = change::choose(tx, call, (&of_type, rights), &old, |_| Ok((changed.clone(), Vec::new())))?;
    change::write(tx, call, (&of_type, rights), &old, changed, &[])
}

/// Returns the values that a resource's properties get from those given, checked as far as they need no other property.
pub(super) fn changed<'m>(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    allowed: &Allowed<'m>,
    (old, reading): (&Record, Reading),
    mut given: Vec<PropertyInput<'m>>,
) -> Result<Vec<(&'m Property, StoredValue)>> {
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
fn sum(call: &RequestContext, old: &Record, given: PropertyInput<'_>) -> Result<StoredValue, kinds::ValueFault> {
    match given.operator {
        None => Ok(given.value),
        Some(operator) => {
            let before = &old.values[given.property.position];
            kinds::combine(given.property.kind.as_ref(), operator, before, given.value, &call.context())
        }
    }
}
