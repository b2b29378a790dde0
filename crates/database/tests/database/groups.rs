//! Writes that share a commit stand and fall alone.

use crate::engines::{column, index, integer, table, twin, wait};
use database::{ColumnType, ConstraintViolation, Database, Error, Name, ReadCost, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn store(database: &Database) -> Store {
    let store = database.create("groups").unwrap();
    store
        .write_blocking(|tx| {
            tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))?;
            tx.create_index(&index("t1", &["p1"], true))
        })
        .unwrap();
    store
}

async fn insert(store: &Store, value: i64) -> Result<u64, Error> {
    store
        .write(move |tx| {
            let mut sql = tx.sql();
            sql.push("INSERT INTO ").table(&Name::fixed("t1")).push(" (p1) VALUES (").bind(value).push(")");
            tx.execute(&sql)
        })
        .await
}

async fn count(store: &Store) -> i64 {
    store
        .read(ReadCost::Point, |tx| {
            let mut sql = tx.sql();
            sql.push("SELECT count(*) FROM ").table(&Name::fixed("t1"));
            integer(tx, &sql)
        })
        .await
        .unwrap()
}

#[test]
fn one_fails_and_the_others_stand() {
    twin(one_fails);
}

fn one_fails(database: &Database) {
    let store = store(database);
    wait(async {
        let mut waiting = Vec::new();
        for value in 0..300 {
            let store = store.clone();
            // Every third value comes twice: one of the two must be refused, and nothing else.
            let value = if value % 3 == 2 { value - 1 } else { value };
            waiting.push(tokio::spawn(async move { insert(&store, value).await }));
        }
        let (mut stood, mut refused) = (0, 0);
        for task in waiting {
            match task.await.unwrap() {
                Ok(rows) => {
                    assert_eq!(rows, 1);
                    stood += 1;
                }
                Err(error) => {
                    let unique = ConstraintViolation::Unique { table: "t1".into(), columns: vec!["p1".into()] };
                    assert_eq!(error, Error::Violation(unique));
                    refused += 1;
                }
            }
        }
        assert_eq!((stood, refused), (200, 100));
        assert_eq!(count(&store).await, 200);
    });
}

#[test]
fn a_panic_undoes_its_job_alone() {
    twin(a_panic);
}

fn a_panic(database: &Database) {
    let store = store(database);
    wait(async {
        let ran = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&ran);
        let panicking = store.write(move |tx| -> Result<(), Error> {
            seen.fetch_add(1, Ordering::SeqCst);
            let mut sql = tx.sql();
            sql.push("INSERT INTO ").table(&Name::fixed("t1")).push(" (p1) VALUES (1)");
            tx.execute(&sql)?;
            panic!("on purpose");
        });
        let (first, panicked, second) = tokio::join!(insert(&store, 10), panicking, insert(&store, 11));
        assert_eq!((first, second), (Ok(1), Ok(1)));
        assert!(matches!(panicked, Err(Error::Failed(text)) if text.contains("on purpose")));
        assert_eq!(ran.load(Ordering::SeqCst), 1);
        assert_eq!(count(&store).await, 2);
    });
}
