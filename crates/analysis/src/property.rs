//! Properties of types: steps from a value to what belongs to it.

use expression::members::members;
use expression::scope::{ResourceShape, ValueKind, ValueType};
use std::sync::Arc;

/// Returns the type of resources that a value is, or has as its members.
pub(crate) fn shape(of: &ValueType) -> Option<&Arc<dyn ResourceShape>> {
    of.items.as_ref().or(of.shape.as_ref())
}

/// Returns the type of a property of a value; of several resources, that of all their values.
pub(crate) fn property(of: &ValueType, name: &str) -> ValueType {
    let Some(shape) = shape(of) else {
        let member = members(of).into_iter().find(|(word, _)| *word == name);
        return member.map_or_else(ValueType::default, |(_, of)| of);
    };
    let found = shape.property(name).unwrap_or_else(|| match name {
        "id" => ValueKind::Int.into(),
        "uuid" => ValueKind::Text.into(),
        _ => ValueType::default(),
    });
    if of.items.is_some() { of_each(found) } else { found }
}

/// Returns the type of a member of an array.
pub(crate) fn item(of: &ValueType) -> ValueType {
    of.items.clone().map_or_else(ValueType::default, ValueType::resource)
}

fn of_each(of: ValueType) -> ValueType {
    match of.items.or(of.shape) {
        Some(shape) => ValueType::resources(shape),
        None => ValueKind::Array.into(),
    }
}

/// Returns a type in words: `a resource of company`.
pub(crate) fn words(of: &ValueType) -> String {
    match (&of.items, &of.shape) {
        (Some(items), _) => format!("resources of {}", items.name()),
        (None, Some(shape)) => format!("a resource of {}", shape.name()),
        (None, None) => of.kind.words().to_owned(),
    }
}
