//! Patching a resource: some properties are replaced, or added to (D-23, R-134 to R-138).

use super::accept::{self, OperatorReading, PropertyInput, accept};
use super::change::Change;
use super::foreign_reads::ForeignReads;
use super::record::Record;
use super::{Body, IfMatch, Written, presets, settle, turns};
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
    request: &RequestContext,
    collection: &str,
    item: &ItemRef,
    if_match: Option<&IfMatch>,
    body: &Body,
) -> Result<Written> {
    let of_type = request.actor.allowed(&request.model, collection, ResourceAction::Edit)?;
    let given = accept(request, &of_type, body, OperatorReading::Read)?;
    accept::refuse_blind_sums(&of_type, &given)?;
    let positions = given.iter().map(|value| value.property.position);
    let reads = ForeignReads::of_change(&of_type, if_match, &given);
    turns::to_change(tx, &of_type, positions.chain(presets::positions(&of_type)), reads)?;
    let old = Record::lock(tx, of_type.resource_type, item)?;
    let change = Change::new(tx, request, &of_type, &old)?;
    accept::refuse_blind_sums(&change.rights.allowed, &given)?;
    old.check(tx, request, &change.rights.allowed, if_match)?;
    let change = change.patched(tx, request, given)?;
    change.check_login(body)?;
    change.choose(tx, request)?.write(tx, request)
}

impl<'m> Change<'_, 'm> {
    /// The change to what is given, or to that added to what is there, checked as far as it needs no other property.
    pub(super) fn patched(
        self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        mut given: Vec<PropertyInput<'m>>,
    ) -> Result<Self> {
        self.resolve(tx, request, &mut given)?;
        let mut values = Vec::with_capacity(given.len());
        let mut problems = Vec::new();
        let resource_type = self.rights.of_type.resource_type;
        // Whether what may not apply must be given is seen when that is known.
        let expected = |property: &Property| property.required && !settle::decides(resource_type, property);
        for value in given {
            let property = value.property;
            match sum(request, &self.old.values[property.position], value) {
                Ok(value) if expected(property) && accept::is_empty(&value) => {
                    problems.push(accept::missing(property));
                }
                Ok(value) => values.push((property, value)),
                Err(fault) => problems.push(fault.of(&property.name, &property.title)),
            }
        }
        if problems.is_empty() { Ok(self.with_values(values)) } else { Err(Error::problems(problems)) }
    }
}

/// The new value: what is given, or that added to the old one.
fn sum(
    request: &RequestContext,
    old: &StoredValue,
    given: PropertyInput<'_>,
) -> Result<StoredValue, kinds::ValueFault> {
    match given.operator {
        None => Ok(given.value),
        Some(operator) => {
            kinds::combine(given.property.kind.as_ref(), operator, old, given.value, &request.value_context())
        }
    }
}
