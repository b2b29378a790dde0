//! Deleted stores come back whole, or are removed; nothing reaches them meanwhile.

use crate::engines::{column, each_guard, integer, sqlite_in, table, wait};
use database::{ColumnType, Database, DeletedStore, Error, Name, ReadCost, Store, Tx};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const UNTIL: i64 = 1_800_000_000;

fn filled(database: &Database, name: &str) -> Store {
    let store = database.create(name).unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    store
}

async fn insert(store: &Store) -> Result<u64, Error> {
    store
        .write(|tx| {
            let mut sql = tx.sql();
            sql.push("INSERT INTO ").table(&Name::fixed("t1")).push(" (p1) VALUES (1)");
            tx.execute(&sql)
        })
        .await
}

fn rows(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let mut sql = tx.sql();
    sql.push("SELECT count(*) FROM ").table(&Name::fixed("t1"));
    integer(tx, &sql)
}

fn deleted(name: &str, until: Option<i64>) -> DeletedStore {
    DeletedStore { name: name.to_owned(), until }
}

#[test]
fn a_deleted_store_comes_back_as_it_was() {
    each_guard(|database| {
        for bad in ["", "Acme", "a_b", "../a", "a.b", "1780000000-a", &"a".repeat(41)] {
            assert_eq!(database.put_away(bad, Some(UNTIL)), Err(Error::NoStore), "{bad}");
        }
        for bad in [0, -1, 10_000_000_000] {
            assert!(matches!(database.put_away("acme", Some(bad)), Err(Error::Failed(_))), "{bad}");
        }
        let store = filled(database, "acme");
        let longest = filled(database, &"z".repeat(40));
        wait(async {
            assert_eq!((insert(&store).await, insert(&longest).await), (Ok(1), Ok(1)));
            let away = database.put_away("acme", Some(UNTIL)).unwrap();
            assert_eq!(database.put_away("acme", Some(UNTIL)), Err(Error::NoStore));
            assert_eq!(database.stores().unwrap(), ["z".repeat(40)]);
            assert_eq!(database.deleted().unwrap(), [deleted("acme", Some(UNTIL))]);
            for cost in [ReadCost::Point, ReadCost::Scan] {
                assert_eq!(store.read(cost, rows).await, Err(Error::NoStore));
            }
            assert_eq!(insert(&store).await, Err(Error::NoStore));
            assert_eq!(store.write_blocking(rows), Err(Error::NoStore));
            assert_eq!(database.store("acme").err(), Some(Error::NoStore));
            assert_eq!(database.read_deleted(&away, rows), Ok(1));
            assert!(matches!(database.remove_condemned(&away), Err(Error::Failed(_))));
            database.bring_back(&away).unwrap();
            assert_eq!(database.bring_back(&away), Err(Error::NoStore));
            assert!(database.deleted().unwrap().is_empty());
            let store = database.store("acme").unwrap();
            assert_eq!(insert(&store).await, Ok(1));
            assert_eq!(store.read(ReadCost::Point, rows).await, Ok(2));
            // The longest name has room for the instant.
            let away = database.put_away(&"z".repeat(40), Some(UNTIL)).unwrap();
            assert_eq!(database.deleted().unwrap(), [deleted(&"z".repeat(40), Some(UNTIL))]);
            assert_eq!(database.read_deleted(&away, rows), Ok(1));
        });
        database.deleted().unwrap()
    });
}

#[test]
fn a_condemned_store_never_comes_back() {
    each_guard(|database| {
        let many = filled(database, "acme");
        many.write_blocking(|tx| {
            (0..250).try_for_each(|number| {
                let mut spec = table("t2", vec![column("p1", ColumnType::Integer)]);
                spec.name = Name::numbered("t", 2 + number);
                tx.create_table(&spec)
            })
        })
        .unwrap();
        let away = database.put_away("acme", Some(UNTIL)).unwrap();
        let condemned = database.condemn(&away).unwrap();
        assert_eq!(database.deleted().unwrap(), [deleted("acme", None)]);
        assert_eq!(database.condemn(&away), Err(Error::NoStore));
        assert_eq!(database.bring_back(&away), Err(Error::NoStore));
        // Two that remove it at the same time, as a server and a command do.
        std::thread::scope(|scope| {
            let removals: Vec<_> = (0..2).map(|_| scope.spawn(|| database.remove_condemned(&condemned))).collect();
            removals.into_iter().for_each(|removal| assert_eq!(removal.join().unwrap(), Ok(())));
        });
        assert_eq!(database.remove_condemned(&condemned), Ok(()));
        assert!(database.deleted().unwrap().is_empty());
        assert_eq!(filled(database, "acme").read_blocking(rows), Ok(0));
    });
}

#[test]
fn a_store_of_the_same_name_is_in_the_way_of_one_that_comes_back() {
    each_guard(|database| {
        filled(database, "acme");
        let away = database.put_away("acme", Some(UNTIL)).unwrap();
        let other = filled(database, "acme");
        wait(insert(&other)).unwrap();
        assert!(matches!(database.bring_back(&away), Err(Error::Failed(_))));
        assert_eq!((other.read_blocking(rows), database.read_deleted(&away, rows)), (Ok(1), Ok(0)));
        // Both may be deleted, with instants of their own.
        database.put_away("acme", Some(UNTIL + 1)).unwrap();
        database.deleted().unwrap()
    });
}

/// All that was acknowledged is in the store when it comes back, and nothing is acknowledged while it is away.
#[test]
fn a_store_is_deleted_and_comes_back_while_others_write() {
    each_guard(|database| {
        let store = filled(database, "acme");
        let (ends, began) = (AtomicBool::new(false), Instant::now());
        let acknowledged: i64 = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        wait(async {
                            let mut done = 0;
                            while !ends.load(Ordering::Relaxed) && began.elapsed() < Duration::from_secs(60) {
                                let Ok(store) = database.store("acme") else { continue };
                                match insert(&store).await {
                                    Ok(_) => done += 1,
                                    Err(error) => assert_eq!(error, Error::NoStore),
                                }
                            }
                            done
                        })
                    })
                })
                .collect();
            for round in 0..10 {
                std::thread::sleep(Duration::from_millis(20));
                let away = database.put_away("acme", Some(UNTIL + round)).unwrap();
                let there = database.read_deleted(&away, rows).unwrap();
                std::thread::sleep(Duration::from_millis(20));
                assert_eq!(database.read_deleted(&away, rows), Ok(there), "round {round}");
                database.bring_back(&away).unwrap();
            }
            ends.store(true, Ordering::Relaxed);
            writers.into_iter().map(|writer| writer.join().unwrap()).sum()
        });
        assert!(acknowledged > 0);
        assert_eq!(database.store("acme").unwrap().read_blocking(rows), Ok(acknowledged));
        drop(store);
    });
}

/// A file that another process moves away while it is opened has no fault of its own.
#[test]
fn a_store_that_is_deleted_while_it_is_opened_is_none() {
    let folder = TempDir::new().unwrap();
    drop(filled(&sqlite_in(&folder, 96), "acme"));
    let (home, away) = (folder.path().join("acme"), folder.path().join(".away"));
    let ends = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ends.load(Ordering::Relaxed) {
                for (from, to) in [(&home, &away), (&away, &home)] {
                    std::fs::rename(from, to).unwrap();
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        });
        let read = || sqlite_in(&folder, 96).store("acme")?.read_blocking(rows);
        let found: Vec<_> = (0..2000).map(|_| read()).collect();
        ends.store(true, Ordering::Relaxed);
        for outcome in &found {
            assert!(matches!(outcome, Ok(0) | Err(Error::NoStore)), "{outcome:?}");
        }
        assert!(found.contains(&Err(Error::NoStore)));
    });
}

/// A connection to a store that is no more takes no log from the next of its name.
#[test]
fn a_writer_of_a_deleted_file_leaves_the_log_of_the_next_one_alone() {
    let folder = TempDir::new().unwrap();
    let (one, other) = (sqlite_in(&folder, 96), sqlite_in(&folder, 96));
    let old = filled(&one, "acme");
    wait(async {
        assert_eq!(insert(&old).await, Ok(1));
        let condemned = other.put_away("acme", None).unwrap();
        other.remove_condemned(&condemned).unwrap();
        let new = filled(&other, "acme");
        assert_eq!(insert(&new).await, Ok(1));
        let log = std::fs::metadata(folder.path().join("acme/tenant.db-wal")).unwrap().len();
        assert!(log > 0, "the row is in the log");
        // The old writer is closed before this, and the next one opened.
        assert_eq!(insert(&one.store("acme").unwrap()).await, Ok(1));
        assert_eq!(new.read(ReadCost::Point, rows).await, Ok(2));
    });
    drop((one, other, old));
    assert_eq!(sqlite_in(&folder, 96).store("acme").unwrap().read_blocking(rows), Ok(2));
}
