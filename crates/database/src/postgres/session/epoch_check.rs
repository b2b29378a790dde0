//! Checks that the epochs which a job was told still hold: a SELECT beside its statements, compared here.
//!
//! A check that fails is no error of the server, so that none stands in its operator's log.

use crate::{Epochs, Result, Row, Sql, ddl};

/// A comparison of stored epochs with those that a job rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EpochCheck {
    /// Both must be the same.
    Both(Epochs),
    /// The configuration must be the same.
    Configuration(i64),
}

/// Turns a statement into one that gives the epochs: one row.
pub(super) fn select_epochs(mut sql: Sql) -> Sql {
    sql.push("SELECT access, configuration FROM ").table(&ddl::STATE).push(" WHERE id = 1");
    sql
}

/// Reads the row of [`select_epochs`].
pub(super) fn read_epochs(row: &Row<'_>) -> Result<Epochs> {
    Ok(Epochs { access: row.integer(0)?, configuration: row.integer(1)? })
}

impl EpochCheck {
    /// Returns true if stored epochs are those that the job rests on.
    pub(super) fn holds(self, stored: Epochs) -> bool {
        match self {
            EpochCheck::Both(told) => told == stored,
            EpochCheck::Configuration(told) => told == stored.configuration,
        }
    }
}
