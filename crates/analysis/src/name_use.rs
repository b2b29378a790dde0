//! Uses of names, and types by place.

use expression::Span;
use expression::catalogue::FunctionEntry;
use expression::scope::ValueType;

/// A name that stands in a text.
#[derive(Debug, Clone)]
pub struct NameUse {
    /// The place of the name alone, without quotes.
    pub span: Span,
    /// The named thing.
    pub sort: NameSort,
    /// The type of the value behind it.
    pub of: ValueType,
}

/// The sort of thing that a name stands for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum NameSort {
    /// A property.
    Property {
        /// The type that has it, where that is known.
        owner: Option<String>,
        /// Its name.
        name: String,
    },
    /// A function of the catalogue.
    Function(&'static FunctionEntry),
    /// A variable, as `$name` or `var('name')`.
    Variable(String),
    /// A parameter that a function such as `trigger()` takes by name.
    Parameter {
        /// The function.
        function: &'static str,
        /// The parameter.
        name: String,
    },
    /// A key of an object that is written out.
    Key(String),
}

/// The type of a part of a text.
#[derive(Debug, Clone)]
pub struct TypedSpan {
    /// The part.
    pub span: Span,
    /// Its type.
    pub of: ValueType,
}

impl NameUse {
    pub(crate) fn length(&self) -> usize {
        self.span.to - self.span.from
    }

    /// Returns true if it names a property of a type.
    pub fn is_property(&self, of_type: &str, property: &str) -> bool {
        matches!(&self.sort, NameSort::Property { owner: Some(owner), name } if owner == of_type && name == property)
    }
}
