//! What a process left behind that ended while it made or deleted a store, or before it had emptied its log.

use crate::engines::{column, rows, sqlite_in, table};
use database::{ColumnType, Name, Value};
use std::fs;
use tempfile::TempDir;

/// Names of all that stands in the folder, but for the lock.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).filter(|name| name != ".lock").collect();
    names.sort();
    names
}

fn leave(folder: &TempDir, name: &str) {
    fs::create_dir(folder.path().join(name)).unwrap();
    fs::write(folder.path().join(name).join("tenant.db"), "half a file").unwrap();
}

#[test]
fn a_start_removes_half_made_and_half_deleted_stores_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    drop(sqlite_in(&folder, 96).create("kept").unwrap());
    for name in [".new-acme-99999-1", ".deleted-acme-1-7", ".mine", "other"] {
        leave(&folder, name);
    }
    fs::write(folder.path().join(".new-file"), "").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("kept"), folder.path().join(".deleted-link")).unwrap();
    let database = sqlite_in(&folder, 96);
    let left: Vec<_> = names(&folder).into_iter().filter(|name| name != ".deleted-link").collect();
    assert_eq!(left, [".mine", ".new-file", "kept", "other"]);
    assert!(folder.path().join("kept/tenant.db").is_file());
    database.create("acme").unwrap();
    database.delete("acme").unwrap();
}

#[test]
fn nothing_is_removed_while_another_process_makes_or_deletes_a_store() {
    let folder = TempDir::new().unwrap();
    let lock = fs::File::create(folder.path().join(".lock")).unwrap();
    lock.lock_shared().unwrap();
    leave(&folder, ".new-acme-99999-1");
    let database = sqlite_in(&folder, 96);
    assert_eq!(names(&folder), [".new-acme-99999-1"]);
    // Others may do so at the same time.
    database.create("beside").unwrap();
    database.delete("beside").unwrap();
    drop(lock);
    sqlite_in(&folder, 96);
    assert!(names(&folder).is_empty());
}

#[test]
fn what_a_process_left_in_its_log_is_in_the_file_once_the_store_is_opened() {
    let (folder, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let name = Name::fixed("note");
    let database = sqlite_in(&folder, 96);
    let store = database.create("acme").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("note", vec![column("text", ColumnType::Text)]))).unwrap();
    // Whoever reads keeps the file open, so that closing it after the write is not what empties the log.
    store.read_blocking(|tx| tx.epochs()).unwrap();
    let texts: Vec<Vec<Value>> = (0..2_000).map(|_| vec![Value::Text("a".repeat(1_000))]).collect();
    let columns = [(Name::fixed("text"), ColumnType::Text)];
    store.write_blocking(|tx| tx.insert_many(&name, &columns, &texts).map(|_| ())).unwrap();

    // The files as a process leaves them that is killed.
    let (from, to) = (folder.path().join("acme"), other.path().join("acme"));
    fs::create_dir(&to).unwrap();
    for file in ["tenant.db", "tenant.db-wal"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    let log = || fs::metadata(to.join("tenant.db-wal")).map_or(0, |log| log.len());
    assert!(log() > 2_000_000);

    let database = sqlite_in(&other, 96);
    let store = database.store("acme").unwrap();
    assert_eq!(log(), 0);
    let count = || {
        store.read_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT COUNT(*) FROM ").table(&name);
            rows(tx, &sql, &[ColumnType::Integer])
        })
    };
    assert_eq!(count().unwrap(), [[Value::Integer(2_000)]]);
}

#[test]
fn a_file_whose_journal_a_process_left_is_read_as_it_was_before() {
    let (folder, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let name = Name::fixed("note");
    let store = sqlite_in(&folder, 96).create("acme").unwrap();
    store.write_blocking(|tx| tx.create_table(&table("note", vec![column("text", ColumnType::Text)]))).unwrap();
    let texts: Vec<Vec<Value>> = (0..2_000).map(|_| vec![Value::Text("a".repeat(1_000))]).collect();
    let columns = [(Name::fixed("text"), ColumnType::Text)];
    store.write_blocking(|tx| tx.insert_many(&name, &columns, &texts).map(|_| ())).unwrap();
    drop(store);

    // A transaction that is cut off behind some of its writes.
    let (from, to) = (folder.path().join("acme"), other.path().join("acme"));
    let file = rusqlite::Connection::open(from.join("tenant.db")).unwrap();
    file.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; DELETE FROM note WHERE id > 10;")
        .unwrap();
    fs::create_dir(&to).unwrap();
    for file in ["tenant.db", "tenant.db-journal"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    assert!(fs::metadata(to.join("tenant.db-journal")).unwrap().len() > 0);

    let store = sqlite_in(&other, 96).store("acme").unwrap();
    let count = store.read_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("SELECT COUNT(*) FROM ").table(&name);
        rows(tx, &sql, &[ColumnType::Integer])
    });
    assert_eq!(count.unwrap(), [[Value::Integer(2_000)]]);
}
