//! Conditions on rows, as data. Every condition is true or false, never unknown: a null satisfies no test, and `Not`
//! turns that around.

use crate::scalar::Scalar;
use crate::tag_filter::TagCondition;
use database::{ColumnType, JsonStep, JsonType, TextForm, Value};
use model::kinds::ValueStorage;
use model::types::Property;

/// A condition on a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition<'m> {
    /// All hold; true where there is none.
    All(Vec<Condition<'m>>),
    /// One holds; false where there is none.
    Any(Vec<Condition<'m>>),
    /// It does not hold.
    Not(Box<Condition<'m>>),
    /// The value at a place passes a check.
    Test(ValuePlace<'m>, ValueCheck<'m>),
    /// The relation at the place leads to a row for which the condition holds. That row is one level further in.
    Related(ValuePlace<'m>, Box<Condition<'m>>),
    /// The number of rows that the inverse at the place leads to, and for which the condition holds, compares so.
    RelatedCount(ValuePlace<'m>, Box<Condition<'m>>, ValueComparison, i64),
    /// A full text index finds the row.
    Found(TextSearch<'m>),
    /// The list's own row has tags.
    Tagged(TagCondition),
    /// A value is one of several, which are of that type.
    OneOf(Scalar<'m>, ColumnType, Vec<Value>),
    /// Two values of one type compare so.
    Compare(ValueComparison, Scalar<'m>, Scalar<'m>),
    /// A boolean value is true.
    Holds(Scalar<'m>),
    /// There is a value.
    Given(Scalar<'m>),
}

/// A query to a full text index: each word stands in one of the properties, the last as a beginning.
#[derive(Clone, Debug)]
pub struct TextSearch<'m> {
    /// The row's level, as in [`ValuePlace`].
    pub level: usize,
    /// The type.
    pub resource_type: &'m model::types::ResourceType,
    /// The properties that are searched.
    pub properties: Vec<&'m Property>,
    /// The words.
    pub words: Vec<String>,
}

/// A value that a row has. Rows are numbered by how many relations lie between them and the list's own, level 0.
#[derive(Clone, Debug)]
pub struct ValuePlace<'m> {
    /// The row's level.
    pub level: usize,
    /// The property.
    pub property: &'m Property,
    /// The path inside a JSON document, and as what the value there is taken.
    pub inside: Option<(Vec<JsonStep>, JsonType)>,
}

/// A test of one value.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueCheck<'m> {
    /// There is a value; in a multi-valued property, at least one.
    Present,
    /// It is neither the empty text nor an empty JSON document.
    NotEmpty,
    /// It compares so with a value.
    Compare(ValueComparison, Value),
    /// It compares so with another value of the row, or of one further out.
    ComparePlace(ValueComparison, ValuePlace<'m>),
    /// It is one of the values.
    OneOf(Vec<Value>),
    /// The text, in a form, compares so with a text that is in that form already.
    Text(TextComparison, TextForm, String),
    /// One of the members is among the values.
    AnyMember(Vec<Value>),
    /// All of the values, which are distinct, are among the members.
    AllMembers(Vec<Value>),
    /// The number of members compares so.
    MemberCount(ValueComparison, i64),
    /// It is the id of a row that is reached from a row with this id along the parents of a hierarchy.
    InTree(TreeDirection, TypeTree<'m>, i64),
}

/// A hierarchical type: its table, and the relation to the parent.
#[derive(Clone, Debug)]
pub struct TypeTree<'m> {
    /// The type.
    pub resource_type: &'m model::types::ResourceType,
    /// The relation to the parent.
    pub parent: &'m Property,
    /// The condition on a row on the way, on the level [`TypeTree::LEVEL`].
    pub guard: Option<Box<Condition<'m>>>,
}

impl TypeTree<'_> {
    /// The level of the rows on the way: none of a filter comes near it.
    pub const LEVEL: usize = 1_000;
}

/// A direction through a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeDirection {
    /// To children and theirs.
    Down,
    /// To the parent and its.
    Up,
}

/// A comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueComparison {
    /// They are equal.
    Equal,
    /// They are two values, and not equal.
    NotEqual,
    /// The first is less.
    Less,
    /// The first is less, or they are equal.
    LessOrEqual,
    /// The first is greater.
    Greater,
    /// The first is greater, or they are equal.
    GreaterOrEqual,
}

/// A comparison of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextComparison {
    /// They are equal.
    Equal,
    /// The first contains the second.
    Contains,
    /// The first starts with the second.
    StartsWith,
    /// The first ends with the second.
    EndsWith,
    /// The first matches the pattern.
    Like,
}

impl<'m> Condition<'m> {
    /// The condition that always holds.
    pub const ALWAYS: Condition<'m> = Condition::All(Vec::new());

    /// The condition that never holds.
    pub const NEVER: Condition<'m> = Condition::Any(Vec::new());

    /// Returns the condition that holds always or never.
    pub fn constant(truth: bool) -> Self {
        if truth { Condition::ALWAYS } else { Condition::NEVER }
    }

    /// Both hold.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Condition::All(parts), only) | (only, Condition::All(parts)) if parts.is_empty() => only,
            (Condition::Any(parts), _) | (_, Condition::Any(parts)) if parts.is_empty() => Condition::NEVER,
            (Condition::All(mut parts), other) => {
                parts.push(other);
                Condition::All(parts)
            }
            (one, other) => Condition::All(vec![one, other]),
        }
    }

    /// One of both holds.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Condition::Any(parts), only) | (only, Condition::Any(parts)) if parts.is_empty() => only,
            (Condition::All(parts), _) | (_, Condition::All(parts)) if parts.is_empty() => Condition::ALWAYS,
            (Condition::Any(mut parts), other) => {
                parts.push(other);
                Condition::Any(parts)
            }
            (one, other) => Condition::Any(vec![one, other]),
        }
    }

    /// The opposite of what is perhaps known to hold always or never.
    pub fn opposite(self) -> Self {
        match self {
            Condition::All(parts) if parts.is_empty() => Condition::NEVER,
            Condition::Any(parts) if parts.is_empty() => Condition::ALWAYS,
            other => other.negated(),
        }
    }

    /// The opposite.
    pub fn negated(self) -> Self {
        match self {
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }
}

impl ValuePlace<'_> {
    /// The type of what stands at the place; of a multi-valued property, of its members.
    pub fn column_type(&self) -> ColumnType {
        match (&self.inside, self.property.kind.storage()) {
            (Some((_, JsonType::Number)), _) => ColumnType::Float,
            (Some((_, JsonType::Boolean)), _) => ColumnType::Boolean,
            (Some(_), _) => ColumnType::Text,
            (None, ValueStorage::Column(column) | ValueStorage::Links(column)) => column,
            (None, ValueStorage::Attachments) => ColumnType::Text,
        }
    }

    /// Returns true if each row has a value there.
    pub(crate) fn is_always_given(&self) -> bool {
        self.inside.is_none() && !self.multiple() && self.property.is_always_given()
    }

    /// Returns true if there may be several values.
    pub fn multiple(&self) -> bool {
        matches!(self.property.kind.storage(), ValueStorage::Links(_) | ValueStorage::Attachments)
    }
}

// Properties and types are what they are by their place in the model.
impl PartialEq for ValuePlace<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.level == other.level && std::ptr::eq(self.property, other.property) && self.inside == other.inside
    }
}

impl PartialEq for TextSearch<'_> {
    fn eq(&self, other: &Self) -> bool {
        let one_of = |search: &Self| search.properties.iter().map(|property| property.id).collect::<Vec<_>>();
        self.level == other.level && self.words == other.words && one_of(self) == one_of(other)
    }
}

impl PartialEq for TypeTree<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.resource_type, other.resource_type)
            && std::ptr::eq(self.parent, other.parent)
            && self.guard == other.guard
    }
}

impl ValueComparison {
    /// The comparison that holds of two values where this one does not.
    pub(crate) fn opposite(self) -> Self {
        match self {
            ValueComparison::Equal => ValueComparison::NotEqual,
            ValueComparison::NotEqual => ValueComparison::Equal,
            ValueComparison::Less => ValueComparison::GreaterOrEqual,
            ValueComparison::LessOrEqual => ValueComparison::Greater,
            ValueComparison::Greater => ValueComparison::LessOrEqual,
            ValueComparison::GreaterOrEqual => ValueComparison::Less,
        }
    }

    /// Returns true if a comparison of the number of members holds where there is none.
    pub(crate) fn holds_of_none(self, number: i64) -> bool {
        match self {
            ValueComparison::Equal => number == 0,
            ValueComparison::NotEqual => number != 0,
            ValueComparison::Less => number > 0,
            ValueComparison::LessOrEqual => number >= 0,
            ValueComparison::Greater => number < 0,
            ValueComparison::GreaterOrEqual => number <= 0,
        }
    }

    /// The operator, the same in SQL of both engines.
    pub fn operator(self) -> &'static str {
        match self {
            ValueComparison::Equal => " = ",
            ValueComparison::NotEqual => " <> ",
            ValueComparison::Less => " < ",
            ValueComparison::LessOrEqual => " <= ",
            ValueComparison::Greater => " > ",
            ValueComparison::GreaterOrEqual => " >= ",
        }
    }
}
