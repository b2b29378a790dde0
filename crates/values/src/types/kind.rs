//! The kinds of values, their words, and sets of them.

use crate::value::Value;

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
    /// A day: a text as it runs.
    Date,
    /// A month: a text as it runs.
    Month,
    /// A time of day: a text as it runs.
    Time,
    /// An instant in seconds: an integer as it runs.
    Timestamp,
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

    /// The kind of a value that is there; resources and what else only a run has are not known before.
    pub fn of_value(value: &Value) -> ValueKind {
        match value {
            Value::Null => ValueKind::Null,
            Value::Bool(_) => ValueKind::Bool,
            Value::Int(_) => ValueKind::Int,
            Value::Float(_) => ValueKind::Float,
            Value::Decimal(_) => ValueKind::Decimal,
            Value::Text(_) => ValueKind::Text,
            Value::Array(_) => ValueKind::Array,
            Value::Object(_) => ValueKind::Object,
            Value::DateTime(_) => ValueKind::DateTime,
            Value::Interval(_) => ValueKind::Interval,
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
            ValueKind::DateTime | ValueKind::Date => "a date",
            ValueKind::Month => "a month",
            ValueKind::Time => "a time",
            ValueKind::Timestamp => "a timestamp",
            ValueKind::Interval => "an interval",
            ValueKind::File => "a file",
            ValueKind::Resource => "a resource",
            ValueKind::Changes => "a changes object",
            ValueKind::Rows => "a query result set",
        }
    }

    /// Returns true if a value of this kind may stand where another kind is wanted.
    pub fn serves(self, wanted: ValueKind) -> bool {
        let (this, wanted) = (self.at_run_time(), wanted.at_run_time());
        use ValueKind::{Any, Array, Bool, DateTime, Decimal, Float, Int, Null, Object, Resource, Rows, Text};
        match wanted {
            _ if this == wanted || matches!(this, Any | Null) => true,
            Any => true,
            Int | Float | Decimal => matches!(this, Int | Float | Decimal),
            Text => matches!(this, Bool | Int | Float | Decimal | DateTime),
            DateTime => this == Text,
            Array => this == Rows,
            Object => this == Resource,
            Resource => matches!(this, Int | Text),
            _ => false,
        }
    }

    /// Returns true if values of this kind have no properties, for certain.
    pub fn is_scalar(self) -> bool {
        matches!(
            self.at_run_time(),
            ValueKind::Bool | ValueKind::Int | ValueKind::Float | ValueKind::Decimal | ValueKind::Text
        )
    }

    /// Returns the kind that the value has when the expression runs.
    #[must_use]
    pub fn at_run_time(self) -> ValueKind {
        match self {
            ValueKind::Date | ValueKind::Month | ValueKind::Time => ValueKind::Text,
            ValueKind::Timestamp => ValueKind::Int,
            kind => kind,
        }
    }

    /// Returns true for numbers that say nothing but how many.
    pub fn is_number(self) -> bool {
        matches!(self, ValueKind::Int | ValueKind::Float | ValueKind::Decimal)
    }

    /// Returns true for points in time that are no number.
    pub fn is_date(self) -> bool {
        matches!(self, ValueKind::Date | ValueKind::Month | ValueKind::Time | ValueKind::DateTime)
    }
}

/// Kinds, one of which a value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KindSet(u32);

impl KindSet {
    const ALL: [ValueKind; 19] = [
        ValueKind::Any,
        ValueKind::Null,
        ValueKind::Bool,
        ValueKind::Int,
        ValueKind::Float,
        ValueKind::Decimal,
        ValueKind::Text,
        ValueKind::Array,
        ValueKind::Object,
        ValueKind::DateTime,
        ValueKind::Date,
        ValueKind::Month,
        ValueKind::Time,
        ValueKind::Timestamp,
        ValueKind::Interval,
        ValueKind::File,
        ValueKind::Resource,
        ValueKind::Changes,
        ValueKind::Rows,
    ];

    /// A kind alone; none of a kind that is not known.
    pub fn of(kind: ValueKind) -> Self {
        if kind == ValueKind::Any { KindSet::default() } else { KindSet(1 << kind as u32) }
    }

    /// The kinds of both.
    #[must_use]
    pub fn with(self, other: KindSet) -> Self {
        KindSet(self.0 | other.0)
    }

    /// The same set; none where it has one kind alone.
    pub fn of_several(self) -> Self {
        if self.0.count_ones() > 1 { self } else { KindSet::default() }
    }

    /// Returns true if there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds, in their order.
    pub fn iter(self) -> impl Iterator<Item = ValueKind> {
        Self::ALL.into_iter().filter(move |kind| self.0 & (1 << *kind as u32) != 0)
    }
}
