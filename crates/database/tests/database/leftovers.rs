//! What a process left behind that ended while it made or deleted a store.

use crate::engines::sqlite_in;
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
    drop(sqlite_in(&folder, 8).create("kept").unwrap());
    for name in [".new-acme-99999-1", ".deleted-acme-1-7", ".mine", "other"] {
        leave(&folder, name);
    }
    fs::write(folder.path().join(".new-file"), "").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("kept"), folder.path().join(".deleted-link")).unwrap();
    let database = sqlite_in(&folder, 8);
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
    let database = sqlite_in(&folder, 8);
    assert_eq!(names(&folder), [".new-acme-99999-1"]);
    // Others may do so at the same time.
    database.create("beside").unwrap();
    database.delete("beside").unwrap();
    drop(lock);
    sqlite_in(&folder, 8);
    assert!(names(&folder).is_empty());
}
