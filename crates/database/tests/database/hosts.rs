//! Several hosts of PostgreSQL: the one that takes writes is found, and found again after a failure.

use crate::engines::{column, execute, integer, table};
use database::{ColumnType, Database, Error, Name, PostgresOptions, Store};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};
use testing::Cluster;

const T1: Name = Name::fixed("t1");

fn open(folders: &[&Path], parameters: &str) -> Result<Database, Error> {
    let hosts: Vec<String> = folders.iter().map(|folder| folder.display().to_string().replace('/', "%2F")).collect();
    let url = format!("postgresql://postgres@{}/postgres?{parameters}", hosts.join(","));
    Database::postgres(PostgresOptions { url, connections: 2, ..Default::default() })
}

fn made(database: &Database) -> Store {
    let store = database.create("acme").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    store
}

fn insert(store: &Store, id: i64) -> Result<u64, Error> {
    store.write_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&T1).push(" (id, p1) VALUES (").bind(id).push(", 0)");
        tx.execute(&sql)
    })
}

fn rows(store: &Store) -> Result<i64, Error> {
    store.read_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("SELECT count(*) FROM ").table(&T1);
        integer(tx, &sql)
    })
}

/// Waits until a standby has the rows that its primary acknowledged.
fn follow(standby: &Cluster, rows: i64) {
    let reader = open(&[standby.folder()], "target_session_attrs=any").unwrap();
    await_that(|| reader.store("acme").and_then(|store| self::rows(&store)) == Ok(rows));
}

fn await_that(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "it did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn writes_go_on_at_the_standby_that_became_the_primary() {
    let primary = Cluster::primary();
    let standby = primary.standby();
    let database = open(&[standby.folder(), primary.folder()], "").unwrap();
    let store = made(&database);
    assert_eq!(insert(&store, 1), Ok(1));
    follow(&standby, 1);
    assert_eq!(database.report().fail_overs, 0);
    primary.kill();
    // The only server that is left takes no writes: it is as if there were none.
    assert_eq!(insert(&store, 2), Err(Error::Busy));
    let writer = std::thread::spawn(move || {
        await_that(|| insert(&store, 3) == Ok(1));
        rows(&store)
    });
    standby.promote();
    assert_eq!(writer.join().unwrap(), Ok(2));
    assert_eq!(database.report().fail_overs, 1);
}

#[test]
fn a_standby_alone_is_refused_where_writes_are_asked_for() {
    let primary = Cluster::primary();
    let standby = primary.standby();
    let refused = open(&[standby.folder()], "target_session_attrs=read-write").err().unwrap();
    assert!(format!("{refused:?}").contains("standby"), "{refused:?}");
    let refused = open(&[standby.folder()], "target_session_attrs=read-only").err().unwrap();
    assert!(format!("{refused:?}").contains("must be any or read-write"), "{refused:?}");
    // One host, as of a balancer, is believed.
    assert!(open(&[standby.folder()], "").is_ok());
}

#[test]
fn a_connection_to_a_standby_is_given_up_by_the_first_write() {
    let primary = Cluster::primary();
    let standby = primary.standby();
    made(&open(&[primary.folder()], "").unwrap());
    follow(&standby, 0);
    // A balancer that leads to the standby at first, and to the primary later.
    let folder = tempfile::tempdir().unwrap();
    let balancer = folder.path().join("pg");
    symlink(standby.folder(), &balancer).unwrap();
    let store = open(&[&balancer], "").unwrap().store("acme").unwrap();
    assert_eq!(rows(&store), Ok(0));
    assert_eq!(insert(&store, 1), Err(Error::Busy));
    std::fs::remove_file(&balancer).unwrap();
    symlink(primary.folder(), &balancer).unwrap();
    await_that(|| insert(&store, 1) == Ok(1));
    // Other connections of the pool learn it as well.
    execute(&store, |sql| {
        sql.push("UPDATE ").table(&T1).push(" SET p1 = 1");
    })
    .unwrap();
}
