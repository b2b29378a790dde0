//! Counters of each type. They count rows, so that `stats.total` need not count, and changes, which tell whether what
//! was remembered of the type still holds.

use database::{Sql, Tx};
use model::error::Result;
use model::table_names::COUNTER;

/// Notes, in the transaction that does it, that a type's resources are changed and how many are added or removed.
/// Whatever may change an answer about the type calls this once. It comes last in a transaction where it can: others
/// may wait for the counter until the commit.
pub fn changed(tx: &mut Tx<'_>, type_id: i64, rows: i64) -> Result<()> {
    let sql = statement(tx, type_id, rows);
    Ok(tx.defer(sql)?)
}

/// The statement that does it, for writes that send it along with their own.
pub fn statement(tx: &Tx<'_>, type_id: i64, rows: i64) -> Sql {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&COUNTER).push(" AS c (type, slot, rows, changes) VALUES (").bind(type_id);
    sql.push(", ").bind(tx.slot()).push(", ").bind(rows);
    // Stores of an earlier version have counters without changes.
    sql.push(", 1) ON CONFLICT (type, slot) DO UPDATE SET rows = c.rows + excluded.rows, ");
    sql.push("changes = COALESCE(c.changes, 0) + 1");
    sql
}

/// Makes transactions on a type that call this go one after the other. The type has rows, so it has a counter.
pub fn lock(tx: &mut Tx<'_>, type_id: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT slot FROM ").table(&COUNTER).push(" WHERE type = ").bind(type_id).push(" ORDER BY slot");
    sql.for_change();
    Ok(tx.query(&sql, &mut |_| Ok(()))?)
}
