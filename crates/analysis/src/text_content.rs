//! The content of strings: names that some functions take as texts.

use crate::property::{item, property};
use crate::surroundings::Surroundings;
use expression::catalogue::{self, FunctionEntry};
use expression::scope::{ValueKind, ValueType};

/// The content of an argument's text.
#[derive(Debug, Clone)]
pub(crate) enum TextContent {
    /// The name of a parameter that the place knows: `trigger('resource')`.
    Parameter(&'static FunctionEntry),
    /// A dotted chain from a value on: `map(lines, 'text')`, `user('company.name')`.
    Chain(ValueType),
    /// The name of a property alone: `hasChanged('status')`.
    Property(ValueType),
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(crate) struct ArgumentPlace<'c> {
    pub(crate) function: &'c str,
    /// The place among the parameters; what stands before the dot has the first one.
    pub(crate) index: usize,
    /// True if the function stands behind a dot.
    pub(crate) received: bool,
    /// The type of the first argument, or of what stands before the dot.
    pub(crate) first: ValueType,
}

/// Returns what the text of an argument holds; none where it is any text.
pub(crate) fn content(place: &ArgumentPlace<'_>, surroundings: &Surroundings) -> Option<TextContent> {
    let function = catalogue::find(place.function)?;
    match (function.name, place.index) {
        ("user", 0) => Some(TextContent::Chain(surroundings.user())),
        // The columns of the query are not known here.
        ("dataQueryMin" | "dataQueryMax" | "dataQueryFetch" | "dataQueryFetchAll", 0) => {
            Some(TextContent::Chain(ValueType::default()))
        }
        ("map", 1) => Some(TextContent::Chain(item(&place.first))),
        ("getRaw", 0) => Some(TextContent::Property(surroundings.context())),
        ("getRaw", 1) if place.received => Some(TextContent::Property(place.first.clone())),
        ("hasChanged" | "isOnlyChange" | "changedFrom", index) if index == changed_property(place) => {
            Some(TextContent::Property(surroundings.context()))
        }
        (name, 0) if surroundings.scope.parameters.contains_key(name) => Some(TextContent::Parameter(function)),
        _ => None,
    }
}

/// Returns the place of the property among the arguments of a question about changes. In the short form, such as
/// `changedFrom('status', 'new')`, it is the first one.
fn changed_property(place: &ArgumentPlace<'_>) -> usize {
    let is_short = place.index == 0 || place.first.kind == ValueKind::Text;
    if is_short && !place.received { 0 } else { 1 }
}

/// Returns the type that a parameter has, where the place knows it.
pub(crate) fn parameter(function: &str, name: &str, surroundings: &Surroundings) -> ValueType {
    surroundings.scope.parameters.get(function).and_then(|known| known.get(name)).cloned().unwrap_or_default()
}

/// Returns the type behind a dotted path of properties.
pub(crate) fn along(of: &ValueType, path: &str) -> ValueType {
    path.split('.').filter(|step| !step.is_empty()).fold(of.clone(), |of, step| property(&of, step.trim()))
}
