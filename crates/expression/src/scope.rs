//! A place where an expression stands: what exists there, of which kinds, and what is wanted of it.

use crate::catalogue::Availability;
use std::collections::HashMap;
use std::sync::Arc;

/// The names that an expression may use, and the result that it should give.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Scope {
    /// The providers that exist.
    pub available: AvailableProviders,
    /// The type of the context's resource, where it is known.
    pub context: Option<Arc<dyn ResourceShape>>,
    /// The kind of result that is wanted; [`ValueKind::Any`] takes every value.
    pub wants: ValueKind,
    /// By function (`trigger`, `appParameter`): the parameters that exist. A function without an entry takes any name.
    pub parameters: HashMap<&'static str, HashMap<String, ValueType>>,
}

impl Scope {
    /// A place with these providers, about whose values nothing is known.
    pub fn of(available: AvailableProviders) -> Self {
        Scope { available, ..Scope::default() }
    }

    /// The place with a resource of a type, whose properties are bare names.
    #[must_use]
    pub fn with_context(self, context: Option<Arc<dyn ResourceShape>>) -> Self {
        Scope { context, ..self }
    }

    /// The place that wants a result of a kind.
    #[must_use]
    pub fn wanting(self, wants: ValueKind) -> Self {
        Scope { wants, ..self }
    }

    /// The place with the parameters that exist, by function.
    #[must_use]
    pub fn with_parameters(self, parameters: HashMap<&'static str, HashMap<String, ValueType>>) -> Self {
        Scope { parameters, ..self }
    }
}

/// A set of providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AvailableProviders(u16);

impl AvailableProviders {
    /// With every provider.
    pub const ALL: AvailableProviders = AvailableProviders(u16::MAX);

    /// The set with one more.
    #[must_use]
    pub fn with(self, availability: Availability) -> Self {
        AvailableProviders(self.0 | 1 << availability as u16)
    }

    /// Returns true if the provider exists; what is always there does.
    pub fn has(self, availability: Availability) -> bool {
        availability == Availability::Always || self.0 & (1 << availability as u16) != 0
    }
}

/// A type of resource, as the compiler sees it.
pub trait ResourceShape: std::fmt::Debug + Send + Sync {
    /// The type's name.
    fn name(&self) -> &str;
    /// A property's type; none where there is no such property.
    fn property(&self, name: &str) -> Option<ValueType>;
    /// The names of all properties, for suggestions.
    fn names(&self) -> Vec<Arc<str>>;
}

/// The type of a value, as far as it is known before there is one. Every value may be null.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ValueType {
    /// The kind.
    pub kind: ValueKind,
    /// A resource's type.
    pub shape: Option<Arc<dyn ResourceShape>>,
    /// The type of an array's members, where they are resources.
    pub items: Option<Arc<dyn ResourceShape>>,
    /// True if it is what a to-many relation leads to: a comparison with it asks for one of the members.
    pub several: bool,
}

impl ValueType {
    /// A resource of a type.
    pub fn resource(shape: Arc<dyn ResourceShape>) -> Self {
        ValueType { kind: ValueKind::Resource, shape: Some(shape), ..ValueType::default() }
    }

    /// The resources of a type that a to-many relation refers to: an array.
    pub fn resources(shape: Arc<dyn ResourceShape>) -> Self {
        ValueType { kind: ValueKind::Array, items: Some(shape), several: true, ..ValueType::default() }
    }

    /// Returns the type of a step to this from several resources: an array of all that they have.
    pub(crate) fn of_each(self) -> ValueType {
        let items = self.items.or(self.shape);
        ValueType { kind: ValueKind::Array, items, several: true, ..ValueType::default() }
    }

    /// Returns the type of an array's member.
    pub(crate) fn item(&self) -> ValueType {
        self.items.clone().map_or_else(ValueType::default, ValueType::resource)
    }
}

impl From<ValueKind> for ValueType {
    fn from(kind: ValueKind) -> Self {
        ValueType { kind, ..ValueType::default() }
    }
}

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ValueKind {
    /// Not known.
    #[default]
    Any,
    /// Null alone.
    Null,
    /// True or false.
    Bool,
    /// An integer.
    Int,
    /// A floating point number, or a number of either kind.
    Float,
    /// An exact decimal.
    Decimal,
    /// Text.
    Text,
    /// An array.
    Array,
    /// An object.
    Object,
    /// An instant with a zone.
    DateTime,
    /// A date interval.
    Interval,
    /// A file.
    File,
    /// A resource.
    Resource,
    /// The changes of a resource.
    Changes,
    /// Rows of a query.
    Rows,
}

impl ValueKind {
    /// The kind that the specification's words for a result or parameter name.
    pub fn of_words(words: &str) -> ValueKind {
        match words.trim_end_matches(" or null") {
            "boolean" => ValueKind::Bool,
            "int" => ValueKind::Int,
            "float" | "number" => ValueKind::Float,
            "string" => ValueKind::Text,
            "array" | "string[]" => ValueKind::Array,
            "object" => ValueKind::Object,
            "date interval" => ValueKind::Interval,
            "simple file object" => ValueKind::File,
            "ActiveResource" => ValueKind::Resource,
            "changes object" => ValueKind::Changes,
            "query result set" => ValueKind::Rows,
            _ => ValueKind::Any,
        }
    }

    /// For people, with its article.
    pub fn words(self) -> &'static str {
        match self {
            ValueKind::Any => "any value",
            ValueKind::Null => "null",
            ValueKind::Bool => "a boolean",
            ValueKind::Int => "an integer",
            ValueKind::Float => "a number",
            ValueKind::Decimal => "a decimal",
            ValueKind::Text => "a string",
            ValueKind::Array => "an array",
            ValueKind::Object => "an object",
            ValueKind::DateTime => "a date",
            ValueKind::Interval => "an interval",
            ValueKind::File => "a file",
            ValueKind::Resource => "a resource",
            ValueKind::Changes => "a changes object",
            ValueKind::Rows => "a query result set",
        }
    }

    /// Returns true if a value of this kind may stand where another kind is wanted.
    pub fn serves(self, wanted: ValueKind) -> bool {
        use ValueKind::{Any, Array, Bool, DateTime, Decimal, Float, Int, Null, Object, Resource, Rows, Text};
        match wanted {
            _ if self == wanted || matches!(self, Any | Null) => true,
            Any => true,
            Int | Float | Decimal => matches!(self, Int | Float | Decimal),
            Text => matches!(self, Bool | Int | Float | Decimal | DateTime),
            DateTime => self == Text,
            Array => self == Rows,
            Object => self == Resource,
            Resource => matches!(self, Int | Text),
            _ => false,
        }
    }

    /// Returns true if values of this kind have no properties, for certain.
    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, ValueKind::Bool | ValueKind::Int | ValueKind::Float | ValueKind::Decimal | ValueKind::Text)
    }
}
