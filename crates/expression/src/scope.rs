//! A place where an expression stands: what exists there, of which kinds, and what is wanted of it.

use crate::catalogue::Availability;
use std::collections::HashMap;
use std::sync::Arc;

/// The names that an expression may use, and the result that it should give.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Scope {
    /// The providers that exist.
    pub available: Available,
    /// The type of the context's resource, where it is known.
    pub context: Option<Arc<dyn Shape>>,
    /// The kind of result that is wanted; [`Kind::Any`] takes every value.
    pub wants: Kind,
    /// By function (`trigger`, `appParameter`): the parameters that exist. A function without an entry takes any name.
    pub parameters: HashMap<&'static str, HashMap<String, Type>>,
}

impl Scope {
    /// A place with these providers, about whose values nothing is known.
    pub fn of(available: Available) -> Self {
        Scope { available, ..Scope::default() }
    }

    /// The place with a resource of a type, whose properties are bare names.
    #[must_use]
    pub fn with_context(self, context: Option<Arc<dyn Shape>>) -> Self {
        Scope { context, ..self }
    }

    /// The place that wants a result of a kind.
    #[must_use]
    pub fn wanting(self, wants: Kind) -> Self {
        Scope { wants, ..self }
    }

    /// The place with the parameters that exist, by function.
    #[must_use]
    pub fn with_parameters(self, parameters: HashMap<&'static str, HashMap<String, Type>>) -> Self {
        Scope { parameters, ..self }
    }
}

/// A set of providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Available(u16);

impl Available {
    /// With every provider.
    pub const ALL: Available = Available(u16::MAX);

    /// The set with one more.
    #[must_use]
    pub fn with(self, availability: Availability) -> Self {
        Available(self.0 | 1 << availability as u16)
    }

    /// Returns true if the provider exists; what is always there does.
    pub fn has(self, availability: Availability) -> bool {
        availability == Availability::Always || self.0 & (1 << availability as u16) != 0
    }
}

/// A type of resource, as the compiler sees it.
pub trait Shape: std::fmt::Debug + Send + Sync {
    /// The type's name.
    fn name(&self) -> &str;
    /// A property's type; none where there is no such property.
    fn property(&self, name: &str) -> Option<Type>;
    /// The names of all properties, for suggestions.
    fn names(&self) -> Vec<Arc<str>>;
}

/// The type of a value, as far as it is known before there is one. Every value may be null.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Type {
    /// The kind.
    pub kind: Kind,
    /// A resource's type.
    pub shape: Option<Arc<dyn Shape>>,
    /// The type of an array's members, where they are resources.
    pub items: Option<Arc<dyn Shape>>,
    /// True if it is what a to-many relation leads to: a comparison with it asks for one of the members.
    pub several: bool,
}

impl Type {
    /// A resource of a type.
    pub fn resource(shape: Arc<dyn Shape>) -> Self {
        Type { kind: Kind::Resource, shape: Some(shape), ..Type::default() }
    }

    /// The resources of a type that a to-many relation refers to: an array.
    pub fn resources(shape: Arc<dyn Shape>) -> Self {
        Type { kind: Kind::Array, items: Some(shape), several: true, ..Type::default() }
    }

    /// Returns the type of a step to this from several resources: an array of all that they have.
    pub(crate) fn of_each(self) -> Type {
        let items = self.items.or(self.shape);
        Type { kind: Kind::Array, items, several: true, ..Type::default() }
    }

    /// Returns the type of an array's member.
    pub(crate) fn item(&self) -> Type {
        self.items.clone().map_or_else(Type::default, Type::resource)
    }
}

impl From<Kind> for Type {
    fn from(kind: Kind) -> Self {
        Type { kind, ..Type::default() }
    }
}

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Kind {
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

impl Kind {
    /// The kind that the specification's words for a result or parameter name.
    pub(crate) fn of_words(words: &str) -> Kind {
        match words.trim_end_matches(" or null") {
            "boolean" => Kind::Bool,
            "int" => Kind::Int,
            "float" | "number" => Kind::Float,
            "string" => Kind::Text,
            "array" | "string[]" => Kind::Array,
            "object" => Kind::Object,
            "date interval" => Kind::Interval,
            "simple file object" => Kind::File,
            "ActiveResource" => Kind::Resource,
            "changes object" => Kind::Changes,
            "query result set" => Kind::Rows,
            _ => Kind::Any,
        }
    }

    /// For people, with its article.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Any => "any value",
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Int => "an integer",
            Kind::Float => "a number",
            Kind::Decimal => "a decimal",
            Kind::Text => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
            Kind::DateTime => "a date",
            Kind::Interval => "an interval",
            Kind::File => "a file",
            Kind::Resource => "a resource",
            Kind::Changes => "a changes object",
            Kind::Rows => "a query result set",
        }
    }

    /// Returns true if a value of this kind may stand where another kind is wanted.
    pub fn serves(self, wanted: Kind) -> bool {
        use Kind::{Any, Array, Bool, DateTime, Decimal, Float, Int, Null, Object, Resource, Rows, Text};
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
        matches!(self, Kind::Bool | Kind::Int | Kind::Float | Kind::Decimal | Kind::Text)
    }
}
