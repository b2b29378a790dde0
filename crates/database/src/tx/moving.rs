//! Rows that come from another store: references wait for all of them, and numbers go on where those left off.

use super::TransactionEngine;
use crate::sql::SqlDialect;
use crate::{Name, Result, TableSpec, Tx, ddl};

impl Tx<'_> {
    /// Runs a part of a write in which rows may refer to rows that do not exist yet. Afterwards they have to: else the
    /// write fails, here or at its commit.
    pub fn without_references<T, E>(
        &mut self,
        tables: &[TableSpec],
        part: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<crate::Error>,
    {
        self.change(|dialect| match dialect {
            SqlDialect::Sqlite => "PRAGMA defer_foreign_keys = ON".to_owned(),
            SqlDialect::Postgres { .. } => ddl::drop_references(dialect, tables),
        })?;
        let done = part(self)?;
        if matches!(self.engine, TransactionEngine::Postgres(_)) {
            self.change(|dialect| ddl::add_references(dialect, tables))?;
        }
        Ok(done)
    }

    /// Returns the last number that the engine gave to a row of a table; 0 where it gave none.
    pub fn last_number(&mut self, table: &Name) -> Result<i64> {
        let mut sql = self.sql();
        match &self.engine {
            TransactionEngine::Sqlite(_) => {
                sql.push("SELECT seq FROM sqlite_sequence WHERE name = ").bind(table.as_str());
            }
            TransactionEngine::Postgres(_) => {
                sql.push("SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM ");
                sql.table(&sequence(table));
            }
        }
        let mut last = 0;
        self.query(&sql, &mut |row| {
            last = row.integer(0)?;
            Ok(())
        })?;
        Ok(last)
    }

    /// Has the engine give numbers from the one behind this on to rows of a table.
    pub fn number_behind(&mut self, table: &Name, last: i64) -> Result<()> {
        if last <= self.last_number(table)? {
            return Ok(());
        }
        let mut sql = self.sql();
        match &self.engine {
            TransactionEngine::Sqlite(_) => {
                sql.push("DELETE FROM sqlite_sequence WHERE name = ").bind(table.as_str());
                self.execute(&sql)?;
                sql = self.sql();
                sql.push("INSERT INTO sqlite_sequence (name, seq) VALUES (").bind(table.as_str()).push(", ");
                sql.bind(last).push(")");
                self.execute(&sql).map(drop)
            }
            TransactionEngine::Postgres(_) => {
                let name = ddl::of(&sql.dialect, &sequence(table));
                sql.push("SELECT setval(").bind(name).push("::text::regclass, ").bind(last).push(")");
                self.query(&sql, &mut |_| Ok(()))
            }
        }
    }
}

/// The name that PostgreSQL gives to the numbers of a table's rows.
fn sequence(table: &Name) -> Name {
    table.with_end("_id_seq")
}
