//! Runs of automations that wait for an import to be kept.

use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::table_names::RUN;
use std::sync::atomic::Ordering;

/// The runs that wait for an import.
pub(super) fn held(tx: &mut Tx<'_>, import: i64) -> Result<Vec<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&RUN).push(" WHERE held = ").bind(import).push(" ORDER BY id");
    let mut ids = Vec::new();
    tx.query(&sql, &mut |row| {
        ids.push(row.integer(0)?);
        Ok(())
    })?;
    Ok(ids)
}

/// Has runs begin that waited for an import which is kept; or removes them, where it is not.
pub(super) fn release(tx: &mut Tx<'_>, context: &RequestContext, ids: &[i64], kept: bool) -> Result<()> {
    let mut sql = tx.sql();
    if kept {
        sql.push("UPDATE ").table(&RUN).push(" SET held = NULL, due = ");
        sql.bind(Value::Timestamp(context.now.as_millisecond()));
        context.started.store(true, Ordering::Relaxed);
    } else {
        sql.push("DELETE FROM ").table(&RUN);
    }
    sql.push(" WHERE held IS NOT NULL AND id");
    sql.any_of(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
    Ok(tx.execute(&sql).map(drop)?)
}
