//! What is sent later than it is asked for, or told before it is known: no job ends on what does not hold.

use crate::engines::{column, integer, postgres_at, table, twin, wait};
use database::{ColumnType, ConstraintViolation, Database, Error, IndexSpec, Name, ReadCost, Sql, Store, Tx, Value};

const T1: Name = Name::fixed("t1");

fn store(database: &Database) -> Store {
    let store = database.create("guesses").unwrap();
    store
        .write_blocking(|tx| {
            tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))?;
            tx.create_index(&IndexSpec { table: T1, columns: vec![Name::fixed("p1")], unique: true })
        })
        .unwrap();
    store
}

fn insert(tx: &Tx<'_>, value: i64) -> Sql {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&T1).push(" (p1) VALUES (").bind(value).push(")");
    sql
}

fn count(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let mut sql = tx.sql();
    sql.push("SELECT count(*) FROM ").table(&T1);
    integer(tx, &sql)
}

#[test]
fn no_job_ends_on_epochs_that_moved() {
    twin(|database| {
        let store = store(database);
        wait(async {
            let mut written = 0;
            for round in 0..4 {
                let raised = store.read_blocking(|tx| tx.epochs()).unwrap().access;
                // Enough of each that every connection remembers these epochs.
                for value in 0..12 {
                    let write = store.write(move |tx| {
                        let epochs = tx.epochs()?;
                        tx.execute(&insert(tx, round * 100 + value))?;
                        Ok::<_, Error>(epochs.access)
                    });
                    assert_eq!(write.await, Ok(raised));
                    written += 1;
                    let read = store.read(ReadCost::Scan, |tx| Ok::<_, Error>((tx.epochs()?.access, count(tx)?)));
                    assert_eq!(read.await, Ok((raised, written)));
                    let refused =
                        store.read(ReadCost::Scan, |tx| Err::<(), _>(Error::Failed(tx.epochs()?.access.to_string())));
                    assert_eq!(refused.await, Err(Error::Failed(raised.to_string())));
                    let nothing = store.write(|tx| Ok::<_, Error>(tx.epochs()?.access));
                    assert_eq!(nothing.await, Ok(raised));
                    let deferred = store.write(move |tx| {
                        let epochs = tx.epochs()?;
                        tx.defer(insert(tx, round * 100 + 50 + value))?;
                        Ok::<_, Error>(epochs.access)
                    });
                    assert_eq!(deferred.await, Ok(raised));
                    written += 1;
                }
                store.write_blocking(|tx| tx.raise_access()).unwrap();
            }
        });
    });
}

/// A slow job may meet one change after the other.
#[test]
fn a_job_runs_anew_for_each_of_many_changes() {
    const CHANGES: i64 = 10;
    let store = store(&postgres_at(testing::postgres().database(), 1));
    wait(async {
        let first = store.write(|tx| Ok::<_, Error>(tx.epochs()?.access)).await.unwrap();
        let (other, mut runs) = (store.clone(), 0);
        let written = store.write(move |tx| {
            let epochs = tx.epochs()?;
            runs += 1;
            if runs <= CHANGES {
                other.write_blocking(|tx| tx.raise_access())?;
            }
            tx.execute(&insert(tx, 1))?;
            Ok::<_, Error>((runs, epochs.access))
        });
        assert_eq!(written.await, Ok((CHANGES + 1, first + CHANGES)));
        let (other, mut runs) = (store.clone(), 0);
        let read = store.read(ReadCost::Scan, move |tx| {
            let epochs = tx.epochs()?;
            runs += 1;
            if runs <= CHANGES {
                other.write_blocking(|tx| tx.raise_access())?;
            }
            Ok::<_, Error>((runs, epochs.access, count(tx)?))
        });
        assert_eq!(read.await, Ok((CHANGES + 1, first + 2 * CHANGES, 1)));
    });
}

#[test]
fn a_deferred_statement_is_part_of_its_transaction() {
    twin(|database| {
        let store = store(database);
        wait(async {
            let seen = store.write(|tx| {
                tx.defer(insert(tx, 1))?;
                count(tx)
            });
            assert_eq!(seen.await, Ok(1));
            let undone = store.write(|tx| {
                tx.defer(insert(tx, 2))?;
                Err::<(), _>(Error::Timeout)
            });
            assert_eq!(undone.await, Err(Error::Timeout));
            let attempted = store.write(|tx| {
                tx.defer(insert(tx, 3))?;
                let attempt = tx.savepoint(|tx| {
                    tx.defer(insert(tx, 4))?;
                    Err::<(), _>(Error::Timeout)
                });
                assert_eq!(attempt, Err(Error::Timeout));
                tx.savepoint(|tx| tx.defer(insert(tx, 5)))
            });
            assert_eq!(attempted.await, Ok(()));
            assert_eq!(store.read(ReadCost::Scan, count).await, Ok(3));
        });
    });
}

#[test]
fn a_deferred_statement_that_fails_undoes_the_job() {
    twin(|database| {
        let store = store(database);
        wait(async {
            let write = store.write(|tx| {
                tx.execute(&insert(tx, 1))?;
                tx.execute(&insert(tx, 2))?;
                tx.defer(insert(tx, 1))
            });
            let expected = ConstraintViolation::Unique { table: "t1".into(), columns: vec!["p1".into()] };
            assert_eq!(write.await, Err(Error::Violation(expected)));
            assert_eq!(store.read(ReadCost::Scan, count).await, Ok(0));
            assert_eq!(store.write(|tx| tx.defer(insert(tx, 1))).await, Ok(()));
        });
    });
}

#[test]
fn a_deferred_statement_is_not_lost_where_its_column_changed() {
    twin(|database| {
        let store = store(database);
        let update = |value: Value| {
            move |tx: &mut Tx<'_>| {
                let mut sql = tx.sql();
                sql.push("UPDATE ").table(&T1).push(" SET p1 = ").bind(value.clone()).push(" WHERE id = 1");
                tx.defer(sql)
            }
        };
        let stored = |tx: &mut Tx<'_>| {
            let mut sql = tx.sql();
            sql.push("SELECT p1 FROM ").table(&T1).push(" WHERE id = 1");
            let mut text = String::new();
            tx.query(&sql, &mut |row| {
                text = row.text(0)?.to_owned();
                Ok(())
            })?;
            Ok::<_, Error>(text)
        };
        wait(async {
            store.write(|tx| tx.execute(&insert(tx, 1))).await.unwrap();
            for number in 0..12 {
                assert_eq!(store.write(update(Value::Integer(number))).await, Ok(()));
            }
            let change = |tx: &mut Tx<'_>| {
                tx.drop_index(&IndexSpec { table: T1, columns: vec![Name::fixed("p1")], unique: true })?;
                tx.drop_column(&T1, &Name::fixed("p1"))?;
                tx.add_column(&T1, &column("p1", ColumnType::Text))
            };
            store.write_blocking(change).unwrap();
            for number in 0..12 {
                let text = format!("text {number}");
                assert_eq!(store.write(update(Value::Text(text.clone()))).await, Ok(()));
                assert_eq!(store.read(ReadCost::Scan, stored).await, Ok(text));
            }
        });
    });
}

#[test]
fn a_concluded_write_is_committed_with_its_rows_given() {
    twin(|database| {
        let store = store(database);
        wait(async {
            let created = store.write(|tx| {
                let epochs = tx.epochs()?;
                tx.defer(insert(tx, 1))?;
                let mut second = insert(tx, 2);
                second.push(" RETURNING p1");
                let mut seen = Vec::new();
                tx.commit_with(&[&second, &insert(tx, 3)], &mut |statement, row| {
                    seen.push((statement, row.integer(0)?));
                    Ok(())
                })?;
                Ok::<_, Error>((epochs.access, seen))
            });
            assert_eq!(created.await.unwrap().1, [(0, 2)]);
            assert_eq!(store.read(ReadCost::Scan, count).await, Ok(3));
            let twice = store.write(|tx| tx.commit_with(&[&insert(tx, 4), &insert(tx, 1)], &mut |_, _| Ok(())));
            let expected = ConstraintViolation::Unique { table: "t1".into(), columns: vec!["p1".into()] };
            assert_eq!(twice.await, Err(Error::Violation(expected)));
            assert_eq!(store.read(ReadCost::Scan, count).await, Ok(3));
        });
    });
}

#[test]
fn nothing_is_concluded_on_epochs_that_moved() {
    twin(|database| {
        let store = store(database);
        wait(async {
            for round in 0..3 {
                let raised = store.read_blocking(|tx| tx.epochs()).unwrap().access;
                for value in 0..12 {
                    let write = store.write(move |tx| {
                        let epochs = tx.epochs()?;
                        tx.commit_with(&[&insert(tx, round * 100 + value)], &mut |_, _| Ok(()))?;
                        Ok::<_, Error>(epochs.access)
                    });
                    assert_eq!(write.await, Ok(raised));
                }
                store.write_blocking(|tx| tx.raise_access()).unwrap();
            }
            assert_eq!(store.read(ReadCost::Scan, count).await, Ok(36));
        });
    });
}

/// Returns the errors that PostgreSQL logged for processes.
fn logged_errors(processes: &[String]) -> Vec<String> {
    let log = std::fs::read(testing::postgres().folder().join("log")).unwrap();
    let is_theirs = |line: &str| processes.iter().any(|process| line.contains(&format!("[{process}] ERROR:")));
    String::from_utf8_lossy(&log).lines().filter(|line| is_theirs(line)).map(str::to_owned).collect()
}

#[test]
fn stale_epochs_are_an_error_in_the_log_of_the_server_only_before_a_commit() {
    let store = store(&postgres_at(testing::postgres().database(), 1));
    // A pooler has several, and each transaction meets one of them.
    let processes = |tx: &mut Tx<'_>| {
        let (mut sql, mut found) = (tx.sql(), Vec::new());
        sql.push("SELECT CAST(pid AS text) FROM pg_stat_activity WHERE datname = current_database()");
        let epochs = tx.epochs()?;
        tx.query(&sql, &mut |row| {
            found.push(row.text(0)?.to_owned());
            Ok(())
        })?;
        Ok::<_, Error>((epochs.access, found))
    };
    let access = |tx: &mut Tx<'_>| Ok::<_, Error>(tx.epochs()?.access);
    let raise = || store.write_blocking(|tx| tx.raise_access()).unwrap();
    wait(async {
        let (first, all) = store.read(ReadCost::Scan, processes).await.unwrap();
        raise();
        assert_eq!(store.read(ReadCost::Scan, access).await, Ok(first + 1));
        raise();
        assert_eq!(store.write(access).await, Ok(first + 2));
        raise();
        let snapshot = store.read(ReadCost::Scan, |tx| {
            tx.snapshot()?;
            let epochs = tx.epochs()?;
            Ok::<_, Error>((epochs.access, count(tx)?))
        });
        assert_eq!(snapshot.await, Ok((first + 3, 0)));
        assert_eq!(logged_errors(&all), Vec::<String>::new());
        raise();
        let deferred = store.write(|tx| {
            let epochs = tx.epochs()?;
            tx.defer(insert(tx, 1))?;
            Ok::<_, Error>(epochs.access)
        });
        assert_eq!(deferred.await, Ok(first + 4));
        raise();
        let concluded = store.write(|tx| {
            let epochs = tx.epochs()?;
            tx.commit_with(&[&insert(tx, 2)], &mut |_, _| Ok(()))?;
            Ok::<_, Error>(epochs.access)
        });
        assert_eq!(concluded.await, Ok(first + 5));
        let logged = logged_errors(&all);
        assert_eq!(logged.len(), 2, "{logged:?}");
        assert!(
            logged.iter().all(|line| line.contains("Plinth writes again: rights or types have changed")),
            "{logged:?}"
        );
        // What the server refuses is logged for this very process.
        let refused = store.write(|tx| tx.execute(&insert(tx, 1))).await;
        assert!(matches!(refused, Err(Error::Violation(_))), "{refused:?}");
        assert_eq!(logged_errors(&all).len(), 3);
    });
}
