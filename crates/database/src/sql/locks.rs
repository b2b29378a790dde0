//! Locks on the rows of a SELECT, held until the transaction ends. SQLite needs none: a file has one writer.

use super::{Sql, SqlDialect};

impl Sql {
    /// Appends to a SELECT that its rows must not be deleted, nor their keys changed, before this transaction ends.
    pub fn for_share(&mut self) -> &mut Self {
        match self.dialect {
            // The one writer of a file has nobody to wait for.
            SqlDialect::Sqlite => self,
            SqlDialect::Postgres { .. } => self.push(" FOR KEY SHARE"),
        }
    }

    /// Appends to a SELECT that its rows stay as they are until this transaction ends. Others may read them so, too.
    pub fn for_read(&mut self) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self,
            SqlDialect::Postgres { .. } => self.push(" FOR SHARE"),
        }
    }

    /// Appends to a SELECT that nobody else may change its rows before this transaction ends.
    pub fn for_update(&mut self) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self,
            SqlDialect::Postgres { .. } => self.push(" FOR UPDATE"),
        }
    }

    /// Appends to a SELECT that nobody else may change its rows before this transaction ends, while others may refer to
    /// them: for changes that leave the keys alone.
    pub fn for_change(&mut self) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self,
            SqlDialect::Postgres { .. } => self.push(" FOR NO KEY UPDATE"),
        }
    }
}
