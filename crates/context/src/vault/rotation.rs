//! Going over to another master key: at once for what is sealed from then on, row by row for what was sealed before.
//!
//! A tenant turns in one short transaction: from it on, all nodes seal with the next key, and open with both. Then its
//! rows are sealed anew, some at a time. Whatever ends that, it goes on where it is begun again: rows that the present
//! key opens are left as they are.

use super::past_keys::{self, PastKey};
use super::{FACT, KeyPurpose, MasterKey, MasterKeys, Vault, closed};
use crate::audit;
use crate::audit::{AuditEvent, EventKind};
use crate::request_context::RequestContext;
use crate::tables;
use database::{ColumnType, Name, Sql, Store, Tx, Value, ValueRef};
use model::environment::Random;
use model::error::Result;
use model::table_names::{NAMED_SECRET, OUTBOX, RUN, RUN_LIST};
use std::sync::Arc;

/// The most rows that are sealed anew in a transaction.
const BATCH: i64 = 200;
/// The most bytes that they hold together, unless one row alone holds more. A variable of a run may be large, and others
/// wait for the transaction.
const BYTES: i64 = 4 << 20;

/// A column that holds what is sealed.
struct SealedColumn {
    table: Name,
    /// The columns that tell its rows apart: one whose values only grow, and another where several rows have the same.
    key: (&'static str, ColumnType),
    level: Option<&'static str>,
    /// The column whose text belongs to what is sealed; of the run that the row belongs to, where it is a run's.
    context: &'static str,
    of_run: bool,
    content: &'static str,
    purpose: KeyPurpose,
}

/// All that lies sealed in a store. What is sealed elsewhere lives for an hour, in links of mails.
const SEALED: [SealedColumn; 5] = [
    SealedColumn {
        table: NAMED_SECRET,
        key: ("name", ColumnType::Text),
        level: None,
        context: "name",
        of_run: false,
        content: "content",
        purpose: KeyPurpose::Secret,
    },
    SealedColumn {
        table: OUTBOX,
        key: ("id", ColumnType::Integer),
        level: None,
        context: "message",
        of_run: false,
        content: "content",
        purpose: KeyPurpose::Outbox,
    },
    of_runs("trigger"),
    of_runs("content"),
    SealedColumn {
        table: RUN_LIST,
        key: ("run", ColumnType::Integer),
        level: Some("level"),
        context: "identifier",
        of_run: true,
        content: "content",
        purpose: KeyPurpose::Run,
    },
];

const fn of_runs(content: &'static str) -> SealedColumn {
    SealedColumn {
        table: RUN,
        key: ("id", ColumnType::Integer),
        level: None,
        context: "identifier",
        of_run: false,
        content,
        purpose: KeyPurpose::Run,
    }
}

/// A tenant as a rotation needs it.
pub trait VaultOwner {
    /// Returns the tenant's name.
    fn name(&self) -> &str;
    /// Returns the tenant's store.
    fn store(&self) -> &Store;
    /// Returns the source of randomness.
    fn random(&self) -> &dyn Random;
    /// Returns a request context with all rights inside a job that writes.
    fn elevated(&self, tx: &mut Tx<'_>) -> Result<RequestContext>;
}

/// Takes a tenant over to another master key; `progress` is told how many rows were looked at. It blocks.
pub fn rotate(tenant: &dyn VaultOwner, next: &MasterKey, progress: &mut dyn FnMut(u64)) -> Result<()> {
    turn(tenant, next)?;
    let vault = tenant.store().read_blocking(|tx| turned(tx, tenant, next))?;
    if !vault.past.iter().any(|past| past.opens) {
        return Ok(());
    }
    for column in &SEALED {
        let mut last = None;
        loop {
            let (key, rows) = tenant.store().write_blocking(|tx| batch(tx, tenant, next, column, last.clone()))?;
            progress(rows);
            match key {
                Some(key) => last = Some(key),
                None => break,
            }
        }
    }
    // Nothing is sealed with former keys any more.
    tenant.store().write_blocking(|tx| {
        tx.lock_store()?;
        let vault = turned(tx, tenant, next)?;
        if vault.past.iter().any(|past| past.opens) {
            let former: Vec<PastKey> = vault.past.iter().map(|past| PastKey { opens: false, ..past.clone() }).collect();
            past_keys::write(tx, &vault, &former, tenant.random())?;
            tx.raise_configuration()?;
        }
        Ok(())
    })
}

/// The first step: from here on the tenant seals with the next key. Nothing happens where it does already.
pub fn turn(tenant: &dyn VaultOwner, next: &MasterKey) -> Result<()> {
    tenant.store().write_blocking(|tx| {
        tx.lock_store()?;
        let new = Vault::new(next, tenant.name());
        if tables::get(tx, FACT)?.is_some_and(|fact| fact == new.fact()) {
            return Ok(());
        }
        let context = tenant.elevated(tx)?;
        let old = context.vault()?;
        let mut former = old.past.clone();
        former.push(PastKey { key: old.key, until: audit::last(tx)?, opens: true });
        past_keys::write(tx, &new, &former, tenant.random())?;
        tables::put(tx, FACT, &new.fact())?;
        tx.raise_configuration()?;
        let context = context.sealed_by(Arc::new(Vault { past: former, ..new }));
        audit::record(&context, AuditEvent::of_none(EventKind::KeyRotated));
        context.write_audit(tx)
    })
}

/// Has a tenant seal with keys of its new name, within a transaction: all that it sealed under the former one opens
/// still. [`rotate`] seals that anew. Fails where none of the master keys is the tenant's.
pub fn rename(tx: &mut Tx<'_>, keys: &MasterKeys, [from, to]: [&str; 2], random: &dyn Random) -> Result<()> {
    let old = super::find(tx, Some(keys), from)?.ok_or_else(closed)?;
    let new = Vault::new(&keys.newest(), to);
    let mut former = old.past.clone();
    former.push(PastKey { key: old.key, until: audit::last(tx)?, opens: true });
    past_keys::write(tx, &new, &former, random)?;
    tables::put(tx, FACT, &new.fact())
}

/// The tenant's vault of the next key.
fn turned(tx: &mut Tx<'_>, tenant: &dyn VaultOwner, next: &MasterKey) -> Result<Vault> {
    let mut vault = Vault::new(next, tenant.name());
    if tables::get(tx, FACT)?.is_none_or(|fact| fact != vault.fact()) {
        return Err(closed());
    }
    vault.past = past_keys::read(tx, &vault)?;
    Ok(vault)
}

/// The place of a row in the order of its column: its key, and its level where it has one.
type RowPlace = (Value, Option<i64>);

/// A row with something sealed.
struct SealedRow {
    key: Value,
    level: Option<i64>,
    context: String,
    content: Vec<u8>,
}

/// Seals some rows behind a key anew; gives the key of the last one, none at the end, and how many rows there were.
fn batch(
    tx: &mut Tx<'_>,
    tenant: &dyn VaultOwner,
    next: &MasterKey,
    column: &SealedColumn,
    last: Option<RowPlace>,
) -> Result<(Option<RowPlace>, u64)> {
    let vault = turned(tx, tenant, next)?;
    let rows = read(tx, column, last)?;
    let (last, count) = (rows.last().map(|row| (row.key.clone(), row.level)), rows.len() as u64);
    for row in rows {
        let random = tenant.random();
        let Some(anew) = reseal(&vault, column.purpose, row.context.as_bytes(), &row.content, random) else {
            continue;
        };
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&column.table).push(" SET ").push(column.content).push(" = ");
        sql.bind(Value::Bytes(anew)).push(" WHERE ").push(column.key.0).push(" = ").bind(row.key);
        if let (Some(name), Some(level)) = (column.level, row.level) {
            sql.push(" AND ").push(name).push(" = ").bind(level);
        }
        tx.execute(&sql)?;
    }
    Ok((last, count))
}

/// The rows behind a place, as far as they fit into one transaction.
fn read(tx: &mut Tx<'_>, column: &SealedColumn, last: Option<RowPlace>) -> Result<Vec<SealedRow>> {
    let most = fitting(tx, column, last.clone())?;
    let (key, kind) = column.key;
    let mut sql = tx.sql();
    sql.push("SELECT s.").push(key).push(", s.").push(column.level.unwrap_or(key)).push(", ");
    sql.push(if column.of_run { "r." } else { "s." }).push(column.context).push(", s.").push(column.content);
    behind(&mut sql, column, last);
    sql.limit(most, 0).for_update();
    let mut rows = Vec::new();
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(content) = row.get(3, ColumnType::Bytes)? {
            let key = match kind {
                ColumnType::Integer => Value::Integer(row.integer(0)?),
                _ => Value::from(row.text(0)?),
            };
            let level = column.level.map(|_| row.integer(1)).transpose()?;
            rows.push(SealedRow { key, level, context: row.text(2)?.to_owned(), content: content.to_vec() });
        }
        Ok(())
    })?;
    Ok(rows)
}

/// Returns the number of rows behind a place that fit into one transaction: one at least. Their sizes are known without
/// reading them.
fn fitting(tx: &mut Tx<'_>, column: &SealedColumn, last: Option<RowPlace>) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT CAST(length(s.").push(column.content).push(") AS bigint)");
    behind(&mut sql, column, last);
    sql.limit(BATCH, 0);
    let (mut rows, mut bytes) = (0, 0);
    tx.query(&sql, &mut |row| {
        bytes += row.integer(0)?;
        rows += i64::from(bytes <= BYTES);
        Ok(())
    })?;
    Ok(rows.max(1))
}

/// The rows of a column behind a place, in the order of their places.
fn behind(sql: &mut Sql, column: &SealedColumn, last: Option<RowPlace>) {
    let (key, _) = column.key;
    sql.push(" FROM ").table(&column.table).push(" s");
    if column.of_run {
        sql.push(" JOIN ").table(&RUN).push(" r ON r.id = s.").push(key);
    }
    sql.push(" WHERE s.").push(column.content).push(" IS NOT NULL");
    if let Some((last, level)) = last {
        sql.push(" AND (s.").push(key).push(" > ").bind(last.clone());
        if let (Some(name), Some(level)) = (column.level, level) {
            sql.push(" OR s.").push(key).push(" = ").bind(last).push(" AND s.").push(name).push(" > ").bind(level);
        }
        sql.push(")");
    }
    sql.push(" ORDER BY s.").push(key);
    if let Some(name) = column.level {
        sql.push(", s.").push(name);
    }
}

/// Returns the content of a former key sealed by the present one; none where it is already.
fn reseal(vault: &Vault, purpose: KeyPurpose, context: &[u8], content: &[u8], random: &dyn Random) -> Option<Vec<u8>> {
    if vault.open_now(purpose, context, content).is_some() {
        return None;
    }
    match vault.open(purpose, context, content) {
        Some(plain) => Some(vault.seal(purpose, context, &plain, random)),
        None => {
            // It was lost before: nobody can open it, and it is no reason to keep the former key.
            tracing::warn!(?purpose, "something that was sealed opens with none of the tenant's keys");
            None
        }
    }
}
