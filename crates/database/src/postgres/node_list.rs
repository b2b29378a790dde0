//! The nodes of a database: a row for each, with when it was last there by the server's clock.
//!
//! The row costs a write in two seconds and no sync: what is lost of it in a crash of the server is written again.

use crate::{Result, Tx};

/// The schema of the rows. No store has a schema of that name.
const SCHEMA: &str = "plinth__nodes";
/// The statements that make the schema and the table where they are missing.
pub(super) const TABLE: &str = "CREATE SCHEMA IF NOT EXISTS plinth__nodes;
CREATE TABLE IF NOT EXISTS plinth__nodes.node (name text COLLATE \"C\" PRIMARY KEY,
    seen timestamp with time zone NOT NULL)";
/// The time after which a silent node is missed.
const MISSED: &str = "interval '6 seconds'";
/// The time after which its row is removed: all others have seen it by then.
const REMOVED: &str = "interval '1 minute'";

/// Makes the table where it is missing.
pub(super) fn prepare(tx: &mut Tx<'_>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT 1 FROM pg_namespace WHERE nspname = ").bind(SCHEMA);
    if tx.any(&sql)? {
        return Ok(());
    }
    tx.change(|_| TABLE.to_owned())
}

/// Says that a node is there; returns the names of those that are missed.
pub(super) fn beat(tx: &mut Tx<'_>, node: &str) -> Result<Vec<String>> {
    let mut unsynced = tx.sql();
    unsynced.push("SET LOCAL synchronous_commit = off");
    tx.execute(&unsynced)?;
    let mut sql = tx.sql();
    sql.push("WITH here AS (INSERT INTO ").push(SCHEMA).push(".node (name, seen) VALUES (").bind(node);
    sql.push(", clock_timestamp()) ON CONFLICT (name) DO UPDATE SET seen = excluded.seen), gone AS (DELETE FROM ");
    sql.push(SCHEMA).push(".node WHERE seen < clock_timestamp() - ").push(REMOVED).push(" AND name <> ").bind(node);
    sql.push(") SELECT name FROM ").push(SCHEMA).push(".node WHERE name <> ").bind(node);
    sql.push(" AND seen < clock_timestamp() - ").push(MISSED).push(" ORDER BY name");
    let mut missed = Vec::new();
    tx.query(&sql, &mut |row| {
        missed.push(row.text(0)?.to_owned());
        Ok(())
    })?;
    Ok(missed)
}
