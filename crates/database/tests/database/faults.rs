//! What PostgreSQL demands of its clients: to try again, and to connect again.

use crate::engines::{column, end_others, execute, hold_until, integer, postgres_at, table, twin, wait};
use database::{ColumnType, Database, Error, Name, PostgresOptions, ReadCost, Store, Tx};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const T1: Name = Name::fixed("t1");
/// The wait of a job for a thread or a connection where a test has it told to come again.
const PATIENCE: Duration = Duration::from_secs(2);

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
    let (runs, met) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    wait(async {
        let cross = |first: i64, second: i64| {
            let (store, runs, met) = (store.clone(), Arc::clone(&runs), Arc::clone(&met));
            tokio::spawn(async move {
                store
                    .write(move |tx| {
                        runs.fetch_add(1, Ordering::SeqCst);
                        raise(tx, first)?;
                        met.fetch_add(1, Ordering::SeqCst);
                        hold_until(|| met.load(Ordering::SeqCst) >= 2);
                        raise(tx, second)
                    })
                    .await
            })
        };
        let (one, other) = (cross(1, 2), cross(2, 1));
        assert_eq!((one.await.unwrap(), other.await.unwrap()), (Ok(1), Ok(1)));
        assert!(runs.load(Ordering::SeqCst) >= 3, "nobody had to try again");
        assert_eq!(store.read(ReadCost::Scan, sum).await, Ok(4));
    });
}

/// Each of them costs a second: who may meet does so once.
#[test]
fn behind_a_deadlock_writes_that_take_turns_go_one_by_one() {
    let database = postgres_at(testing::postgres().database(), 2);
    let store = store(&database);
    let (runs, met) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let cross = |first: i64, second: i64| {
        let (store, runs, met) = (store.clone(), Arc::clone(&runs), Arc::clone(&met));
        tokio::spawn(async move {
            store
                .write(move |tx| {
                    runs.fetch_add(1, Ordering::SeqCst);
                    tx.write_lock(false)?;
                    raise(tx, first)?;
                    // The first time, for certain; later ones have the time to.
                    met.fetch_add(1, Ordering::SeqCst);
                    hold_until(|| met.load(Ordering::SeqCst) >= 2);
                    std::thread::sleep(Duration::from_millis(300));
                    raise(tx, second)
                })
                .await
        })
    };
    wait(async {
        for (round, tries) in [3, 2, 2].into_iter().enumerate() {
            runs.store(0, Ordering::SeqCst);
            let (one, other) = (cross(1, 2), cross(2, 1));
            assert_eq!((one.await.unwrap(), other.await.unwrap()), (Ok(1), Ok(1)));
            assert_eq!(runs.load(Ordering::SeqCst), tries, "round {round}");
        }
    });
}

#[test]
fn broken_connections_are_made_again() {
    let url = testing::postgres().database();
    let database = postgres_at(url.clone(), 2);
    let outside = postgres_at(url, 1);
    let store = store(&database);
    // Behind a pooler both databases may have the same connection.
    let kill = || end_others(&outside.store("faults").unwrap()).map(|ended| ended + i64::from(testing::is_pooled()));
    wait(async {
        for round in 1..=3 {
            assert_eq!(store.read(ReadCost::Point, sum).await, Ok(2 * (round - 1)));
            assert!(kill().unwrap() > 0);
            assert_eq!(store.read(ReadCost::Point, sum).await, Ok(2 * (round - 1)));
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
        assert_eq!(store.read(ReadCost::Point, sum).await, Ok(8));
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
                    tx.commit_with(&[&sql], &mut |_, _| Ok(()))
                }
            };
            assert_eq!(store.write(create(id)).await, Ok(()));
            end_others(&outside.store("faults").unwrap()).unwrap();
            // Long enough that the connection is looked at first, or not.
            std::thread::sleep(Duration::from_millis(50 + rest));
            assert_eq!(store.write(create(id + 1)).await, Ok(()));
            assert_eq!(store.read(ReadCost::Point, sum).await, Ok(2 * (i64::try_from(round).unwrap() + 1)));
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
            assert_eq!(store.read(ReadCost::Point, sum).await, Ok(0));
        }
    });
}

#[test]
fn large_statements_and_large_answers_do_not_wait_for_each_other() {
    let database = postgres_at(testing::postgres().database(), 1);
    let store = store(&database);
    let text = "x".repeat(8_000_000);
    wait(async {
        let read = store.read(ReadCost::Scan, move |tx| {
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
        let patience = tokio::time::timeout(Duration::from_secs(120), read);
        let expected = (0..3).map(|index| (index, 8_000_000, 8_000_000)).collect();
        assert_eq!(patience.await.expect("both sides wait"), Ok(expected));
        assert_eq!(store.read(ReadCost::Point, sum).await, Ok(0));
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
    let database = postgres_at(testing::postgres().database(), 1);
    let patient = store(&database);
    let store = database.waiting(Duration::from_millis(500)).store("faults").unwrap();
    wait(async {
        let (begun, told) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let slow = tokio::spawn({
            let (patient, begun, told) = (patient.clone(), Arc::clone(&begun), Arc::clone(&told));
            async move {
                let held = move |_: &mut Tx<'_>| {
                    begun.store(1, Ordering::SeqCst);
                    hold_until(|| told.load(Ordering::SeqCst) == 1);
                    Ok::<_, Error>(())
                };
                patient.read(ReadCost::Scan, held).await
            }
        });
        while begun.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let mut waits = pin!(store.read(ReadCost::Scan, sum));
        assert!(tokio::time::timeout(Duration::from_millis(600), waits.as_mut()).await.is_err());
        told.store(1, Ordering::SeqCst);
        assert_eq!(waits.await, Err(Error::Busy));
        assert_eq!(slow.await.unwrap(), Ok(()));
        assert_eq!(patient.read(ReadCost::Scan, sum).await, Ok(0));
    });
}

#[test]
fn an_address_that_cannot_serve_is_refused() {
    let open =
        |url: &str| match Database::postgres(PostgresOptions { url: url.into(), connections: 1, ..Default::default() })
        {
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
        let impatient = database.clone().waiting(PATIENCE).store("acme").unwrap();
        wait(async {
            let (begun, told) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let scans: Vec<_> = (0..12)
                .map(|_| {
                    let (store, begun, told) = (impatient.clone(), Arc::clone(&begun), Arc::clone(&told));
                    let slow = move |_: &mut Tx<'_>| {
                        begun.fetch_add(1, Ordering::SeqCst);
                        hold_until(|| told.load(Ordering::SeqCst) == 1);
                        Ok::<(), Error>(())
                    };
                    tokio::spawn(async move { store.read(ReadCost::Scan, slow).await })
                })
                .collect();
            while begun.load(Ordering::SeqCst) == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            // All others have begun, or wait.
            tokio::time::sleep(PATIENCE + Duration::from_millis(200)).await;
            assert_eq!(store.read(ReadCost::Point, |_| Ok::<_, Error>(1)).await, Ok(1));
            let held = begun.load(Ordering::SeqCst);
            assert!(held < 12, "a quick read waited for the slow ones");
            told.store(1, Ordering::SeqCst);
            let mut outcomes = Vec::new();
            for scan in scans {
                outcomes.push(scan.await.unwrap());
            }
            let busy = outcomes.iter().filter(|outcome| **outcome == Err(Error::Busy)).count();
            assert_eq!(busy, 12 - held, "{outcomes:?}");
            // They gave up their places.
            assert_eq!(store.read(ReadCost::Scan, |_| Ok::<_, Error>(2)).await, Ok(2));
        });
    });
}
