//! Turns of writes: side by side with others, or alone.

use crate::engines::{column, each_guard, execute, integer, postgres, postgres_at, postgres_with_rows, table, wait};
use database::{
    ColumnType, Database, Error, GuardMode, Name, PostgresOptions, ReadCost, ServerFacts, Store, StoreGuard, Tx,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const T1: Name = Name::fixed("t1");
/// Far more than anything here takes, where nothing waits for what does not come.
const LONG: Duration = Duration::from_secs(30);

/// A store with one row, which counts.
fn store(database: &Database) -> Store {
    let store = database.create("turns").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    execute(&store, |sql| _ = sql.push("INSERT INTO ").table(&T1).push(" (p1) VALUES (0)")).unwrap();
    store
}

fn count(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let mut sql = tx.sql();
    sql.push("SELECT p1 FROM ").table(&T1);
    integer(tx, &sql)
}

/// Counts one more, so that another that does it at the same time would be lost.
fn count_on(tx: &mut Tx<'_>) -> Result<(), Error> {
    tx.write_lock(true)?;
    let next = count(tx)? + 1;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&T1).push(" SET p1 = ").bind(next);
    tx.execute(&sql).map(drop)
}

/// Counts one more without any turn, which others could undo; so it asks for the store.
fn count_with_store(tx: &mut Tx<'_>) -> Result<(), Error> {
    let next = count(tx)? + 1;
    // The count may have changed since, unless the store was the write's own all along.
    let next = if tx.require_store()? { next } else { count(tx)? + 1 };
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&T1).push(" SET p1 = ").bind(next);
    tx.execute(&sql).map(drop)
}

/// Whether the count stays as it is while somebody looks at it, side by side with others.
fn stays(tx: &mut Tx<'_>) -> Result<bool, Error> {
    tx.write_lock(false)?;
    let before = count(tx)?;
    std::thread::sleep(Duration::from_millis(2));
    Ok(count(tx)? == before)
}

/// Writes, and comes again as often as it is told to.
async fn write<T: Send + 'static>(store: Store, work: fn(&mut Tx<'_>) -> Result<T, Error>) -> T {
    loop {
        match store.write(work).await {
            Err(Error::Busy) => {}
            outcome => return outcome.unwrap(),
        }
    }
}

#[test]
fn nothing_changes_while_one_has_its_turn() {
    let counted = each_guard(|database| {
        let store = store(database);
        wait(async {
            let (mut counting, mut looking) = (JoinSet::new(), JoinSet::new());
            for _ in 0..40 {
                counting.spawn(write(store.clone(), count_on));
                looking.spawn(write(store.clone(), stays));
            }
            counting.join_all().await;
            assert!(looking.join_all().await.into_iter().all(|stays| stays), "it changed under somebody's eyes");
            store.read(ReadCost::Point, count).await.unwrap()
        })
    });
    assert_eq!(counted, 40);
}

#[test]
fn a_write_that_requires_the_store_loses_nothing_to_others() {
    let counted = each_guard(|database| {
        let store = store(database);
        wait(async {
            let mut counting = JoinSet::new();
            for number in 0..40 {
                let store = store.clone();
                counting.spawn(async move {
                    match number % 4 {
                        // One that runs once waits where it stands.
                        0 => loop {
                            let own = store.clone();
                            let once = move || own.write_blocking(count_with_store);
                            match tokio::task::spawn_blocking(once).await.unwrap() {
                                Err(Error::Busy) => {}
                                outcome => break outcome.unwrap(),
                            }
                        },
                        _ => write(store, count_with_store).await,
                    }
                });
            }
            counting.join_all().await;
            store.read(ReadCost::Point, count).await.unwrap()
        })
    });
    assert_eq!(counted, 40);
}

/// The turn of a write that is undone, or fails, is over with it.
#[test]
fn a_turn_ends_with_its_transaction() {
    let counted = each_guard(|database| {
        let store = store(database);
        for alone in [true, false, true] {
            let undone = store.write_blocking(|tx| {
                tx.write_lock(alone)?;
                count(tx)?;
                Err::<(), _>(Error::Busy)
            });
            assert_eq!(undone, Err(Error::Busy));
            store.write_blocking(count_on).unwrap();
            // One that has its turn may ask again.
            let twice = store.write_blocking(|tx| {
                tx.write_lock(alone)?;
                tx.write_lock(true)?;
                count(tx)
            });
            assert!(twice.is_ok());
        }
        store.read_blocking(count)
    });
    assert_eq!(counted, Ok(3));
}

/// PostgreSQL has several writers at a time.
#[test]
fn those_side_by_side_meet_and_one_alone_meets_nobody() {
    for database in [postgres(), postgres_with_rows()] {
        meet_and_be_alone(&store(&database));
    }
}

fn meet_and_be_alone(store: &Store) {
    let (here, mut there) = (channel(), channel());
    let meet = |own: std::sync::mpsc::Sender<()>, other: std::sync::mpsc::Receiver<()>| {
        let store = store.clone();
        std::thread::spawn(move || {
            store.write_blocking(|tx| {
                tx.write_lock(false)?;
                count(tx)?;
                own.send(()).unwrap();
                other.recv_timeout(LONG).map_err(|_| Error::Failed("nobody came".into()))
            })
        })
    };
    let (one, other) = (meet(here.0, there.1), meet(there.0, here.1));
    assert_eq!((one.join().unwrap(), other.join().unwrap()), (Ok(()), Ok(())));

    let order = Arc::new(Mutex::new(Vec::new()));
    there = channel();
    let (begun, goes_on) = (there.0, channel::<()>());
    let alone = {
        let (store, order) = (store.clone(), Arc::clone(&order));
        std::thread::spawn(move || {
            store.write_blocking(|tx| {
                tx.write_lock(true)?;
                count(tx)?;
                begun.send(()).unwrap();
                goes_on.1.recv_timeout(LONG).map_err(|_| Error::Failed("nobody said so".into()))?;
                order.lock().unwrap().push("alone");
                Ok::<_, Error>(())
            })
        })
    };
    there.1.recv_timeout(LONG).unwrap();
    let beside = {
        let (store, order) = (store.clone(), Arc::clone(&order));
        std::thread::spawn(move || {
            store.write_blocking(|tx| {
                tx.write_lock(false)?;
                count(tx)?;
                order.lock().unwrap().push("beside");
                Ok::<_, Error>(())
            })
        })
    };
    // Long enough that it would have come, if it could.
    std::thread::sleep(Duration::from_millis(200));
    assert!(order.lock().unwrap().is_empty());
    goes_on.0.send(()).unwrap();
    assert_eq!((alone.join().unwrap(), beside.join().unwrap()), (Ok(()), Ok(())));
    assert_eq!(*order.lock().unwrap(), ["alone", "beside"]);
}

#[test]
fn no_advisory_lock_outlives_its_transaction() {
    let store = store(&postgres_at(testing::postgres().direct_database(), 4));
    let locks = |tx: &mut Tx<'_>| {
        let mut sql = tx.sql();
        sql.push("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = ");
        sql.push("(SELECT oid FROM pg_database WHERE datname = current_database())");
        integer(tx, &sql)
    };
    wait(async {
        for (alone, ends_well) in [(false, true), (true, true), (false, false), (true, false)] {
            let held = store.write(move |tx| {
                if alone {
                    tx.lock_store()?;
                }
                tx.write_lock(alone)?;
                let held = locks(tx)?;
                assert_eq!(held, 2);
                if ends_well { Ok(()) } else { Err(Error::Timeout) }
            });
            assert_eq!(held.await.is_ok(), ends_well);
            assert_eq!(store.read(ReadCost::Scan, locks).await, Ok(0));
        }
    });
}

/// Writes that never leave a gap between them must not keep out one that wants the store, or a turn, for itself.
#[test]
fn one_alone_is_not_kept_waiting_by_writes_without_a_gap() {
    for database in [postgres(), postgres_with_rows()] {
        let store = store(&database);
        let ended = Arc::new(AtomicBool::new(false));
        let writers: Vec<_> = (0..3)
            .map(|_| {
                let (store, ended) = (store.clone(), Arc::clone(&ended));
                std::thread::spawn(move || {
                    while !ended.load(Ordering::Relaxed) {
                        let held = store.write_blocking(|tx| {
                            tx.write_lock(false)?;
                            count(tx)?;
                            std::thread::sleep(Duration::from_millis(20));
                            Ok(())
                        });
                        assert!(matches!(held, Ok(()) | Err(Error::Busy)), "{held:?}");
                    }
                })
            })
            .collect();
        let began = Instant::now();
        for _ in 0..5 {
            store
                .write_blocking(|tx| {
                    tx.lock_store()?;
                    count_on(tx)
                })
                .unwrap();
            store.write_blocking(count_on).unwrap();
        }
        ended.store(true, Ordering::Relaxed);
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        assert!(began.elapsed() < LONG, "it waited for {:?}", began.elapsed());
        assert_eq!(store.read_blocking(count), Ok(10));
    }
}

#[test]
fn a_server_without_advisory_locks_is_found_by_trial() {
    let told = |database: &Database| match database.facts().unwrap() {
        ServerFacts::Postgres(facts) => (facts.guard, facts.advisory_locks),
        ServerFacts::Sqlite { .. } => panic!("it is PostgreSQL"),
    };
    let with = testing::postgres().direct_database();
    let without = testing::postgres().database_without_advisory_locks();
    for (url, mode, expected) in [
        (&with, GuardMode::Auto, (StoreGuard::Advisory, Some(true))),
        (&with, GuardMode::Row, (StoreGuard::Row, Some(true))),
        (&without, GuardMode::Auto, (StoreGuard::Row, Some(false))),
        (&without, GuardMode::Advisory, (StoreGuard::Advisory, Some(false))),
    ] {
        let options = PostgresOptions { url: url.clone(), connections: 2, guard: mode, ..Default::default() };
        assert_eq!(told(&Database::postgres(options).unwrap()), expected, "{mode:?}");
    }
}

/// A store that an older version made has no rows to lock until the guard needs them.
#[test]
fn a_store_of_an_older_version_gets_the_rows_that_are_locked() {
    let url = testing::postgres().database_without_advisory_locks();
    store(&postgres_at(url.clone(), 2));
    testing::postgres().ask(&url, "DELETE FROM plinth_turns.plinth_state WHERE id > 1;");
    let store = postgres_at(url, 2).store("turns").unwrap();
    let locked = store.write_blocking(|tx| {
        tx.lock_store()?;
        tx.write_lock(true)?;
        let mut sql = tx.sql();
        sql.push("SELECT count(*) FROM plinth_turns.plinth_state");
        Ok::<_, Error>((tx.try_lock("name")?, integer(tx, &sql)?))
    });
    assert_eq!(locked, Ok((true, 21)));
}
