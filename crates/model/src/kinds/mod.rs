//! Property kinds: a file for each, behind one trait.

pub mod json;

mod abilities;
mod autonumber;
mod boolean;
mod calculated;
mod calendar;
mod catalogue;
mod choices;
mod color;
mod combine;
mod convert;
mod date;
mod date_time;
mod decimal;
mod document;
mod email;
mod enumeration;
mod enumerations;
mod expressed;
mod file;
mod file_rules;
mod files;
mod float;
mod group;
mod integer;
mod login;
mod month;
mod options;
mod password;
mod phone;
mod plain;
mod property;
mod reference;
mod relation;
mod relations;
mod rollup;
mod shape;
mod slug;
mod string;
mod text;
mod text_kind;
mod text_limits;
mod time;
mod url;
mod user;
mod uuid;

pub use self::url::is_web_address;
pub use abilities::{AdditionEffect, ClassAbilities, FilterGroup, abilities};
pub use autonumber::AutonumberPattern;
pub use calculated::NAME as CALCULATED;
pub use catalogue::{CATALOGUE, KindEntry, OptionTargets, PROPERTY_OPTIONS, PropertySource, build, find};
pub use choices::ChoiceOption;
pub use color::is_color;
pub use combine::{PatchOperator, combine, operand};
pub use convert::{convert, convertible};
pub use date_time::{instant_text, read_instant, write_instant};
pub use document::lost_digits;
pub use email::is_email;
pub use expressed::{ExpressionResult, expression_fault};
pub use file_rules::{FileRules, is_active, no_promise};
pub use options::OptionFault;
pub use options::nearest;
pub use plain::{read_plain, write_plain};
pub use property::{accept, check_change, check_choice, check_property, read_property, write_property};
pub use rollup::{NAME as ROLLUP, RelationSide, RollupDefinition, RollupFunction};
pub use uuid::uuid_of;

use crate::error::InputProblem;
use crate::file_link::LinkSigner;
use database::{ColumnType, Name, Sql, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use jiff::{Timestamp, Zoned, tz::TimeZone};
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

    /// Returns true if many rows have the same value: then the rows of each may be counted.
    fn repeats(&self) -> bool {
        matches!(self.class(), KindClass::Enumeration | KindClass::Boolean | KindClass::Relation)
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
}

/// The place of values in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueStorage {
    /// In a column of the type's table.
    Column(ColumnType),
    /// In a link table of the property, a row for each member, in order.
    Links(ColumnType),
    /// In the platform's table of files, a row for each; a property of either kind of files has members.
    Attachments,
}

/// A class of kinds, by the operations that their values allow. Filters and patches are tables over this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KindClass {
    /// Integers; also ids.
    Integer,
    /// Exact decimals with that scale, stored times 10^scale.
    Decimal {
        /// Digits after the point.
        scale: u8,
    },
    /// Binary floating point.
    Float,
    /// Text.
    Text,
    /// True and false.
    Boolean,
    /// Calendar days.
    Date,
    /// Calendar months, stored as their first day.
    Month,
    /// Times of day.
    Time,
    /// Instants.
    DateTime,
    /// One of listed options.
    Enumeration,
    /// Several of listed options.
    Enumerations,
    /// One resource.
    Relation,
    /// Several resources.
    Relations,
    /// One file.
    File,
    /// Several files.
    Files,
    /// JSON documents.
    Json,
    /// 128-bit identifiers.
    Uuid,
    /// Nothing may be asked.
    Concealed,
}

/// The surroundings that reading and writing values depends on.
#[derive(Clone, Copy)]
pub struct ValueContext<'c> {
    /// The acting user's display zone.
    pub zone: &'c TimeZone,
    /// The one present of the whole request.
    pub now: Timestamp,
    /// The data that the addresses of files are made from; they have none where it is missing.
    pub links: Option<LinkContext<'c>>,
}

/// The data that the addresses of files depend on beside the present.
#[derive(Clone, Copy, Debug)]
pub struct LinkContext<'c> {
    /// The tenant's.
    pub signer: &'c LinkSigner,
    /// The user who may read them.
    pub user: i64,
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

/// A fault of a value; the caller adds the property's title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueFault {
    /// A stable snake_case word.
    pub code: &'static str,
    /// Completes "`title` …": "must be an integer". It tells nothing of the value.
    message: String,
    /// The same where it tells something of the value: for those who gave it.
    detail: Option<String>,
}

impl ValueFault {
    /// A fault; the message completes "`title` …", and tells nothing of the value.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        ValueFault { code, message: message.into(), detail: None }
    }

    /// The same with a message for those who gave the value, which may tell of it.
    #[must_use]
    pub fn with_detail(self, detail: impl Into<String>) -> Self {
        ValueFault { detail: Some(detail.into()), ..self }
    }

    /// The same for those who may not know the value.
    #[must_use]
    pub fn general(self) -> Self {
        ValueFault { detail: None, ..self }
    }

    /// The message.
    pub fn text(&self) -> &str {
        self.detail.as_ref().unwrap_or(&self.message)
    }

    /// The fault of a member of several.
    pub fn of_member(self, position: usize) -> Self {
        let with = |text: String| format!("{text} (member {})", position + 1);
        ValueFault { code: self.code, message: with(self.message), detail: self.detail.map(with) }
    }

    /// The problem of a property: its title, then the message.
    pub fn of(self, name: &str, title: &str) -> InputProblem {
        InputProblem { property: name.to_owned(), code: self.code, message: format!("{title} {}.", self.text()) }
    }
}

/// The value of a property: one, or the members of a multi-valued one in order.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredValue {
    /// A column's value; null where there is none.
    One(Value),
    /// A link table's members.
    Many(Vec<Value>),
}
