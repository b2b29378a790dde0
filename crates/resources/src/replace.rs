//! Replacing a resource whole (D-22, R-133).

use super::accept::{OperatorReading, accept};
use super::change::Change;
use super::foreign_reads::ForeignReads;
use super::record::Record;
use super::{Body, IfMatch, Written, turns};
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::types::ResourceAction;
use query::request::ItemRef;

/// Gives every property that the caller may write the body's value, its default, or none; gives the resource as
/// the caller may read it then. Properties that the caller may not write keep their value (A077).
pub fn replace(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    item: &ItemRef,
    if_match: Option<&IfMatch>,
    body: &Body,
) -> Result<Written> {
    let of_type = request.actor.allowed(&request.model, collection, ResourceAction::Edit)?;
    let mut given = accept(request, &of_type, body, OperatorReading::Unknown)?;
    let reads = ForeignReads::of_change(&of_type, if_match, &given);
    turns::to_change(tx, &of_type, 0..of_type.resource_type.fields.len(), reads)?;
    let old = Record::lock(tx, of_type.resource_type, item)?;
    let change = Change::new(tx, request, &of_type, &old)?;
    old.check(tx, request, &change.rights.allowed, if_match)?;
    change.resolve(tx, request, &mut given)?;
    let given = given.into_iter().map(|value| (value.property, value.value)).collect();
    let change = change.with_all_values(given).choose(tx, request)?;
    change.check_login(body)?;
    change.write(tx, request)
}
