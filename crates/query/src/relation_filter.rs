//! The filter of a relation: which resources it may refer to anew.

use crate::condition::Condition;
use crate::filters;
use crate::path::TypeAccess;
use context::actor::Actor;
use context::audit::RequestChannel;
use jiff::Timestamp;
use model::error::{Error, Result};
use model::kinds::{RelationTarget, ValueContext, ValueFault};
use model::types::{Model, ResourceAction};
use serde_json::Value as Json;
use std::fmt::Display;

/// The condition that a resource must meet for the relation to take it; none where it takes any.
///
/// It is the configuration that asks, so the actor has all rights ([`Actor::unlimited`]), and days and times are
/// those of the tenant's zone. `$user` is whoever writes, and `$now` the present of the request: that is why the
/// condition is made for each, of filters that were checked when the configuration was loaded.
pub fn condition<'m>(
    model: &'m Model,
    all_rights: &'m Actor,
    relation: RelationTarget<'_>,
    now: Timestamp,
) -> Result<Option<Condition<'m>>> {
    if relation.filter.is_empty() {
        return Ok(None);
    }
    let access = access(model, all_rights, relation, now)?;
    let context = ValueContext { zone: &model.settings.timezone, now, links: None, texts: false };
    let condition = filters::parse(&access, relation.filter, &context)?;
    if condition.as_ref().is_some_and(Condition::follows_inverse) {
        // A write would have to lock all that may come to refer.
        let message = "The filter of a relation takes no other ends of relations. Use a rollup instead.";
        return Err(Error::invalid("filter_unsuitable", message));
    }
    Ok(condition)
}

/// The fault of a resource that does not pass.
pub fn refused(type_name: &str, target: impl Display) -> ValueFault {
    let message = format!("must not refer to the {type_name} {target}, which does not pass the filter of the relation");
    ValueFault::new("relation_refused", message)
}

/// A fault in the filter of a relation.
pub struct FilterFault {
    /// The place: indexes and keys from the list of filters on.
    pub path: Vec<String>,
    /// The error.
    pub error: Error,
    /// The name that may have been meant.
    pub suggestion: Option<String>,
}

/// Checks the filter of a relation; nothing where it is right.
pub fn check(model: &Model, all_rights: &Actor, relation: RelationTarget<'_>, now: Timestamp) -> Vec<FilterFault> {
    let Err(refusal) = condition(model, all_rights, relation, now) else { return Vec::new() };
    let context = ValueContext { zone: &model.settings.timezone, now, links: None, texts: false };
    match access(model, all_rights, relation, now) {
        Ok(access) => faults(&access, relation.filter, &context, refusal),
        Err(_) => Vec::new(),
    }
}

/// Returns the faults of filters that are refused together with an error.
pub fn faults(
    access: &TypeAccess<'_>,
    filters: &[Json],
    context: &ValueContext<'_>,
    refusal: Error,
) -> Vec<FilterFault> {
    let found = blame(access, filters, context, &[]);
    // Too many filters, or too deep ones, are wrong only together.
    if found.is_empty() { vec![FilterFault { path: Vec::new(), error: refusal, suggestion: None }] } else { found }
}

fn access<'m>(
    model: &'m Model,
    all_rights: &'m Actor,
    relation: RelationTarget<'_>,
    now: Timestamp,
) -> Result<TypeAccess<'m>> {
    let target = model.type_by_id(relation.type_id).ok_or_else(|| Error::failed("a relation to no type"))?;
    let allowed = all_rights.allowed_type(target, ResourceAction::Show)?;
    Ok(TypeAccess { model, actor: all_rights, now, via: RequestChannel::Platform, allowed })
}

/// The innermost filters that are wrong by themselves.
fn blame(access: &TypeAccess<'_>, filters: &[Json], context: &ValueContext<'_>, path: &[String]) -> Vec<FilterFault> {
    let faults = filters.iter().enumerate().map(|(index, filter)| {
        let Err(error) = filters::parse(access, std::slice::from_ref(filter), context) else { return Vec::new() };
        let path = [path, &[index.to_string()]].concat();
        let text = |member: &str| filter.get(member).and_then(Json::as_str).unwrap_or_default();
        let (property, filter_type) = (text("property"), text("type"));
        if let ("*", Some(Json::Array(members))) = (property, filter.get("param")) {
            let within = blame(access, members, context, &[&path[..], &["param".to_owned()]].concat());
            if !within.is_empty() {
                return within;
            }
        }
        let fault = |member: &str, error: Error, suggestion: Option<String>| {
            let member = Some(member.to_owned()).filter(|member| !member.is_empty());
            FilterFault { path: path.iter().cloned().chain(member).collect(), error, suggestion }
        };
        match error.code {
            "property_unknown" | "property_too_far" if access.resolve(property).is_err() => {
                vec![fault("property", error, access.nearest(property))]
            }
            "filter_unknown" => {
                let nearest = model::kinds::nearest(filter_type, filters::names()).map(str::to_owned);
                let unresolved = access.resolve(property).err().filter(|_| property != "*");
                let unresolved = unresolved.map(|error| fault("property", error, access.nearest(property)));
                unresolved.into_iter().chain([fault("type", error, nearest)]).collect()
            }
            "filter_unsuitable" => vec![fault("type", error, None)],
            "filter_malformed" => vec![fault("", error, None)],
            _ => vec![fault("param", error, None)],
        }
    });
    faults.flatten().collect()
}
