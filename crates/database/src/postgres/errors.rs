//! PostgreSQL's errors, as ours.

use super::encode::Mismatch;
use crate::{Error, Violation};
use std::error::Error as _;
use tokio_postgres::error::{DbError, SqlState};

/// Why a statement gave nothing.
pub(super) enum Problem {
    /// The server or the way to it.
    Driver(tokio_postgres::Error),
    /// There is no connection.
    Unreachable(String),
    /// The job's own code, or a value that cannot be sent; the connection is sound.
    Ours(Error),
}

impl From<tokio_postgres::Error> for Problem {
    fn from(error: tokio_postgres::Error) -> Self {
        Problem::Driver(error)
    }
}

impl Problem {
    /// Whether the connection is of no use any more.
    pub(super) fn lost(&self) -> bool {
        match self {
            Problem::Driver(error) => match error.as_db_error() {
                Some(error) => {
                    [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW]
                        .contains(error.code())
                        || *error.code() == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
                }
                None => error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>()),
            },
            Problem::Unreachable(_) | Problem::Ours(_) => false,
        }
    }

    /// Whether the statement was planned for tables that have changed since.
    pub(super) fn stale(&self) -> bool {
        self.is(&[SqlState::FEATURE_NOT_SUPPORTED, SqlState::UNDEFINED_FUNCTION, SqlState::DATATYPE_MISMATCH])
    }

    /// Whether the statement speaks of what the tables do not have, or have in another form: they may have changed
    /// after the job learnt what they are.
    pub(super) fn outdated(&self) -> bool {
        self.stale() || self.missing() || self.is(&[SqlState::UNDEFINED_COLUMN])
    }

    /// Whether a value was of another type than the statement expects; it was not sent.
    pub(super) fn mismatched(&self) -> bool {
        matches!(self, Problem::Driver(error) if error.source().is_some_and(|source| source.is::<Mismatch>()))
    }

    /// Whether the same transaction may succeed when it is run again.
    pub(super) fn passing(&self) -> bool {
        self.is(&[SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED])
    }

    /// Whether a table was not there.
    pub(super) fn missing(&self) -> bool {
        self.is(&[SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME])
    }

    /// Whether a number was divided by zero.
    pub(super) fn division_by_zero(&self) -> bool {
        self.is(&[SqlState::DIVISION_BY_ZERO])
    }

    fn is(&self, states: &[SqlState]) -> bool {
        matches!(self, Problem::Driver(error) if error.code().is_some_and(|code| states.contains(code)))
    }

    pub(super) fn into_error(self) -> Error {
        match self {
            Problem::Ours(error) => error,
            Problem::Unreachable(detail) => {
                tracing::warn!(detail, "PostgreSQL cannot be reached");
                Error::Busy
            }
            Problem::Driver(error) => match error.as_db_error() {
                Some(error) => server(error),
                None if error.is_closed() => Error::Busy,
                None => Error::Failed(chain(&error)),
            },
        }
    }
}

fn server(error: &DbError) -> Error {
    let code = error.code();
    if *code == SqlState::UNIQUE_VIOLATION {
        unique(error).map_or_else(|| Error::Failed(error.to_string()), Error::Violation)
    } else if *code == SqlState::FOREIGN_KEY_VIOLATION {
        Error::Violation(Violation::Reference { from: reference(error) })
    } else if *code == SqlState::QUERY_CANCELED {
        Error::Timeout
    } else if [
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
    ]
    .contains(code)
    {
        Error::Busy
    } else if [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].contains(code) {
        Error::Unusable(error.to_string())
    } else {
        Error::Failed(format!("{error} ({})", code.code()))
    }
}

/// The columns stand in the detail, `Key (p12, p13)=(…) already exists.`, whatever its language: our names hold no
/// parenthesis. The name of the index would not do, since names may contain its separator.
fn unique(error: &DbError) -> Option<Violation> {
    let (_, rest) = error.detail()?.split_once('(')?;
    let (columns, _) = rest.split_once(")=(")?;
    let columns = columns.split(", ").map(str::to_owned).collect();
    Some(Violation::Unique { table: error.table()?.to_owned(), columns })
}

/// The constraint `f_t7_p12` of table `t7`.
fn reference(error: &DbError) -> Option<(String, String)> {
    let table = error.table()?;
    let column = error.constraint()?.strip_prefix("f_")?.strip_prefix(table)?.strip_prefix('_')?;
    Some((table.to_owned(), column.to_owned()))
}

/// An error with its causes; the driver's own text names only the kind.
pub(super) fn chain(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
