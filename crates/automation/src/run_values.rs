//! Rows in which a run keeps values apart: the lists that it goes through, and large values that it knows.
//!
//! What a run knows is written down with each of its transactions; what lies apart is written once. Lists lie at the levels
//! from 0 on, values below.

use context::request_context::RequestContext;
use context::vault::KeyPurpose;
use database::{ColumnType, Tx, Value as Cell, ValueRef};
use model::error::Result;
use model::table_names::RUN_LIST;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A run by its id, and by the name that no other run has.
#[derive(Clone, Copy)]
pub(super) struct RunIdentity<'r> {
    pub(super) id: i64,
    pub(super) identifier: &'r str,
}

/// Values that lie apart, by level; none for those that cannot be read.
pub(super) type ApartValues = BTreeMap<i64, Option<Json>>;

/// Reads what a run keeps apart.
pub(super) fn read(tx: &mut Tx<'_>, context: &RequestContext, run: RunIdentity<'_>) -> Result<ApartValues> {
    let vault = context.vault()?;
    let mut sql = tx.sql();
    sql.push("SELECT level, content FROM ").table(&RUN_LIST).push(" WHERE run = ").bind(run.id);
    let mut rows = ApartValues::new();
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(sealed) = row.get(1, ColumnType::Bytes)? {
            let opened = vault.open(KeyPurpose::Run, run.identifier.as_bytes(), sealed);
            rows.insert(row.integer(0)?, opened.and_then(|bytes| serde_json::from_slice(&bytes).ok()));
        }
        Ok(())
    })?;
    Ok(rows)
}

/// Keeps a list or a value for a run.
pub(super) fn keep(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    run: RunIdentity<'_>,
    level: i64,
    content: &(impl Serialize + ?Sized),
) -> Result<()> {
    let plain = serde_json::to_vec(content).expect("JSON is JSON");
    let sealed = context.vault()?.seal(KeyPurpose::Run, run.identifier.as_bytes(), &plain, context.random.as_ref());
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&RUN_LIST).push(" (run, level, content) VALUES (").bind(run.id).push(", ");
    sql.bind(level).push(", ").bind(Cell::Bytes(sealed));
    sql.push(") ON CONFLICT (run, level) DO UPDATE SET content = excluded.content");
    tx.execute(&sql)?;
    Ok(())
}

/// Forgets the lists of a run from a level on.
pub(super) fn forget_lists(tx: &mut Tx<'_>, run: i64, from: usize) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&RUN_LIST).push(" WHERE run = ").bind(run).push(" AND level >= ");
    sql.bind(level(from));
    Ok(tx.defer(sql)?)
}

/// Forgets all of a run.
pub(super) fn forget_all(tx: &mut Tx<'_>, run: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&RUN_LIST).push(" WHERE run = ").bind(run);
    Ok(tx.defer(sql)?)
}

/// The level of a list within others.
pub(super) fn level(lists: usize) -> i64 {
    i64::try_from(lists).unwrap_or(i64::MAX)
}
