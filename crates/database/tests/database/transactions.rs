//! What a job may and may not do.

use crate::engines::{column, execute, integer, rows, table, twin, wait};
use database::{ColumnType, ConstraintViolation, Database, Error, Name, ReadCost, Sql, Store, TimeLimit, Tx};
use std::time::Instant;

const T1: Name = Name::fixed("t1");

fn store(database: &Database) -> Store {
    let store = database.create("jobs").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    execute(&store, |sql| {
        sql.push("INSERT INTO ").table(&T1).push(" (p1) VALUES (1), (2)");
    })
    .unwrap();
    store
}

fn count(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let mut sql = tx.sql();
    sql.push("SELECT count(*) FROM ").table(&T1);
    integer(tx, &sql)
}

fn delete(tx: &mut Tx<'_>) -> Result<u64, Error> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&T1);
    tx.execute(&sql)
}

fn broken(tx: &mut Tx<'_>) -> Result<u64, Error> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&T1).push(" (id) VALUES (1)");
    tx.execute(&sql)
}

#[test]
fn a_job_sees_what_it_wrote_and_an_error_undoes_it() {
    twin(|database| {
        let store = store(database);
        wait(async {
            let undone = store
                .write(|tx| {
                    assert_eq!(delete(tx)?, 2);
                    assert_eq!(count(tx)?, 0);
                    Err::<(), _>(Error::Busy)
                })
                .await;
            assert_eq!(undone, Err(Error::Busy));
            assert_eq!(store.read(ReadCost::Scan, count).await, Ok(2));
        });
    });
}

#[test]
fn a_failed_statement_cannot_be_shrugged_off() {
    twin(|database| {
        let store = store(database);
        let shrug = |tx: &mut Tx<'_>| {
            delete_one(tx)?;
            let _ = broken(tx);
            Ok::<_, Error>(())
        };
        wait(async {
            assert!(matches!(store.write(shrug).await, Err(Error::Failed(_))));
            assert!(matches!(store.write_blocking(shrug), Err(Error::Failed(_))));
            assert_eq!(store.read(ReadCost::Point, count).await, Ok(2));
        });
    });
}

fn delete_one(tx: &mut Tx<'_>) -> Result<u64, Error> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&T1).push(" WHERE id = 2");
    tx.execute(&sql)
}

#[test]
fn an_attempt_is_undone_alone() {
    twin(|database| {
        let store = store(database);
        let job = |tx: &mut Tx<'_>| {
            assert!(tx.savepoint(broken).is_err());
            tx.savepoint(delete_one)?;
            assert!(tx.savepoint(|tx| tx.savepoint(broken)).is_err());
            let outcome: Result<(), Error> = tx.savepoint(|tx| {
                delete(tx)?;
                Err(Error::Timeout)
            });
            assert_eq!(outcome, Err(Error::Timeout));
            count(tx)
        };
        wait(async {
            assert_eq!(store.write(job).await, Ok(1));
            assert_eq!(store.read(ReadCost::Point, count).await, Ok(1));
        });
    });
}

#[test]
fn a_read_does_not_write() {
    twin(|database| {
        let store = store(database);
        wait(async {
            for cost in [ReadCost::Point, ReadCost::Scan] {
                assert!(store.read(cost, delete).await.is_err());
                let after_snapshot = store.read(cost, |tx| {
                    tx.snapshot()?;
                    delete(tx)
                });
                assert!(after_snapshot.await.is_err());
                assert_eq!(store.read(cost, count).await, Ok(2));
            }
        });
    });
}

#[test]
fn a_read_that_panics_gives_an_error() {
    twin(|database| {
        let store = store(database);
        wait(async {
            for cost in [ReadCost::Point, ReadCost::Scan] {
                let read = store.read(cost, |_| -> Result<(), Error> { panic!("on purpose") });
                assert!(matches!(read.await, Err(Error::Failed(text)) if text.contains("on purpose")));
                assert_eq!(store.read(cost, count).await, Ok(2));
            }
        });
    });
}

#[test]
fn a_snapshot_does_not_move() {
    twin(|database| {
        let store = store(database);
        let other = store.clone();
        let counts = wait(store.read(ReadCost::Scan, move |tx| {
            tx.snapshot()?;
            let before = count(tx)?;
            execute(&other, |sql| {
                sql.push("INSERT INTO ").table(&T1).push(" (p1) VALUES (3)");
            })?;
            Ok::<_, Error>((before, count(tx)?))
        }));
        assert_eq!(counts, Ok((2, 2)));
        assert_eq!(wait(store.read(ReadCost::Scan, count)), Ok(3));
    });
}

#[test]
fn several_statements_give_their_rows_in_order() {
    twin(|database| {
        let store = store(database);
        let run = |tx: &mut Tx<'_>| {
            let statement = |text: &'static str, value: i64| {
                let mut sql: Sql = tx.sql();
                sql.push("SELECT p1 FROM ").table(&T1).push(text).bind(value).push(" ORDER BY id");
                sql
            };
            let statements = [statement(" WHERE id > ", 0), statement(" WHERE id > ", 5), statement(" WHERE id = ", 2)];
            let statements: Vec<&Sql> = statements.iter().collect();
            let mut seen = Vec::new();
            tx.query_all(&statements, &mut |index, row| {
                seen.push((index, row.integer(0)?));
                Ok(())
            })?;
            tx.query_all(&[], &mut |_, _| Ok(()))?;
            Ok::<_, Error>(seen)
        };
        wait(async {
            let read = store.read(ReadCost::Scan, run).await.unwrap();
            assert_eq!(read, [(0, 1), (0, 2), (2, 2)]);
            assert_eq!(store.write(run).await.unwrap(), read);
            assert_eq!(store.read_blocking(run).unwrap(), read);
        });
    });
}

#[test]
fn the_first_of_several_statements_that_fails_tells_why() {
    twin(|database| {
        let store = store(database);
        let run = |tx: &mut Tx<'_>| {
            let mut violating = tx.sql();
            violating.push("INSERT INTO ").table(&T1).push(" (id) VALUES (").bind(1).push(") RETURNING id");
            let mut sound = tx.sql();
            sound.push("UPDATE ").table(&T1).push(" SET p1 = ").bind(9);
            tx.query_all(&[&violating, &sound], &mut |_, _| Ok(()))
        };
        let unique = ConstraintViolation::Unique { table: "t1".into(), columns: vec!["id".into()] };
        assert_eq!(wait(store.write(run)), Err(Error::Violation(unique.clone())));
        assert_eq!(store.write_blocking(run), Err(Error::Violation(unique)));
    });
}

#[test]
fn rows_can_be_given_up_in_the_middle() {
    twin(|database| {
        let store = store(database);
        let give_up = |tx: &mut Tx<'_>| {
            let mut sql = tx.sql();
            sql.push("SELECT id FROM ").table(&T1);
            let stopped = tx.query(&sql, &mut |_| Err(Error::Busy));
            assert_eq!(stopped, Err(Error::Busy));
            rows(tx, &sql, &[ColumnType::Integer])?;
            delete_one(tx)
        };
        assert_eq!(wait(store.write(give_up)), Ok(1));
        assert_eq!(wait(store.read(ReadCost::Scan, count)), Ok(1));
    });
}

#[test]
fn a_statement_that_takes_too_long_is_stopped() {
    twin(|database| {
        let store = store(database);
        let endless = |tx: &mut Tx<'_>| {
            let mut sql = tx.sql();
            sql.push("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
            integer(tx, &sql)
        };
        wait(async {
            // Nothing but the limit of a statement stops one.
            let (store, start) = (store.limited(TimeLimit::Endless), Instant::now());
            let scan = store.clone();
            let other = tokio::spawn(async move { scan.read(ReadCost::Scan, endless).await });
            let writer = store.clone();
            let writes = tokio::spawn(async move {
                let writes = (writer.write(delete_one), writer.write(endless), writer.write(|tx| tx.raise_access()));
                tokio::join!(writes.0, writes.1, writes.2)
            });
            assert_eq!(store.read(ReadCost::Point, endless).await, Err(Error::Timeout));
            assert_eq!(other.await.unwrap(), Err(Error::Timeout));
            // The others of a group do not suffer.
            assert_eq!(writes.await.unwrap(), (Ok(1), Err(Error::Timeout), Ok(())));
            assert!(start.elapsed().as_secs() >= 4);
            assert_eq!(store.read(ReadCost::Point, count).await, Ok(1));
        });
    });
}

#[test]
fn commands_and_requests_write_side_by_side() {
    twin(|database| {
        let store = store(database);
        wait(async {
            let insert = |tx: &mut Tx<'_>| {
                let mut sql = tx.sql();
                sql.push("INSERT INTO ").table(&T1).push(" (p1) VALUES (1)");
                tx.execute(&sql)
            };
            let mut requests = Vec::new();
            for _ in 0..40 {
                let store = store.clone();
                requests.push(tokio::spawn(async move { store.write(insert).await }));
            }
            // Blocking calls work in a runtime too, though they hold up its thread.
            for _ in 0..10 {
                assert_eq!(store.write_blocking(insert), Ok(1));
                assert!(store.read_blocking(count).unwrap() > 2);
            }
            for request in requests {
                assert_eq!(request.await.unwrap(), Ok(1));
            }
            assert_eq!(store.read(ReadCost::Scan, count).await, Ok(52));
        });
    });
}
