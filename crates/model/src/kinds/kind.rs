//! The trait of all kinds, and what it tells of a kind.

use super::autonumber_pattern::AutonumberPattern;
use super::class::{AdditionEffect, KindClass, ValueStorage, abilities};
use super::file_rules::FileRules;
use super::inverse::{InverseOption, InverseSource};
use super::rollup_definition::RollupDefinition;
use super::value::{ValueContext, ValueFault};
use crate::kinds::expressed::ExpressionResult;
use database::{ColumnType, Name, Sql, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use jiff::Zoned;
use serde_json::Value as Json;
use std::fmt::Debug;

/// A kind of property: how its values are stored, read, checked and shown.
pub trait Kind: Debug + Send + Sync {
    /// The kind's name in files: `pString`.
    fn name(&self) -> &'static str;

    /// Returns the place where its values are stored.
    fn storage(&self) -> ValueStorage;

    /// Returns the class that decides which filters, sorts and patches it takes.
    fn class(&self) -> KindClass;

    /// Reads one value (of a multi-valued kind: one member) from its wire form, by shape alone, so that it
    /// serves filters too. Null is not passed.
    fn read(&self, input: &Json, context: &ValueContext<'_>) -> Result<Value, ValueFault>;

    /// Reads one value (of a multi-valued kind: one member) from the result of an expression. Null, secrets and
    /// documents are not passed.
    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        self.read(&result.scalar()?, result.context)
    }

    /// Checks one value that [`Kind::read`] gave against the options (limits, patterns).
    fn check(&self, value: &Value) -> Result<(), ValueFault>;

    /// Writes one value (of a multi-valued kind: one member) in wire form, as JSON, straight from the row. Null is not
    /// passed.
    fn write(&self, value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>);

    /// The JSON Schema (OpenAPI 3.1) of the wire form of one value.
    fn schema(&self) -> Json;

    /// Returns true if it can be in a unique set or have an index: the engines' indexes take no long texts.
    fn indexable(&self) -> bool {
        abilities(self.class()).indexable
    }

    /// The relation, where the kind is one.
    fn relation(&self) -> Option<RelationTarget<'_>> {
        None
    }

    /// The rows that refer here, where it is the other end of a relation.
    fn inverse(&self) -> Option<&InverseSource> {
        None
    }

    /// The values that may be chosen, where they are listed.
    fn choices(&self) -> &[ChoiceOption] {
        &[]
    }

    /// Returns the rules for the files that are taken, where the kind holds files.
    fn files(&self) -> Option<&FileRules> {
        None
    }

    /// Returns the numbering of new resources, where the platform does it: input for the property is refused then.
    fn autonumber(&self) -> Option<&AutonumberPattern> {
        None
    }

    /// Returns the rollup of other resources, where it is one: input for the property is refused then.
    fn rollup(&self) -> Option<&RollupDefinition> {
        None
    }

    /// Returns the kind of its values in expressions; what relations lead to is known to the model alone.
    fn language_kind(&self) -> LanguageKind {
        if self.concealed() { LanguageKind::Any } else { LanguageKind::Text }
    }

    /// Returns true if a resource may have several values of it.
    fn holds_several(&self) -> bool {
        matches!(self.class(), KindClass::Enumerations | KindClass::Relations | KindClass::Files)
    }

    /// Returns true if its values are JSON documents, with names inside.
    fn is_document(&self) -> bool {
        self.class() == KindClass::Json
    }

    /// Returns true if its values refer to resources.
    fn is_relation(&self) -> bool {
        matches!(self.class(), KindClass::Relation | KindClass::Relations)
    }

    /// Returns true if its values are chosen from options or groups.
    fn is_choice(&self) -> bool {
        matches!(self.class(), KindClass::Enumeration | KindClass::Enumerations)
    }

    /// Returns true if its values are instants.
    fn is_instant(&self) -> bool {
        self.class() == KindClass::DateTime
    }

    /// Returns true if its values are calendar months.
    fn is_month(&self) -> bool {
        self.class() == KindClass::Month
    }

    /// Returns the number of digits behind the point, where values are exact decimals.
    fn scale(&self) -> Option<u8> {
        match self.class() {
            KindClass::Decimal { scale } => Some(scale),
            _ => None,
        }
    }

    /// Returns true if its values are files.
    fn holds_files(&self) -> bool {
        matches!(self.class(), KindClass::File | KindClass::Files)
    }

    /// Returns true if a value may be there and be empty: a text, a document.
    fn may_be_empty(&self) -> bool {
        matches!(self.class(), KindClass::Text | KindClass::Json)
    }

    /// Returns the value at an instant; none where values are no points in time.
    fn value_at(&self, _instant: &Zoned) -> Option<Value> {
        None
    }

    /// Returns true if values compare with those of another kind of the same column.
    fn compares_with(&self, other: &dyn Kind) -> bool {
        match (self.class(), other.class()) {
            (KindClass::Json, _) | (_, KindClass::Json) => false,
            (KindClass::Decimal { scale }, KindClass::Decimal { scale: other }) => scale == other,
            (one, other) => !matches!(one, KindClass::Decimal { .. }) && !matches!(other, KindClass::Decimal { .. }),
        }
    }

    /// Writes SQL that shows a stored column to people at a database's own tools.
    fn push_readable(&self, sql: &mut Sql, stored: ColumnType, row: &Name, column: &Name) {
        sql.readable(stored, |sql| {
            sql.column(row, column);
        });
    }

    /// Writes SQL for the text under which rows of a value are counted.
    fn push_counted(&self, sql: &mut Sql, column: &Name) {
        sql.name(column);
    }

    /// Returns true if the stored value never leaves, for anybody: no output, filter, sort or export.
    fn concealed(&self) -> bool {
        false
    }

    /// Returns true if its values are numbers.
    fn is_number(&self) -> bool {
        abilities(self.class()).addition == Some(AdditionEffect::Sum)
    }

    /// Returns true if its values are texts of any characters.
    fn is_text(&self) -> bool {
        self.class() == KindClass::Text
    }

    /// Returns true if the rows of each value are counted, where the property has an index.
    fn counts_values(&self) -> bool {
        matches!(self.class(), KindClass::Boolean | KindClass::Enumeration | KindClass::Relation)
    }

    /// Returns the kind of value that it wants of an expression; others are refused where that is certain.
    fn wanted_kind(&self) -> LanguageKind {
        match () {
            () if self.is_number() => LanguageKind::Float,
            () if self.is_text() => LanguageKind::Text,
            () if self.is_relation() && !self.holds_several() => LanguageKind::Resource,
            () => LanguageKind::Any,
        }
    }

    /// Returns true if it may take a value of a kind; one of the wrong kind fails whatever it is.
    fn takes(&self, given: LanguageKind) -> bool {
        use LanguageKind::{Array, Changes, Decimal, File, Float, Int, Interval, Object, Resource, Rows, Text};
        match () {
            () if self.is_number() => matches!(given, Int | Float | Decimal),
            () if self.is_relation() => matches!(given, Resource | Int | Text),
            () if self.holds_files() => matches!(given, File | Text),
            () if self.is_document() => !matches!(given, File | Changes | Rows),
            () => !matches!(given, Array | Object | File | Changes | Rows | Interval),
        }
    }

    /// Returns a value in wire form, of the right shape, to try expressions and filters with.
    fn sample(&self) -> Json {
        if self.is_number() || self.is_relation() { 1.into() } else { "a".into() }
    }
}

/// A relation's target and what a deletion of the target does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationTarget<'k> {
    /// The system name of the target type, as the file has it.
    pub type_name: &'k str,
    /// The id of the target type.
    pub type_id: i64,
    /// D-25.
    pub on_delete: OnDelete,
    /// The filters that a resource must pass to be referred to anew, as the file has them.
    pub filter: &'k [Json],
    /// The name of the relation's other end, where it has one.
    pub inverse: Option<&'k InverseOption>,
}

/// The effect on a resource when the one that it refers to is deleted (D-25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnDelete {
    /// The deletion is refused.
    #[default]
    Restrict,
    /// The reference becomes null, or leaves the list.
    SetNull,
    /// It is deleted too.
    Cascade,
}

/// A value that may be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceOption {
    /// The value in rows and requests.
    pub value: String,
    /// For people.
    pub title: String,
    /// `#rrggbb` and its kin.
    pub color: Option<String>,
    /// True if rows may keep it but no input may bring it.
    pub archived: bool,
}
