//! Revoking keys. The access epoch rises in the same transaction, so no node serves a revoked key (A017).

use super::{KeyText, Origin};
use crate::error::{Error, Result};
use crate::tables::KEY;
use crate::tenants::Tenant;
use database::{Tx, Value};
use std::sync::Arc;

impl Tenant {
    /// Revokes the key with that text; whoever holds the text may (D-10). Unknown, malformed and revoked keys are
    /// one error (A023).
    pub async fn revoke(self: &Arc<Self>, text: &str) -> Result<()> {
        let key = KeyText::parse(text).map_err(|_| missing())?;
        self.store
            .write(move |tx| {
                let mut sql = tx.sql();
                sql.push("DELETE FROM ").table(&KEY).push(" WHERE id = ").bind(key.id);
                sql.push(" AND digest = ").bind(Value::Bytes(key.digest.to_vec()));
                finish(tx, &sql)
            })
            .await
    }
}

/// Revokes the key with that id.
pub fn revoke(tx: &mut Tx<'_>, id: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&KEY).push(" WHERE id = ").bind(id);
    finish(tx, &sql)
}

/// Revokes all keys of a user; gives how many there were.
pub fn revoke_of_user(tx: &mut Tx<'_>, user: i64) -> Result<u64> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&KEY).push(" WHERE owner = ").bind(user);
    let revoked = tx.execute(&sql)?;
    tx.raise_access()?;
    Ok(revoked)
}

/// Revokes the keys that a user's password made, at sign-in or with the registration; those of the operator stay.
pub(crate) fn revoke_of_password(tx: &mut Tx<'_>, user: i64) -> Result<u64> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&KEY).push(" WHERE owner = ").bind(user).push(" AND origin <> ");
    let revoked = tx.execute(sql.bind(Origin::Command.word()))?;
    tx.raise_access()?;
    Ok(revoked)
}

fn finish(tx: &mut Tx<'_>, delete: &database::Sql) -> Result<()> {
    if tx.execute(delete)? == 0 {
        return Err(missing());
    }
    Ok(tx.raise_access()?)
}

fn missing() -> Error {
    Error::missing("key_missing", "There is no such API key.")
}
