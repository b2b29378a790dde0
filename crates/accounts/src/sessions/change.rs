//! Beginning, renewing and ending sessions.

use super::session::{Browser, Session};
use super::{IDLE, LONGEST, SessionToken};
use crate::keys::session_key;
use context::audit;
use context::audit::{AuditEvent, EventKind, RequestChannel, RequestSource};
use context::request_context::RequestContext;
use database::{ColumnType, Sql, Tx, Value};
use jiff::Timestamp;
use model::error::{Error, Result};
use model::table_names::SESSION;
use model::user_columns::USERS;
use resources::users::Person;
use std::collections::BTreeMap;

/// The most sessions that a user may have at a time; those used longest ago make room.
const MOST: i64 = 100;

/// Begins a session of a user who may sign in, in the place of the one that the browser had. Gives the new token:
/// no token that anyone knew before leads to it.
pub fn begin(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    person: &Person,
    browser: &Browser,
    before: Option<&SessionToken>,
) -> Result<SessionToken> {
    // The user's row is locked before any session, as by whatever else ends sessions.
    make_room(tx, person.id(), context.now)?;
    let source = RequestSource { via: RequestChannel::Page, key: None, address: Some(browser.address) };
    if let Some(before) = before {
        let mut sql = delete(tx);
        sql.push("digest = ").bind(Value::Bytes(before.digest()));
        finish(tx, context, sql, |event, owner| event.by(owner).from(source))?;
    }
    let token = SessionToken::generate(context.random.as_ref());
    let now = context.now.as_millisecond();
    let key = session_key::create(tx, person.id(), now, now + IDLE.min(LONGEST), |id| token.key_text(id).0)?;
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&SESSION);
    sql.push(" (digest, owner, rights, created, seen, expires, address, agent, key) VALUES (");
    sql.bind(Value::Bytes(token.digest())).push(", ").bind(person.id()).push(", ").bind(person.rights());
    sql.push(", ").bind(Value::Timestamp(now)).push(", ").bind(Value::Timestamp(now));
    sql.push(", ").bind(Value::Timestamp(now + LONGEST));
    sql.push(", ").bind(browser.network()).push(", ").bind(browser.kept_agent());
    sql.push(", ").bind(key).push(") RETURNING id");
    let mut id = 0;
    tx.query(&sql, &mut |row| {
        id = row.integer(0)?;
        Ok(())
    })?;
    let event = AuditEvent::of(EventKind::SessionBegun, person.id()).by(person.id()).from(source);
    audit::record(context, event.with("session", id));
    Ok(token)
}

/// Notes that a session is used, under another token where one is given: its key lives as long. False where another
/// request did it first.
pub(super) fn renew(
    tx: &mut Tx<'_>,
    session: &Session,
    old: &SessionToken,
    new: Option<&SessionToken>,
    rights: &str,
    now: Timestamp,
) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&SESSION).push(" SET seen = ").bind(Value::Timestamp(now.as_millisecond()));
    sql.push(", digest = ").bind(Value::Bytes(new.unwrap_or(old).digest())).push(", rights = ").bind(rights);
    sql.push(" WHERE id = ").bind(session.id).push(" AND digest = ").bind(Value::Bytes(old.digest()));
    if tx.execute(&sql)? != 1 {
        return Ok(false);
    }
    if let Some(key) = session.key {
        let ends = session.expires.min(now.as_millisecond() + IDLE);
        session_key::renew(tx, key, ends, new.map(|token| token.key_text(key).0))?;
    }
    Ok(true)
}

/// Ends a session of a user.
pub fn end(tx: &mut Tx<'_>, context: &RequestContext, owner: i64, id: i64) -> Result<()> {
    let mut sql = delete(tx);
    sql.push("id = ").bind(id).push(" AND owner = ").bind(owner);
    if finish(tx, context, sql, |event, _| event)? == 0 {
        return Err(Error::missing("session_missing", "There is no such session."));
    }
    Ok(())
}

/// Ends all sessions of a user but one; gives how many there were.
pub fn end_others(tx: &mut Tx<'_>, context: &RequestContext, owner: i64, but: i64) -> Result<u64> {
    let mut sql = delete(tx);
    sql.push("owner = ").bind(owner).push(" AND id <> ").bind(but);
    finish(tx, context, sql, |event, _| event)
}

/// Ends all sessions of users.
pub fn end_of_users(tx: &mut Tx<'_>, context: &RequestContext, users: Vec<Value>) -> Result<()> {
    let mut sql = delete(tx);
    sql.push("owner").any_of(ColumnType::Integer, users);
    finish(tx, context, sql, |event, _| event)?;
    Ok(())
}

fn delete(tx: &Tx<'_>) -> Sql {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&SESSION).push(" WHERE ");
    sql
}

/// Runs the statement, and notes what it ended, an event for each owner; gives how many sessions that were.
fn finish(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    mut delete: Sql,
    complete: impl Fn(AuditEvent, i64) -> AuditEvent,
) -> Result<u64> {
    delete.push(" RETURNING owner, id, key");
    let mut keys = Vec::new();
    let mut ended: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    tx.query(&delete, &mut |row| {
        ended.entry(row.integer(0)?).or_default().push(row.integer(1)?);
        if !row.is_null(2)? {
            keys.push(row.integer(2)?.into());
        }
        Ok(())
    })?;
    session_key::delete(tx, keys)?;
    let mut count = 0;
    for (owner, mut sessions) in ended {
        sessions.sort_unstable();
        count += sessions.len() as u64;
        audit::record(
            context,
            complete(AuditEvent::of(EventKind::SessionEnded, owner).with("sessions", sessions), owner),
        );
    }
    Ok(count)
}

/// Removes sessions that are over, of anybody, and those of the user that are too many.
fn make_room(tx: &mut Tx<'_>, owner: i64, now: Timestamp) -> Result<()> {
    // Sessions of one user are begun one after the other, so that the count is right.
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&USERS).push(" WHERE id = ").bind(owner).for_change();
    tx.query(&sql, &mut |_| Ok(()))?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&SESSION).push(" WHERE expires <= ").bind(Value::Timestamp(now.as_millisecond()));
    tx.execute(&sql)?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&SESSION).push(" WHERE owner = ").bind(owner).push(" AND (seen <= ");
    sql.bind(Value::Timestamp(now.as_millisecond() - IDLE)).push(" OR id NOT IN (SELECT id FROM ").table(&SESSION);
    sql.push(" WHERE owner = ").bind(owner).push(" ORDER BY seen DESC, id DESC LIMIT ").bind(MOST - 1);
    sql.push(")) RETURNING key");
    let mut keys = Vec::new();
    tx.query(&sql, &mut |row| {
        if !row.is_null(0)? {
            keys.push(row.integer(0)?.into());
        }
        Ok(())
    })?;
    session_key::delete(tx, keys)
}
