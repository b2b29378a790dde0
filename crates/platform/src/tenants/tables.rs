//! The tables of the platform's own in every store, beside those of types.

use crate::error::Result;
use crate::work::Random;
use database::{ColumnSpec, ColumnType, IndexSpec, Name, TableSpec, Tx, Value};

/// API keys.
pub(crate) const KEY: Name = Name::fixed("plinth_key");
/// Counters of failed sign-ins.
pub(crate) const THROTTLE: Name = Name::fixed("plinth_throttle");
/// Secrets of the tenant that the platform made.
pub(crate) const SECRET: Name = Name::fixed("plinth_secret");

/// Makes keys, throttles and secrets in a new store. The tables of the configuration are made with it.
pub(crate) fn create(tx: &mut Tx<'_>, random: &dyn Random) -> Result<()> {
    tx.create_table(&TableSpec {
        name: KEY,
        identity: true,
        columns: vec![
            column("owner", ColumnType::Integer),
            column("digest", ColumnType::Bytes),
            column("valid_from", ColumnType::Timestamp),
            column("valid_to", ColumnType::Timestamp),
            column("description", ColumnType::Text),
            column("permissions", ColumnType::Text),
            column("origin", ColumnType::Text),
            column("created", ColumnType::Timestamp),
        ],
        primary_key: vec![],
    })?;
    tx.create_index(&IndexSpec { table: KEY, columns: vec![Name::fixed("owner")], unique: false })?;
    tx.create_table(&TableSpec {
        name: THROTTLE,
        identity: false,
        columns: vec![
            column("subject", ColumnType::Text),
            column("tries", ColumnType::Integer),
            column("started", ColumnType::Timestamp),
        ],
        primary_key: vec![Name::fixed("subject")],
    })?;
    tx.create_index(&IndexSpec { table: THROTTLE, columns: vec![Name::fixed("started")], unique: false })?;
    tx.create_table(&TableSpec {
        name: SECRET,
        identity: false,
        columns: vec![column("name", ColumnType::Text), column("secret", ColumnType::Bytes)],
        primary_key: vec![Name::fixed("name")],
    })?;
    let mut start = [0; 8];
    random.fill(&mut start);
    // Half of what an integer can count is left to raise them.
    tx.begin_epochs(i64::from_be_bytes(start) >> 2 & (i64::MAX >> 2))?;
    let mut seed = vec![0; 8];
    random.fill(&mut seed);
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&SECRET).push(" (name, secret) VALUES (").bind("etag");
    sql.push(", ").bind(Value::Bytes(seed)).push(")");
    tx.execute(&sql)?;
    Ok(())
}

/// The seed of the tenant's ETags.
pub(super) fn etag_seed(tx: &mut Tx<'_>) -> Result<u64> {
    let mut sql = tx.sql();
    sql.push("SELECT secret FROM ").table(&SECRET).push(" WHERE name = ").bind("etag");
    let mut seed = 0;
    tx.query(&sql, &mut |row| {
        if let database::ValueRef::Bytes(bytes) = row.get(0, ColumnType::Bytes)? {
            seed = bytes.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        }
        Ok(())
    })?;
    Ok(seed)
}

fn column(name: &'static str, column: ColumnType) -> ColumnSpec {
    ColumnSpec { name: Name::fixed(name), column, references: None }
}
