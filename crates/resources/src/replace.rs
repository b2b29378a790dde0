//! Replacing a resource whole (D-22, R-133).

use super::accept::{self, OperatorReading, accept};
use super::change::{self, PropertyChanges, check};
use super::create::default;
use super::foreign_reads::ForeignReads;
use super::record::Record;
use super::row_rights::RowRights;
use super::{Body, IfMatch, Written, hold, relations, settle, turns};
use crate::expressions::Reading;
use context::actor::Allowed;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use model::kinds::StoredValue;
use model::types::{Property, ResourceAction};
use query::request::ItemRef;

/// Gives every property that the caller may write the body's value, its default, or none; gives the resource as
/// the caller may read it then. Properties that the caller may not write keep their value (A077).
pub fn replace(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    collection: &str,
    item: &ItemRef,
    if_match: Option<&IfMatch>,
    body: &Body,
) -> Result<Written> {
    let of_type = call.actor.allowed(&call.model, collection, ResourceAction::Edit)?;
    let mut given = accept(call, &of_type, body, OperatorReading::Unknown)?;
    let reads = ForeignReads::of_change(&of_type, if_match, &given);
    turns::to_change(tx, &of_type, 0..of_type.resource_type.fields.len(), reads)?;
    let old = Record::lock(tx, of_type.resource_type, item)?;
    hold::grants(tx, call, &of_type, &old.values)?;
    let rights = RowRights::of(tx, call, (&of_type, ResourceAction::Edit), old.id()?)?;
    let allowed = rights.allowed.as_ref();
    check(tx, call, allowed, &old, if_match)?;
    accept::check_choices(allowed, &given, Some(&old.values))?;
    relations::resolve(tx, call, allowed, &mut given, (Some(&old.values), Reading::Hold))?;
    accept::resolve_files(tx, call, allowed, &mut given, Some(&old.values))?;
    let given: Vec<(&Property, StoredValue)> = given.into_iter().map(|value| (value.property, value.value)).collect();
    let rights =
        change::choose(tx, call, (&of_type, rights), &old, |rights| replaced(call, (&of_type, rights), given.clone()))?;
    let (changed, left_out) = replaced(call, (&of_type, &rights), given)?;
    body.check_login(of_type.resource_type, |property| change::final_value(&old, &changed, property))?;
    change::write(tx, call, (&of_type, rights), &old, changed, &left_out)
}

/// Returns the given values and those that the other properties get. Properties that a body leaves out are listed by
/// position.
fn replaced<'m>(
    call: &RequestContext,
    (of_type, rights): (&Allowed<'m>, &RowRights<'_, 'm>),
    mut changed: Vec<(&'m Property, StoredValue)>,
) -> Result<PropertyChanges<'m>> {
    let allowed = rights.allowed.as_ref();
    let mut left_out = Vec::new();
    let named: Vec<usize> = changed.iter().map(|(property, _)| property.position).collect();
    for property in allowed.resource_type.properties() {
        let preset = rights.gives(of_type, property);
        if !named.contains(&property.position) && !preset && falls_back(call, allowed, property) {
            changed.push((property, default(call, property)?));
            left_out.push(property.position);
        }
    }
    // A default that is calculated comes later.
    let expected = |property: &Property| property.required && !settle::decides(allowed.resource_type, property);
    let empty = |(property, value): &&(&Property, StoredValue)| expected(property) && accept::is_empty(value);
    let problems: Vec<_> = changed.iter().filter(empty).map(|(property, _)| accept::missing(property)).collect();
    if problems.is_empty() { Ok((changed, left_out)) } else { Err(Error::problems(problems)) }
}

/// Returns true if a property that the body leaves out loses its value. What nobody can read back, as a
/// password, stays, and so do files (D-22).
fn falls_back(call: &RequestContext, allowed: &Allowed<'_>, property: &Property) -> bool {
    accept::writable(&call.actor, allowed, property)
        && !accept::read_only(property)
        && !property.write_once
        && !property.kind.concealed()
        && property.kind.files().is_none()
}
