//! A change of the configuration beside jobs that began before it: none of them ends on what no longer holds.

use crate::engines::{column, integer, postgres, postgres_at, sqlite_in, table, wait};
use database::{ColumnType, Database, Error, Name, ReadCost, Sql, Store, Tx};
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;

const T1: Name = Name::fixed("t1");

/// Two processes' views of one database, on each engine.
fn on_two_nodes(run: impl Fn(&Store, &Store)) {
    let both = |here: Database, there: Database| {
        let store = here.create("changes").unwrap();
        store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
        store.write_blocking(|tx| insert(tx, 1)).unwrap();
        run(&store, &there.store("changes").unwrap());
    };
    let folder = TempDir::new().unwrap();
    both(sqlite_in(&folder, 96), sqlite_in(&folder, 96));
    for url in [testing::postgres().database(), testing::postgres().database_without_advisory_locks()] {
        both(postgres_at(url.clone(), 4), postgres_at(url, 4));
    }
}

fn insert(tx: &mut Tx<'_>, value: i64) -> Result<(), Error> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&T1).push(" (p1) VALUES (").bind(value).push(")");
    tx.execute(&sql).map(|_| ())
}

fn selected(tx: &Tx<'_>, what: &'static str) -> Sql {
    let mut sql = tx.sql();
    sql.push("SELECT ").push(what).push(" FROM ").table(&T1);
    sql
}

fn greatest(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let sql = selected(tx, "max(p1)");
    integer(tx, &sql)
}

/// Has every row tell the new configuration, as an apply converts values.
fn change(tx: &mut Tx<'_>) -> Result<(), Error> {
    tx.lock_store()?;
    tx.raise_configuration()?;
    let configuration = tx.epochs()?.configuration;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&T1).push(" SET p1 = ").bind(configuration);
    tx.execute(&sql).map(|_| ())
}

/// The same, in a new column of the same name.
fn change_column(tx: &mut Tx<'_>) -> Result<(), Error> {
    tx.lock_store()?;
    tx.drop_column(&T1, &Name::fixed("p1"))?;
    tx.add_column(&T1, &column("p1", ColumnType::Integer))?;
    change(tx)
}

#[test]
fn a_write_that_began_before_a_change_ends_before_it() {
    on_two_nodes(|here, there| {
        wait(async {
            // Whether the epochs were read or guessed: the second time, every connection remembers them.
            for _ in 0..2 {
                for _ in 0..8 {
                    here.write(|tx| tx.epochs().and_then(|_| greatest(tx))).await.unwrap();
                }
                let (sender, began) = mpsc::channel();
                let slow = here.write(move |tx| {
                    let told = tx.epochs()?.configuration;
                    greatest(tx)?;
                    let _ = sender.send(());
                    std::thread::sleep(Duration::from_millis(500));
                    insert(tx, told)
                });
                let other = there.clone();
                let changed = tokio::task::spawn_blocking(move || {
                    began.recv().unwrap();
                    other.write_blocking(change)
                });
                let (slow, changed) = tokio::join!(slow, changed);
                slow.unwrap();
                changed.unwrap().unwrap();
                let current = there.read_blocking(|tx| tx.epochs()).unwrap().configuration;
                let old = there.read_blocking(|tx| {
                    let mut sql = selected(tx, "count(*)");
                    sql.push(" WHERE p1 <> ").bind(current);
                    integer(tx, &sql)
                });
                assert_eq!(old.unwrap(), 0, "a row of the old configuration was added after the change");
            }
        });
    });
}

#[test]
fn a_write_that_waited_for_a_change_follows_it() {
    on_two_nodes(|here, there| {
        wait(async {
            for _ in 0..8 {
                here.write(|tx| tx.epochs().and_then(|_| greatest(tx))).await.unwrap();
            }
            let (sender, began) = mpsc::channel();
            let other = there.clone();
            let changed = tokio::task::spawn_blocking(move || {
                other.write_blocking(|tx| {
                    change(tx)?;
                    let _ = sender.send(());
                    std::thread::sleep(Duration::from_millis(300));
                    tx.epochs()
                })
            });
            began.recv().unwrap();
            let told = here.write(|tx| Ok::<_, Error>((tx.epochs()?.configuration, greatest(tx)?))).await.unwrap();
            let current = changed.await.unwrap().unwrap().configuration;
            assert_eq!(told, (current, current));
        });
    });
}

#[test]
fn ordinary_writes_do_not_wait_for_one_another() {
    // On SQLite a file has one writer.
    let database = postgres();
    let store = database.create("changes").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
    let (tell_first, first) = mpsc::channel();
    let (tell_second, second) = mpsc::channel();
    let meeting = |tell: mpsc::Sender<()>, hear: mpsc::Receiver<()>| {
        store.write(move |tx| {
            tx.epochs()?;
            insert(tx, 1)?;
            let _ = tell.send(());
            Ok::<_, Error>(hear.recv_timeout(Duration::from_secs(15)).is_ok())
        })
    };
    let met = wait(async { tokio::join!(meeting(tell_second, first), meeting(tell_first, second)) });
    assert_eq!(met, (Ok(true), Ok(true)));
}

#[test]
fn a_read_never_ends_on_a_configuration_that_was_changed_under_it() {
    on_two_nodes(|here, there| {
        wait(async {
            for (snapshot, rows) in
                [(false, change as fn(&mut Tx<'_>) -> _), (true, change), (false, change_column), (true, change_column)]
            {
                there.write_blocking(change).unwrap();
                for _ in 0..8 {
                    here.read(ReadCost::Scan, |tx| tx.epochs().and_then(|_| greatest(tx))).await.unwrap();
                }
                let other = there.clone();
                let mut before = Some(());
                let read = here.read(ReadCost::Scan, move |tx| {
                    if snapshot {
                        tx.snapshot()?;
                    }
                    let told = tx.epochs()?.configuration;
                    let mut sql = tx.sql();
                    // Holds no lock on the table itself.
                    sql.push("SELECT 1");
                    integer(tx, &sql)?;
                    if before.take().is_some() {
                        other.write_blocking(rows)?;
                    }
                    let found = greatest(tx);
                    Ok::<_, Error>((told, found?))
                });
                let (told, found) = read.await.unwrap();
                assert_eq!(told, found, "read with one configuration what is written with another");
            }
        });
    });
}
