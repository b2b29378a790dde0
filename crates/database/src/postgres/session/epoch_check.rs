//! Checks that the epochs which a job was told still hold: a SELECT beside its statements, compared here.
//!
//! What is committed in the same round trip cannot wait for that comparison. The server compares then, and an error of
//! its own keeps it from the COMMIT: 64 clients wrote a quarter less in a second where the COMMIT waited for the row. The
//! error stands in the server's log, once for each connection that wrote on old epochs, and says why.

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

/// Turns a statement into one that gives the epochs if a check holds; else it fails, see
/// [`super::problem::StatementProblem::is_refused_check`].
pub(super) fn require_epochs(mut sql: Sql, check: EpochCheck) -> Sql {
    // An aggregate, so that a table without the row fails, too.
    sql.push("SELECT max(access), max(configuration), CAST(CASE WHEN ");
    match check {
        EpochCheck::Both(told) => {
            sql.push("max(access) = ").bind(told.access);
            sql.push(" AND max(configuration) = ").bind(told.configuration);
        }
        EpochCheck::Configuration(told) => _ = sql.push("max(configuration) = ").bind(told),
    }
    sql.push(" THEN '0' ELSE 'Plinth writes again: rights or types have changed' END AS integer) FROM ");
    sql.table(&ddl::STATE).push(" WHERE id = 1");
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
