//! Runs that are due and were not carried out yet.

use database::{Tx, Value};
use jiff::Timestamp;
use model::error::Result;
use model::table_names::{AUTOMATION, RUN};

/// The most runs that are counted: a long queue must not cost every pass.
const MOST: i64 = 10_000;

/// Returns how many runs are due, 10,000 at most, and since when the first one is, in milliseconds. Those of automations
/// that are switched off wait for that.
pub fn overdue(tx: &mut Tx<'_>, now: Timestamp) -> Result<(u64, Option<i64>)> {
    let mut sql = tx.sql();
    sql.push("SELECT count(*), min(due) FROM (SELECT due FROM ").table(&RUN).push(" WHERE due <= ");
    sql.bind(Value::Timestamp(now.as_millisecond())).push(" AND automation NOT IN (SELECT name FROM ");
    sql.table(&AUTOMATION).push(") ORDER BY due").limit(MOST, 0).push(") AS w");
    let mut found = (0, None);
    tx.query(&sql, &mut |row| {
        let count = row.integer(0)?;
        let oldest = if count > 0 { Some(row.timestamp(1)?) } else { None };
        found = (u64::try_from(count).unwrap_or_default(), oldest);
        Ok(())
    })?;
    Ok(found)
}
