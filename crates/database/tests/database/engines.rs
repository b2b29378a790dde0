//! The databases under test.

use database::{
    ColumnSpec, ColumnType, Database, Error, Name, PostgresOptions, Result, Sql, SqliteOptions, TableSpec, Tx, Value,
    ValueRef,
};
use std::future::Future;
use tempfile::TempDir;

/// A SQLite folder of the test's own, deleted with it.
pub(crate) struct Sqlite {
    pub(crate) database: Database,
    pub(crate) folder: TempDir,
}

pub(crate) fn sqlite() -> Sqlite {
    let folder = TempDir::new().unwrap();
    let database = sqlite_in(&folder, 64);
    Sqlite { database, folder }
}

pub(crate) fn sqlite_in(folder: &TempDir, open_files: usize) -> Database {
    Database::sqlite(SqliteOptions { folder: folder.path().to_owned(), readers: 2, open_files }).unwrap()
}

/// A PostgreSQL database of the test's own.
pub(crate) fn postgres() -> Database {
    postgres_at(testing::postgres().database(), 4)
}

pub(crate) fn postgres_at(url: String, connections: usize) -> Database {
    Database::postgres(PostgresOptions { url, connections }).unwrap()
}

pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(future)
}

/// A column of a table to make.
pub(crate) fn column(name: &'static str, column: ColumnType) -> ColumnSpec {
    ColumnSpec { name: Name::fixed(name), column, references: None }
}

/// A table with an identity and the columns.
pub(crate) fn table(name: &'static str, columns: Vec<ColumnSpec>) -> TableSpec {
    TableSpec { name: Name::fixed(name), identity: true, columns, primary_key: Vec::new() }
}

/// All rows of a statement.
pub(crate) fn rows(tx: &mut Tx<'_>, sql: &Sql, columns: &[ColumnType]) -> Result<Vec<Vec<Value>>> {
    let mut rows = Vec::new();
    tx.query(sql, &mut |row| {
        rows.push(
            columns
                .iter()
                .enumerate()
                .map(|(at, column)| row.get(at, *column).map(ValueRef::to_value))
                .collect::<Result<Vec<_>>>()?,
        );
        Ok(())
    })?;
    Ok(rows)
}

/// The single integer that a statement gives.
pub(crate) fn integer(tx: &mut Tx<'_>, sql: &Sql) -> Result<i64> {
    let mut found = None;
    tx.query(sql, &mut |row| {
        found = Some(row.integer(0)?);
        Ok(())
    })?;
    found.ok_or(Error::Failed("no row".into()))
}
