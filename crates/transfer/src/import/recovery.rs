//! Imports whose holder is dead: the finder takes one over, and takes back what it did, or ends it where it was
//! kept already.

use super::lease::{ImportLease, KEPT, LEASE, TAKING};
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::Result;
use model::table_names::IMPORT;
use std::time::Duration;
use tenant::Tenant;

/// The pause between looks for signs of life of another import, and their number: together longer than a lease.
const LOOK: Duration = Duration::from_millis(100);
const TRIES: usize = 60;

/// An import of the store.
struct FoundImport {
    id: i64,
    type_id: i64,
    kept: bool,
    alive: i64,
}

/// When the first import of the store is dead, if no group of it comes before.
pub fn next(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    Ok(found(tx)?.iter().map(|found| found.alive + LEASE).min())
}

/// Takes back what killed imports did, or ends those that were kept; gives when there may be more to do, in
/// milliseconds. It blocks: for commands and workers.
pub fn recover_imports(tenant: &Tenant) -> Result<Option<i64>> {
    let now = tenant.environment().clock.now().as_millisecond();
    for found in tenant.store().read_blocking(found)? {
        // A clock that was set back must not make an import live for ever.
        if (found.alive..=found.alive + LEASE).contains(&now) {
            continue;
        }
        let writer = tenant.store().blocking_writer()?;
        let claimed = tenant.write_by(&writer, |tx, context| claim(tx, context, &found))?;
        let Some(holder) = claimed else { continue };
        tracing::warn!(tenant = tenant.name(), import = found.id, kept = found.kept, "an import was killed: ending it");
        let lease = ImportLease::found(tenant, writer, found.id, holder, now);
        if found.kept { lease.end(true)? } else { lease.take_back(found.type_id)? }
    }
    tenant.store().read_blocking(next)
}

/// Ends imports that are dead, and waits for one that may have been killed a moment ago, whose rows would be in the
/// way: until its holder shows that it lives, or its lease is over.
pub(super) fn wait_for_dead_imports(tenant: &Tenant) -> Result<()> {
    let before = tenant.store().read_blocking(found)?;
    for _ in 0..TRIES {
        recover_imports(tenant)?;
        let now = tenant.store().read_blocking(found)?;
        let silent = |one: &FoundImport| before.iter().any(|known| known.id == one.id && known.alive == one.alive);
        if !now.iter().any(silent) {
            break;
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn found(tx: &mut Tx<'_>) -> Result<Vec<FoundImport>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, type, state, alive FROM ").table(&IMPORT).push(" ORDER BY id DESC");
    let mut all = Vec::new();
    tx.query(&sql, &mut |row| {
        let (id, type_id, kept) = (row.integer(0)?, row.integer(1)?, row.text(2)? == KEPT);
        all.push(FoundImport { id, type_id, kept, alive: row.timestamp(3)? });
        Ok(())
    })?;
    Ok(all)
}

/// Makes this process the holder of an import that is dead; gives its name, unless another was first.
fn claim(tx: &mut Tx<'_>, context: &RequestContext, found: &FoundImport) -> Result<Option<String>> {
    let holder = context.random_name();
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&IMPORT).push(" SET holder = ").bind(holder.as_str()).push(", alive = ");
    sql.bind(Value::Timestamp(context.now.as_millisecond())).push(" WHERE id = ").bind(found.id);
    sql.push(" AND alive = ").bind(Value::Timestamp(found.alive));
    // It may have been kept, or not be any more, at the moment at which it was seen.
    sql.push(" AND state = ").bind(if found.kept { KEPT } else { TAKING });
    Ok((tx.execute(&sql)? == 1).then_some(holder))
}
