//! Lists and groups that the configuration asks for: checked when it is loaded, and against the rights of their caller.

use super::fields;
use context::actor::Actor;
use context::audit::RequestChannel;
use context::request_context::RequestContext;
use groups::GroupColumn;
use jiff::Timestamp;
use model::error::{Error, Result};
use model::kinds::ValueContext;
use model::types::{Model, ResourceAction, ResourceType};
use query::aggregate_request::AggregateRequest;
use query::path::TypeAccess;
use query::relation_filter::{FilterFault, faults};
use query::request::ListRequest;
use query::{filters, order};
use std::sync::Arc;

/// Faults of a configured list, each with its place.
pub enum Blame {
    /// A filter.
    Filter(FilterFault),
    /// The key of the order at that place; with a name that was perhaps meant.
    Order(usize, Error, Option<String>),
    /// The field at that place; with a name that was perhaps meant.
    Field(usize, Error, Option<String>),
}

/// Checks a list of a type with all rights.
pub fn lists(model: &Model, of: &Arc<ResourceType>, list: &ListRequest, show: &[String]) -> Vec<Blame> {
    let actor = Actor::administrator(model);
    let Some(access) = all_rights(model, &actor, of) else { return Vec::new() };
    // No filter is right at one moment and wrong at another; any will do.
    let context =
        ValueContext { zone: &model.settings.timezone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let mut found = Vec::new();
    if let Err(error) = filters::parse(&access, &list.filters, &context) {
        found.extend(faults(&access, &list.filters, &context, error).into_iter().map(Blame::Filter));
    }
    for (index, key) in list.order_by.iter().enumerate() {
        let alone = ListRequest { order_by: vec![key.clone()], ..ListRequest::default() };
        if let Err(error) = order::keys(&access, &alone) {
            found.push(Blame::Order(index, error, access.nearest(&key.0)));
        }
    }
    if found.is_empty()
        && let Err(error) = order::keys(&access, list)
    {
        found.push(Blame::Order(0, error, None));
    }
    for (index, name) in show.iter().enumerate() {
        if let Err(error) = fields::check(&access, name) {
            found.push(Blame::Field(index, error, access.nearest(name)));
        }
    }
    found
}

/// Checks groups of a type with all rights. Places are those of a request's parameters.
pub fn groups(model: &Model, of: &Arc<ResourceType>, asked: &AggregateRequest) -> Vec<FilterFault> {
    let actor = Actor::administrator(model);
    all_rights(model, &actor, of).map_or_else(Vec::new, |access| groups::faults(&access, asked))
}

/// Calls back with the columns of groups of a type, with all rights; none where the groups are wrong.
pub fn with_group_columns<T>(
    model: &Model,
    of: &Arc<ResourceType>,
    asked: &AggregateRequest,
    look: impl FnOnce(&[GroupColumn<'_>]) -> T,
) -> Option<T> {
    let actor = Actor::administrator(model);
    let access = all_rights(model, &actor, of)?;
    groups::columns(&access, asked).ok().map(|columns| look(&columns))
}

fn all_rights<'m>(model: &'m Model, actor: &'m Actor, of: &'m Arc<ResourceType>) -> Option<TypeAccess<'m>> {
    let allowed = actor.allowed_type(of, ResourceAction::Show).ok()?;
    Some(TypeAccess { model, actor, now: Timestamp::UNIX_EPOCH, via: RequestChannel::Platform, allowed })
}

/// Returns true if the caller may ask for the filters and the order of a list.
pub(crate) fn check_list(request: &RequestContext, of: &Arc<ResourceType>, list: &ListRequest) -> Result<()> {
    let access = TypeAccess::new(request, request.actor.allowed_type(of, ResourceAction::Show)?);
    filters::parse(&access, &list.filters, &request.value_context())?;
    order::keys(&access, list).map(|_| ())
}

/// Returns true if the caller may read the field, which may be a dotted path.
pub(crate) fn shows(request: &RequestContext, of: &Arc<ResourceType>, name: &str) -> bool {
    let allowed = request.actor.allowed_type(of, ResourceAction::Show);
    allowed.is_ok_and(|allowed| fields::check(&TypeAccess::new(request, allowed), name).is_ok())
}
