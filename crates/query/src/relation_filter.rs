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
    filters::parse(&access, relation.filter, &ValueContext { zone: &model.settings.timezone, now, links: None })
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
pub fn check(model: &Model, all_rights: &Actor, relation: RelationTarget<'_>, now: Timestamp) -> Option<FilterFault> {
    let error = condition(model, all_rights, relation, now).err()?;
    let whole = FilterFault { path: Vec::new(), error, suggestion: None };
    let context = ValueContext { zone: &model.settings.timezone, now, links: None };
    // Too many filters, or too deep ones, are wrong only together.
    let access = access(model, all_rights, relation, now).ok()?;
    Some(blame(&access, relation.filter, &context, &[]).unwrap_or(whole))
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

/// The innermost filter that is wrong by itself.
pub fn blame(
    access: &TypeAccess<'_>,
    filters: &[Json],
    context: &ValueContext<'_>,
    path: &[String],
) -> Option<FilterFault> {
    filters.iter().enumerate().find_map(|(index, filter)| {
        let error = filters::parse(access, std::slice::from_ref(filter), context).err()?;
        let text = |member: &str| filter.get(member).and_then(Json::as_str).unwrap_or_default();
        let (property, filter_type) = (text("property"), text("type"));
        let at = |member: &[&str]| {
            let rest = member.iter().map(|member| (*member).to_owned());
            path.iter().cloned().chain([index.to_string()]).chain(rest).collect::<Vec<_>>()
        };
        if let ("*", Some(Json::Array(members))) = (property, filter.get("param"))
            && let Some(fault) = blame(access, members, context, &at(&["param"]))
        {
            return Some(fault);
        }
        let (member, suggestion) = match error.code {
            "property_unknown" | "property_too_far" if access.resolve(property).is_err() => {
                ("property", access.nearest(property))
            }
            "filter_unknown" => ("type", model::kinds::nearest(filter_type, filters::names()).map(str::to_owned)),
            "filter_unsuitable" => ("type", None),
            "filter_malformed" => ("", None),
            _ => ("param", None),
        };
        Some(FilterFault {
            path: at(if member.is_empty() { &[] } else { std::slice::from_ref(&member) }),
            error,
            suggestion,
        })
    })
}
