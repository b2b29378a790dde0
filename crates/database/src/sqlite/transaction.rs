//! Statements of a job on a connection.

use super::catalog;
use super::connection::SqliteConnection;
use super::values::{SqliteParameter, SqliteValue, check, check_value};
use crate::deadline::JobDeadline;
use crate::row::RowSource;
use crate::sql::SqlDialect;
use crate::{ColumnType, Epochs, Error, Name, Result, Row, Sql, TableDescription, Value};
use rusqlite::{CachedStatement, Statement, StatementStatus};

/// A job's view of its connection.
pub(crate) struct SqliteTransaction<'c> {
    connection: &'c SqliteConnection,
    /// A read's first statement, which stays open: all that follow see one state, and need not lock the file anew,
    /// which would take half of a look-up's time.
    /// With it stands a number that changes with each commit of others.
    open: Option<(CachedStatement<'c>, i64)>,
    writing: bool,
    failed: bool,
    /// Instructions of SQLite's machine that the job's statements took so far.
    effort: i64,
}

impl<'c> SqliteTransaction<'c> {
    /// Returns the transaction of a job that only reads. Its caller ends the snapshot that it may take.
    pub(super) fn reading(connection: &'c SqliteConnection) -> Self {
        SqliteTransaction { connection, open: None, writing: false, failed: false, effort: 0 }
    }

    /// Returns the transaction of a job that writes, which its caller began and will end.
    pub(super) fn writing(connection: &'c SqliteConnection) -> Self {
        SqliteTransaction { connection, open: None, writing: true, failed: false, effort: 0 }
    }

    pub(crate) fn sql(&self) -> Sql {
        Sql::new(SqlDialect::Sqlite)
    }

    pub(crate) fn deadline(&self) -> JobDeadline {
        self.connection.deadline()
    }

    pub(crate) fn spoilt(&self) -> bool {
        self.writing && self.failed
    }

    pub(crate) fn execute(&mut self, sql: &Sql) -> Result<u64> {
        let before = self.connection.raw.total_changes();
        self.query(sql, &mut |_| Ok(()))?;
        // Statements that change no rows leave `changes()` as it was.
        let any = self.connection.raw.total_changes() != before;
        Ok(if any { self.connection.raw.changes() } else { 0 })
    }

    pub(crate) fn query(&mut self, sql: &Sql, each: &mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        let (failed, connection) = (&mut self.failed, self.connection);
        let mut fail = |error| {
            *failed = true;
            connection.failure(error)
        };
        let mut statement = self.connection.prepare(&sql.text).map_err(&mut fail)?;
        for (index, parameter) in sql.parameters.iter().enumerate() {
            check(parameter)?;
            statement.raw_bind_parameter(index + 1, SqliteParameter(parameter)).map_err(&mut fail)?;
        }
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(&mut fail)? {
            each(&Row { source: RowSource::Sqlite(row) })?;
        }
        drop(rows);
        self.effort += instructions(&statement);
        Ok(())
    }

    /// Runs a statement for each of some ids, which stand in some of its parameters. It is prepared once.
    pub(crate) fn query_for_each(
        &mut self,
        sql: &Sql,
        places: &[usize],
        ids: &[i64],
        take: &mut dyn FnMut(i64, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let (failed, connection) = (&mut self.failed, self.connection);
        let mut fail = |error| {
            *failed = true;
            connection.failure(error)
        };
        let mut statement = self.connection.prepare(&sql.text).map_err(&mut fail)?;
        for (index, parameter) in sql.parameters.iter().enumerate() {
            check(parameter)?;
            statement.raw_bind_parameter(index + 1, SqliteParameter(parameter)).map_err(&mut fail)?;
        }
        for id in ids {
            for place in places {
                statement.raw_bind_parameter(place + 1, *id).map_err(&mut fail)?;
            }
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next().map_err(&mut fail)? {
                take(*id, &Row { source: RowSource::Sqlite(row) })?;
            }
        }
        self.effort += instructions(&statement);
        Ok(())
    }

    pub(crate) fn effort(&self) -> i64 {
        self.effort
    }

    pub(crate) fn query_all(
        &mut self,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        for (index, statement) in statements.iter().enumerate() {
            self.query(statement, &mut |row| each(index, row))?;
        }
        Ok(())
    }

    pub(crate) fn snapshot(&mut self) -> Result<()> {
        if self.writing { Ok(()) } else { self.open().map(|_| ()) }
    }

    pub(crate) fn epochs(&mut self) -> Result<Epochs> {
        if self.writing {
            return self.stored_epochs();
        }
        let version = self.open()?;
        match self.connection.epochs.get() {
            Some((at, epochs)) if at == version => Ok(epochs),
            _ => {
                let epochs = self.stored_epochs()?;
                self.connection.epochs.set(Some((version, epochs)));
                Ok(epochs)
            }
        }
    }

    /// Returns the number that [`SqliteTransaction::cache_number`] was told of the file as it is now.
    pub(crate) fn cached_number(&mut self, name: i64) -> Result<Option<i64>> {
        if self.writing {
            return Ok(None);
        }
        let version = self.open()?;
        let numbers = self.connection.numbers.borrow();
        Ok(numbers.1.get(&name).copied().filter(|_| numbers.0 == version))
    }

    pub(crate) fn cache_number(&mut self, name: i64, number: i64) -> Result<()> {
        if self.writing {
            return Ok(());
        }
        let version = self.open()?;
        let mut numbers = self.connection.numbers.borrow_mut();
        if numbers.0 != version {
            numbers.1.clear();
            numbers.0 = version;
        }
        numbers.1.insert(name, number);
        Ok(())
    }

    /// Opens the file for reading until the job ends, where it is not yet; returns the number of what was committed.
    fn open(&mut self) -> Result<i64> {
        if let Some((_, version)) = self.open {
            return Ok(version);
        }
        let mut statement =
            self.connection.prepare("PRAGMA data_version").map_err(|error| self.connection.failure(error))?;
        let mut rows = statement.raw_query();
        let version = rows.next().and_then(|row| row.ok_or(rusqlite::Error::QueryReturnedNoRows)?.get(0));
        let version = version.map_err(|error| self.connection.failure(error))?;
        // Letting go of the rows would reset the statement; that is done when the job ends.
        std::mem::forget(rows);
        self.open = Some((statement, version));
        Ok(version)
    }

    fn stored_epochs(&mut self) -> Result<Epochs> {
        let text = "SELECT access, configuration FROM plinth_state WHERE id = 1";
        let [access, configuration] = self.integers(text, [0, 1])?;
        Ok(Epochs { access, configuration })
    }

    fn integers<const N: usize>(&mut self, text: &str, columns: [usize; N]) -> Result<[i64; N]> {
        let read = || {
            let mut statement = self.connection.prepare(text)?;
            let mut rows = statement.raw_query();
            let Some(row) = rows.next()? else { return Err(rusqlite::Error::QueryReturnedNoRows) };
            let mut values = [0; N];
            for (value, column) in values.iter_mut().zip(columns) {
                *value = row.get(column)?;
            }
            Ok(values)
        };
        read().map_err(|error| {
            self.failed = true;
            self.connection.failure(error)
        })
    }

    /// Runs text of ours, without parameters, in which several statements may stand.
    pub(crate) fn command(&mut self, text: &str) -> Result<()> {
        self.connection.raw.execute_batch(text).map_err(|error| {
            self.failed = true;
            self.connection.failure(error)
        })
    }

    /// Runs text that changes tables.
    pub(crate) fn change(&mut self, text: &str) -> Result<()> {
        self.command(text)
    }

    /// Undoes what followed the savepoint `part`.
    pub(crate) fn undo_savepoint(&mut self) -> Result<()> {
        self.command("ROLLBACK TO part; RELEASE part")?;
        self.failed = false;
        Ok(())
    }

    pub(crate) fn insert_many(
        &mut self,
        table: &Name,
        columns: &[(Name, ColumnType)],
        rows: &[Vec<Value>],
    ) -> Result<Vec<i64>> {
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        let places = vec!["?"; columns.len()].join(", ");
        let mut text = format!("INSERT INTO {table} ({}) VALUES ({places})", names.join(", "));
        let gives_ids = !names.contains(&"id")
            && catalog::has_id(&self.connection.raw, table).map_err(|error| self.connection.failure(error))?;
        if columns.is_empty() {
            text = format!("INSERT INTO {table} DEFAULT VALUES");
        }
        let mut ids = Vec::with_capacity(if gives_ids { rows.len() } else { 0 });
        let (failed, connection) = (&mut self.failed, self.connection);
        let mut fail = |error| {
            *failed = true;
            connection.failure(error)
        };
        for row in rows {
            if row.len() != columns.len() {
                return Err(Error::Failed(format!("a row of {} values for {} columns", row.len(), columns.len())));
            }
            // Taken from the cache for each row, so that each has its own time.
            let mut statement = self.connection.prepare(&text).map_err(&mut fail)?;
            bind_row(&mut statement, row, &mut fail)?;
            statement.raw_execute().map_err(&mut fail)?;
            self.effort += instructions(&statement);
            if gives_ids {
                ids.push(self.connection.raw.last_insert_rowid());
            }
        }
        Ok(ids)
    }

    pub(crate) fn tables(&mut self) -> Result<Vec<TableDescription>> {
        catalog::tables(&self.connection.raw).map_err(|error| self.connection.failure(error))
    }

    pub(crate) fn has_table(&mut self, name: &Name) -> Result<bool> {
        catalog::has_table(&self.connection.raw, name).map_err(|error| self.connection.failure(error))
    }
}

impl Drop for SqliteTransaction<'_> {
    fn drop(&mut self) {
        if let Some((mut statement, _)) = self.open.take() {
            drop(statement.raw_query());
        }
    }
}

/// The instructions of a statement since they were last asked for.
fn instructions(statement: &Statement<'_>) -> i64 {
    i64::from(statement.reset_status(StatementStatus::VmStep))
}

fn bind_row(
    statement: &mut Statement<'_>,
    row: &[Value],
    fail: &mut impl FnMut(rusqlite::Error) -> Error,
) -> Result<()> {
    for (index, value) in row.iter().enumerate() {
        check_value(value)?;
        statement.raw_bind_parameter(index + 1, SqliteValue(value)).map_err(&mut *fail)?;
    }
    Ok(())
}
