//! The types of an automation's variables: of what steps set, and of the members of lists that steps go through.

use super::automation_values::StepNames;
use super::yaml::{YamlContent, YamlEntry, YamlNode};
use expression::Value;
use expression::scope::{ValueKind, ValueType};
use expression::syntax::{self, FunctionCall, PathStep, SyntaxKind, SyntaxNode};
use model::automation::ValueTemplate;
use serde_json::Value as Json;
use std::collections::{BTreeSet, HashMap};

/// By name, the types of variables.
type Variables = HashMap<String, ValueType>;

/// Returns the type of what a step sets.
pub(super) fn of_value(value: &ValueTemplate) -> ValueType {
    match value {
        ValueTemplate::Fixed(Json::Bool(_)) => ValueType::of(ValueKind::Bool),
        ValueTemplate::Fixed(Json::String(_)) => ValueType::of(ValueKind::Text),
        ValueTemplate::Fixed(Json::Number(number)) if number.is_i64() => ValueType::of(ValueKind::Int),
        ValueTemplate::Fixed(Json::Null) => ValueType::of(ValueKind::Null).or_null(true),
        ValueTemplate::Fixed(_) => ValueType::default(),
        ValueTemplate::List(_) => ValueType::of(ValueKind::Array),
        ValueTemplate::Object(_) => ValueType::of(ValueKind::Object),
        ValueTemplate::Expression(program) => kept(program.result().clone()),
    }
}

/// Returns the type of a value that is kept: an array is a plain one, and a resource may be gone.
fn kept(of: ValueType) -> ValueType {
    match of.kind {
        ValueKind::Array => ValueType::array_of(plain(of.member())).or_null(of.nullable),
        ValueKind::Resource => of.or_null(true),
        ValueKind::Rows | ValueKind::Changes => ValueType::default(),
        _ => of,
    }
}

/// Returns the type of a member that is kept; of resources, objects and lists nothing is known then.
fn plain(of: ValueType) -> ValueType {
    if of.shape.is_some() || of.item.is_some() { ValueType::default() } else { of }
}

/// Returns the type of the members of the list that a step goes through.
pub(super) fn of_member(list: &ValueTemplate, node: &YamlNode, known: &StepNames<'_>) -> ValueType {
    let ValueTemplate::Expression(program) = list else { return ValueType::default() };
    let of = program.result();
    if of.items.is_some() {
        return of.items.clone().map_or_else(ValueType::default, ValueType::resource).or_null(false);
    }
    let fetched = node.text().and_then(fetched_query);
    let query = fetched.and_then(|name| known.around.queries.get(&name));
    // Groups are not resources.
    if query.is_some_and(|query| query.groups.is_some()) {
        return ValueType::default();
    }
    let shape = query.and_then(|query| known.around.shapes.get(query.type_id));
    shape.map_or_else(|| plain(of.member()), |shape| ValueType::resource(shape).or_null(false))
}

/// Returns the query of `queryFetchObjects(query('name'))`, and of `query('name').queryFetchObjects()`.
fn fetched_query(text: &str) -> Option<String> {
    const FETCH: &str = "queryFetchObjects";
    let of_call = |call: &FunctionCall| match &call.arguments.first()?.value.kind {
        SyntaxKind::Literal(Value::Text(name)) if call.name == "query" => Some(name.lossy().into_owned()),
        _ => None,
    };
    let of_node = |node: &SyntaxNode| match &node.kind {
        SyntaxKind::Call(call) => of_call(call),
        _ => None,
    };
    match &syntax::single(text).ok()?.kind {
        SyntaxKind::Call(call) if call.name == FETCH => of_node(&call.arguments.first()?.value),
        SyntaxKind::Path(first, steps) => match steps.as_slice() {
            [PathStep::Call(call)] if call.name == FETCH => of_node(first),
            _ => None,
        },
        _ => None,
    }
}

/// Forgets the types of the variables that steps of a list set: a later pass finds what an earlier one set.
pub(super) fn forget_set(steps: &YamlEntry, known: &mut StepNames<'_>) {
    let mut names = BTreeSet::new();
    set_below(&steps.value, &mut names);
    for name in names {
        if let Some(of) = known.variables().get_mut(&name) {
            *of = ValueType::default();
        }
    }
}

/// Notes the names of variables that steps set.
fn set_below(node: &YamlNode, names: &mut BTreeSet<String>) {
    match &node.content {
        YamlContent::Sequence(members) => members.iter().for_each(|member| set_below(member, names)),
        YamlContent::Mapping(mapping) => {
            for entry in &mapping.entries {
                match (entry.key.as_str(), &entry.value.content) {
                    ("set", YamlContent::Mapping(set)) => {
                        names.extend(set.entries.iter().map(|entry| entry.key.clone()))
                    }
                    ("as", YamlContent::Scalar { text, .. }) => drop(names.insert(text.clone())),
                    _ => set_below(&entry.value, names),
                }
            }
        }
        YamlContent::Scalar { .. } => {}
    }
}

/// Returns the variables behind a branch, one side or the other of which ran.
pub(super) fn joined(one: &Variables, other: &Variables) -> Variables {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let of = |name: &String| match (one.get(name), other.get(name)) {
        (Some(one), Some(other)) => kept(one.joined(other)),
        // A variable that was not set is null.
        (Some(of), None) | (None, Some(of)) => of.clone().or_null(true),
        (None, None) => ValueType::default(),
    };
    names.into_iter().map(|name| (name.clone(), of(name))).collect()
}
