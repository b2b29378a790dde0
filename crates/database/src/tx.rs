//! A transaction: the statements of one job on one store.

use crate::sql::Dialect;
use crate::{
    ColumnSpec, ColumnType, Error, IndexSpec, Name, Result, Row, Sql, TableDescription, TableSpec, Value, ddl,
    postgres, sqlite,
};
use std::collections::HashMap;

/// Statements of one job on one store. See [`crate::Store::read`] and [`crate::Store::write`].
///
/// A write job in which a statement failed cannot be committed, and must give an error;
/// what may fail and be forgotten goes into [`Tx::attempt`].
pub struct Tx<'c> {
    pub(crate) engine: Engine<'c>,
}

/// The transaction of the engine that runs the statements.
pub(crate) enum Engine<'c> {
    Sqlite(sqlite::Transaction<'c>),
    Postgres(postgres::Transaction<'c>),
}

/// Numbers that tell what is cached outside the store whether it still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epochs {
    /// Raised with every change of keys, users, roles: of who may do what.
    pub access: i64,
    /// Raised with every change of the configuration.
    pub configuration: i64,
}

/// Calls the same method on whichever engine it is.
macro_rules! engine {
    ($tx:expr, $transaction:ident => $call:expr) => {
        match &mut $tx.engine {
            Engine::Sqlite($transaction) => $call,
            Engine::Postgres($transaction) => $call,
        }
    };
}

impl Tx<'_> {
    /// An empty statement for this store.
    pub fn sql(&self) -> Sql {
        match &self.engine {
            Engine::Sqlite(_) => sqlite::sql(),
            Engine::Postgres(transaction) => transaction.sql(),
        }
    }

    /// Fails where the job has to end: for loops over what a client gave, between whose statements time may pass.
    /// Statements ask of themselves.
    pub fn check_deadline(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(transaction) => transaction.deadline().check(),
            Engine::Postgres(transaction) => transaction.deadline().check(),
        }
    }

    /// Runs a statement; gives the number of rows that it changed.
    pub fn execute(&mut self, sql: &Sql) -> Result<u64> {
        engine!(self, transaction => transaction.execute(sql))
    }

    /// Runs a statement and hands each row to `each`.
    pub fn query(&mut self, sql: &Sql, each: &mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        engine!(self, transaction => transaction.query(sql, each))
    }

    /// Returns a measure of the work of a write's statements so far: instructions of SQLite's machine, rows that
    /// PostgreSQL read. It bounds work by counts, where times depend on the machine.
    pub fn effort(&mut self) -> Result<i64> {
        match &mut self.engine {
            Engine::Sqlite(transaction) => Ok(transaction.effort()),
            Engine::Postgres(transaction) => transaction.effort(),
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
            Engine::Sqlite(transaction) => {
                let explained = sql.behind("EXPLAIN QUERY PLAN ");
                let mut depths = HashMap::new();
                transaction.query(&explained, &mut |row| {
                    let depth = depths.get(&row.integer(1)?).map_or(0, |depth| depth + 1);
                    depths.insert(row.integer(0)?, depth);
                    lines.push(format!("{}{}", "  ".repeat(depth), row.text(3)?));
                    Ok(())
                })?;
            }
            Engine::Postgres(transaction) => transaction.query(&sql.behind("EXPLAIN "), &mut |row| {
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
        engine!(self, transaction => transaction.query_all(statements, each))
    }

    /// Runs a statement of a write whose outcome nobody needs before the commit, and saves a round trip where there
    /// is a network. Where it fails, all is undone and the writer gets the error: not for what may violate a
    /// constraint that is to be explained.
    pub fn defer(&mut self, sql: Sql) -> Result<()> {
        match &mut self.engine {
            Engine::Sqlite(transaction) => transaction.execute(&sql).map(|_| ()),
            Engine::Postgres(transaction) => transaction.defer(sql),
        }
    }

    /// Runs the last statements of a write, and saves a round trip where there is a network: they are committed along
    /// the way. `each` gets the statement's index. Nothing may follow; where the job gives an error after this gave
    /// none, it stays committed.
    pub fn conclude(&mut self, statements: &[&Sql], each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>) -> Result<()> {
        match &mut self.engine {
            Engine::Sqlite(transaction) => transaction.query_all(statements, each),
            Engine::Postgres(transaction) => transaction.conclude(statements, each),
        }
    }

    /// Makes the statements that follow, in a read, see one state of the store. In a write, nothing changes.
    pub fn snapshot(&mut self) -> Result<()> {
        engine!(self, transaction => transaction.snapshot())
    }

    /// Has a write wait until no other writes to the store, and all others wait until it ends: for what changes
    /// what other writes rest on. To be asked for before the first statement, else two may wait for each other.
    pub fn alone(&mut self) -> Result<()> {
        match &mut self.engine {
            // The file has one writer at a time anyway.
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(transaction) => transaction.alone(),
        }
    }

    /// Has a write take its turn, to its end, among those that ask for one: side by side with others, or alone. What
    /// follows sees all that was committed by those that it waited for. To be asked for before rows are locked.
    pub fn turn(&mut self, alone: bool) -> Result<()> {
        match &mut self.engine {
            // The file has one writer at a time anyway.
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(transaction) => transaction.turn(alone),
        }
    }

    /// Runs a part of a write that is undone alone where it gives an error; the rest may go on.
    pub fn attempt<T, E: From<Error>>(&mut self, part: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        engine!(self, transaction => transaction.command("SAVEPOINT attempt"))?;
        let outcome = part(self);
        if outcome.is_ok() && !self.spoilt() {
            engine!(self, transaction => transaction.command("RELEASE SAVEPOINT attempt"))?;
        } else {
            engine!(self, transaction => transaction.undo_attempt())?;
        }
        outcome
    }

    /// The epochs of the store. Costs next to nothing where nothing was committed since this connection last asked.
    pub fn epochs(&mut self) -> Result<Epochs> {
        engine!(self, transaction => transaction.epochs())
    }

    /// The number that a read was told under this name, where it is certain without a statement that the store holds
    /// it still: nothing was committed since. Which numbers there are, and their names, the caller knows.
    pub fn known(&mut self, name: i64) -> Result<Option<i64>> {
        match &mut self.engine {
            Engine::Sqlite(transaction) => transaction.known(name),
            // Others commit at any time: only a statement tells.
            Engine::Postgres(_) => Ok(None),
        }
    }

    /// Notes a number for [`Tx::known`], which this read just took out of the store.
    pub fn know(&mut self, name: i64, number: i64) -> Result<()> {
        match &mut self.engine {
            Engine::Sqlite(transaction) => transaction.know(name, number),
            Engine::Postgres(_) => Ok(()),
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
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(transaction) => transaction.mark(),
        }
    }

    /// Has [`crate::Database::growth`] tell of a table whose rows the engine numbers as if one were added: a row that
    /// was there is to be looked at again.
    pub fn grow(&mut self, table: &Name) -> Result<()> {
        match &mut self.engine {
            // The file itself tells when it changed.
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(transaction) => transaction.grow(table),
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
            Engine::Sqlite(_) => 0,
            Engine::Postgres(transaction) => transaction.slot(),
        }
    }

    /// Inserts rows in bulk; gives the ids of an identity table's new rows, in order, else nothing.
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
            Engine::Sqlite(transaction) => transaction.insert_many(table, columns, rows).map(|_| ()),
            Engine::Postgres(transaction) => transaction.defer_many(table, columns, rows),
        }
    }

    /// Makes what [`crate::Store::lease`] needs, where the store lacks it.
    pub fn prepare_leases(&mut self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(transaction) => {
                let text = postgres::create_leases(transaction.prefix());
                self.change(|_| text)
            }
        }
    }

    /// Makes a table.
    pub fn create_table(&mut self, table: &TableSpec) -> Result<()> {
        self.change(|dialect| ddl::create_table(dialect, table))
    }

    /// Drops a table.
    pub fn drop_table(&mut self, table: &Name) -> Result<()> {
        self.change(|dialect| ddl::drop_table(dialect, table))
    }

    /// Adds a column, null in every row.
    pub fn add_column(&mut self, table: &Name, column: &ColumnSpec) -> Result<()> {
        self.change(|dialect| ddl::add_column(dialect, table, column))
    }

    /// Drops a column; its indexes must be gone.
    pub fn drop_column(&mut self, table: &Name, column: &Name) -> Result<()> {
        self.change(|dialect| ddl::drop_column(dialect, table, column))
    }

    /// Renames a column.
    pub fn rename_column(&mut self, table: &Name, from: &Name, to: &Name) -> Result<()> {
        self.change(|dialect| ddl::rename_column(dialect, table, from, to))
    }

    /// Makes an index. Rows that disagree with a unique one are a [`crate::Violation::Unique`].
    pub fn create_index(&mut self, index: &IndexSpec) -> Result<()> {
        self.change(|dialect| ddl::create_index(dialect, index))
    }

    /// Drops an index.
    pub fn drop_index(&mut self, index: &IndexSpec) -> Result<()> {
        self.change(|dialect| ddl::drop_index(dialect, index))
    }

    /// Makes or replaces a view for people. The name is checked by the caller and quoted here.
    /// A view must be dropped before a column that it shows is.
    pub fn create_view(&mut self, name: &str, select: &Sql) -> Result<()> {
        if !select.parameters.is_empty() {
            return Err(Error::Failed("a view has no parameters".into()));
        }
        self.drop_view(name)?;
        self.change(|dialect| ddl::create_view(dialect, name, &select.text))
    }

    /// Drops a view if it is there.
    pub fn drop_view(&mut self, name: &str) -> Result<()> {
        self.change(|dialect| ddl::drop_view(dialect, name))
    }

    /// Describes all tables and views of the store, sorted by name. What this crate keeps for itself is left out.
    pub fn tables(&mut self) -> Result<Vec<TableDescription>> {
        engine!(self, transaction => transaction.tables())
    }

    /// Returns true if the store has a table of that name, without describing any.
    pub fn has_table(&mut self, name: &Name) -> Result<bool> {
        engine!(self, transaction => transaction.has_table(name))
    }

    /// Returns true if a statement of a write failed, so that it must not be committed.
    pub(crate) fn spoilt(&self) -> bool {
        match &self.engine {
            Engine::Sqlite(transaction) => transaction.spoilt(),
            Engine::Postgres(transaction) => transaction.spoilt(),
        }
    }

    /// Runs text of this crate that changes tables.
    pub(crate) fn change(&mut self, text: impl FnOnce(&Dialect) -> String) -> Result<()> {
        let text = text(&self.sql().dialect);
        engine!(self, transaction => transaction.change(&text))
    }
}
