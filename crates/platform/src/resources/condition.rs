//! What must hold for a row, as data. Every condition is true or false, never unknown: a null satisfies no test,
//! and `Not` turns that around.

use super::scalar::Scalar;
use crate::kinds::Storage;
use crate::tags::TagCondition;
use crate::types::Property;
use database::{ColumnType, JsonStep, JsonType, TextForm, Value};

/// A condition on a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition<'m> {
    /// All hold; true where there is none.
    All(Vec<Condition<'m>>),
    /// One holds; false where there is none.
    Any(Vec<Condition<'m>>),
    /// It does not hold.
    Not(Box<Condition<'m>>),
    /// The value at a place passes a check.
    Test(Place<'m>, Check<'m>),
    /// The relation at the place leads to a row for which the condition holds. That row is one level further in.
    Related(Place<'m>, Box<Condition<'m>>),
    /// A full text index finds the row.
    Found(Search<'m>),
    /// The list's own row has tags.
    Tagged(TagCondition),
    /// A value is one of several, which are of that type.
    OneOf(Scalar<'m>, ColumnType, Vec<Value>),
    /// Two values of one type compare so.
    Compare(Comparison, Scalar<'m>, Scalar<'m>),
    /// A boolean value is true.
    Holds(Scalar<'m>),
    /// There is a value.
    Given(Scalar<'m>),
}

/// What a full text index is asked: that each word stands in one of the properties, the last as a beginning.
#[derive(Clone, Debug)]
pub(crate) struct Search<'m> {
    /// The row's level, as in [`Place`].
    pub(crate) level: usize,
    pub(crate) resource_type: &'m crate::types::Type,
    pub(crate) properties: Vec<&'m Property>,
    pub(crate) words: Vec<String>,
}

/// A value that a row has. Rows are numbered by how many relations lie between them and the list's own, level 0.
#[derive(Clone, Debug)]
pub(crate) struct Place<'m> {
    pub(crate) level: usize,
    pub(crate) property: &'m Property,
    /// The path inside a JSON document, and as what the value there is taken.
    pub(crate) inside: Option<(Vec<JsonStep>, JsonType)>,
}

/// What a value is checked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Check<'m> {
    /// There is a value; in a multi-valued property, at least one.
    Present,
    /// It is neither the empty text nor an empty JSON document.
    NotEmpty,
    /// It compares so with a value.
    Compare(Comparison, Value),
    /// It compares so with another value of the row, or of one further out.
    ComparePlace(Comparison, Place<'m>),
    /// It is one of the values.
    OneOf(Vec<Value>),
    /// The text, in a form, compares so with a text that is in that form already.
    Text(TextComparison, TextForm, String),
    /// One of the members is among the values.
    AnyMember(Vec<Value>),
    /// All of the values, which are distinct, are among the members.
    AllMembers(Vec<Value>),
    /// The number of members compares so.
    MemberCount(Comparison, i64),
    /// It is the id of a row that is reached from a row with this id along the parents of a hierarchy.
    InTree(Direction, Tree<'m>, i64),
}

/// A hierarchical type: its table, and the relation to the parent.
#[derive(Clone, Debug)]
pub(crate) struct Tree<'m> {
    pub(crate) resource_type: &'m crate::types::Type,
    pub(crate) parent: &'m Property,
    /// What must hold for a row on the way, on the level [`Tree::LEVEL`].
    pub(crate) guard: Option<Box<Condition<'m>>>,
}

impl Tree<'_> {
    /// The level of the rows on the way: none of a filter comes near it.
    pub(crate) const LEVEL: usize = 1_000;
}

/// Which way through a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To children and theirs.
    Down,
    /// To the parent and its.
    Up,
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// How two texts compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextComparison {
    Equal,
    Contains,
    StartsWith,
    EndsWith,
    Like,
}

impl<'m> Condition<'m> {
    /// What always holds.
    pub(crate) const ALWAYS: Condition<'m> = Condition::All(Vec::new());

    /// What never holds.
    pub(crate) const NEVER: Condition<'m> = Condition::Any(Vec::new());

    /// What holds always or never.
    pub(crate) fn constant(truth: bool) -> Self {
        if truth { Condition::ALWAYS } else { Condition::NEVER }
    }

    /// Both hold.
    pub(crate) fn and(self, other: Self) -> Self {
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
    pub(crate) fn or(self, other: Self) -> Self {
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
    pub(crate) fn opposite(self) -> Self {
        match self {
            Condition::All(parts) if parts.is_empty() => Condition::NEVER,
            Condition::Any(parts) if parts.is_empty() => Condition::ALWAYS,
            other => other.not(),
        }
    }

    /// The opposite.
    pub(crate) fn not(self) -> Self {
        match self {
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }
}

impl Place<'_> {
    /// The type of what stands at the place; of a multi-valued property, of its members.
    pub(crate) fn column_type(&self) -> ColumnType {
        match (&self.inside, self.property.kind.storage()) {
            (Some((_, JsonType::Number)), _) => ColumnType::Float,
            (Some((_, JsonType::Boolean)), _) => ColumnType::Boolean,
            (Some(_), _) => ColumnType::Text,
            (None, Storage::Column(column) | Storage::Links(column)) => column,
            (None, Storage::Attachments) => ColumnType::Text,
        }
    }

    /// Whether there may be several values.
    pub(crate) fn multiple(&self) -> bool {
        matches!(self.property.kind.storage(), Storage::Links(_) | Storage::Attachments)
    }
}

// Properties and types are what they are by their place in the model.
impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.level == other.level && std::ptr::eq(self.property, other.property) && self.inside == other.inside
    }
}

impl PartialEq for Search<'_> {
    fn eq(&self, other: &Self) -> bool {
        let one_of = |search: &Self| search.properties.iter().map(|property| property.id).collect::<Vec<_>>();
        self.level == other.level && self.words == other.words && one_of(self) == one_of(other)
    }
}

impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.resource_type, other.resource_type)
            && std::ptr::eq(self.parent, other.parent)
            && self.guard == other.guard
    }
}

impl Comparison {
    /// The operator, the same in SQL of both engines.
    pub(crate) fn operator(self) -> &'static str {
        match self {
            Comparison::Equal => " = ",
            Comparison::Less => " < ",
            Comparison::LessOrEqual => " <= ",
            Comparison::Greater => " > ",
            Comparison::GreaterOrEqual => " >= ",
        }
    }
}
