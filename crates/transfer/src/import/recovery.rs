//! Imports whose holder is dead: the finder takes one over, and takes back what it did, or ends it where it was
//! kept already.

use super::lease::{ImportLease, KEPT, LEASE, UNDOING};
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::Result;
use model::table_names::IMPORT;
use std::time::Duration;
use tenant::Tenant;

/// The pause between looks for signs of life of another import, and their number: together longer than an import that
/// writes nothing is taken for alive, which is two leases where the clock of its holder is ahead.
const LOOK: Duration = Duration::from_millis(100);
const TRIES: usize = 110;
/// The number of looks at an import that another process takes back, whose rows would be in the way.
const UNDO_TRIES: usize = 600;

/// An import of the store.
struct FoundImport {
    id: i64,
    type_id: i64,
    state: String,
    alive: i64,
}

impl FoundImport {
    fn is_kept(&self) -> bool {
        self.state == KEPT
    }
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
        // Its holder may have written after the clock was read. A clock that was set back by more must not make an import
        // live for ever.
        if (found.alive - LEASE..=found.alive + LEASE).contains(&now) {
            continue;
        }
        let writer = tenant.store().blocking_writer()?;
        let claimed = tenant.write_by(&writer, |tx, context| claim(tx, context, &found))?;
        let Some(holder) = claimed else { continue };
        tracing::warn!(
            tenant = tenant.name(),
            import = found.id,
            kept = found.is_kept(),
            "an import was killed: ending it"
        );
        let lease = ImportLease::found(tenant, writer, found.id, holder, now);
        if found.is_kept() { lease.end(true)? } else { lease.take_back(found.type_id)? }
    }
    tenant.store().read_blocking(next)
}

/// Ends imports that are dead, and waits for one that may have been killed a moment ago, whose rows would be in the
/// way: until its holder shows that it lives, or its lease is over. Another process may take it back meanwhile: its
/// signs of life are not those of an import.
pub(super) fn wait_for_dead_imports(tenant: &Tenant) -> Result<()> {
    let before = tenant.store().read_blocking(found)?;
    for look in 0..UNDO_TRIES {
        recover_imports(tenant)?;
        let now = tenant.store().read_blocking(found)?;
        let silent = |one: &FoundImport| before.iter().any(|known| known.id == one.id && known.alive == one.alive);
        if !now.iter().any(|one| one.state == UNDOING || look < TRIES && silent(one)) {
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
        let (id, type_id, state) = (row.integer(0)?, row.integer(1)?, row.text(2)?.to_owned());
        all.push(FoundImport { id, type_id, state, alive: row.timestamp(3)? });
        Ok(())
    })?;
    Ok(all)
}

/// Makes this process the holder of an import that is dead; gives its name, unless another was first.
fn claim(tx: &mut Tx<'_>, context: &RequestContext, found: &FoundImport) -> Result<Option<String>> {
    let holder = context.random_name();
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&IMPORT).push(" SET holder = ").bind(holder.as_str()).push(", alive = ");
    let state = if found.is_kept() { KEPT } else { UNDOING };
    sql.bind(Value::Timestamp(context.now.as_millisecond()))
        .push(", state = ")
        .bind(state)
        .push(" WHERE id = ")
        .bind(found.id);
    sql.push(" AND alive = ").bind(Value::Timestamp(found.alive));
    // It may have been kept, or not be any more, at the moment at which it was seen.
    sql.push(" AND state = ").bind(found.state.as_str());
    Ok((tx.execute(&sql)? == 1).then_some(holder))
}
