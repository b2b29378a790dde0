//! The maintained number of rows of each type, so that `stats.total` need not count.

use crate::error::Result;
use crate::tenants::COUNTER;
use database::{Sql, Tx};

/// Adds to a type's number of rows, in the transaction that adds or removes them.
pub(crate) fn add(tx: &mut Tx<'_>, type_id: i64, rows: i64) -> Result<()> {
    let sql = statement(tx, type_id, rows);
    tx.execute(&sql)?;
    Ok(())
}

/// The statement that does it, for writes that send it along with their own.
pub(super) fn statement(tx: &Tx<'_>, type_id: i64, rows: i64) -> Sql {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&COUNTER).push(" AS c (type, slot, rows) VALUES (").bind(type_id).push(", ");
    sql.bind(tx.slot()).push(", ").bind(rows);
    sql.push(") ON CONFLICT (type, slot) DO UPDATE SET rows = c.rows + excluded.rows");
    sql
}

/// Makes transactions on a type that call this go one after the other. The type has rows, so it has a counter.
pub(super) fn lock(tx: &mut Tx<'_>, type_id: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT slot FROM ").table(&COUNTER).push(" WHERE type = ").bind(type_id).push(" ORDER BY slot");
    sql.for_change();
    Ok(tx.query(&sql, &mut |_| Ok(()))?)
}
