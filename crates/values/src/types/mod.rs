//! The types of values: what is known of a value before there is one.

mod joined;
mod kind;
mod units;

pub use joined::may_be_same;
pub use kind::{KindSet, ValueKind};
pub use units::IntervalUnits;

use std::sync::Arc;

/// A type of resource, as the compiler sees it.
pub trait ResourceShape: std::fmt::Debug + Send + Sync {
    /// The type's name.
    fn name(&self) -> &str;
    /// A property's type; none where there is no such property.
    fn property(&self, name: &str) -> Option<ValueType>;
    /// The names of all properties, for suggestions.
    fn names(&self) -> Vec<Arc<str>>;
    /// The types of which it may be any, where a test chooses: a name that none has is a finding, and refuses nothing
    /// that is stored.
    fn choices(&self) -> Option<&[Arc<dyn ResourceShape>]> {
        None
    }
}

/// The type of a value, as far as it is known before there is one.
#[derive(Debug, Clone)]
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
    /// The type of an array's members, where they are resources and a step goes on from each.
    pub items: Option<Arc<dyn ResourceShape>>,
    /// The type of an array's members, as far as it is known; of resources, where they may be null.
    pub item: Option<Arc<ValueType>>,
    /// True if it is what a to-many relation leads to: a comparison with it asks for one of the members.
    pub several: bool,
    /// The texts that a value of a list may be.
    pub options: Option<Arc<[Arc<str>]>>,
    /// The kind of date that a text is the writing of, which it may stand beside.
    pub reads_as: Option<ValueKind>,
    /// The units that an interval may have.
    pub units: IntervalUnits,
    /// The unlike kinds of branches, of one of which it is.
    pub unlike: KindSet,
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
            item: None,
            several: false,
            options: None,
            reads_as: None,
            units: IntervalUnits::default(),
            unlike: KindSet::default(),
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
    pub fn array(kind: ValueKind) -> Self {
        Self::array_of(ValueType::of(kind))
    }

    /// An array of values of a type.
    pub fn array_of(item: ValueType) -> Self {
        let item = Some(Arc::new(item)).filter(|item| !item.kinds().is_empty());
        ValueType { item, ..ValueType::of(ValueKind::Array) }
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
    pub fn told(self, told: ValueKind) -> Self {
        ValueType { told, ..self }
    }

    /// Returns the kind that findings go by.
    pub fn known(&self) -> ValueKind {
        match (self.kind, self.told) {
            (_, ValueKind::Null) => ValueKind::Null,
            (ValueKind::Any, told) => told,
            (kind, _) => kind,
        }
    }

    /// Returns the kinds of which it may be: those of unlike branches, or the one that is known.
    pub fn kinds(&self) -> KindSet {
        if self.unlike.is_empty() { KindSet::of(self.known()) } else { self.unlike }
    }

    /// Returns the kind of date that it is, or that its text is the writing of.
    pub fn date_kind(&self) -> Option<ValueKind> {
        let kind = self.known();
        if kind.is_date() { Some(kind) } else { self.reads_as.filter(|_| kind == ValueKind::Text) }
    }

    /// Returns true if it may be null for certain: of what is not known at all, nothing is said.
    pub fn may_be_null(&self) -> bool {
        match self.known() {
            // Of unlike branches more is known than of any value.
            ValueKind::Any => self.nullable && !self.unlike.is_empty(),
            ValueKind::Null => true,
            _ => self.nullable,
        }
    }

    /// An interval of some units.
    pub fn interval(units: IntervalUnits) -> Self {
        ValueType { units, ..ValueType::of(ValueKind::Interval) }
    }

    /// Returns the type of a step to this from several resources: an array of all that they have.
    pub fn of_each(self) -> ValueType {
        // Lists that are found become one.
        let nullable = self.nullable && self.items.is_none();
        let (items, inner) = match (&self.items, &self.shape) {
            (Some(items), _) => (Some(items.clone()), self.item),
            (None, Some(shape)) => (Some(shape.clone()), Some(Arc::new(self))),
            (None, None) if self.known() == ValueKind::Array => (None, self.item),
            (None, None) => (None, ValueType::array_of(self).item),
        };
        let item = match inner {
            Some(item) if nullable && !item.nullable => Some(Arc::new((*item).clone().or_null(true))),
            inner => inner,
        };
        ValueType { items, item, several: true, ..ValueType::of(ValueKind::Array) }
    }

    /// Returns the type of an array's member that is there.
    pub fn member(&self) -> ValueType {
        match (&self.items, &self.item) {
            (Some(shape), item) => {
                ValueType::resource(shape.clone()).or_null(item.as_ref().is_some_and(|item| item.nullable))
            }
            // Of an empty list nothing is known, and nothing is there.
            (None, Some(item)) if item.is_nothing() => ValueType::default(),
            (None, Some(item)) => item.loosely(),
            (None, None) => ValueType::default(),
        }
    }

    /// Returns the type of an array's member, which may be missing.
    pub fn item(&self) -> ValueType {
        let is_empty = self.item.as_ref().is_some_and(|item| item.is_nothing());
        if is_empty { ValueType::default().told(ValueKind::Null) } else { self.member().or_null(true) }
    }

    /// Returns true if something is known of an array's members.
    pub fn knows_items(&self) -> bool {
        !self.member().kinds().is_empty()
    }
}

impl ValueKind {
    /// The type of a value of a kind that is there.
    pub fn into_type(self) -> ValueType {
        ValueType::of(self).or_null(matches!(self, ValueKind::Null | ValueKind::Any))
    }
}

impl From<ValueKind> for ValueType {
    /// A value of a kind, or null.
    fn from(kind: ValueKind) -> Self {
        ValueType::of(kind).or_null(true)
    }
}
