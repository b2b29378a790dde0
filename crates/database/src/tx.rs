//! A transaction: the statements of one job on one store.

mod for_each;
mod moving;
mod tables;

pub use for_each::OwnedStatement;

use crate::postgres::PostgresTransaction;
use crate::request_jobs::timed;
use crate::sql::SqlDialect;
use crate::sqlite::SqliteTransaction;
use crate::{ColumnType, Epochs, Error, Name, Result, Row, Sql, Value, ddl};
use std::collections::HashMap;

/// Statements of one job on one store. See [`crate::Store::read`] and [`crate::Store::write`].
///
/// A write job in which a statement failed cannot be committed, and must give an error;
/// what may fail and be forgotten goes into [`Tx::savepoint`].
pub struct Tx<'c> {
    pub(crate) engine: TransactionEngine<'c>,
}

/// The transaction of the engine that runs the statements.
pub(crate) enum TransactionEngine<'c> {
    Sqlite(SqliteTransaction<'c>),
    Postgres(PostgresTransaction<'c>),
}

/// Calls the same method on whichever engine it is.
macro_rules! engine {
    ($tx:expr, $transaction:ident => $call:expr) => {
        match &mut $tx.engine {
            TransactionEngine::Sqlite($transaction) => $call,
            TransactionEngine::Postgres($transaction) => $call,
        }
    };
}

impl Tx<'_> {
    /// An empty statement for this store.
    pub fn sql(&self) -> Sql {
        match &self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.sql(),
            TransactionEngine::Postgres(transaction) => transaction.sql(),
        }
    }

    /// Returns true if others may write to this store meanwhile, and hold locks that statements wait for.
    pub fn has_other_writers(&self) -> bool {
        matches!(self.engine, TransactionEngine::Postgres(_))
    }

    /// Returns true if statements wait for a server. Those of SQLite run on this thread, and recorded ones have answers.
    pub(crate) fn waits(&self) -> bool {
        match &self.engine {
            TransactionEngine::Sqlite(_) => false,
            TransactionEngine::Postgres(transaction) => !transaction.is_recorded(),
        }
    }

    /// Fails where the job has to end: for loops over what a client gave, between whose statements time may pass.
    /// Statements ask of themselves.
    pub fn check_deadline(&self) -> Result<()> {
        match &self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.deadline().check(),
            TransactionEngine::Postgres(transaction) => transaction.deadline().check(),
        }
    }

    /// Runs a statement; returns the number of rows that it changed.
    pub fn execute(&mut self, sql: &Sql) -> Result<u64> {
        timed(&[sql], |rows| {
            let changed = engine!(self, transaction => transaction.execute(sql));
            *rows = changed.as_ref().copied().unwrap_or_default();
            changed
        })
    }

    /// Runs a statement and hands each row to `each`.
    pub fn query(&mut self, sql: &Sql, each: &mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        timed(&[sql], |rows| {
            let counted = &mut |row: &Row<'_>| {
                *rows += 1;
                each(row)
            };
            engine!(self, transaction => transaction.query(sql, counted))
        })
    }

    /// Returns a measure of the work of a write's statements so far: instructions of SQLite's machine, rows that
    /// PostgreSQL read. It bounds work by counts, where times depend on the machine.
    pub fn effort(&mut self) -> Result<i64> {
        match &mut self.engine {
            TransactionEngine::Sqlite(transaction) => Ok(transaction.effort()),
            TransactionEngine::Postgres(transaction) => transaction.effort(),
        }
    }

    /// Returns true if a statement gives any row. That of a read that finds many should say that one is enough.
    pub fn any(&mut self, sql: &Sql) -> Result<bool> {
        let mut found = false;
        self.query(sql, &mut |_| {
            found = true;
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns the engine's plan for a statement that reads, in its own words, a line for each step. The statement is
    /// not run. What the words mean differs from engine to engine: they are for people.
    pub fn plan(&mut self, sql: &Sql) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        match &mut self.engine {
            TransactionEngine::Sqlite(transaction) => {
                let explained = sql.behind("EXPLAIN QUERY PLAN ");
                let mut depths = HashMap::new();
                transaction.query(&explained, &mut |row| {
                    let depth = depths.get(&row.integer(1)?).map_or(0, |depth| depth + 1);
                    depths.insert(row.integer(0)?, depth);
                    lines.push(format!("{}{}", "  ".repeat(depth), row.text(3)?));
                    Ok(())
                })?;
            }
            TransactionEngine::Postgres(transaction) => transaction.query(&sql.behind("EXPLAIN "), &mut |row| {
                lines.push(row.text(0)?.to_owned());
                Ok(())
            })?,
        }
        Ok(lines)
    }

    /// Runs several statements, in one round trip where there is a network; `each` gets the statement's index.
    pub fn query_all(
        &mut self,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        timed(statements, |rows| {
            let counted = &mut |index: usize, row: &Row<'_>| {
                *rows += 1;
                each(index, row)
            };
            engine!(self, transaction => transaction.query_all(statements, counted))
        })
    }

    /// Runs a statement of a write whose outcome nobody needs before the commit, and saves a round trip where there
    /// is a network. Where it fails, all is undone and the writer gets the error: not for what may violate a
    /// constraint that is to be explained.
    pub fn defer(&mut self, sql: Sql) -> Result<()> {
        match &mut self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.execute(&sql).map(|_| ()),
            TransactionEngine::Postgres(transaction) => transaction.defer(sql),
        }
    }

    /// Runs the last statements of a write, and saves a round trip where there is a network: they are committed along
    /// the way. `each` gets the statement's index. Nothing may follow; where the job gives an error after this gave
    /// none, it stays committed.
    pub fn commit_with(
        &mut self,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        timed(statements, |rows| {
            let counted = &mut |index: usize, row: &Row<'_>| {
                *rows += 1;
                each(index, row)
            };
            match &mut self.engine {
                TransactionEngine::Sqlite(transaction) => transaction.query_all(statements, counted),
                TransactionEngine::Postgres(transaction) => transaction.commit_with(statements, counted),
            }
        })
    }

    /// Makes the statements that follow, in a read, see one state of the store. In a write, nothing changes.
    pub fn snapshot(&mut self) -> Result<()> {
        engine!(self, transaction => transaction.snapshot())
    }

    /// Locks the store for a write to its end, once no other writes to it: for changes that other writes rest on. Ask for
    /// it before the first statement, else two may wait for each other.
    pub fn lock_store(&mut self) -> Result<()> {
        match &mut self.engine {
            // The file has one writer at a time anyway.
            TransactionEngine::Sqlite(_) => Ok(()),
            TransactionEngine::Postgres(transaction) => transaction.lock_store(),
        }
    }

    /// Has a change of tables give up within a second where somebody reads them for long, as a backup does: until it has
    /// them, all others who ask for them wait behind it. SQLite has no such locks.
    pub fn give_up_soon(&mut self) -> Result<()> {
        match &self.engine {
            TransactionEngine::Sqlite(_) => Ok(()),
            TransactionEngine::Postgres(_) => self.change(|_| "SET LOCAL lock_timeout = '1s'".to_owned()),
        }
    }

    /// Has a write hold the store's write lock to its end: beside others, or exclusively. Writes that do not ask for it
    /// are not kept out. What follows sees all that was committed by those that it waited for. To be asked for before
    /// rows are locked.
    pub fn write_lock(&mut self, exclusive: bool) -> Result<()> {
        match &mut self.engine {
            // The file has one writer at a time anyway.
            TransactionEngine::Sqlite(_) => Ok(()),
            TransactionEngine::Postgres(transaction) => transaction.write_lock(exclusive),
        }
    }

    /// Takes a lock of a name, for a write to its end; returns false where another write of the store has it.
    pub fn try_lock(&mut self, name: &str) -> Result<bool> {
        match &mut self.engine {
            // The file has one writer at a time anyway.
            TransactionEngine::Sqlite(_) => Ok(true),
            TransactionEngine::Postgres(transaction) => transaction.try_lock(name),
        }
    }

    /// Returns true if the write had the store to itself from its start. If not, it fails and its job runs again with the
    /// store to itself; a job that runs once waits for the store here, and reads again what it rests on.
    ///
    /// For a write that finds out that what it read may have been changed before it wrote, and that no row's lock keeps.
    pub fn require_store(&mut self) -> Result<bool> {
        match &mut self.engine {
            // The file has one writer at a time anyway.
            TransactionEngine::Sqlite(_) => Ok(true),
            TransactionEngine::Postgres(transaction) => transaction.require_store(),
        }
    }

    /// Runs a part of a write that is undone alone where it gives an error; the rest may go on.
    pub fn savepoint<T, E: From<Error>>(&mut self, part: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        engine!(self, transaction => transaction.command("SAVEPOINT part"))?;
        let outcome = part(self);
        if outcome.is_ok() && !self.spoilt() {
            engine!(self, transaction => transaction.command("RELEASE SAVEPOINT part"))?;
        } else {
            engine!(self, transaction => transaction.undo_savepoint())?;
        }
        outcome
    }

    /// The epochs of the store. Costs next to nothing where nothing was committed since this connection last asked.
    pub fn epochs(&mut self) -> Result<Epochs> {
        engine!(self, transaction => transaction.epochs())
    }

    /// The number that a read was told under this name, where it is certain without a statement that the store holds
    /// it still: nothing was committed since. Which numbers there are, and their names, the caller knows.
    pub fn cached_number(&mut self, name: i64) -> Result<Option<i64>> {
        match &mut self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.cached_number(name),
            // Others commit at any time: only a statement tells.
            TransactionEngine::Postgres(_) => Ok(None),
        }
    }

    /// Notes a number for [`Tx::cached_number`], which this read just took out of the store.
    pub fn cache_number(&mut self, name: i64, number: i64) -> Result<()> {
        match &mut self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.cache_number(name, number),
            TransactionEngine::Postgres(_) => Ok(()),
        }
    }

    /// Raises [`Epochs::access`].
    pub fn raise_access(&mut self) -> Result<()> {
        let mut sql = self.sql();
        sql.push("UPDATE ").table(&ddl::STATE).push(" SET access = access + 1 WHERE id = 1");
        self.execute(&sql).map(|_| ())
    }

    /// Raises [`Epochs::configuration`], and with it [`Epochs::access`].
    pub fn raise_configuration(&mut self) -> Result<()> {
        let mut sql = self.sql();
        sql.push("UPDATE ").table(&ddl::STATE);
        sql.push(" SET access = access + 1, configuration = configuration + 1 WHERE id = 1");
        self.execute(&sql)?;
        match &mut self.engine {
            // The file itself tells when it changed.
            TransactionEngine::Sqlite(_) => Ok(()),
            TransactionEngine::Postgres(transaction) => transaction.mark(),
        }
    }

    /// Has [`crate::Database::growth`] tell of a table whose rows the engine numbers as if one were added: a row that
    /// was there is to be looked at again.
    pub fn grow(&mut self, table: &Name) -> Result<()> {
        match &mut self.engine {
            // The file itself tells when it changed.
            TransactionEngine::Sqlite(_) => Ok(()),
            TransactionEngine::Postgres(transaction) => transaction.grow(table),
        }
    }

    /// Makes the epochs of a new store begin elsewhere than those of one that had its name before, so that what
    /// somebody cached of that one is never taken for its own.
    pub fn begin_epochs(&mut self, at: i64) -> Result<()> {
        let mut sql = self.sql();
        sql.push("UPDATE ").table(&ddl::STATE).push(" SET access = ").bind(at).push(", configuration = ").bind(at);
        sql.push(" WHERE id = 1");
        self.execute(&sql).map(|_| ())
    }

    /// A small number, from 0 to 15, that spreads a counter over several rows where transactions run side by
    /// side, so that they need not wait for one another. Sum the rows to read the counter.
    pub fn slot(&self) -> i64 {
        match &self.engine {
            TransactionEngine::Sqlite(_) => 0,
            TransactionEngine::Postgres(transaction) => transaction.slot(),
        }
    }

    /// Inserts rows in bulk; returns the ids of an identity table's new rows, in order, else nothing.
    /// Whether it is one shows in the columns: a table whose rows carry their own `id`, or which has no
    /// such column, gives nothing.
    pub fn insert_many(
        &mut self,
        table: &Name,
        columns: &[(Name, ColumnType)],
        rows: &[Vec<Value>],
    ) -> Result<Vec<i64>> {
        engine!(self, transaction => transaction.insert_many(table, columns, rows))
    }

    /// [`Tx::insert_many`] of rows whose ids nobody asks for, and which do not carry their own, in the manner of
    /// [`Tx::defer`].
    pub fn defer_many(&mut self, table: &Name, columns: &[(Name, ColumnType)], rows: &[Vec<Value>]) -> Result<()> {
        match &mut self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.insert_many(table, columns, rows).map(|_| ()),
            TransactionEngine::Postgres(transaction) => transaction.defer_many(table, columns, rows),
        }
    }

    /// Returns true if a statement of a write failed, so that it must not be committed.
    pub(crate) fn spoilt(&self) -> bool {
        match &self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.spoilt(),
            TransactionEngine::Postgres(transaction) => transaction.spoilt(),
        }
    }

    /// Runs text of this crate that changes tables.
    pub(crate) fn change(&mut self, text: impl FnOnce(&SqlDialect) -> String) -> Result<()> {
        let text = text(&self.sql().dialect);
        engine!(self, transaction => transaction.change(&text))
    }
}
