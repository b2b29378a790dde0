//! Turns beside an import in short transactions: whoever writes meanwhile waits for the group under way, and goes next.

use super::{Importing, create};
use database::{Name, Tx};
use model::error::Result;
use serde_json::json;
use spec::spec;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::runtime::Handle;
use transfer::import;
use transfer::import::Import;

/// Enough for some sixty groups of the smallest size.
const ROWS: u64 = 3_000;

/// Returns the number of groups that an import has committed.
fn groups(tx: &mut Tx<'_>) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&Name::fixed("plinth_import_group"));
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    Ok(count)
}

/// One writer comes again and again: it writes between most groups and the next. If groups followed at once, it would
/// meet the gap between two of them by luck alone.
#[spec]
async fn others_have_a_turn_between_groups(world: Importing) {
    if world.passes() == 1 {
        // No write holds another there, and each statement of the import is its own turn.
        return;
    }
    let done = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let (done, tenant, runtime) = (Arc::clone(&done), Arc::clone(&world.0.tenant), Handle::current());
        move || {
            let mut seen = Vec::new();
            while !done.load(Ordering::Relaxed) {
                seen.push(runtime.block_on(tenant.store().write(groups)).unwrap());
            }
            seen
        }
    });
    let mut pass = 0;
    let imported = tokio::task::block_in_place(|| {
        import::import(&world.0.tenant, "thing", create(), |import: &mut Import<'_, '_>| {
            pass += 1;
            // As on a slow machine: groups are small, and more than a handful.
            world.0.step(if pass == 3 { 50 } else { 0 });
            import.header("code,name,country".split(','))?;
            (1..=ROWS).try_for_each(|row| import.cells(row + 1, [row.to_string().as_str(), "New", "CZ"].into_iter()))
        })
    });
    world.0.step(0);
    done.store(true, Ordering::Relaxed);
    let report = imported.unwrap();
    assert_eq!((report.created, report.kept), (ROWS, true));
    let seen = writer.join().unwrap();
    let last = seen.iter().max().copied().unwrap();
    let gaps: BTreeSet<i64> = seen.iter().copied().filter(|count| *count > 0).collect();
    println!("{} writes in {} of {last} gaps between groups", seen.len(), gaps.len());
    assert!(last > 40, "there were {last} groups");
    assert!(gaps.len() as i64 * 2 > last, "others wrote in {} of {last} gaps", gaps.len());
    world.0.put("letter", &[json!({})]);
}
