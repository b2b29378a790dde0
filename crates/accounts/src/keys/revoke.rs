//! Revoking keys. The access epoch rises in the same transaction, so no node serves a revoked key (A017).

use super::Origin;
use context::audit;
use context::audit::{AuditEvent, EventKind, RequestChannel, RequestSource};
use context::key_text::KeyText;
use context::request_context::RequestContext;
use database::{ColumnType, Sql, Tx, Value};
use model::error::{Error, Result};
use model::table_names::{KEY, SESSION};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;

/// Revokes the key with that text; anyone who holds it may (D-10). Unknown, malformed and revoked keys are
/// one error (A023).
pub async fn revoke_by_text(tenant: &Arc<Tenant>, text: &str, address: IpAddr) -> Result<()> {
    let key = KeyText::parse(text).map_err(|_| missing())?;
    let source = RequestSource { via: RequestChannel::Api, key: Some(key.id), address: Some(address) };
    tenant
        .write_beside_freeze(move |tx, context| {
            let mut sql = delete(tx);
            sql.push("id = ").bind(key.id).push(" AND digest = ").bind(Value::Bytes(key.digest.to_vec()));
            // The key's text proves its owner.
            let by_owner = |event: AuditEvent, owner| event.by(owner).from(source);
            found(finish(tx, context, sql, by_owner)?)
        })
        .await
}

/// Revokes the key with that id.
pub fn revoke(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<()> {
    let mut sql = delete(tx);
    sql.push("id = ").bind(id);
    found(finish(tx, context, sql, |event, _| event)?)
}

/// Revokes the key with that id, if it is the user's.
pub fn revoke_own(tx: &mut Tx<'_>, context: &RequestContext, user: i64, id: i64) -> Result<()> {
    let mut sql = delete(tx);
    sql.push("id = ").bind(id).push(" AND owner = ").bind(user);
    sql.push(" AND origin <> ").bind(Origin::Session.word());
    found(finish(tx, context, sql, |event, _| event)?)
}

/// Revokes all keys of a user; gives how many there were.
pub(crate) fn revoke_of_user(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<u64> {
    revoke_of_users(tx, context, vec![user.into()])
}

/// Revokes the keys that a user's password made, at sign-in or with the registration; those of the operator stay.
pub(crate) fn revoke_of_password(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<u64> {
    let mut sql = delete(tx);
    sql.push("owner = ").bind(user).push(" AND origin <> ").bind(Origin::Command.word());
    finish(tx, context, sql, |event, _| event)
}

/// Revokes all keys of users; gives how many there were.
pub fn revoke_of_users(tx: &mut Tx<'_>, context: &RequestContext, users: Vec<Value>) -> Result<u64> {
    let mut sql = delete(tx);
    sql.push("owner").any_of(ColumnType::Integer, users);
    finish(tx, context, sql, |event, _| event)
}

fn delete(tx: &Tx<'_>) -> Sql {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&KEY).push(" WHERE ");
    sql
}

/// Runs the statement, and notes what it revoked, an event for each owner; gives how many keys that were.
fn finish(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    mut delete: Sql,
    complete: impl Fn(AuditEvent, i64) -> AuditEvent,
) -> Result<u64> {
    delete.push(" RETURNING owner, id");
    let mut revoked: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    tx.query(&delete, &mut |row| {
        revoked.entry(row.integer(0)?).or_default().push(row.integer(1)?);
        Ok(())
    })?;
    // A session without its key would be of no use to the console.
    let gone = revoked.values().flatten().map(|key| Value::from(*key)).collect::<Vec<_>>();
    if !gone.is_empty() {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(&SESSION).push(" WHERE key");
        sql.any_of(ColumnType::Integer, gone);
        tx.execute(&sql)?;
    }
    tx.raise_access()?;
    let mut count = 0;
    for (owner, mut keys) in revoked {
        keys.sort_unstable();
        count += keys.len() as u64;
        audit::record(context, complete(AuditEvent::of(EventKind::KeyRevoked, owner).with("keys", keys), owner));
    }
    Ok(count)
}

fn found(revoked: u64) -> Result<()> {
    if revoked == 0 { Err(missing()) } else { Ok(()) }
}

pub(super) fn missing() -> Error {
    Error::missing("key_missing", "There is no such API key.")
}
