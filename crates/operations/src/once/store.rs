//! The table of writes that happen once.

use super::{IdempotencyKey, OnceMemory};
use context::request_context::RequestContext;
use context::vault::KeyPurpose;
use database::{ColumnType, Tx, Value, ValueRef};
use model::error::{Error, ErrorKind, Result};
use model::table_names::IDEMPOTENCY;

/// The time for which an outcome is kept, in milliseconds.
const KEPT: i64 = 24 * 60 * 60 * 1_000;
/// The most rows that are removed in one transaction.
const SWEPT: i64 = 1_000;

/// A row of the table.
struct NotedWrite {
    digest: Vec<u8>,
    content: String,
    expires: i64,
}

/// Begins a write that happens once; returns what was noted of it where it was done before. Until the transaction ends,
/// no other one with this key begins.
pub(super) fn begin(tx: &mut Tx<'_>, context: &RequestContext, key: &IdempotencyKey) -> Result<Option<OnceMemory>> {
    let owner = context.actor.user;
    if !tx.try_lock(&format!("once {owner} {}", key.name))? {
        let message = "The request with this Idempotency-Key is still running. Send it again in a moment.";
        return Err(Error::conflict("idempotency_running", message));
    }
    let mut sql = tx.sql();
    sql.push("SELECT digest, content, expires FROM ").table(&IDEMPOTENCY);
    sql.push(" WHERE owner = ").bind(owner).push(" AND name = ").bind(key.name.as_str());
    let mut noted = None;
    tx.query(&sql, &mut |row| {
        let digest = match row.get(0, ColumnType::Bytes)? {
            ValueRef::Bytes(bytes) => bytes.to_vec(),
            _ => Vec::new(),
        };
        let expires = match row.get(2, ColumnType::Timestamp)? {
            ValueRef::Timestamp(expires) => expires,
            _ => 0,
        };
        noted = Some(NotedWrite { digest, content: row.text(1)?.to_owned(), expires });
        Ok(())
    })?;
    let Some(NotedWrite { digest, content, expires }) = noted else { return Ok(None) };
    if expires <= context.now.as_millisecond() {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(&IDEMPOTENCY).push(" WHERE owner = ").bind(owner);
        sql.push(" AND name = ").bind(key.name.as_str());
        tx.execute(&sql)?;
        return Ok(None);
    }
    // By a key of the tenant: a body may hold a password, which nobody is to find out from the database alone.
    if !context.vault()?.macs(KeyPurpose::Idempotency, &[&key.digest]).iter().any(|mac| mac[..] == digest[..]) {
        let message = "This Idempotency-Key was sent with another request. Each request needs one of its own.";
        return Err(Error::new(ErrorKind::Unprocessable, "idempotency_key_reused", message));
    }
    let memory = serde_json::from_str(&content);
    memory.map(Some).map_err(|error| Error::failed(format!("a noted write cannot be read: {error}")))
}

/// Notes the outcome of a write, in its transaction.
pub(super) fn note(tx: &mut Tx<'_>, context: &RequestContext, key: &IdempotencyKey, memory: &OnceMemory) -> Result<()> {
    let content = serde_json::to_string(memory);
    let content = content.map_err(|error| Error::failed(format!("a write cannot be noted: {error}")))?;
    let digest = context.vault()?.mac(KeyPurpose::Idempotency, &[&key.digest]);
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&IDEMPOTENCY).push(" (owner, name, digest, content, expires) VALUES (");
    sql.bind(context.actor.user).push(", ").bind(key.name.as_str()).push(", ").bind(Value::Bytes(digest.to_vec()));
    sql.push(", ").bind(content).push(", ").bind(Value::Timestamp(context.now.as_millisecond() + KEPT)).push(")");
    tx.execute(&sql)?;
    Ok(())
}

/// Removes some of the outcomes that are no longer kept; returns true if there may be more.
pub fn sweep(tx: &mut Tx<'_>, context: &RequestContext) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("SELECT owner, name FROM ").table(&IDEMPOTENCY).push(" WHERE expires <= ");
    sql.bind(Value::Timestamp(context.now.as_millisecond())).push(" ORDER BY expires").limit(SWEPT, 0);
    let mut due = Vec::new();
    tx.query(&sql, &mut |row| {
        due.push((row.integer(0)?, row.text(1)?.to_owned()));
        Ok(())
    })?;
    let all = due.len() as i64 == SWEPT;
    for (owner, name) in due {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ")
            .table(&IDEMPOTENCY)
            .push(" WHERE owner = ")
            .bind(owner)
            .push(" AND name = ")
            .bind(name);
        sql.push(" AND expires <= ").bind(Value::Timestamp(context.now.as_millisecond()));
        tx.defer(sql)?;
    }
    Ok(all)
}
