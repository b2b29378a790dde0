//! The errors of statements, as data: nobody else reads an engine's error text.

use std::fmt;

/// The reason why a statement or a transaction failed.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    /// A constraint does not hold.
    Violation(ConstraintViolation),
    /// No connection or lock was to be had in time: try again later.
    Busy,
    /// The disk of a file has no room: the transaction is undone, and the same one may succeed later. The text is the
    /// path of the file.
    NoRoom(String),
    /// The statement ran longer than it may and was stopped.
    Timeout,
    /// A row would have more than the engine keeps in one.
    RowTooLarge,
    /// The values of an index would take more bytes than the engine keeps in one of its entries.
    IndexEntryTooLarge,
    /// The store does not exist.
    NoStore,
    /// The store is there but cannot be used, such as one that cannot be opened; the text is for the log.
    Unusable(String),
    /// The engine found pages or indexes of the store damaged; the text is for the log.
    Damaged(String),
    /// A row holds what its column's type does not allow; the text is for the log.
    Corrupt(String),
    /// Anything else; the text is for the log, never for a client.
    Failed(String),
}

/// A violated constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConstraintViolation {
    /// A unique set of columns has these values already.
    Unique {
        /// The table, as it was named when it was made.
        table: String,
        /// The columns of the unique set, in its order.
        columns: Vec<String>,
    },
    /// A reference points nowhere, or a row is still referred to.
    /// SQLite does not say which reference; PostgreSQL does.
    Reference {
        /// The table that refers and its column, where the engine tells.
        from: Option<(String, String)>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Violation(ConstraintViolation::Unique { table, columns }) => {
                write!(formatter, "{table} ({}) must be unique", columns.join(", "))
            }
            Error::Violation(ConstraintViolation::Reference { from: Some((table, column)) }) => {
                write!(formatter, "the reference {table}.{column} does not hold")
            }
            Error::Violation(ConstraintViolation::Reference { from: None }) => {
                formatter.write_str("a reference does not hold")
            }
            Error::Busy => formatter.write_str("the database is busy"),
            Error::NoRoom(path) => write!(formatter, "there is no room on the disk of {path}"),
            Error::Timeout => formatter.write_str("the statement took too long"),
            Error::RowTooLarge => formatter.write_str("the row is too large"),
            Error::IndexEntryTooLarge => formatter.write_str("the values of an index are too long"),
            Error::NoStore => formatter.write_str("there is no such store"),
            Error::Unusable(detail) => write!(formatter, "the store cannot be used: {detail}"),
            Error::Damaged(detail) => write!(formatter, "the store is damaged: {detail}"),
            Error::Corrupt(detail) => write!(formatter, "a stored value is damaged: {detail}"),
            Error::Failed(detail) => formatter.write_str(detail),
        }
    }
}

impl std::error::Error for Error {}
