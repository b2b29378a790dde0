//! Names of tables and columns, and descriptions of tables to make.

use crate::ColumnType;
use std::borrow::Cow;
use std::fmt;

/// An SQL identifier of ours. It is made of a word of the program and numbers, never of a user's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Cow<'static, str>);

impl Name {
    /// A fixed name, such as `plinth_key` or `created`.
    pub const fn fixed(word: &'static str) -> Self {
        Name(Cow::Borrowed(word))
    }

    /// A word and an id: type 7 is table `t7`, property 12 is column `p12`.
    pub fn numbered(word: &'static str, id: i64) -> Self {
        Name(Cow::Owned(format!("{word}{id}")))
    }

    /// The name with more letters at its end.
    pub(crate) fn with_end(&self, end: &'static str) -> Self {
        Name(Cow::Owned(format!("{}{end}", self.0)))
    }

    /// The identifier's text, unquoted; it needs no quotes.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A column to make. Columns are nullable, but for those of a primary key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// The column's name.
    pub name: Name,
    /// Its type.
    pub column: ColumnType,
    /// The table whose `id` it refers to, if any; such a row cannot be deleted while it is referred to.
    pub references: Option<Name>,
}

/// A table to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The table's name.
    pub name: Name,
    /// True if it has a column `id`, an integer primary key that the engine gives and never reuses.
    pub identity: bool,
    /// The other columns.
    pub columns: Vec<ColumnSpec>,
    /// The primary key where `identity` is false; may be empty.
    pub primary_key: Vec<Name>,
}

/// An index to make; its name follows from table and columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndexSpec {
    /// The table.
    pub table: Name,
    /// The columns, in order.
    pub columns: Vec<Name>,
    /// True if no two rows may agree in all of the columns (rows with a null always may).
    pub unique: bool,
}

impl IndexSpec {
    /// `u_t7_p12_p13` for a unique one, `i_t7_p12` else.
    pub fn name(&self) -> String {
        let mut name = format!("{}_{}", if self.unique { "u" } else { "i" }, self.table);
        for column in &self.columns {
            name.push('_');
            name.push_str(column.as_str());
        }
        name
    }
}

/// A description of a store's contents: a table with its columns and indexes, all sorted by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDescription {
    /// The table's or view's name.
    pub name: String,
    /// Name, type as the engine calls it, and the referenced table.
    pub columns: Vec<(String, String, Option<String>)>,
    /// The names of its indexes, without those of primary keys.
    pub indexes: Vec<String>,
    /// True if it is a view.
    pub view: bool,
}
