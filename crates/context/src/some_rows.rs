//! Rows of the platform's own tables that go some at a time, so that others write between.

use database::{Name, Sql, Tx};
use model::error::Result;

/// Removes at most so many rows of a table that a condition names, those with the lowest ids first. Returns true if there
/// may be more.
pub fn remove_some(tx: &mut Tx<'_>, table: &Name, most: i64, condition: impl FnOnce(&mut Sql)) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(table).push(" WHERE ").name(&Name::fixed("id")).push(" IN (SELECT id FROM ");
    sql.table(table).push(" WHERE ");
    condition(&mut sql);
    sql.push(" ORDER BY id").limit(most, 0).push(")");
    Ok(tx.execute(&sql)? > 0)
}
