//! The reasons why a statement gave nothing, and the errors that callers see.

use crate::postgres::wire::{EncodeError, ServerError};
use crate::{ConstraintViolation, Error};
use tokio_postgres::error::SqlState;

/// The reason why a statement gave nothing.
pub(crate) enum StatementProblem {
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

impl From<EncodeError> for StatementProblem {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::Mismatch(reason) => StatementProblem::Mismatch(reason),
            EncodeError::Refused(reason) => StatementProblem::Refused(reason),
        }
    }
}

impl StatementProblem {
    /// Returns true if the connection is of no use any more.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            StatementProblem::Server { error, .. } => error.severity == "FATAL" || error.severity == "PANIC",
            StatementProblem::Lost { .. } => true,
            _ => false,
        }
    }

    /// Returns true if the server takes no writes: it is a standby, or became one. The beginning of a write says so, before
    /// anything was done.
    pub(crate) fn is_standby(&self) -> bool {
        matches!(self, StatementProblem::Server { error, .. } if error.is_refused_in_recovery())
    }

    /// Returns true if a pooler had no connection left in time: another try would wait as long again.
    pub(crate) fn is_full_pooler(&self) -> bool {
        matches!(self, StatementProblem::Server { error, .. } if error.is_of_full_pooler())
    }

    /// Returns true if the server can have run nothing of what it was sent.
    pub(crate) fn is_untouched(&self) -> bool {
        matches!(
            self,
            StatementProblem::Server { untouched: true, .. } | StatementProblem::Lost { untouched: true, .. }
        )
    }

    /// The same, of an exchange that runs nothing.
    pub(crate) fn before_anything(self) -> Self {
        match self {
            StatementProblem::Server { error, .. } => StatementProblem::Server { error, untouched: true },
            StatementProblem::Lost { reason, .. } => StatementProblem::Lost { reason, untouched: true },
            other => other,
        }
    }

    /// Returns true if the statement was planned for tables that have changed since.
    pub(crate) fn is_stale_plan(&self) -> bool {
        self.is(&[SqlState::FEATURE_NOT_SUPPORTED, SqlState::UNDEFINED_FUNCTION, SqlState::DATATYPE_MISMATCH])
    }

    /// Returns true if the statement speaks of what the tables do not have, or have in another form: they may have
    /// changed after the job learnt what they are.
    pub(crate) fn is_outdated(&self) -> bool {
        self.is_stale_plan() || self.is_missing() || self.is(&[SqlState::UNDEFINED_COLUMN])
    }

    /// Returns true if a check of epochs failed, or another text was no number: the caller knows which it can be.
    pub(crate) fn is_refused_check(&self) -> bool {
        self.is(&[SqlState::INVALID_TEXT_REPRESENTATION])
    }

    /// Returns true if a value was of another type than the statement expects; it was not sent.
    pub(crate) fn is_mismatch(&self) -> bool {
        matches!(self, StatementProblem::Mismatch(_))
    }

    /// Returns true if the same transaction may succeed when it is run again.
    pub(crate) fn is_passing(&self) -> bool {
        self.is(&[SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED])
    }

    /// Returns true if the server undid the transaction because others waited for it, and it for them.
    pub(crate) fn is_deadlock(&self) -> bool {
        self.is(&[SqlState::T_R_DEADLOCK_DETECTED])
    }

    /// Returns true if a table was not there.
    pub(crate) fn is_missing(&self) -> bool {
        self.is(&[SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME])
    }

    fn is(&self, states: &[SqlState]) -> bool {
        matches!(self, StatementProblem::Server { error, .. } if error.is(states))
    }

    pub(crate) fn into_error(self) -> Error {
        match self {
            StatementProblem::Ours(error) => error,
            StatementProblem::Unreachable(detail) => {
                tracing::warn!(detail, "PostgreSQL cannot be reached");
                Error::Busy
            }
            StatementProblem::Lost { reason, .. } => {
                tracing::debug!(reason, "a connection to PostgreSQL ended");
                Error::Busy
            }
            StatementProblem::Mismatch(reason) | StatementProblem::Refused(reason) => Error::Failed(reason),
            StatementProblem::Server { error, .. } if error.is_refused_in_recovery() => {
                tracing::warn!("PostgreSQL is a standby, which takes no writes");
                Error::Busy
            }
            StatementProblem::Server { error, .. } if error.is_of_pooler() => {
                tracing::warn!(detail = error.message, "the pooler in front of PostgreSQL gave up");
                Error::Busy
            }
            StatementProblem::Server { error, .. } => server(&error),
        }
    }
}

fn server(error: &ServerError) -> Error {
    let said = || format!("{} ({})", error.message, error.code);
    if error.is(&[SqlState::UNIQUE_VIOLATION]) {
        error.unique().map_or_else(|| Error::Failed(said()), Error::Violation)
    } else if error.is(&[SqlState::FOREIGN_KEY_VIOLATION]) {
        Error::Violation(ConstraintViolation::Reference { from: error.reference() })
    } else if error.is_row_too_large() {
        Error::RowTooLarge
    } else if error.is_index_entry_too_large() {
        Error::IndexEntryTooLarge
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
        Error::Damaged(said())
    } else {
        Error::Failed(said())
    }
}
