//! The values that steps of automations give properties: what is wrong with them for certain is told with its place, in
//! the words of the API.

use super::automation_values::{StepNames, template_of};
use super::diagnostic::closest;
use super::section::{FileNode, FileProblems, FileSection};
use super::yaml::{YamlContent, YamlEntry};
use expression::Program;
use expression::scope::ValueKind;
use jiff::Timestamp;
use model::automation::ValueTemplate;
use model::kinds::{PatchOperator, ValueContext, ValueFault, ValueStorage};
use model::types::{Property, ResourceType, TypeRules};
use resources::check_fixed;
use resources::expressions::accept;
use serde_json::Value as Json;
use std::sync::Arc;

/// Values by property; operators behind a name where a resource is changed. A new resource has all that it must have.
pub(super) fn values(
    section: &mut FileSection<'_>,
    resource_type: Option<&Arc<ResourceType>>,
    patch: bool,
    known: &StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<Vec<(String, ValueTemplate)>> {
    let before = problems.len();
    let list = section.section("set", problems);
    let mut values = Vec::new();
    for entry in list.iter().flat_map(|list| &list.mapping.entries) {
        let list = list.as_ref()?;
        let (name, operator) = if patch { PatchOperator::split(&entry.key) } else { (entry.key.as_str(), None) };
        let property = resource_type
            .and_then(|resource_type| resource_type.properties().iter().find(|property| property.name == name));
        if let Some(resource_type) = resource_type.filter(|_| property.is_none()) {
            let message = format!("{} has no property {name:?}.", resource_type.name);
            let mut problem = list.problem(entry.position, &entry.key, "unknown_property", &message);
            problem.suggestion =
                closest(name, resource_type.properties().iter().map(|property| property.name.as_str()));
            problems.push(problem);
        }
        // A value may be none: that is how one is taken away.
        let value = match entry.value.is_null() {
            true => Some(ValueTemplate::Fixed(Json::Null)),
            false => template_of(list, entry, known, problems),
        };
        if let Some((property, value)) = property.zip(value.as_ref()) {
            let always = resource_type.is_some_and(|resource_type| {
                let rules = resource_type.rules.get();
                rules.is_some_and(|rules| TypeRules::about(&rules.conditions, property.position).is_none())
            });
            let property = SetProperty { property, operator, required: property.required && always, patch };
            check(list, entry, &property, value, known, problems);
        }
        values.push((entry.key.clone(), value));
    }
    let unset = |property: &&Property| values.iter().all(|(name, _)| *name != property.name);
    // Types have no rules, such as defaults, while files have mistakes.
    let is_whole = |resource_type: &&Arc<ResourceType>| resource_type.rules.get().is_some();
    if let Some(resource_type) = resource_type.filter(is_whole).filter(|_| !patch && problems.len() == before) {
        for property in
            resource_type.properties().iter().filter(unset).filter(|property| is_needed(resource_type, property))
        {
            let message = format!("{} is required: a step without it would fail each time.", property.title);
            problems.push(section.problem(section.position, "set", "required", &message));
        }
    }
    values.into_iter().map(|(name, value)| Some((name, value?))).collect()
}

/// Returns true if a new resource has no value of the property unless it is given.
fn is_needed(resource_type: &ResourceType, property: &Property) -> bool {
    let rules = resource_type.rules();
    let by_itself = property.shown_only()
        || property.default.is_some()
        || [&rules.defaults, &rules.conditions]
            .into_iter()
            .any(|rules| TypeRules::about(rules, property.position).is_some());
    property.required && !by_itself
}

/// A property that is set.
struct SetProperty<'t> {
    property: &'t Property,
    operator: Option<PatchOperator>,
    /// True if it must have a value, whatever else the resource has.
    required: bool,
    /// True if the resource is there already.
    patch: bool,
}

fn check(
    list: &FileSection<'_>,
    entry: &YamlEntry,
    &SetProperty { property, operator, required, patch }: &SetProperty<'_>,
    value: &ValueTemplate,
    known: &StepNames<'_>,
    problems: &mut FileProblems,
) {
    if property.shown_only() {
        let message = format!("{} is read-only: a step that sets it would fail each time.", property.name);
        return problems.push(list.problem(entry.position, &entry.key, "read_only", &message));
    }
    if property.kind.concealed() {
        let message = format!("{} is set by nobody but its user: leave it out.", property.title);
        return problems.push(list.problem(entry.position, &entry.key, "read_only", &message));
    }
    // No fixed value is right at one moment and wrong at another; any will do.
    let context = ValueContext { zone: known.around.zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let at = &list.value_of(entry);
    match value {
        ValueTemplate::Fixed(json) => {
            let empty = json.is_null() || json == "" || json.as_array().is_some_and(Vec::is_empty);
            let fault = match required && empty && operator.is_none() {
                true => Err(ValueFault::new("required", "is required").of(&property.name, &property.title)),
                false => check_fixed(property, operator, json, &context, patch),
            };
            if let Err(problem) = fault {
                problems.push(at.problem(problem.code, &problem.message));
            }
        }
        ValueTemplate::Expression(program) if operator.is_none() => {
            expression(at, property, program, &context, problems)
        }
        ValueTemplate::List(members) if operator.is_none() => {
            members_of(at, property, members, &context, problems);
        }
        _ => {}
    }
}

/// The members of a list of which some are worked out.
fn members_of(
    at: &FileNode<'_>,
    property: &Property,
    members: &[ValueTemplate],
    context: &ValueContext<'_>,
    problems: &mut FileProblems,
) {
    let (ValueStorage::Links(_), YamlContent::Sequence(nodes)) = (property.kind.storage(), &at.node.content) else {
        return;
    };
    for (index, (member, node)) in members.iter().zip(nodes).enumerate() {
        let at = &at.below(index, node);
        match member {
            ValueTemplate::Fixed(Json::Null) => {}
            ValueTemplate::Fixed(_) => {
                let alone = Json::Array(vec![node.json()]);
                if let Err(problem) = check_fixed(property, None, &alone, context, false) {
                    problems.push(at.problem(problem.code, &problem.message.replace(" (member 1)", "")));
                }
            }
            ValueTemplate::Expression(program) => expression(at, property, program, context, problems),
            _ => {}
        }
    }
}

/// An expression whose value the property does not take, whatever it is about.
fn expression(
    at: &FileNode<'_>,
    property: &Property,
    program: &Program,
    context: &ValueContext<'_>,
    problems: &mut FileProblems,
) {
    if matches!(property.kind.storage(), ValueStorage::Attachments) || property.kind.relation().is_some() {
        if !fits(property, program.kind()) {
            wrong_kind(at, property, program, problems);
        }
        return;
    }
    if let Some(value) = program.constant() {
        if let Err(fault) = accept(property, value, context, &expression::NoProviders) {
            let problem = fault.of(&property.name, &property.title);
            problems.push(at.problem(problem.code, &problem.message));
        }
    } else if !fits(property, program.kind()) {
        wrong_kind(at, property, program, problems);
    }
}

fn wrong_kind(at: &FileNode<'_>, property: &Property, program: &Program, problems: &mut FileProblems) {
    let message =
        format!("{} takes no value of this kind: the expression gives {}.", property.title, program.kind().words());
    problems.push(at.problem("wrong_kind", &message));
}

/// Returns true if the property may take a value of a kind.
fn fits(property: &Property, given: ValueKind) -> bool {
    let many = !matches!(property.kind.storage(), ValueStorage::Column(_));
    matches!(given, ValueKind::Any | ValueKind::Null)
        || (many && given == ValueKind::Array)
        || property.kind.takes(given)
}
