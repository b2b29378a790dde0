//! Jobs end with their time and with their callers, and leave connections and other jobs as they were.

use crate::engines::{column, hold_until, integer, postgres, table, twin, wait};
use database::{ColumnType, Database, Error, Name, ReadCost, Result, Store, TimeLimit, Tx};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const T1: Name = Name::fixed("t1");
const SHORT: Duration = Duration::from_millis(300);
/// Less than what stops each statement in any case.
const SOON: Duration = Duration::from_millis(4_500);

fn store(database: &Database) -> Store {
    let store = database.create("deadlines").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    store
}

fn insert(tx: &mut Tx<'_>, value: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&T1).push(" (p1) VALUES (").bind(value).push(")");
    tx.execute(&sql).map(drop)
}

fn count(tx: &mut Tx<'_>) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT count(*) FROM ").table(&T1);
    integer(tx, &sql)
}

/// Runs a statement that would take minutes.
fn work_long(tx: &mut Tx<'_>) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) ");
    sql.push("SELECT count(*) FROM n");
    integer(tx, &sql)
}

/// The same as a statement that changes rows.
fn write_long(tx: &mut Tx<'_>) -> Result<()> {
    insert(tx, 1)?;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&T1).push(" SET p1 = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n");
    sql.push(" WHERE i < 1000000000) SELECT count(*) FROM n)");
    tx.execute(&sql).map(drop)
}

/// The outcome of a job, which is asked for again where its time was over before it began.
async fn begun_in_time<T>(job: impl AsyncFn() -> Result<T>) -> Result<T> {
    loop {
        match job().await {
            Err(Error::Busy) => {}
            outcome => return outcome,
        }
    }
}

#[test]
fn a_statement_ends_with_the_time_of_its_job() {
    let outcomes = twin(|database| {
        let store = store(database);
        let short = store.limited(TimeLimit::After(SHORT));
        let begun = Instant::now();
        let ended = wait(async {
            [
                begun_in_time(async || short.read(ReadCost::Point, work_long).await.map(drop)).await,
                begun_in_time(async || short.read(ReadCost::Scan, work_long).await.map(drop)).await,
                begun_in_time(async || short.write(|tx| insert(tx, 1).and_then(|()| work_long(tx)).map(drop)).await)
                    .await,
                begun_in_time(async || short.write(write_long).await).await,
            ]
        });
        assert!(begun.elapsed() < 4 * SOON, "{:?}", begun.elapsed());
        // All of it is undone, and each connection is of use again.
        let after = wait(async {
            for value in 0..8 {
                store.write(move |tx| insert(tx, value)).await.unwrap();
            }
            (store.read(ReadCost::Point, count).await, store.read(ReadCost::Scan, count).await)
        });
        (ended, after)
    });
    assert_eq!(outcomes, (std::array::from_fn(|_| Err(Error::Timeout)), (Ok(8), Ok(8))));
}

#[test]
fn a_loop_of_ours_ends_with_the_time_of_its_job() {
    fn endless(tx: &mut Tx<'_>) -> Result<i64> {
        insert(tx, 1)?;
        loop {
            std::thread::sleep(Duration::from_millis(1));
            tx.check_deadline()?;
        }
    }
    let outcomes = twin(|database| {
        let store = store(database);
        let short = store.limited(TimeLimit::After(SHORT));
        let ended = wait(begun_in_time(async || short.write(endless).await));
        (ended, wait(store.read(ReadCost::Point, count)))
    });
    assert_eq!(outcomes, (Err(Error::Timeout), Ok(0)));
}

#[test]
fn a_job_ends_where_its_caller_goes() {
    twin(|database| {
        let store = store(database);
        wait(async {
            let ended = Arc::new(AtomicBool::new(false));
            for write in [false, true] {
                let (told, runs) = (Arc::clone(&ended), Arc::new(AtomicBool::new(false)));
                let tell = Arc::clone(&runs);
                let job = move |tx: &mut Tx<'_>| {
                    tell.store(true, Ordering::Relaxed);
                    if write {
                        insert(tx, 1)?;
                    }
                    let outcome = work_long(tx);
                    told.store(outcome == Err(Error::Timeout), Ordering::Relaxed);
                    outcome
                };
                let work = async { if write { store.write(job).await } else { store.read(ReadCost::Scan, job).await } };
                let leave = async {
                    while !runs.load(Ordering::Relaxed) {
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                    tokio::time::sleep(SHORT).await;
                };
                tokio::select! { _ = work => panic!("the job ended before its caller went"), () = leave => {} }
                let begun = Instant::now();
                while !ended.swap(false, Ordering::Relaxed) {
                    assert!(begun.elapsed() < SOON, "the job still runs");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
            assert_eq!(store.read(ReadCost::Point, count).await, Ok(0));
        });
    });
}

#[test]
fn writes_that_share_a_commit_with_one_that_ends_go_on() {
    twin(|database| {
        let store = store(database);
        wait(async {
            let mut jobs = JoinSet::new();
            for value in 0..40 {
                let (store, short) = (store.clone(), store.limited(TimeLimit::After(SHORT)));
                jobs.spawn(async move {
                    match value {
                        7 => loop {
                            match short.write(write_long).await {
                                Err(Error::Busy) => {}
                                outcome => return outcome == Err(Error::Timeout),
                            }
                        },
                        _ => store.write(move |tx| insert(tx, value)).await.is_ok(),
                    }
                });
            }
            assert!(jobs.join_all().await.into_iter().all(|expected| expected));
            assert_eq!(store.read(ReadCost::Point, count).await, Ok(39));
        });
    });
}

#[test]
fn a_command_has_all_the_time_it_wants() {
    twin(|database| {
        let store = store(&database.clone().limited(TimeLimit::After(Duration::ZERO)));
        // Their time was over before they began.
        assert_eq!(wait(store.read(ReadCost::Scan, count)), Err(Error::Busy));
        assert_eq!(wait(store.write(|tx| insert(tx, 1))), Err(Error::Busy));
        store.write_blocking(|tx| insert(tx, 1)).unwrap();
        assert_eq!(store.read_blocking(count), Ok(1));
    });
}

/// Checks that work does not wait while a store has as many connections as it is given.
fn beside_a_greedy_store(database: &Database, work: impl Future<Output = ()>) {
    let greedy = store(database);
    wait(async {
        let (begun, told) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let mut long = JoinSet::new();
        for _ in 0..12 {
            let (greedy, begun, told) = (greedy.clone(), Arc::clone(&begun), Arc::clone(&told));
            let job = move |tx: &mut Tx<'_>| {
                insert(tx, 1)?;
                begun.fetch_add(1, Ordering::Relaxed);
                hold_until(|| told.load(Ordering::Relaxed));
                Ok::<_, Error>(())
            };
            long.spawn(async move { greedy.write(job).await });
        }
        while begun.load(Ordering::Relaxed) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(SHORT).await;
        work.await;
        assert!(begun.load(Ordering::Relaxed) <= 4, "it waited until one had ended");
        told.store(true, Ordering::Relaxed);
        long.join_all().await;
    });
}

/// Each of the four connections would be a greedy store's for all of its jobs' time.
#[test]
fn one_store_never_has_all_connections_of_postgresql() {
    let database = postgres();
    let other = database.create("other").unwrap();
    beside_a_greedy_store(&database, async {
        for _ in 0..20 {
            other.read(ReadCost::Point, |tx| tx.epochs()).await.unwrap();
            other.write(|tx| tx.raise_access()).await.unwrap();
        }
    });
}

/// A node that shows no sign of life would be taken for dead.
#[test]
fn a_process_shows_that_it_lives_while_stores_have_all_connections() {
    let database = postgres();
    beside_a_greedy_store(&database, async {
        database.beat("n1").await.unwrap();
        database.ping().await.unwrap();
    });
}
