//! Connections and threads of SQLite that have nothing to do: they go, and the next job finds its way nevertheless.

use crate::engines::{hold_until, sqlite_in, wait};
use crate::stores::{count, fill, insert};
use database::ReadCost;
use tempfile::TempDir;

#[test]
fn idle_connections_are_closed() {
    let folder = TempDir::new().unwrap();
    let database = sqlite_in(&folder, 96);
    let store = database.create("idle").unwrap();
    fill(&store);
    wait(async {
        assert_eq!(insert(&store).await, Ok(1));
        assert_eq!(count(&store, ReadCost::Point).await, Ok(1));
        assert!(database.report().connections.open > 0);
        while database.report().connections.open > 0 {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        assert_eq!(insert(&store).await, Ok(1));
        assert_eq!(count(&store, ReadCost::Point).await, Ok(2));
    });
}

/// Threads cost memory: one that has nothing to do ends long before its connection is closed.
#[test]
fn a_writer_that_ends_leaves_its_connection() {
    let folder = TempDir::new().unwrap();
    let database = sqlite_in(&folder, 96);
    let store = database.create("short-lived").unwrap();
    fill(&store);
    for round in 1..=3 {
        assert_eq!(wait(insert(&store)), Ok(1));
        hold_until(|| !is_thread("write short-liv"));
        assert_eq!(database.report().connections.open, 1, "round {round}: the writer's connection stays");
    }
    assert_eq!(wait(count(&store, ReadCost::Point)), Ok(3));
    database.delete("short-lived").unwrap();
    assert_eq!(database.report().connections.open, 0);
}

/// Closing a writer waits for the disk: who opens a file finds room.
#[test]
fn room_is_kept_for_files_that_are_opened() {
    let folder = TempDir::new().unwrap();
    let database = sqlite_in(&folder, 96);
    for number in 0..40 {
        let store = database.create(&format!("s{number}")).unwrap();
        fill(&store);
        assert_eq!(wait(insert(&store)), Ok(1));
    }
    hold_until(|| database.report().connections.open <= 28);
    assert!(database.report().connections.open > 0, "not all are closed for it");
}

/// Returns true if a thread of this process has that name, of which the system keeps 15 bytes.
fn is_thread(name: &str) -> bool {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    threads
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok())
        .any(|own| own.trim() == name)
}
