//! Frozen tenants: they are read as before, and take no writes.
//!
//! The fact lies in the store, and each change of it raises the configuration's epoch. So a write learns of it in the
//! exchange that checks the epochs, on each node, and at no cost of its own.

use crate::tables;
use database::Tx;
use model::error::{Error, ErrorKind, FROZEN, Result};
use model::table_names::META;

/// The fact of a frozen tenant, in the table of facts.
const FACT: &str = "frozen";

/// Returns true if the tenant takes no writes.
pub fn is_frozen(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(tables::get(tx, FACT)?.is_some())
}

/// Freezes the tenant, once the writes under way have ended. Returns false where it was frozen before.
pub fn freeze(tx: &mut Tx<'_>) -> Result<bool> {
    tx.lock_store()?;
    if is_frozen(tx)? {
        return Ok(false);
    }
    tables::put(tx, FACT, "yes")?;
    tx.raise_configuration()?;
    Ok(true)
}

/// Has the tenant take writes again. Returns false where it did so before.
pub fn unfreeze(tx: &mut Tx<'_>) -> Result<bool> {
    tx.lock_store()?;
    if !is_frozen(tx)? {
        return Ok(false);
    }
    forget(tx)?;
    tx.raise_configuration()?;
    Ok(true)
}

/// Forgets that the tenant was frozen, in a store that is not served yet.
pub fn forget(tx: &mut Tx<'_>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&META).push(" WHERE name = ").bind(FACT);
    Ok(tx.execute(&sql).map(drop)?)
}

/// Fails where the tenant is frozen: for changes without a request's context.
pub fn refuse(tx: &mut Tx<'_>) -> Result<()> {
    if is_frozen(tx)? { Err(refusal()) } else { Ok(()) }
}

/// The error of a write.
pub(crate) fn refusal() -> Error {
    let message = "This tenant is frozen: its data can be read, and not changed. `plinth tenant unfreeze` ends that.";
    Error::new(ErrorKind::Busy, FROZEN, message)
}
