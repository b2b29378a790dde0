//! Leases of allowances.

use crate::engines::{execute, postgres_at, sqlite_in, wait};
use database::{Database, LeaseClaim, LeaseGrant, Store};
use std::time::Duration;
use tempfile::TempDir;

fn claim(subject: &str, limit: u32, period: Duration, most: u32) -> LeaseClaim {
    LeaseClaim { subject: subject.to_owned(), limit, period, most }
}

/// Leases until nothing is left; gives what came together.
async fn exhaust(store: &Store, claim: &LeaseClaim) -> u32 {
    let mut sum = 0;
    loop {
        let lease = store.lease(claim.clone()).await.unwrap();
        sum += lease.granted;
        if lease.granted == 0 {
            assert_eq!(lease.rest, 0);
            return sum;
        }
    }
}

fn node(url: &str) -> Database {
    postgres_at(url.to_owned(), 4)
}

#[test]
fn the_only_process_gets_a_window_at_once() {
    let folder = TempDir::new().unwrap();
    let store = sqlite_in(&folder, 96).create("a").unwrap();
    let period = Duration::from_secs(10);
    let lease = wait(store.lease(claim("key:1", 1_000, period, 31))).unwrap();
    assert_eq!(lease, LeaseGrant { granted: 1_000, rest: 0, ends_in: period });
}

#[test]
fn nodes_share_a_window_exactly() {
    let url = testing::postgres().database();
    let (one, other) = (node(&url), node(&url));
    one.create("a").unwrap();
    let stores = [one.store("a").unwrap(), other.store("a").unwrap()];
    for limit in [1, 2, 7, 100, 1_000] {
        let claim = claim(&format!("key:{limit}"), limit, Duration::from_secs(3_600), 16);
        let sum = wait(async {
            let mut tasks = tokio::task::JoinSet::new();
            for number in 0..6 {
                let (store, claim) = (stores[number % 2].clone(), claim.clone());
                tasks.spawn(async move { exhaust(&store, &claim).await });
            }
            tasks.join_all().await.into_iter().sum::<u32>()
        });
        assert_eq!(sum, limit);
    }
    // No subject has anything to do with another.
    assert_eq!(wait(stores[0].lease(claim("key:x", 8, Duration::from_secs(60), 4))).unwrap().granted, 1);
}

#[test]
fn blocks_get_smaller_as_a_window_fills() {
    let database = node(&testing::postgres().database());
    let store = database.create("a").unwrap();
    let claim = claim("address:1", 800, Duration::from_secs(3_600), 1_000);
    let blocks: Vec<u32> = (0..4).map(|_| wait(store.lease(claim.clone())).unwrap().granted).collect();
    assert_eq!(blocks, [100, 87, 76, 67]);
}

#[test]
fn a_window_ends_by_the_servers_clock_and_its_row_goes() {
    let database = node(&testing::postgres().database());
    let store = database.create("a").unwrap();
    let hour = claim("key:1", 3, Duration::from_secs(3_600), 3);
    assert_eq!(wait(exhaust(&store, &hour)), 3);
    let lease = wait(store.lease(hour.clone())).unwrap();
    assert!(lease.granted == 0 && lease.ends_in > Duration::from_secs(3_590), "{lease:?}");
    // A shorter period holds for the window that is open, too.
    let shorter = claim("key:1", 3, Duration::from_secs(60), 3);
    assert!(wait(store.lease(shorter.clone())).unwrap().ends_in <= Duration::from_secs(60));
    execute(&store, |sql| {
        sql.push("UPDATE ").table(&database::Name::fixed("plinth_allowance")).push(" SET ends = now()");
    })
    .unwrap();
    assert_eq!(wait(exhaust(&store, &shorter)), 3);
    // Rows of windows that ended are deleted along the way.
    wait(async {
        for number in 0..200 {
            store.lease(claim(&format!("old:{number}"), 8, Duration::ZERO, 1)).await.unwrap();
        }
    });
    let left = crate::engines::select(&store, &[database::ColumnType::Integer], |sql| {
        sql.push("count(*) FROM ").table(&database::Name::fixed("plinth_allowance"));
    });
    assert!(matches!(left[0][0], database::Value::Integer(rows) if rows <= 100), "{left:?}");
}
