//! The connections to PostgreSQL that jobs get.

use crate::engines::{column, execute, integer, postgres_at, table, wait};
use database::{ColumnType, Database, Error, Name, ReadCost, Store, Tx};
use std::collections::BTreeSet;
use std::sync::mpsc::channel;
use tokio::task::JoinSet;

#[test]
fn jobs_one_after_another_share_connections() {
    let store = postgres_at(testing::postgres().database(), 16).create("a").unwrap();
    let processes = wait(async {
        let mut processes = BTreeSet::new();
        for _ in 0..64 {
            let process = store.read(ReadCost::Scan, |tx| {
                let mut sql = tx.sql();
                sql.push("SELECT pg_backend_pid()::bigint");
                let mut process = 0;
                tx.query(&sql, &mut |row| {
                    process = row.integer(0)?;
                    Ok(())
                })?;
                Ok::<_, Error>(process)
            });
            processes.insert(process.await.unwrap());
        }
        processes
    });
    // A thread that has just answered may not rest yet when the next job comes.
    assert!(processes.len() <= 4, "{} connections for one job at a time", processes.len());
}

const T1: Name = Name::fixed("t1");

/// A store with one row, which counts.
fn counter(database: &Database, name: &str) -> Store {
    let store = database.create(name).unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    execute(&store, |sql| _ = sql.push("INSERT INTO ").table(&T1).push(" (p1) VALUES (0)")).unwrap();
    store
}

fn count_on(tx: &mut Tx<'_>) -> Result<(), Error> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&T1).push(" SET p1 = p1 + 1");
    tx.execute(&sql).map(drop)
}

fn count(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let mut sql = tx.sql();
    sql.push("SELECT p1 FROM ").table(&T1);
    integer(tx, &sql)
}

/// Returns the number of connections that wait for a lock.
fn blocked(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let mut sql = tx.sql();
    sql.push("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
    integer(tx, &sql)
}

/// Writes each store and reads it again; returns the counts.
async fn use_each(stores: &[Store]) -> Vec<i64> {
    let mut round = JoinSet::new();
    for store in stores {
        let store = store.clone();
        round.spawn(async move {
            store.write(count_on).await?;
            store.read(ReadCost::Point, count).await
        });
    }
    round.join_all().await.into_iter().map(Result::unwrap).collect()
}

/// Writers of one store that wait for a row have six of eight connections at most.
#[test]
fn writers_that_wait_for_a_row_hold_up_no_other_store() {
    let database = postgres_at(testing::postgres().database(), 8);
    let greedy = counter(&database, "greedy");
    let others = ["b", "c", "d"].map(|name| counter(&database, name));
    let (held, holds) = channel();
    let (release, released) = channel::<()>();
    std::thread::scope(|scope| {
        let holding = greedy.clone();
        let holder = scope.spawn(move || {
            holding.write_blocking(|tx| {
                count_on(tx)?;
                held.send(()).unwrap();
                released.recv().map_err(|_| Error::Busy)
            })
        });
        holds.recv().unwrap();
        wait(async {
            let mut waiting = JoinSet::new();
            for _ in 0..20 {
                let store = greedy.clone();
                waiting.spawn(async move { store.write(count_on).await });
            }
            // With the store that looks, there are two: each has four, and one more where it is free.
            while others[0].read(ReadCost::Scan, blocked).await.unwrap() < 5 {}
            for number in 1..=20 {
                assert_eq!(use_each(&others).await, [number; 3]);
                assert!(others[0].read(ReadCost::Scan, blocked).await.unwrap() <= 6);
            }
            // All of that came before the row was free.
            release.send(()).unwrap();
            waiting.join_all().await;
        });
        holder.join().unwrap().unwrap();
    });
}
