//! The connections to PostgreSQL that jobs get.

use crate::engines::{postgres_at, wait};
use database::{Error, ReadCost};
use std::collections::BTreeSet;

#[test]
fn jobs_one_after_another_share_connections() {
    let store = postgres_at(testing::postgres().database(), 16).create("a").unwrap();
    let processes = wait(async {
        let mut processes = BTreeSet::new();
        for _ in 0..64 {
            let process = store.read(ReadCost::Scan, |tx| {
                let mut sql = tx.sql();
                sql.push("SELECT pg_backend_pid()::bigint");
                let mut process = 0;
                tx.query(&sql, &mut |row| {
                    process = row.integer(0)?;
                    Ok(())
                })?;
                Ok::<_, Error>(process)
            });
            processes.insert(process.await.unwrap());
        }
        processes
    });
    // A thread that has just answered may not rest yet when the next job comes.
    assert!(processes.len() <= 4, "{} connections for one job at a time", processes.len());
}
