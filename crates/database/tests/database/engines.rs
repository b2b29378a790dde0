//! The databases under test.

use database::{
    ColumnSpec, ColumnType, Database, Error, IndexSpec, Name, PostgresOptions, Result, Sql, SqliteOptions, Store,
    TableSpec, Tx, Value, ValueRef,
};
use std::future::Future;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Runs the same on both engines, side by side; what it gives must be the same.
pub(crate) fn twin<T: PartialEq + std::fmt::Debug + Send>(run: impl Fn(&Database) -> T + Sync) -> T {
    let folder = TempDir::new().unwrap();
    let (on_sqlite, on_postgres) = std::thread::scope(|scope| {
        let on_sqlite = scope.spawn(|| run(&sqlite_in(&folder, 192)));
        let on_postgres = run(&postgres());
        (on_sqlite.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), on_postgres)
    });
    assert_eq!(on_sqlite, on_postgres, "SQLite and PostgreSQL differ");
    on_sqlite
}

/// Runs the same with each kind of locks that keep writes apart: SQLite's, advisory locks, and those of rows, which a
/// server without advisory locks has. What it gives must be the same.
pub(crate) fn each_guard<T: PartialEq + std::fmt::Debug + Send>(run: impl Fn(&Database) -> T + Sync) -> T {
    let with_advisory_locks = twin(&run);
    assert_eq!(with_advisory_locks, run(&postgres_with_rows()), "the guards differ");
    with_advisory_locks
}

/// A PostgreSQL database of the test's own, whose advisory locks do nothing.
pub(crate) fn postgres_with_rows() -> Database {
    postgres_at(testing::postgres().database_without_advisory_locks(), 4)
}

/// The wait of a job for a thread or a connection, unless a test is about that: longer than on a busy machine.
const WAIT: Duration = Duration::from_secs(60);

pub(crate) fn sqlite_in(folder: &TempDir, descriptors: usize) -> Database {
    let options = SqliteOptions { folder: folder.path().to_owned(), readers: 2, descriptors };
    Database::sqlite(options).unwrap().waiting(WAIT)
}

/// A PostgreSQL database of the test's own.
pub(crate) fn postgres() -> Database {
    postgres_at(testing::postgres().database(), 4)
}

pub(crate) fn postgres_at(url: String, connections: usize) -> Database {
    Database::postgres(PostgresOptions { url, connections, ..Default::default() }).unwrap().waiting(WAIT)
}

/// Waits in a job until something holds, for 15 seconds at most.
pub(crate) fn hold_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() && began.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Ends all connections to the PostgreSQL database but that of the store; gives how many there were.
pub(crate) fn end_others(store: &Store) -> Result<i64> {
    store.read_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity ");
        sql.push("WHERE datname = current_database() AND pid <> pg_backend_pid()");
        integer(tx, &sql)
    })
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

/// The rows of a SELECT whose text follows from the engine.
pub(crate) fn select(store: &Store, columns: &[ColumnType], build: impl FnOnce(&mut Sql)) -> Vec<Vec<Value>> {
    store
        .read_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT ");
            build(&mut sql);
            rows(tx, &sql, columns)
        })
        .unwrap()
}

/// The only value of a SELECT.
pub(crate) fn value(store: &Store, column: ColumnType, build: impl FnOnce(&mut Sql)) -> Value {
    let mut rows = select(store, &[column], build);
    assert_eq!(rows.len(), 1);
    rows.remove(0).remove(0)
}

/// Runs a statement in a transaction of its own.
pub(crate) fn execute(store: &Store, build: impl FnOnce(&mut Sql)) -> Result<u64> {
    store.write_blocking(|tx| {
        let mut sql = tx.sql();
        build(&mut sql);
        tx.execute(&sql)
    })
}

/// An index to make.
pub(crate) fn index(table: &'static str, columns: &[&'static str], unique: bool) -> IndexSpec {
    let columns = columns.iter().map(|column| Name::fixed(column)).collect();
    IndexSpec { table: Name::fixed(table), columns, unique }
}
