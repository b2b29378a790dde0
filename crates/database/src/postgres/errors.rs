//! PostgreSQL's errors, as ours.

use crate::{Error, Violation};
use tokio_postgres::error::SqlState;

/// Why a statement gave nothing.
pub(super) enum Problem {
    /// The server said so.
    Server {
        error: Box<ServerError>,
        /// True if it had run nothing of what it was sent.
        untouched: bool,
    },
    /// The connection broke.
    Lost {
        reason: String,
        /// True if nothing of what was to be sent can have reached the server.
        untouched: bool,
    },
    /// There is no connection.
    Unreachable(String),
    /// A value was of another type than the statement expects; it was not sent.
    Mismatch(String),
    /// A statement or a value that cannot be sent.
    Refused(String),
    /// The job's own code; the connection is sound.
    Ours(Error),
}

/// The fields of an error from the server.
#[derive(Default)]
pub(super) struct ServerError {
    pub(super) severity: String,
    pub(super) code: String,
    pub(super) message: String,
    pub(super) detail: Option<String>,
    pub(super) table: Option<String>,
    pub(super) constraint: Option<String>,
    /// The function of the server's code.
    pub(super) routine: Option<String>,
}

impl ServerError {
    fn is(&self, states: &[SqlState]) -> bool {
        states.iter().any(|state| state.code() == self.code)
    }
}

impl Problem {
    /// Returns true if the connection is of no use any more.
    pub(super) fn lost(&self) -> bool {
        match self {
            Problem::Server { error, .. } => error.severity == "FATAL" || error.severity == "PANIC",
            Problem::Lost { .. } => true,
            _ => false,
        }
    }

    /// Returns true if the server can have run nothing of what it was sent.
    pub(super) fn untouched(&self) -> bool {
        matches!(self, Problem::Server { untouched: true, .. } | Problem::Lost { untouched: true, .. })
    }

    /// The same, of an exchange that runs nothing.
    pub(super) fn before_anything(self) -> Self {
        match self {
            Problem::Server { error, .. } => Problem::Server { error, untouched: true },
            Problem::Lost { reason, .. } => Problem::Lost { reason, untouched: true },
            other => other,
        }
    }

    /// Returns true if the statement was planned for tables that have changed since.
    pub(super) fn stale(&self) -> bool {
        self.is(&[SqlState::FEATURE_NOT_SUPPORTED, SqlState::UNDEFINED_FUNCTION, SqlState::DATATYPE_MISMATCH])
    }

    /// Returns true if the statement speaks of what the tables do not have, or have in another form: they may have
    /// changed after the job learnt what they are.
    pub(super) fn outdated(&self) -> bool {
        self.stale() || self.missing() || self.is(&[SqlState::UNDEFINED_COLUMN])
    }

    /// Returns true if a value was of another type than the statement expects; it was not sent.
    pub(super) fn mismatched(&self) -> bool {
        matches!(self, Problem::Mismatch(_))
    }

    /// Returns true if the same transaction may succeed when it is run again.
    pub(super) fn passing(&self) -> bool {
        self.is(&[SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED])
    }

    /// Returns whether the server undid the transaction because others waited for it, and it for them.
    pub(super) fn deadlocked(&self) -> bool {
        self.is(&[SqlState::T_R_DEADLOCK_DETECTED])
    }

    /// Returns true if a table was not there.
    pub(super) fn missing(&self) -> bool {
        self.is(&[SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME])
    }

    /// Returns true if a number was divided by zero.
    pub(super) fn division_by_zero(&self) -> bool {
        self.is(&[SqlState::DIVISION_BY_ZERO])
    }

    fn is(&self, states: &[SqlState]) -> bool {
        matches!(self, Problem::Server { error, .. } if error.is(states))
    }

    pub(super) fn into_error(self) -> Error {
        match self {
            Problem::Ours(error) => error,
            Problem::Unreachable(detail) => {
                tracing::warn!(detail, "PostgreSQL cannot be reached");
                Error::Busy
            }
            Problem::Lost { reason, .. } => {
                tracing::debug!(reason, "a connection to PostgreSQL ended");
                Error::Busy
            }
            Problem::Mismatch(reason) | Problem::Refused(reason) => Error::Failed(reason),
            Problem::Server { error, .. } => server(&error),
        }
    }
}

fn server(error: &ServerError) -> Error {
    let said = || format!("{} ({})", error.message, error.code);
    if error.is(&[SqlState::UNIQUE_VIOLATION]) {
        unique(error).map_or_else(|| Error::Failed(said()), Error::Violation)
    } else if error.is(&[SqlState::FOREIGN_KEY_VIOLATION]) {
        Error::Violation(Violation::Reference { from: reference(error) })
    } else if row_too_large(error) {
        Error::RowTooLarge
    } else if error.is(&[SqlState::QUERY_CANCELED]) {
        Error::Timeout
    } else if error.is(&[
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
    ]) {
        Error::Busy
    } else if error.is(&[SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED]) {
        Error::Unusable(said())
    } else {
        Error::Failed(said())
    }
}

/// Returns whether a row does not fit into a page of 8 KB, of which a long value takes 18 bytes at least. Other limits have
/// the same code, and messages have the server's language.
fn row_too_large(error: &ServerError) -> bool {
    let finds_room = error.routine.as_deref() == Some("RelationGetBufferForTuple");
    finds_room && error.is(&[SqlState::PROGRAM_LIMIT_EXCEEDED])
}

/// The columns stand in the detail, `Key (p12, p13)=(…) already exists.`, whatever its language: our names hold no
/// parenthesis. The name of the index would not do, since names may contain its separator.
fn unique(error: &ServerError) -> Option<Violation> {
    let (_, rest) = error.detail.as_deref()?.split_once('(')?;
    let (columns, _) = rest.split_once(")=(")?;
    let columns = columns.split(", ").map(str::to_owned).collect();
    Some(Violation::Unique { table: error.table.clone()?, columns })
}

/// The constraint `f_t7_p12` of table `t7`.
fn reference(error: &ServerError) -> Option<(String, String)> {
    let table = error.table.as_deref()?;
    let column = error.constraint.as_deref()?.strip_prefix("f_")?.strip_prefix(table)?.strip_prefix('_')?;
    Some((table.to_owned(), column.to_owned()))
}
