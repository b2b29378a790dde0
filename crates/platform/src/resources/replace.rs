//! Replacing a resource whole (D-22, R-133).

use super::accept::{self, Operators, accept};
use super::change::{self, check};
use super::create::default;
use super::record::Record;
use super::row_rights::RowRights;
use super::{Body, IfMatch, ItemRef, Written, relations, settle, turns};
use crate::actor::Allowed;
use crate::error::{Error, Result};
use crate::expressions::Reading;
use crate::kinds::Stored;
use crate::tenants::Call;
use crate::types::{Action, Property};
use database::Tx;

/// Gives every property that the caller may write the body's value, its default, or none; gives the resource as
/// the caller may read it then. Properties that the caller may not write keep their value (A077).
pub fn replace(
    tx: &mut Tx<'_>,
    call: &Call,
    collection: &str,
    item: &ItemRef,
    if_match: Option<&IfMatch>,
    body: &Body,
) -> Result<Written> {
    let of_type = call.actor.allowed(&call.model, collection, Action::Edit)?;
    let mut given = accept(call, &of_type, body, Operators::Unknown)?;
    turns::to_change(tx, of_type.resource_type, 0..of_type.resource_type.fields.len())?;
    let old = Record::lock(tx, of_type.resource_type, item)?;
    let rights = RowRights::of(tx, call, (&of_type, Action::Edit), old.id()?)?;
    let allowed = rights.allowed.as_ref();
    check(tx, call, allowed, &old, if_match)?;
    accept::check_choices(allowed, &given, Some(&old.values))?;
    relations::resolve(tx, call, allowed, &mut given, (Some(&old.values), Reading::Hold))?;
    accept::resolve_files(tx, call, allowed, &mut given, Some(&old.values))?;
    let mut changed: Vec<(&Property, Stored)> = Vec::with_capacity(allowed.resource_type.fields.len());
    let mut left_out = Vec::new();
    let named: Vec<usize> = given.iter().map(|value| value.property.position).collect();
    changed.extend(given.into_iter().map(|value| (value.property, value.value)));
    for property in allowed.resource_type.properties() {
        let preset = rights.gives(&of_type, property);
        if !named.contains(&property.position) && !preset && falls_back(call, allowed, property) {
            changed.push((property, default(call, property)?));
            left_out.push(property.position);
        }
    }
    // A default that is calculated comes later.
    let expected = |property: &Property| property.required && !settle::decides(allowed.resource_type, property);
    let empty = |(property, value): &&(&Property, Stored)| expected(property) && accept::is_empty(value);
    let problems: Vec<_> = changed.iter().filter(empty).map(|(property, _)| accept::missing(property)).collect();
    if !problems.is_empty() {
        return Err(Error::problems(problems));
    }
    change::write(tx, call, (&of_type, rights), &old, changed, &left_out)
}

/// Whether a property that the body leaves out loses its value. What nobody can read back, as a
/// password, stays, and so do files (D-22).
fn falls_back(call: &Call, allowed: &Allowed<'_>, property: &Property) -> bool {
    accept::writable(&call.actor, allowed, property)
        && !accept::read_only(property)
        && !property.write_once
        && !property.kind.concealed()
        && property.kind.files().is_none()
}
