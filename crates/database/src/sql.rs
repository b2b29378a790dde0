//! SQL text and its bound values, which never part.
//!
//! Differences between the engines are methods here and in [`dialect`]. Take an empty [`Sql`] from
//! [`crate::Store::sql`] or [`crate::Tx::sql`]: it knows the engine and how the store's tables are qualified.

mod buckets;
mod calendar;
mod dialect;
mod folded;
mod found;
mod locks;
mod scalars;
mod value_texts;

use crate::{ColumnType, Name, Value, ddl};
use std::fmt::Write as _;
use std::sync::Arc;

/// A statement under construction, or done.
#[derive(Clone, Debug)]
pub struct Sql {
    pub(crate) text: String,
    pub(crate) parameters: Vec<SqlParameter>,
    pub(crate) dialect: SqlDialect,
    /// True if PostgreSQL is to plan it for its values each time that it runs.
    pub(crate) anew: bool,
    /// The number of regular expressions in it.
    pub(crate) patterns: usize,
}

/// A part of a statement without values, which is kept and appended to others: see [`Sql::fragment`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlFragment(Box<str>);

/// A bound parameter: a value, or a list of values of one type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SqlParameter {
    One(Value),
    List(ColumnType, Vec<Value>),
}

/// The engine's SQL that is written, and what stands before a table's name (empty, or `"schema".`).
#[derive(Clone, Debug)]
pub(crate) enum SqlDialect {
    Sqlite,
    Postgres { prefix: Arc<str> },
}

/// The form in which a text is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// The text itself.
    Exact,
    /// Unicode lower case, as [`crate::lower`] gives it.
    Lower,
    /// Lower case without diacritics, as [`crate::fold`] gives it.
    Folded,
}

/// A step into a JSON document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonStep {
    /// Into an object, by key.
    Key(String),
    /// Into an array, from 0.
    Index(u32),
}

/// The type of a value inside a JSON document: one of another type counts as null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// Anything, as [`Sql::json_text_at`] gives it.
    Any,
    /// A string, as Text.
    String,
    /// A number, as Float.
    Number,
    /// True or false, as Boolean.
    Boolean,
}

impl Sql {
    pub(crate) fn new(dialect: SqlDialect) -> Self {
        Sql { text: String::with_capacity(256), parameters: Vec::new(), dialect, anew: false, patterns: 0 }
    }

    /// The text so far, for golden files and logs; it holds no values.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the bound values, in the order of the placeholders: to be looked at beside the text. Long values are
    /// cut.
    pub fn values(&self) -> Vec<String> {
        self.parameters.iter().map(value_texts::parameter).collect()
    }

    /// Bytes that two statements share only where they are the same, values included.
    pub fn identity(&self) -> Vec<u8> {
        format!("{}\0{:?}", self.text, self.parameters).into_bytes()
    }

    /// The same statement behind a word of this crate.
    pub(crate) fn behind(&self, word: &str) -> Sql {
        Sql { text: format!("{word}{}", self.text), ..self.clone() }
    }

    /// Appends text of the program. Text that exists only when it runs has methods of its own: names, numbers, values.
    pub fn push(&mut self, text: &'static str) -> &mut Self {
        self.append(text)
    }

    /// Appends text that this crate made.
    pub(crate) fn append(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends an integer that the planner sees, in the place of a bound value.
    pub fn literal(&mut self, number: impl Into<i64>) -> &mut Self {
        let _ = write!(self.text, "{}", number.into());
        self
    }

    /// Returns the text behind a length, to be appended to other statements of the same store; none where values are
    /// bound, which belong to their own statement.
    pub fn fragment(&self, start: usize) -> Option<SqlFragment> {
        let text = self.text.get(start..).filter(|_| self.parameters.is_empty())?;
        Some(SqlFragment(text.into()))
    }

    /// Appends a part of another statement.
    pub fn push_fragment(&mut self, fragment: &SqlFragment) -> &mut Self {
        self.append(&fragment.0)
    }

    /// Appends a column's name.
    pub fn name(&mut self, name: &Name) -> &mut Self {
        self.text.push_str(name.as_str());
        self
    }

    /// Appends names, with commas between them.
    pub fn names<'n>(&mut self, names: impl IntoIterator<Item = &'n Name>) -> &mut Self {
        for (index, name) in names.into_iter().enumerate() {
            self.push(if index == 0 { "" } else { ", " }).name(name);
        }
        self
    }

    /// Appends `alias.column`.
    pub fn column(&mut self, alias: &Name, column: &Name) -> &mut Self {
        self.text.push_str(alias.as_str());
        self.text.push('.');
        self.text.push_str(column.as_str());
        self
    }

    /// Appends a table's name, qualified as the store demands.
    pub fn table(&mut self, name: &Name) -> &mut Self {
        if let SqlDialect::Postgres { prefix } = &self.dialect {
            self.text.push_str(prefix);
        }
        self.text.push_str(name.as_str());
        self
    }

    /// Appends an identifier in quotes, for the readable names of views and their columns.
    pub fn quoted(&mut self, identifier: &str) -> &mut Self {
        self.text.push_str(&ddl::quoted(identifier));
        self
    }

    /// Appends a placeholder and binds the value to it.
    pub fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.parameter(SqlParameter::One(value.into()))
    }

    /// Appends a placeholder for a list of values.
    pub(crate) fn list(&mut self, column: ColumnType, values: Vec<Value>) -> &mut Self {
        self.parameter(SqlParameter::List(column, values))
    }

    fn parameter(&mut self, parameter: SqlParameter) -> &mut Self {
        self.parameters.push(parameter);
        // SQLite takes `$1` for a named parameter and numbers names as they first appear, which is our order.
        let _ = write!(self.text, "${}", self.parameters.len());
        self
    }
}
