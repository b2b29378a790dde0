//! Rollups: what other resources come to, as a property states it.

use super::class::{KindClass, ValueStorage};
use super::expressed::ExpressionResult;
use super::kind::Kind;
use super::value::{ValueContext, ValueFault};
use database::{ColumnType, Name, Sql, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use jiff::Zoned;
use serde_json::Value as Json;

/// The kind's name.
pub const NAME: &str = "pRollup";

/// The function that is applied to the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollupFunction {
    /// Their number.
    Count,
    /// Their sum.
    Sum,
    /// The least.
    Least,
    /// The greatest.
    Greatest,
    /// The average.
    Average,
}

impl RollupFunction {
    /// All of them, with their names in files and answers.
    pub const ALL: [(&'static str, RollupFunction); 5] = [
        ("count", RollupFunction::Count),
        ("sum", RollupFunction::Sum),
        ("min", RollupFunction::Least),
        ("max", RollupFunction::Greatest),
        ("avg", RollupFunction::Average),
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        RollupFunction::ALL.iter().find(|(_, function)| *function == self).map_or("", |(name, _)| name)
    }

    /// Returns true if the value is one of the values that it is made of.
    pub fn is_extreme(self) -> bool {
        matches!(self, RollupFunction::Least | RollupFunction::Greatest)
    }
}

/// On which side the relation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationSide {
    /// The other resources refer to this one.
    Others,
    /// This resource refers to the others.
    Own,
}

/// A summary of other resources, by the names of the files.
#[derive(Debug)]
pub struct RollupDefinition {
    /// The type of the other resources.
    pub of: String,
    /// The relation.
    pub relation: String,
    /// The side whose property the relation is.
    pub side: RelationSide,
    /// The function that is applied to the values.
    pub function: RollupFunction,
    /// The property of the other resources; none where they are counted themselves.
    pub property: Option<String>,
    /// The condition for the other resources that count, as an expression.
    pub filter: Option<String>,
    /// The kind of the value.
    pub(super) value: Box<dyn Kind>,
}

impl RollupDefinition {
    /// The value where there is nothing to sum up: counts and sums are 0, all else is null.
    pub fn of_nothing(&self) -> Value {
        match (self.function, self.value.class()) {
            (RollupFunction::Sum, KindClass::Float) => Value::Float(0.0),
            (RollupFunction::Count | RollupFunction::Sum, _) => Value::Integer(0),
            _ => Value::Null,
        }
    }
}

impl Kind for RollupDefinition {
    fn name(&self) -> &'static str {
        NAME
    }

    fn storage(&self) -> ValueStorage {
        self.value.storage()
    }

    fn class(&self) -> KindClass {
        self.value.class()
    }

    fn language_kind(&self) -> LanguageKind {
        self.value.language_kind()
    }

    fn wanted_kind(&self) -> LanguageKind {
        self.value.wanted_kind()
    }

    fn takes(&self, given: LanguageKind) -> bool {
        self.value.takes(given)
    }

    fn sample(&self) -> Json {
        self.value.sample()
    }

    fn value_at(&self, instant: &Zoned) -> Option<Value> {
        self.value.value_at(instant)
    }

    fn push_counted(&self, sql: &mut Sql, column: &Name) {
        self.value.push_counted(sql, column);
    }

    fn push_readable(&self, sql: &mut Sql, stored: ColumnType, row: &Name, column: &Name) {
        self.value.push_readable(sql, stored, row, column);
    }

    fn read(&self, input: &Json, context: &ValueContext<'_>) -> Result<Value, ValueFault> {
        self.value.read(input, context)
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        self.value.read_result(result)
    }

    fn check(&self, value: &Value) -> Result<(), ValueFault> {
        self.value.check(value)
    }

    fn write(&self, value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>) {
        self.value.write(value, context, out);
    }

    fn schema(&self) -> Json {
        self.value.schema()
    }

    fn rollup(&self) -> Option<&RollupDefinition> {
        Some(self)
    }
}
