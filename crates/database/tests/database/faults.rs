//! What PostgreSQL demands of its clients: to try again, and to connect again.

use crate::engines::{column, end_others, execute, integer, postgres_at, table, twin, wait};
use database::{ColumnType, Cost, Database, Error, Name, PostgresOptions, Store, Tx};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const T1: Name = Name::fixed("t1");

fn store(database: &Database) -> Store {
    let store = database.create("faults").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    execute(&store, |sql| {
        sql.push("INSERT INTO ").table(&T1).push(" (id, p1) VALUES (1, 0), (2, 0)");
    })
    .unwrap();
    store
}

fn raise(tx: &mut Tx<'_>, id: i64) -> Result<u64, Error> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&T1).push(" SET p1 = p1 + 1 WHERE id = ").bind(id);
    tx.execute(&sql)
}

fn sum(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let mut sql = tx.sql();
    sql.push("SELECT sum(p1) FROM ").table(&T1);
    integer(tx, &sql)
}

#[test]
fn a_deadlock_is_tried_again() {
    let database = postgres_at(testing::postgres().database(), 2);
    let store = store(&database);
    let runs = Arc::new(AtomicUsize::new(0));
    wait(async {
        let cross = |first: i64, second: i64| {
            let (store, runs) = (store.clone(), Arc::clone(&runs));
            tokio::spawn(async move {
                store
                    .write(move |tx| {
                        let run = runs.fetch_add(1, Ordering::SeqCst);
                        raise(tx, first)?;
                        if run < 2 {
                            std::thread::sleep(Duration::from_millis(300));
                        }
                        raise(tx, second)
                    })
                    .await
            })
        };
        let (one, other) = (cross(1, 2), cross(2, 1));
        assert_eq!((one.await.unwrap(), other.await.unwrap()), (Ok(1), Ok(1)));
        assert!(runs.load(Ordering::SeqCst) >= 3, "nobody had to try again");
        assert_eq!(store.read(Cost::Scan, sum).await, Ok(4));
    });
}

#[test]
fn broken_connections_are_made_again() {
    let url = testing::postgres().database();
    let database = postgres_at(url.clone(), 2);
    let outside = postgres_at(url, 1);
    let store = store(&database);
    let kill = || end_others(&outside.store("faults").unwrap());
    wait(async {
        for round in 1..=3 {
            assert_eq!(store.read(Cost::Point, sum).await, Ok(2 * (round - 1)));
            assert!(kill().unwrap() > 0);
            assert_eq!(store.read(Cost::Point, sum).await, Ok(2 * (round - 1)));
            assert!(kill().unwrap() > 0);
            assert_eq!(store.write(|tx| raise(tx, 1)).await, Ok(1));
            assert!(kill().unwrap() > 0);
            assert_eq!(store.write_blocking(|tx| raise(tx, 2)), Ok(1));
        }
        // In the middle of a job: it runs again as a whole.
        let runs = AtomicUsize::new(0);
        let outside = outside.store("faults").unwrap();
        let raised = store.write(move |tx| {
            raise(tx, 1)?;
            if runs.fetch_add(1, Ordering::SeqCst) == 0 {
                end_others(&outside)?;
            }
            raise(tx, 2)
        });
        assert_eq!(raised.await, Ok(1));
        assert_eq!(store.read(Cost::Point, sum).await, Ok(8));
    });
}

#[test]
fn a_write_of_one_round_trip_is_done_once_where_its_connection_was_gone() {
    let url = testing::postgres().database();
    let database = postgres_at(url.clone(), 1);
    let outside = postgres_at(url, 1);
    let store = store(&database);
    wait(async {
        for (round, rest) in [0, 0, 250, 300].into_iter().enumerate() {
            let id = 10 + 2 * i64::try_from(round).unwrap();
            let create = |id: i64| {
                move |tx: &mut Tx<'_>| {
                    tx.epochs()?;
                    let mut sql = tx.sql();
                    sql.push("INSERT INTO ").table(&T1).push(" (id, p1) VALUES (").bind(id).push(", 1)");
                    tx.conclude(&[&sql], &mut |_, _| Ok(()))
                }
            };
            assert_eq!(store.write(create(id)).await, Ok(()));
            end_others(&outside.store("faults").unwrap()).unwrap();
            // Long enough that the connection is looked at first, or not.
            std::thread::sleep(Duration::from_millis(50 + rest));
            assert_eq!(store.write(create(id + 1)).await, Ok(()));
            assert_eq!(store.read(Cost::Point, sum).await, Ok(2 * (i64::try_from(round).unwrap() + 1)));
        }
    });
}

#[test]
fn a_job_that_panics_between_rows_leaves_a_connection_that_serves() {
    let database = postgres_at(testing::postgres().database(), 1);
    let store = store(&database);
    wait(async {
        for _ in 0..3 {
            let panics = store.write(|tx| {
                raise(tx, 1)?;
                let mut sql = tx.sql();
                sql.push("SELECT generate_series(1, 100000)");
                tx.query(&sql, &mut |row| {
                    assert!(row.integer(0)? < 10, "as wanted");
                    Ok(())
                })
            });
            assert!(matches!(panics.await, Err(Error::Failed(reason)) if reason.contains("as wanted")));
            assert_eq!(store.read(Cost::Point, sum).await, Ok(0));
        }
    });
}

#[test]
fn large_statements_and_large_answers_do_not_wait_for_each_other() {
    let database = postgres_at(testing::postgres().database(), 1);
    let store = store(&database);
    let text = "x".repeat(8_000_000);
    wait(async {
        let read = store.read(Cost::Scan, move |tx| {
            let large = |tx: &Tx<'_>| {
                let mut sql = tx.sql();
                sql.push("SELECT length(").bind(text.as_str()).push("::text)::bigint, repeat('y', 8000000)");
                sql
            };
            let (first, second, third) = (large(tx), large(tx), large(tx));
            let mut seen = Vec::new();
            tx.query_all(&[&first, &second, &third], &mut |index, row| {
                seen.push((index, row.integer(0)?, row.text(1)?.len()));
                Ok(())
            })?;
            Ok::<_, Error>(seen)
        });
        let patience = tokio::time::timeout(Duration::from_secs(30), read);
        let expected = (0..3).map(|index| (index, 8_000_000, 8_000_000)).collect();
        assert_eq!(patience.await.expect("both sides wait"), Ok(expected));
        assert_eq!(store.read(Cost::Point, sum).await, Ok(0));
    });
}

#[test]
fn a_lock_that_is_held_too_long_is_busy() {
    let database = postgres_at(testing::postgres().database(), 2);
    let store = store(&database);
    let held = store.write_blocking(|tx| {
        raise(tx, 1)?;
        assert_eq!(wait(store.write(|tx| raise(tx, 1))), Err(Error::Busy));
        // One connection waits; two reads that come meanwhile find the other.
        Ok::<_, Error>(())
    });
    assert_eq!(held, Ok(()));
}

#[test]
fn who_waits_too_long_is_told_to_come_again() {
    let database = postgres_at(testing::postgres().database(), 1).waiting(Duration::from_millis(500));
    let store = store(&database);
    wait(async {
        let slow = store.clone();
        let slow = tokio::spawn(async move {
            slow.read(Cost::Scan, |_| {
                std::thread::sleep(Duration::from_millis(1_000));
                Ok::<_, Error>(())
            })
            .await
        });
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(store.read(Cost::Scan, sum).await, Err(Error::Busy));
        assert_eq!(slow.await.unwrap(), Ok(()));
        assert_eq!(store.read(Cost::Scan, sum).await, Ok(0));
    });
}

#[test]
fn an_address_that_cannot_serve_is_refused() {
    let open = |url: &str| match Database::postgres(PostgresOptions { url: url.into(), connections: 1 }) {
        Err(Error::Failed(reason)) => reason,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("{url} served"),
    };
    assert!(open("nonsense").contains("malformed"));
    assert!(open("postgresql://u:secret@127.0.0.1:1/d?sslmode=perhaps").contains("sslmode"));
    assert!(open("postgresql://u:secret@127.0.0.1:1/d?sslmode=verify-full&sslrootcert=/nowhere").contains("/nowhere"));
    assert!(open("postgresql://u:secret@127.0.0.1:1/d?sslcert=/a&sslkey=/b").contains("sslcert"));
    let reason = open("postgresql://u:secret@127.0.0.1:1/d");
    assert!(reason.contains("reached") && !reason.contains("secret"), "{reason}");
}

#[test]
fn slow_scans_leave_room_for_quick_reads() {
    twin(|database| {
        let store = database.create("acme").unwrap();
        wait(async {
            let slow = |_: &mut Tx<'_>| {
                std::thread::sleep(Duration::from_millis(1_500));
                Ok::<(), Error>(())
            };
            let scans: Vec<_> = (0..12)
                .map(|_| {
                    let store = store.clone();
                    tokio::spawn(async move { store.read(Cost::Scan, slow).await })
                })
                .collect();
            tokio::time::sleep(Duration::from_millis(200)).await;
            let begun = Instant::now();
            assert_eq!(store.read(Cost::Point, |_| Ok::<_, Error>(1)).await, Ok(1));
            assert!(begun.elapsed() < Duration::from_millis(1_000), "{:?}", begun.elapsed());
            let mut outcomes = Vec::new();
            for scan in scans {
                outcomes.push(scan.await.unwrap());
            }
            assert!(outcomes.contains(&Ok(())) && outcomes.contains(&Err(Error::Busy)), "{outcomes:?}");
            // They gave up their places.
            assert_eq!(store.read(Cost::Scan, |_| Ok::<_, Error>(2)).await, Ok(2));
        });
    });
}
