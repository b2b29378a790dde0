//! The status of a key, and lists of keys.

use super::{ApiKey, Origin};
use context::caller_key::CallerKey;
use context::key_text::KeyText;
use context::request_context::RequestContext;
use context::scopes::KeyScopes;
use context::validity;
use context::validity::ValidityWindow;
use database::{ColumnType, ReadCost, Tx, ValueRef};
use model::error::{ErrorKind, Result};
use model::table_names::KEY;
use std::sync::Arc;
use subtle::ConstantTimeEq;
use tenant::Tenant;

/// The status of a key in the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyStatus {
    /// When it expires, in its owner's display zone; none where it cannot be used, for whatever reason (D-7).
    pub valid_to: Option<String>,
}

impl KeyStatus {
    /// The status of what is no key at all.
    pub const INVALID: KeyStatus = KeyStatus { valid_to: None };

    /// `valid` or `invalid`.
    pub fn word(&self) -> &'static str {
        if self.valid_to.is_some() { "valid" } else { "invalid" }
    }
}

/// Returns the status of a key.
pub async fn status(tenant: &Arc<Tenant>, key: &CallerKey) -> Result<KeyStatus> {
    let Some(id) = key.id() else { return Ok(KeyStatus::INVALID) };
    let found = tenant.read(ReadCost::Point, key, move |tx, context| valid_to(tx, context, id)).await;
    match found {
        Ok(valid_to) => Ok(KeyStatus { valid_to: Some(valid_to) }),
        Err(error) if error.kind == ErrorKind::Forbidden => Ok(KeyStatus::INVALID),
        Err(error) => Err(error),
    }
}

/// Returns true if the key, with this very text, is one of those that a registration gave the user (D-34); where it
/// gave none, one of any that the user has. None where the user has no key.
pub(crate) fn of_registration(tx: &mut Tx<'_>, user: i64, given: Option<&KeyText>) -> Result<Option<bool>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, origin, digest FROM ").table(&KEY).push(" WHERE owner = ").bind(user);
    sql.push(" AND origin <> ").bind(Origin::Session.word());
    let (mut registered, mut others) = (None, None);
    tx.query(&sql, &mut |row| {
        let digest = row.get(2, ColumnType::Bytes)?;
        let (id, bytes) = (row.integer(0)?, if let ValueRef::Bytes(bytes) = digest { bytes } else { &[] });
        let same = given.is_some_and(|given| given.id == id && bool::from(given.digest[..].ct_eq(bytes)));
        let found = if row.text(1)? == Origin::Registration.word() { &mut registered } else { &mut others };
        *found = Some(found.unwrap_or(false) | same);
        Ok(())
    })?;
    Ok(registered.or(others))
}

/// The keys of a user, or of all, without those of sessions.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, user: Option<i64>) -> Result<Vec<ApiKey>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, owner, valid_from, valid_to, description, permissions FROM ").table(&KEY);
    sql.push(" WHERE origin <> ").bind(Origin::Session.word());
    if let Some(user) = user {
        sql.push(" AND owner = ").bind(user);
    }
    sql.push(" ORDER BY id");
    let mut keys = Vec::new();
    tx.query(&sql, &mut |row| {
        let instant = |index| match row.get(index, ColumnType::Timestamp)? {
            ValueRef::Timestamp(milliseconds) => Ok(milliseconds),
            _ => Ok(0),
        };
        keys.push(ApiKey {
            id: row.integer(0)?,
            user: row.integer(1)?,
            text: None,
            validity: ValidityWindow { from: instant(2)?, to: instant(3)? },
            description: row.text(4)?.to_owned(),
            scopes: KeyScopes::stored(row.text(5)?),
            zone: context.actor.zone.clone(),
        });
        Ok::<_, database::Error>(())
    })?;
    Ok(keys)
}

fn valid_to(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<String> {
    let mut sql = tx.sql();
    sql.push("SELECT valid_to FROM ").table(&KEY).push(" WHERE id = ").bind(id);
    let mut end = 0;
    tx.query(&sql, &mut |row| {
        if let ValueRef::Timestamp(milliseconds) = row.get(0, ColumnType::Timestamp)? {
            end = milliseconds;
        }
        Ok(())
    })?;
    Ok(validity::text(end, &context.actor.zone))
}
