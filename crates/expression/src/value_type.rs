//! The types of values: what is known of a value before there is one.

use crate::interval_units::IntervalUnits;
use crate::value::Value;
use std::sync::Arc;

/// A type of resource, as the compiler sees it.
pub trait ResourceShape: std::fmt::Debug + Send + Sync {
    /// The type's name.
    fn name(&self) -> &str;
    /// A property's type; none where there is no such property.
    fn property(&self, name: &str) -> Option<ValueType>;
    /// The names of all properties, for suggestions.
    fn names(&self) -> Vec<Arc<str>>;
}

/// The type of a value, as far as it is known before there is one.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ValueType {
    /// The kind that decides whether a program is refused.
    pub kind: ValueKind,
    /// The kind that findings go by where `kind` is not known: what operators, tests and written formats tell.
    pub told: ValueKind,
    /// True if the value may be null.
    pub nullable: bool,
    /// True if a number is never 0, so that others may be divided by it.
    pub nonzero: bool,
    /// The whole number that a number is never below, where one is known.
    pub at_least: Option<i64>,
    /// A resource's type.
    pub shape: Option<Arc<dyn ResourceShape>>,
    /// The type of an array's members, where they are resources.
    pub items: Option<Arc<dyn ResourceShape>>,
    /// The kind of an array's members, where they are scalars.
    pub item_kind: ValueKind,
    /// True if a member of an array may be null.
    pub items_null: bool,
    /// True if it is what a to-many relation leads to: a comparison with it asks for one of the members.
    pub several: bool,
    /// The texts that a value of a list may be.
    pub options: Option<Arc<[Arc<str>]>>,
    /// The kind of date that a text is the writing of, which it may stand beside.
    pub reads_as: Option<ValueKind>,
    /// The units that an interval may have.
    pub units: IntervalUnits,
    /// The unlike kinds of branches, one of which it is.
    pub unlike: Option<[ValueKind; 2]>,
}

impl Default for ValueType {
    /// A type of which nothing is known: the value may be null, too.
    fn default() -> Self {
        ValueType { nullable: true, ..ValueType::of(ValueKind::Any) }
    }
}

impl ValueType {
    /// A value of a kind that is never null.
    pub fn of(kind: ValueKind) -> Self {
        ValueType {
            kind,
            told: ValueKind::Any,
            nullable: false,
            nonzero: false,
            at_least: None,
            shape: None,
            items: None,
            item_kind: ValueKind::Any,
            items_null: false,
            several: false,
            options: None,
            reads_as: None,
            units: IntervalUnits::default(),
            unlike: None,
        }
    }

    /// A resource of a type, or null.
    pub fn resource(shape: Arc<dyn ResourceShape>) -> Self {
        ValueType { shape: Some(shape), nullable: true, ..ValueType::of(ValueKind::Resource) }
    }

    /// The resources of a type that a to-many relation refers to: an array, which is never null.
    pub fn resources(shape: Arc<dyn ResourceShape>) -> Self {
        ValueType { items: Some(shape), several: true, ..ValueType::of(ValueKind::Array) }
    }

    /// The texts of a list of options.
    pub fn option(options: Arc<[Arc<str>]>) -> Self {
        ValueType { options: Some(options), ..ValueType::of(ValueKind::Text) }
    }

    /// An array of values of a kind.
    pub fn array(item_kind: ValueKind) -> Self {
        ValueType { item_kind, ..ValueType::of(ValueKind::Array) }
    }

    /// A text that is a date's writing, such as that of `date('Y-m-d')`.
    pub fn written(kind: ValueKind) -> Self {
        ValueType { reads_as: Some(kind), ..ValueType::of(ValueKind::Text) }
    }

    /// The same type, whose value may be null or not.
    #[must_use]
    pub fn or_null(self, nullable: bool) -> Self {
        ValueType { nullable, ..self }
    }

    /// The same type, of which findings know a kind.
    #[must_use]
    pub(crate) fn told(self, told: ValueKind) -> Self {
        ValueType { told, ..self }
    }

    /// Returns the kind that findings go by.
    pub(crate) fn known(&self) -> ValueKind {
        match (self.kind, self.told) {
            (_, ValueKind::Null) => ValueKind::Null,
            (ValueKind::Any, told) => told,
            (kind, _) => kind,
        }
    }

    /// Returns the kind of date that it is, or that its text is the writing of.
    pub fn date_kind(&self) -> Option<ValueKind> {
        let kind = self.known();
        if kind.is_date() { Some(kind) } else { self.reads_as.filter(|_| kind == ValueKind::Text) }
    }

    /// Returns true if it may be null for certain: of what is not known at all, nothing is said.
    pub(crate) fn may_be_null(&self) -> bool {
        match self.known() {
            // Of unlike branches more is known than of any value.
            ValueKind::Any => self.nullable && self.unlike.is_some(),
            ValueKind::Null => true,
            _ => self.nullable,
        }
    }

    /// The unlike kinds of it and one more: of a single value and of another, where it has both.
    fn further(&self, other: ValueKind) -> Option<[ValueKind; 2]> {
        let is_single = |kind: ValueKind| kind.is_scalar() || kind == ValueKind::DateTime;
        let [one, second] = self.unlike?;
        let is_new = is_single(one) == is_single(second) && is_single(one) != is_single(other);
        Some([one, if is_new && other != ValueKind::Any { other } else { second }])
    }

    /// An interval of some units.
    pub(crate) fn interval(units: IntervalUnits) -> Self {
        ValueType { units, ..ValueType::of(ValueKind::Interval) }
    }

    /// Returns the type of a step to this from several resources: an array of all that they have.
    pub(crate) fn of_each(self) -> ValueType {
        let item_kind = if self.shape.is_some() { ValueKind::Any } else { self.known() };
        let items = self.items.or(self.shape);
        ValueType { items, several: true, item_kind, items_null: self.nullable, ..ValueType::of(ValueKind::Array) }
    }

    /// Returns the type of an array's member, which may be missing.
    pub(crate) fn item(&self) -> ValueType {
        self.items.clone().map_or_else(|| ValueType::default().told(self.item_kind), ValueType::resource)
    }

    /// Returns the type of what is this or that.
    #[must_use]
    pub fn joined(&self, other: &ValueType) -> ValueType {
        let kind = match (self.kind, other.kind) {
            (ValueKind::Null, kind) | (kind, ValueKind::Null) => kind,
            (kind, others) if kind == others => kind,
            (kind, others) if kind.at_run_time() == others.at_run_time() => kind.at_run_time(),
            _ => ValueKind::Any,
        };
        let (own, others) = (self.known(), other.known());
        if own == ValueKind::Null || others == ValueKind::Null {
            let there = if own == ValueKind::Null { other } else { self };
            let told = there.known();
            return ValueType { kind, told, nullable: true, shape: None, items: None, several: false, ..there.clone() };
        }
        let told = match (own, others) {
            _ if own == others => own,
            _ if own.is_number() && others.is_number() => ValueKind::Float,
            _ => ValueKind::Any,
        };
        let are_unlike = told == ValueKind::Any && own != ValueKind::Any && others != ValueKind::Any;
        ValueType {
            told,
            unlike: self.further(others).or(other.further(own)).or(are_unlike.then_some([own, others])),
            nullable: self.nullable || other.nullable,
            nonzero: self.nonzero && other.nonzero,
            at_least: self.at_least.zip(other.at_least).map(|(one, other)| one.min(other)),
            item_kind: if self.item_kind == other.item_kind { self.item_kind } else { ValueKind::Any },
            items_null: self.items_null || other.items_null,
            options: self.options.clone().filter(|_| self.options == other.options),
            reads_as: self.reads_as.filter(|_| self.reads_as == other.reads_as),
            units: self.units.joined(other.units),
            ..ValueType::of(kind)
        }
    }
}

impl From<ValueKind> for ValueType {
    /// A value of a kind, or null.
    fn from(kind: ValueKind) -> Self {
        ValueType::of(kind).or_null(true)
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
    pub(crate) fn is_scalar(self) -> bool {
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
    pub(crate) fn is_number(self) -> bool {
        matches!(self, ValueKind::Int | ValueKind::Float | ValueKind::Decimal)
    }

    /// Returns true for points in time that are no number.
    pub(crate) fn is_date(self) -> bool {
        matches!(self, ValueKind::Date | ValueKind::Month | ValueKind::Time | ValueKind::DateTime)
    }
}
