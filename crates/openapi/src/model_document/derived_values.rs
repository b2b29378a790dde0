//! Sources of values that nobody gives: what a rollup sums up, and the expression of a calculation.
//!
//! They name types and properties. One that the caller may not read keeps the whole source back.

use super::is_shown;
use context::actor::Allowed;
use expression::{ProgramFacts, catalogue};
use model::kinds::RelationSide;
use model::types::{Property, ResourceAction, TypeRules};
use query::path::TypeAccess;
use serde_json::{Value as Json, json};

/// Functions that look at no more than their arguments and the present, beside those that are pure.
const PLAIN: [&str; 13] = [
    "compareDates",
    "date",
    "dateDiff",
    "formatDate",
    "fromUtc",
    "getTitle",
    "map",
    "random",
    "randomFromList",
    "strtotime",
    "time",
    "toUtc",
    "today",
];

/// Describes what a rollup sums up; none where the caller may not read the type, the relation or the property.
pub(super) fn rollup(access: &TypeAccess<'_>, property: &Property) -> Option<Json> {
    let rollup = property.kind.rollup()?;
    let others = access.model.type_named(&rollup.of)?;
    let counted = access.at(access.actor.allowed_type(others, ResourceAction::Show).ok()?);
    let holder = match rollup.side {
        RelationSide::Others => &counted,
        RelationSide::Own => access,
    };
    holder.allowed.field(&rollup.relation).ok()?;
    if let Some(name) = &rollup.property {
        counted.allowed.field(name).ok()?;
    }
    let mut told = json!({
        "operation": rollup.function.name(),
        "type": rollup.of,
        "relation": rollup.relation,
        "own": rollup.side == RelationSide::Own,
        "property": rollup.property,
        "filtered": rollup.filter.is_some(),
    });
    let summary = access.allowed.resource_type.rules().rollups.iter().find(|sum| sum.position == property.position);
    let program = summary.and_then(|summary| summary.program.as_ref());
    if let (Some(filter), Some(program)) = (&rollup.filter, program)
        && may_know(&counted, program.facts())
    {
        told["filter"] = filter.as_str().into();
    }
    Some(told)
}

/// Returns the expression of a calculation; none where it may name what the caller may not read.
pub(super) fn calculation(access: &TypeAccess<'_>, property: &Property) -> Option<String> {
    let rules = access.allowed.resource_type.rules();
    let find = |rules| TypeRules::about(rules, property.position);
    let rule = find(&rules.calculations).or_else(|| find(&rules.virtuals))?;
    may_know(access, rule.facts()).then(|| rule.text.clone())
}

/// Returns true if an expression about rows of a type names nothing that the caller may not read.
fn may_know(access: &TypeAccess<'_>, facts: &ProgramFacts) -> bool {
    let is_plain =
        |name: &&'static str| PLAIN.contains(name) || catalogue::find(name).is_some_and(|function| function.pure);
    let is_vague = facts.loose || facts.unnamed || facts.whole || !facts.changes.is_empty();
    !is_vague && facts.functions.iter().all(is_plain) && facts.paths.iter().all(|path| may_follow(access, path))
}

/// Returns true if the caller may read all that a path names.
fn may_follow(access: &TypeAccess<'_>, path: &[String]) -> bool {
    let (names, whole) = match path {
        [names @ .., last] if last == ProgramFacts::ALL => (names, true),
        names => (names, false),
    };
    let Ok(found) = access.resolve(&names.join(".")) else { return false };
    // The value of a resource is its title or its code.
    !whole || access.follow(found.property).is_some_and(|target| shows_itself(&target))
}

fn shows_itself(target: &Allowed<'_>) -> bool {
    let of = target.resource_type;
    let mut named = of.title_property.into_iter().chain(of.code_property);
    named.all(|position| is_shown(target, &of.fields[position]))
}
