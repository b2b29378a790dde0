//! Behind a deadlock on PostgreSQL, writes that take turns go one by one in their store: no others wait.

use crate::engines::{column, execute, hold_until, postgres_at, table, wait};
use database::{ColumnType, Database, Error, Name, Store, Tx};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const T1: Name = Name::fixed("t1");

/// A store with four rows.
fn store(database: &Database, name: &str) -> Store {
    let store = database.create(name).unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    execute(&store, |sql| {
        sql.push("INSERT INTO ").table(&T1).push(" (id, p1) VALUES (1, 0), (2, 0), (3, 0), (4, 0)");
    })
    .unwrap();
    store
}

fn raise(tx: &mut Tx<'_>, id: i64) -> Result<u64, Error> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&T1).push(" SET p1 = p1 + 1 WHERE id = ").bind(id);
    tx.execute(&sql)
}

/// Two writes that take turns have the first of their rows each before they go on: those of `rows` lock one another's,
/// where they are the same two the other way round.
async fn meet(store: &Store, rows: [[i64; 2]; 2]) -> usize {
    let (runs, met) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let each = rows.map(|[first, second]| {
        let (store, runs, met) = (store.clone(), Arc::clone(&runs), Arc::clone(&met));
        tokio::spawn(async move {
            let job = move |tx: &mut Tx<'_>| {
                runs.fetch_add(1, Ordering::SeqCst);
                tx.write_lock(false)?;
                raise(tx, first)?;
                met.fetch_add(1, Ordering::SeqCst);
                hold_until(|| met.load(Ordering::SeqCst) >= 2);
                raise(tx, second)
            };
            store.write(job).await
        })
    });
    for one in each {
        assert_eq!(one.await.unwrap(), Ok(1));
    }
    runs.load(Ordering::SeqCst)
}

#[test]
fn behind_a_deadlock_other_stores_and_other_rows_are_written_meanwhile() {
    let database = postgres_at(testing::postgres().database(), 8);
    let (store, other) = (store(&database, "met"), store(&database, "apart"));
    wait(async {
        assert!(meet(&store, [[1, 2], [2, 1]]).await >= 3, "nobody had to try again");
        // One has its turn alone from here on, until it is told to end.
        let (begun, told) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let held = tokio::spawn({
            let (store, begun, told) = (store.clone(), Arc::clone(&begun), Arc::clone(&told));
            async move {
                let job = move |tx: &mut Tx<'_>| {
                    tx.write_lock(false)?;
                    raise(tx, 1)?;
                    begun.store(true, Ordering::SeqCst);
                    hold_until(|| told.load(Ordering::SeqCst));
                    Ok::<_, Error>(())
                };
                store.write(job).await
            }
        });
        while !begun.load(Ordering::SeqCst) {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let entered = Arc::new(AtomicBool::new(false));
        let next = tokio::spawn({
            let (store, entered) = (store.clone(), Arc::clone(&entered));
            async move {
                loop {
                    let entered = Arc::clone(&entered);
                    let job = move |tx: &mut Tx<'_>| {
                        tx.write_lock(false)?;
                        let raised = raise(tx, 2)?;
                        entered.store(true, Ordering::SeqCst);
                        Ok::<_, Error>(raised)
                    };
                    match store.write(job).await {
                        // It waited for as long as a write may.
                        Err(Error::Busy) => {}
                        outcome => return outcome,
                    }
                }
            }
        });
        // Writes without a turn, of other rows; and in another store such that take one, side by side.
        for id in [3, 4, 3] {
            assert_eq!(store.write(move |tx| raise(tx, id)).await, Ok(1));
        }
        assert_eq!(meet(&other, [[1, 2], [3, 4]]).await, 2);
        assert!(!told.load(Ordering::SeqCst) && !entered.load(Ordering::SeqCst), "two had their turn at a time");
        told.store(true, Ordering::SeqCst);
        assert_eq!(held.await.unwrap(), Ok(()));
        assert_eq!(next.await.unwrap(), Ok(1));
    });
}
