//! Stores come and go; many fit in few open files; two processes may share a folder.

use crate::engines::{column, execute, integer, postgres, sqlite_in, table, twin, wait};
use database::{ChangeMark, ColumnType, Database, Epochs, Error, Name, ReadCost, SqliteOptions, Store};
use std::collections::BTreeMap;
use tempfile::TempDir;

pub(crate) fn fill(store: &Store) {
    store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
}

pub(crate) async fn insert(store: &Store) -> Result<u64, Error> {
    store
        .write(|tx| {
            let mut sql = tx.sql();
            sql.push("INSERT INTO ").table(&Name::fixed("t1")).push(" (p1) VALUES (1)");
            tx.execute(&sql)
        })
        .await
}

pub(crate) async fn count(store: &Store, cost: ReadCost) -> Result<i64, Error> {
    store
        .read(cost, |tx| {
            let mut sql = tx.sql();
            sql.push("SELECT count(*) FROM ").table(&Name::fixed("t1"));
            integer(tx, &sql)
        })
        .await
}

#[test]
fn stores_come_and_go() {
    twin(|database| {
        assert_eq!(database.stores(), Ok(vec![]));
        assert_eq!(database.store("acme").err(), Some(Error::NoStore));
        assert_eq!(database.delete("acme").err(), Some(Error::NoStore));
        for bad in ["", "Acme", "1a", "a_b", "../a", "a.b", "a b", &"a".repeat(41)] {
            assert!(matches!(database.create(bad), Err(Error::Failed(_))), "{bad}");
            assert_eq!(database.store(bad).err(), Some(Error::NoStore), "{bad}");
            assert_eq!(database.delete(bad).err(), Some(Error::NoStore), "{bad}");
        }
        let store = database.create("acme").unwrap();
        database.create("a-b-c").unwrap();
        database.create("plinth-plinth-x").unwrap();
        database.create(&"z".repeat(40)).unwrap();
        assert!(matches!(database.create("acme"), Err(Error::Failed(_))));
        let names = database.stores().unwrap();
        assert_eq!(names, ["a-b-c".to_owned(), "acme".to_owned(), "plinth-plinth-x".to_owned(), "z".repeat(40)]);
        fill(&store);
        wait(async {
            assert_eq!(database.ping().await, Ok(()));
            assert_eq!(insert(&store).await, Ok(1));
            assert_eq!(count(&store, ReadCost::Point).await, Ok(1));
            assert_eq!(count(&store, ReadCost::Scan).await, Ok(1));
            database.delete("acme").unwrap();
            assert_eq!(count(&store, ReadCost::Point).await, Err(Error::NoStore));
            assert_eq!(count(&store, ReadCost::Scan).await, Err(Error::NoStore));
            assert_eq!(insert(&store).await, Err(Error::NoStore));
            assert_eq!(store.write_blocking(|tx| tx.raise_access()), Err(Error::NoStore));
            assert_eq!(database.store("acme").err(), Some(Error::NoStore));
            // A store of the same name starts afresh.
            let store = database.create("acme").unwrap();
            fill(&store);
            assert_eq!(count(&store, ReadCost::Point).await, Ok(0));
            assert_eq!(count(&store, ReadCost::Scan).await, Ok(0));
            assert_eq!(insert(&store).await, Ok(1));
        });
        names
    });
}

#[test]
fn marks_tell_where_rows_were_added() {
    twin(|database| {
        let growth = || database.growth(&Name::fixed("t1")).unwrap();
        assert!(growth().is_empty());
        let stores: Vec<Store> = ["a", "b-c", "d"].map(|name| database.create(name).unwrap()).into();
        stores.iter().for_each(fill);
        let before = growth();
        assert_eq!(before.keys().collect::<Vec<_>>(), ["a", "b-c", "d"]);
        assert_eq!(growth(), before);
        let differ = |before: &BTreeMap<String, ChangeMark>| -> Vec<String> {
            let now = growth();
            let differs = |(name, mark): &(&String, &ChangeMark)| before.get(*name) != Some(*mark);
            now.iter().filter(differs).map(|(name, _)| name.clone()).collect()
        };
        wait(insert(&stores[1])).unwrap();
        assert_eq!(differ(&before), ["b-c"]);
        // What was read changes nothing.
        let then = growth();
        assert_eq!(wait(count(&stores[1], ReadCost::Scan)), Ok(1));
        assert_eq!(differ(&then), [""; 0]);
        // A row that changed is told of where that is asked for.
        let changed = stores[1].write_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&Name::fixed("t1")).push(" SET p1 = 2");
            tx.execute(&sql)?;
            tx.grow(&Name::fixed("t1"))
        });
        changed.unwrap();
        assert_eq!(differ(&then), ["b-c"]);
        let then = growth();
        // A store of the same name is another one.
        database.delete("d").unwrap();
        assert_eq!(growth().keys().collect::<Vec<_>>(), ["a", "b-c"]);
        fill(&database.create("d").unwrap());
        assert_eq!(differ(&then), ["d"]);
        wait(insert(&stores[0])).unwrap();
        assert_eq!(differ(&then), ["a", "d"]);
    });
}

#[test]
fn marks_of_many_stores_are_told() {
    let database = postgres();
    let names: Vec<String> = (0..1_001).map(|number| format!("s{number:04}")).collect();
    // Nothing of a store but what is asked for.
    execute(&database.create("first").unwrap(), |sql| {
        sql.push("DO $$ BEGIN FOR number IN 0..1000 LOOP EXECUTE format('CREATE SCHEMA plinth_s%s ");
        sql.push("CREATE TABLE t1 (id bigint GENERATED BY DEFAULT AS IDENTITY)', lpad(number::text, 4, '0')); END LOOP; END $$");
    })
    .unwrap();
    assert_eq!(database.growth(&Name::fixed("t1")).unwrap().into_keys().collect::<Vec<_>>(), names);
}

#[test]
fn many_stores_need_few_open_files() {
    let folder = TempDir::new().unwrap();
    let database = sqlite_in(&folder, 18);
    let stores: Vec<Store> = (0..60).map(|number| database.create(&format!("s{number}")).unwrap()).collect();
    stores.iter().for_each(fill);
    wait(async {
        for round in 1..=2 {
            for store in &stores {
                assert_eq!(insert(store).await, Ok(1));
                assert_eq!(count(store, ReadCost::Point).await, Ok(round));
                assert_eq!(count(store, ReadCost::Scan).await, Ok(round));
            }
        }
    });
    // Writers that rest close their files a moment later.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let open = open_files(&folder);
        if open <= 18 {
            return;
        }
        assert!(std::time::Instant::now() < deadline, "{open} files are open");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Writers rest in the order in which they were used, while readers use them.
#[test]
fn many_stores_are_written_to_while_others_read() {
    let folder = TempDir::new().unwrap();
    let database = sqlite_in(&folder, 416);
    let stores: Vec<Store> = (0..100).map(|number| database.create(&format!("s{number}")).unwrap()).collect();
    stores.iter().for_each(fill);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for start in [0, 50] {
            let (done, stores) = (&done, &stores);
            scope.spawn(move || {
                for store in stores[start..start + 50].iter().cycle() {
                    if done.load(std::sync::atomic::Ordering::Relaxed) {
                        return;
                    }
                    store.read_blocking(|tx| tx.epochs()).unwrap();
                }
            });
        }
        let written = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            wait(async {
                for _ in 0..6 {
                    for store in &stores {
                        assert_eq!(insert(store).await, Ok(1));
                    }
                }
            });
        }));
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        written.unwrap();
    });
}

/// How many files of the folder this process has open: databases, logs and their indexes, each as often as it is open.
fn open_files(folder: &TempDir) -> usize {
    let links = std::fs::read_dir("/proc/self/fd").unwrap();
    let open = links.filter_map(|link| std::fs::read_link(link.ok()?.path()).ok());
    open.filter(|path| path.starts_with(folder.path())).count()
}

#[test]
fn stores_are_for_nobody_else_on_the_machine() {
    use std::os::unix::fs::PermissionsExt;
    let above = TempDir::new().unwrap();
    let folder = above.path().join("data/tenants");
    let options = SqliteOptions { folder: folder.clone(), readers: 1, descriptors: 30 };
    let store = Database::sqlite(options).unwrap().create("own").unwrap();
    fill(&store);
    wait(async { assert_eq!((insert(&store).await, count(&store, ReadCost::Point).await), (Ok(1), Ok(1))) });
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for path in [above.path().join("data"), folder.clone(), folder.join("own")] {
        assert_eq!(mode(&path), 0o700, "{}", path.display());
    }
    let files: Vec<_> = std::fs::read_dir(folder.join("own")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 2, "the log is there: {files:?}");
    for path in files {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn what_another_process_commits_is_seen_at_once() {
    // Two databases on one folder share nothing in memory, as two processes would.
    let folder = TempDir::new().unwrap();
    let (one, other) = (sqlite_in(&folder, 96), sqlite_in(&folder, 96));
    see_each_other(&one, &other);
}

#[test]
fn what_another_node_commits_is_seen_at_once() {
    let url = testing::postgres().database();
    let (one, other) = (crate::engines::postgres_at(url.clone(), 2), crate::engines::postgres_at(url, 2));
    see_each_other(&one, &other);
}

fn see_each_other(one: &Database, other: &Database) {
    let here = one.create("shared").unwrap();
    let there = other.store("shared").unwrap();
    wait(async {
        let epochs = |store: Store| async move {
            let snapshot = store.read(ReadCost::Point, |tx| tx.snapshot().and_then(|()| tx.epochs())).await.unwrap();
            let point = store.read(ReadCost::Point, |tx| tx.epochs()).await.unwrap();
            let scan = store.read(ReadCost::Scan, |tx| tx.epochs()).await.unwrap();
            assert_eq!((scan, snapshot), (point, point));
            point
        };
        let first = epochs(there.clone()).await;
        assert_eq!(epochs(here.clone()).await, first);
        for round in 1..=20 {
            let inside = here.write(|tx| tx.raise_access().and_then(|()| tx.epochs())).await.unwrap();
            assert_eq!(inside.access, first.access + 2 * round - 1);
            assert_eq!(epochs(there.clone()).await, inside);
            assert_eq!(epochs(here.clone()).await, inside);
            there.write_blocking(|tx| tx.raise_configuration()).unwrap();
            let seen = epochs(here.clone()).await;
            assert_eq!(seen.access, first.access + 2 * round);
            assert_eq!(seen.configuration, first.configuration + round);
        }
        here.write(|tx| tx.begin_epochs(7_000)).await.unwrap();
        assert_eq!(epochs(there.clone()).await, Epochs { access: 7_000, configuration: 7_000 });
    });
}

#[test]
fn a_file_that_another_process_replaced_is_noticed() {
    let folder = TempDir::new().unwrap();
    let (one, other) = (sqlite_in(&folder, 96), sqlite_in(&folder, 96));
    let store = one.create("gone").unwrap();
    fill(&store);
    wait(async {
        // Again and again: how long ago the file was looked at is another each time.
        for round in 0..20 {
            assert_eq!(insert(&store).await, Ok(1));
            assert_eq!(count(&store, ReadCost::Point).await, Ok(1));
            other.delete("gone").unwrap();
            if round % 2 == 0 {
                assert_eq!(count(&store, ReadCost::Point).await, Err(Error::NoStore), "of round {round}");
            }
            fill(&other.create("gone").unwrap());
            // At once: a key of the old store must not read a row of it any more.
            assert_eq!(count(&store, ReadCost::Point).await, Ok(0), "of round {round}");
            assert_eq!(count(&store, ReadCost::Scan).await, Ok(0));
        }
        assert_eq!(insert(&store).await, Ok(1));
        assert_eq!(count(&other.store("gone").unwrap(), ReadCost::Point).await, Ok(1));
    });
}

#[test]
fn a_folder_that_is_away_is_no_missing_store() {
    let outer = TempDir::new().unwrap();
    let folder = outer.path().join("stores");
    std::fs::create_dir(&folder).unwrap();
    let database = Database::sqlite(SqliteOptions { folder: folder.clone(), readers: 1, descriptors: 96 }).unwrap();
    let store = database.create("kept").unwrap();
    fill(&store);
    let away = outer.path().join("away");
    std::fs::rename(&folder, &away).unwrap();
    wait(async {
        assert_eq!(count(&store, ReadCost::Point).await, Err(Error::Busy));
        assert_eq!(insert(&store).await, Err(Error::Busy));
        assert_eq!(database.store("kept").err(), Some(Error::Busy));
        std::fs::rename(&away, &folder).unwrap();
        assert_eq!(insert(&store).await, Ok(1));
        assert_eq!(count(&store, ReadCost::Point).await, Ok(1));
    });
}

#[test]
fn a_damaged_file_hurts_its_store_alone() {
    let folder = TempDir::new().unwrap();
    let database = sqlite_in(&folder, 96);
    let sound = database.create("sound").unwrap();
    fill(&sound);
    std::fs::create_dir(folder.path().join("bad")).unwrap();
    std::fs::write(folder.path().join("bad/tenant.db"), "this is no database, but it is long enough".repeat(100))
        .unwrap();
    let bad = database.store("bad").unwrap();
    wait(async {
        assert!(matches!(count(&bad, ReadCost::Point).await, Err(Error::Damaged(_))));
        assert!(matches!(count(&bad, ReadCost::Scan).await, Err(Error::Damaged(_))));
        assert!(matches!(insert(&bad).await, Err(Error::Damaged(_))));
        assert_eq!(insert(&sound).await, Ok(1));
    });
    assert!(matches!(
        execute(&bad, |sql| {
            sql.push("SELECT 1");
        }),
        Err(Error::Damaged(_))
    ));
}

#[test]
fn files_that_another_process_deleted_are_closed() {
    let folder = TempDir::new().unwrap();
    let (database, other) = (sqlite_in(&folder, 96), sqlite_in(&folder, 96));
    let store = database.create("gone").unwrap();
    fill(&store);
    wait(async {
        assert_eq!(insert(&store).await, Ok(1));
        assert_eq!(count(&store, ReadCost::Point).await, Ok(1));
    });
    other.delete("gone").unwrap();
    database.close_deleted(|_| true);
    assert!(!store.is_closed(), "it may be another of that name");
    database.close_deleted(|_| false);
    assert!(store.is_closed());
    let kept = database.create("kept").unwrap();
    database.close_deleted(|_| false);
    assert!(!kept.is_closed(), "a list of before its making does not name it");
}

#[test]
fn what_was_acknowledged_is_in_the_files() {
    let folder = TempDir::new().unwrap();
    let database = sqlite_in(&folder, 96);
    let store = database.create("disk").unwrap();
    fill(&store);
    wait(async {
        let writes = (0..50).map(|_| {
            let store = store.clone();
            tokio::spawn(async move { insert(&store).await })
        });
        for write in writes.collect::<Vec<_>>() {
            assert_eq!(write.await.unwrap(), Ok(1));
        }
    });
    // What a machine that stops now would find again, as far as files tell.
    let copy = TempDir::new().unwrap();
    std::fs::create_dir(copy.path().join("disk")).unwrap();
    for file in ["tenant.db", "tenant.db-wal"] {
        std::fs::copy(folder.path().join("disk").join(file), copy.path().join("disk").join(file)).unwrap();
    }
    let found = sqlite_in(&copy, 96).store("disk").unwrap();
    assert_eq!(wait(count(&found, ReadCost::Point)), Ok(50));
}
