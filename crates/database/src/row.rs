//! The rows that statements give, whichever engine they come from.

use crate::postgres::wire;
use crate::sqlite::values;
use crate::{ColumnType, Error, Result, ValueRef};

/// A row while it is being read.
pub struct Row<'r> {
    pub(crate) source: RowSource<'r>,
}

/// The engine's row that a row reads from.
#[derive(Clone, Copy)]
pub(crate) enum RowSource<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r wire::RowFields<'r>),
}

impl Row<'_> {
    /// The value at `index`, which the statement selects as a column of that type.
    pub fn get(&self, index: usize, column: ColumnType) -> Result<ValueRef<'_>> {
        match self.source {
            RowSource::Sqlite(row) => values::value(row, index, column),
            RowSource::Postgres(row) => wire::value(row, index, column),
        }
    }

    /// An integer; a null is [`crate::Error::Corrupt`].
    pub fn integer(&self, index: usize) -> Result<i64> {
        match self.get(index, ColumnType::Integer)? {
            ValueRef::Integer(value) => Ok(value),
            _ => Err(Error::Corrupt(format!("column {index} is null"))),
        }
    }

    /// A text; a null is [`crate::Error::Corrupt`].
    pub fn text(&self, index: usize) -> Result<&str> {
        match self.get(index, ColumnType::Text)? {
            ValueRef::Text(value) => Ok(value),
            _ => Err(Error::Corrupt(format!("column {index} is null"))),
        }
    }

    /// An instant, in milliseconds since 1970; a null is [`crate::Error::Corrupt`].
    pub fn timestamp(&self, index: usize) -> Result<i64> {
        match self.get(index, ColumnType::Timestamp)? {
            ValueRef::Timestamp(value) => Ok(value),
            _ => Err(Error::Corrupt(format!("column {index} is null"))),
        }
    }

    /// Returns true if the value at `index` is null.
    pub fn is_null(&self, index: usize) -> Result<bool> {
        match self.source {
            RowSource::Sqlite(row) => values::is_null(row, index),
            RowSource::Postgres(row) => wire::is_null(row, index),
        }
    }
}
