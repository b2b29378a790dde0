//! The maintained number of rows of each type.

use crate::error::Result;
use crate::tenants::COUNTER;
use database::Tx;

/// Adds to a type's number of rows, in the transaction that adds or removes them.
pub(crate) fn add(tx: &mut Tx<'_>, type_id: i64, rows: i64) -> Result<()> {
    let slot = tx.slot();
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&COUNTER).push(" AS c (type, slot, rows) VALUES (").bind(type_id).push(", ");
    sql.bind(slot).push(", ").bind(rows);
    sql.push(") ON CONFLICT (type, slot) DO UPDATE SET rows = c.rows + excluded.rows");
    tx.execute(&sql)?;
    Ok(())
}
