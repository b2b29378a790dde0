//! Reads by key that wait at the same time go to PostgreSQL in one exchange; nobody may see that they do.

use crate::engines::{column, end_others, execute, integer, postgres_at, table, twin, wait};
use database::{ColumnType, Database, Error, Name, ReadCost, Sql, Store, Tx};
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Waker};
use tokio::task::JoinHandle;

const T1: Name = Name::fixed("t1");

fn store(database: &Database, name: &str) -> Store {
    let store = database.create(name).unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    execute(&store, |sql| {
        sql.push("INSERT INTO ").table(&T1).push(" (id, p1) VALUES (1, 10), (2, 20), (3, 30), (4, 40)");
    })
    .unwrap();
    store
}

/// Keeps a connection from taking jobs until it is dropped. Where it `asks`, the connection knows the epochs then.
struct Busy(#[expect(dead_code, reason = "it is what the job waits for")] mpsc::Sender<()>);

async fn keep_busy(store: &Store, asks: bool) -> Busy {
    let (release, released) = mpsc::channel::<()>();
    let (begun, begins) = tokio::sync::oneshot::channel();
    let (store, mut begun) = (store.clone(), Some(begun));
    tokio::spawn(async move {
        store
            .read(ReadCost::Point, move |tx| {
                if asks {
                    tx.epochs()?;
                }
                if let Some(begun) = begun.take() {
                    let _ = begun.send(());
                    let _ = released.recv();
                }
                Ok::<_, Error>(())
            })
            .await
    });
    begins.await.unwrap();
    Busy(release)
}

/// A job as requests have them: on epochs, by a key. Counts its runs. It waits behind those before it when this
/// returns.
fn read<T: Send + 'static>(
    store: &Store,
    runs: &Arc<AtomicUsize>,
    mut job: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> JoinHandle<Result<T, Error>> {
    let (store, runs) = (store.clone(), Arc::clone(runs));
    let mut read = Box::pin(async move {
        store
            .read(ReadCost::Point, move |tx| {
                runs.fetch_add(1, Ordering::SeqCst);
                tx.epochs()?;
                job(tx)
            })
            .await
    });
    // Tasks begin in any order.
    let begun = read.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    tokio::spawn(async move {
        match begun {
            Poll::Ready(answer) => answer,
            Poll::Pending => read.await,
        }
    })
}

fn by_id(tx: &Tx<'_>, id: i64) -> Sql {
    let mut sql = tx.sql();
    sql.push("SELECT p1 FROM ").table(&T1).push(" WHERE id = ").bind(id);
    sql
}

/// Which transaction of the server it is.
fn moment(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let mut sql = tx.sql();
    sql.push("SELECT (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint");
    integer(tx, &sql)
}

async fn answers<T>(handles: impl IntoIterator<Item = JoinHandle<T>>) -> Vec<T> {
    let mut answers = Vec::new();
    for handle in handles {
        answers.push(handle.await.unwrap());
    }
    answers
}

fn on_one_connection<F: Future<Output = ()>>(test: impl FnOnce(Database, Store) -> F) {
    let database = postgres_at(testing::postgres().database(), 1);
    let store = store(&database, "together");
    wait(async {
        drop(keep_busy(&store, true).await);
        test(database, store).await;
    });
}

#[test]
fn reads_that_wait_go_in_one_exchange() {
    on_one_connection(|_, store| async move {
        let runs = Arc::default();
        let busy = keep_busy(&store, false).await;
        let reads: Vec<_> = (0..8).map(|_| read(&store, &runs, moment)).collect();
        drop(busy);
        let moments = answers(reads).await;
        assert!(moments[0].is_ok() && moments.iter().all(|other| *other == moments[0]), "{moments:?}");
        assert_eq!(runs.load(Ordering::SeqCst), 16);
    });
}

#[test]
fn each_gets_its_own_answer() {
    twin(|database| {
        let store = store(database, "together");
        wait(async {
            let runs = Arc::default();
            let one = (0..24).map(|number| {
                read(&store, &runs, move |tx| match number % 6 {
                    0 => Ok(vec![number]),
                    1 => {
                        let (first, second) = (by_id(tx, 1 + number % 4), by_id(tx, 3));
                        let mut seen = Vec::new();
                        tx.query_all(&[&first, &second], &mut |statement, row| {
                            seen.extend([i64::try_from(statement).unwrap(), row.integer(0)?]);
                            Ok(())
                        })?;
                        Ok(seen)
                    }
                    2 => {
                        // It asks for more once it has an answer.
                        let next = integer(tx, &by_id(tx, 1))? / 5;
                        Ok(vec![integer(tx, &by_id(tx, next))?, integer(tx, &by_id(tx, 4))?])
                    }
                    3 => {
                        tx.snapshot()?;
                        Ok(vec![integer(tx, &by_id(tx, 2))?, integer(tx, &by_id(tx, 3))?])
                    }
                    4 => Err(Error::Failed(integer(tx, &by_id(tx, 4))?.to_string())),
                    _ => Ok(vec![integer(tx, &by_id(tx, 1 + number % 4))?]),
                })
            });
            answers(one.collect::<Vec<_>>()).await
        })
    });
}

#[test]
fn a_job_that_fails_fails_alone() {
    on_one_connection(|_, store| async move {
        let runs = Arc::default();
        let busy = keep_busy(&store, false).await;
        let reads: Vec<_> = (1..=4)
            .map(|id| {
                read(&store, &runs, move |tx| {
                    let mut sql = tx.sql();
                    sql.push("SELECT ").bind(if id == 2 { "x" } else { "7" }).push("::text::bigint");
                    Ok(integer(tx, &sql)? + integer(tx, &by_id(tx, id))?)
                })
            })
            .collect();
        let panics = read(&store, &runs, |tx| {
            let value = integer(tx, &by_id(tx, 1))?;
            assert_eq!(value, 11, "as wanted");
            Ok(value)
        });
        let refused = read(&store, &runs, |tx| {
            let mut sql = tx.sql();
            sql.push("SELECT 'text'::text");
            integer(tx, &sql)
        });
        drop(busy);
        let mut outcomes = answers(reads).await;
        let failed = outcomes.remove(1);
        assert!(matches!(&failed, Err(Error::Failed(reason)) if reason.contains("22P02")), "{failed:?}");
        assert_eq!(outcomes, [Ok(17), Ok(37), Ok(47)]);
        let panicked = panics.await.unwrap();
        assert!(matches!(&panicked, Err(Error::Failed(reason)) if reason.contains("as wanted")), "{panicked:?}");
        let refused = refused.await.unwrap();
        assert!(matches!(&refused, Err(Error::Corrupt(_))), "{refused:?}");
    });
}

#[test]
fn no_job_ends_on_epochs_that_moved() {
    on_one_connection(|_, store| async move {
        for round in 0..3 {
            let runs = Arc::default();
            let busy = keep_busy(&store, false).await;
            let reads: Vec<_> = (0..6)
                .map(|number| {
                    read(&store, &runs, move |tx| {
                        let epochs = tx.epochs()?;
                        if number % 2 == 0 {
                            integer(tx, &by_id(tx, 1))?;
                        }
                        match number {
                            5 => Err(Error::Failed(epochs.access.to_string())),
                            _ => Ok(epochs.access),
                        }
                    })
                })
                .collect();
            // On a connection of its own.
            store.write_blocking(|tx| tx.raise_access()).unwrap();
            let raised = store.read_blocking(|tx| tx.epochs()).unwrap().access;
            drop(busy);
            let mut expected = vec![Ok(raised); 5];
            expected.push(Err(Error::Failed(raised.to_string())));
            assert_eq!(answers(reads).await, expected, "round {round}");
        }
    });
}

#[test]
fn who_has_gone_is_not_asked_for() {
    on_one_connection(|_, store| async move {
        let (runs, others) = (Arc::default(), Arc::default());
        let busy = keep_busy(&store, false).await;
        let gone = read(&store, &runs, moment);
        let reads: Vec<_> = (1..=4).map(|id| read(&store, &others, move |tx| integer(tx, &by_id(tx, id)))).collect();
        gone.abort();
        assert!(gone.await.unwrap_err().is_cancelled());
        drop(busy);
        assert_eq!(answers(reads).await, [Ok(10), Ok(20), Ok(30), Ok(40)]);
        assert_eq!((runs.load(Ordering::SeqCst), others.load(Ordering::SeqCst)), (0, 8));
    });
}

#[test]
fn stores_do_not_share_an_exchange() {
    on_one_connection(|database, store| async move {
        let other = self::store(&database, "other");
        execute(&other, |sql| {
            sql.push("UPDATE ").table(&T1).push(" SET p1 = p1 + 1");
        })
        .unwrap();
        drop(keep_busy(&other, true).await);
        let runs = Arc::default();
        let busy = keep_busy(&store, false).await;
        let both = |tx: &mut Tx<'_>| {
            let (mut moment, value) = (tx.sql(), by_id(tx, 2));
            moment.push("SELECT (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint");
            let mut seen = Vec::new();
            tx.query_all(&[&moment, &value], &mut |_, row| {
                seen.push(row.integer(0)?);
                Ok(())
            })?;
            Ok((seen[0], seen[1]))
        };
        let stores = [&store, &store, &other, &other, &store, &store];
        let reads: Vec<_> = stores.iter().map(|store| read(store, &runs, both)).collect();
        drop(busy);
        let seen: Vec<_> = answers(reads).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(seen.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [20, 20, 21, 21, 20, 20]);
        assert!(seen[0].0 == seen[1].0 && seen[1].0 != seen[2].0 && seen[2].0 == seen[3].0, "{seen:?}");
        assert!(seen[3].0 != seen[4].0 && seen[4].0 == seen[5].0, "{seen:?}");
    });
}

#[test]
fn a_job_that_asks_for_something_else_gets_what_it_asked_for_last() {
    on_one_connection(|_, store| async move {
        let runs = Arc::default();
        let busy = keep_busy(&store, false).await;
        let reads: Vec<_> = (0..4)
            .map(|_| {
                let mut run = 0;
                read(&store, &runs, move |tx| {
                    run += 1;
                    let mut sql = tx.sql();
                    sql.push("SELECT ").bind(run).push("::bigint");
                    Ok(integer(tx, &sql)? - run)
                })
            })
            .collect();
        drop(busy);
        assert_eq!(answers(reads).await, [Ok(0), Ok(0), Ok(0), Ok(0)]);
        assert!(runs.load(Ordering::SeqCst) > 8, "they did not go together");
    });
}

#[test]
fn who_waits_for_a_slow_answer_is_served_elsewhere() {
    let url = testing::postgres().database();
    let between = if url.contains('?') { '&' } else { '?' };
    let database = postgres_at(format!("{url}{between}options=-c%20statement_timeout%3D12s"), 2);
    let store = store(&database, "together");
    wait(async {
        let runs = Arc::default();
        let busy = [keep_busy(&store, true).await, keep_busy(&store, true).await];
        let quick = |id| read(&store, &runs, move |tx| integer(tx, &by_id(tx, id)));
        let before = quick(1);
        let slow = read(&store, &runs, |tx| {
            let mut sql = tx.sql();
            sql.push("SELECT 1::bigint FROM pg_sleep(60)");
            integer(tx, &sql)
        });
        let after = [quick(2), quick(3)];
        drop(busy);
        assert_eq!(before.await.unwrap(), Ok(10));
        assert_eq!(answers(after).await, [Ok(20), Ok(30)]);
        assert!(!slow.is_finished(), "they waited for the slow one");
        assert_eq!(slow.await.unwrap(), Err(Error::Timeout));
        assert_eq!(quick(4).await.unwrap(), Ok(40));
    });
}

#[test]
fn a_connection_that_broke_is_made_again() {
    let url = testing::postgres().database();
    let database = postgres_at(url.clone(), 1);
    let outside = postgres_at(url, 1);
    let store = store(&database, "together");
    wait(async {
        for _ in 0..2 {
            let runs = Arc::default();
            let busy = keep_busy(&store, false).await;
            let reads: Vec<_> = (1..=4).map(|id| read(&store, &runs, move |tx| integer(tx, &by_id(tx, id)))).collect();
            end_others(&outside.store("together").unwrap()).unwrap();
            drop(busy);
            assert_eq!(answers(reads).await, [Ok(10), Ok(20), Ok(30), Ok(40)]);
        }
    });
}
