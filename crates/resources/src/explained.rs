//! Verdicts of the rights on a row, and on a write that is not made. They come from the functions that serve requests.

use super::accept::{self, OperatorReading, accept};
use super::change::Change;
use super::create::NewResource;
use super::record::{self, Record};
use super::row_rights::{self, RowRights, RowSubject};
use super::{Body, writable};
use context::actor::{Actor, Allowed};
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use model::kinds::StoredValue;
use model::types::{ActionGrant, Property, ResourceAction, ResourceType, RowRule};
use query::path::TypeAccess;
use query::pushdown;
use query::request::ItemRef;
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// A write that is not made.
pub struct Tried {
    /// The properties that may be given or changed, or why nothing may.
    pub outcome: Result<Vec<String>>,
    /// The row as it would be, as far as it came to one.
    pub drawn: Option<Vec<StoredValue>>,
}

/// The values of a row that is there.
pub fn look(tx: &mut Tx<'_>, of: &ResourceType, item: &ItemRef) -> Result<(i64, Vec<StoredValue>)> {
    let record = Record::look(tx, of, item)?;
    Ok((record.id()?, record.values))
}

/// Returns true if the caller sees a row, as far as that decides about what they may do with it.
pub fn sees(tx: &mut Tx<'_>, request: &RequestContext, of: &Arc<ResourceType>, id: i64) -> Result<bool> {
    let acting = |action| request.actor.allowed_type(of, action);
    match acting(ResourceAction::Edit).or_else(|_| acting(ResourceAction::Delete)) {
        Ok(allowed) => row_rights::sees(tx, request, &allowed, id),
        Err(_) => Ok(true),
    }
}

/// The row that rules are asked about.
#[derive(Clone, Copy)]
pub enum Row<'r> {
    /// One that is there, by id.
    There(i64),
    /// One that would be.
    Drawn(&'r [StoredValue]),
}

/// Returns for each rule true if it holds for a row. The rules become conditions by which the request is judged.
pub fn verdicts(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    row: Row<'_>,
    rules: &[&RowRule],
) -> Result<Vec<bool>> {
    let access = TypeAccess::new(request, Actor::administrator(&request.model).allowed_type(of, ResourceAction::Show)?);
    let conditions: Vec<_> = rules.iter().map(|rule| access.rule(rule, 0)).collect();
    let row = match row {
        Row::There(id) => RowSubject::Stored(id),
        Row::Drawn(values) => RowSubject::Drawn(values),
    };
    row_rights::holding(tx, of, row, &conditions)
}

/// A change of a row, to these values if some are given.
pub fn try_edit(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    values: &[StoredValue],
    set: Option<&Map<String, Json>>,
) -> Tried {
    let mut drawn = None;
    let outcome = edit(tx, request, of, values, set, &mut drawn);
    Tried { outcome, drawn }
}

fn edit(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    values: &[StoredValue],
    set: Option<&Map<String, Json>>,
    drawn: &mut Option<Vec<StoredValue>>,
) -> Result<Vec<String>> {
    let of_type = request.actor.allowed_type(of, ResourceAction::Edit)?;
    let old = Record { values: values.to_vec(), ends: Vec::new() };
    let Some(set) = set else {
        let rights = RowRights::of(tx, request, &of_type, ResourceAction::Edit, old.id()?)?;
        return Ok(open(request, &rights.allowed, Some(values)));
    };
    let given = accept(request, &of_type, &Body::plain(set.clone()), OperatorReading::Read)?;
    refuse_untried(&of_type, &given)?;
    accept::refuse_blind_sums(&of_type, &given)?;
    let change = Change::trial(tx, request, &of_type, &old)?;
    accept::refuse_blind_sums(&change.rights.allowed, &given)?;
    let mut change = change.patched(tx, request, given)?.choose(tx, request)?;
    let new = drawn.insert(change.draw(tx, request)?);
    let fields = open(request, &change.rights.allowed, Some(values));
    change.check_drawn(tx, request, new)?;
    Ok(fields)
}

/// A new row, with these values if some are given.
pub fn try_create(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    set: Option<&Map<String, Json>>,
) -> Tried {
    let mut drawn = None;
    let outcome = new(tx, request, of, set, &mut drawn);
    Tried { outcome, drawn }
}

fn new(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    set: Option<&Map<String, Json>>,
    drawn: &mut Option<Vec<StoredValue>>,
) -> Result<Vec<String>> {
    let allowed = request.actor.allowed_type(of, ResourceAction::Create)?;
    let fields = open(request, &allowed, None);
    let Some(set) = set else { return Ok(fields) };
    let body = Body::plain(set.clone());
    let given = accept(request, &allowed, &body, OperatorReading::Unknown)?;
    refuse_untried(&allowed, &given)?;
    let mut resource = NewResource::trial(&allowed, &body, given).choose(tx, request)?;
    let new = drawn.insert(resource.draw(tx, request)?);
    resource.check_drawn(tx, request, new)?;
    Ok(fields)
}

/// The properties that a write may name.
pub fn open(request: &RequestContext, allowed: &Allowed<'_>, old: Option<&[StoredValue]>) -> Vec<String> {
    let set_already =
        |property: &Property| property.write_once && old.is_some_and(|old| !accept::is_empty(&old[property.position]));
    let open = |property: &&Property| {
        writable::writable(&request.actor, allowed, property)
            && !writable::read_only(property)
            && !set_already(property)
    };
    allowed.resource_type.properties().iter().filter(open).map(|property| property.name.clone()).collect()
}

/// Refuses values that nothing can be said of before they are written.
fn refuse_untried(allowed: &Allowed<'_>, given: &[accept::PropertyInput<'_>]) -> Result<()> {
    let rows = allowed.limited.as_deref();
    let checks = rows.map_or(&[][..], |rows| &rows.some[..]).iter().filter_map(ActionGrant::checked);
    let checks: Vec<&Arc<RowRule>> = checks.collect();
    let untried = |given: &&accept::PropertyInput<'_>| {
        let property = given.property;
        let several = record::columns(allowed.resource_type).all(|(column, _)| column.position != property.position);
        let asked = || checks.iter().any(|rule| pushdown::mentions(&rule.condition, &property.name));
        property.kind.concealed() || property.kind.files().is_some() || several && asked()
    };
    match given.iter().find(untried) {
        None => Ok(()),
        Some(given) => {
            let message = format!("The effect of a value of {} is known only after the write.", given.property.name);
            Err(Error::invalid("set_untried", message))
        }
    }
}
