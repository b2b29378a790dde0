//! The log of a file of SQLite stays bounded while many write and read, and loses nothing.

use crate::engines::{column, integer, sqlite_in, table, wait};
use database::{ColumnType, Error, Name, ReadCost, Store, Value};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// A page of the log with its head.
const PAGE: u64 = 4_096 + 24;
/// The pages that a log may have: the writer copies one of 16,000 itself. Readers may keep two or three tries from their
/// end on a busy machine.
const LONGEST: u64 = 30_000;

fn store(folder: &TempDir) -> Store {
    let store = sqlite_in(folder, 96).create("acme").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("note", vec![column("text", ColumnType::Text)]))).unwrap();
    store
}

/// Writes so many rows of a page each, eight a job, from several clients at once.
async fn fill(store: &Store, jobs: usize) {
    let clients = (0..16).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            for _ in 0..jobs / 16 {
                let rows: Vec<Vec<Value>> = (0..8).map(|_| vec![Value::Text("a".repeat(3_900))]).collect();
                let columns = [(Name::fixed("text"), ColumnType::Text)];
                store.write(move |tx| tx.insert_many(&Name::fixed("note"), &columns, &rows).map(|_| ())).await.unwrap();
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
}

async fn count(store: &Store) -> i64 {
    store
        .read(ReadCost::Point, |tx| {
            let mut sql = tx.sql();
            sql.push("SELECT count(*) FROM ").table(&Name::fixed("note"));
            integer(tx, &sql)
        })
        .await
        .unwrap()
}

fn log_pages(folder: &TempDir) -> u64 {
    fs::metadata(folder.path().join("acme/tenant.db-wal")).map_or(0, |log| log.len()) / PAGE
}

#[test]
fn a_log_is_used_again_while_many_write_and_read() {
    let folder = TempDir::new().unwrap();
    let store = store(&folder);
    wait(async {
        let ended = Arc::new(AtomicBool::new(false));
        let reader = {
            let (store, ended) = (store.clone(), Arc::clone(&ended));
            tokio::spawn(async move {
                let mut before = 0;
                while !ended.load(Ordering::Relaxed) {
                    let rows = count(&store).await;
                    assert!(rows >= before);
                    before = rows;
                }
            })
        };
        fill(&store, 4_800).await;
        ended.store(true, Ordering::Relaxed);
        reader.await.unwrap();
        assert!(log_pages(&folder) < LONGEST, "{}", log_pages(&folder));
        assert_eq!(count(&store).await, 38_400);
    });
}

#[test]
fn a_log_that_a_reader_holds_is_used_again_once_the_reader_has_ended() {
    let folder = TempDir::new().unwrap();
    let store = store(&folder);
    wait(async {
        let (release, held) = std::sync::mpsc::channel::<()>();
        let (begun, begins) = std::sync::mpsc::channel::<()>();
        let reader = {
            let store = store.clone();
            std::thread::spawn(move || {
                store.read_blocking(|tx| {
                    let mut sql = tx.sql();
                    sql.push("SELECT count(*) FROM ").table(&Name::fixed("note"));
                    // A snapshot begins with it.
                    tx.epochs()?;
                    let before = integer(tx, &sql)?;
                    begun.send(()).unwrap();
                    held.recv().unwrap();
                    assert_eq!(integer(tx, &sql)?, before);
                    Ok::<(), Error>(())
                })
            })
        };
        begins.recv().unwrap();
        fill(&store, 960).await;
        release.send(()).unwrap();
        reader.join().unwrap().unwrap();
        // Without a new beginning this would be too long: 7,680 and 38,400 pages.
        fill(&store, 4_800).await;
        assert!(log_pages(&folder) < LONGEST, "{}", log_pages(&folder));
        assert_eq!(count(&store).await, 46_080);
    });
}
