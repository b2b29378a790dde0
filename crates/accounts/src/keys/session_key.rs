//! Keys of sessions in browsers: rows like those of other keys, so that rights, limits, jobs and logs know one kind of
//! caller. Their text follows from the session's token, and is never shown.

use super::Origin;
use context::key_text::KeyText;
use context::scopes::KeyScopes;
use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::table_names::KEY;

/// Makes the key of a session of a user, valid from and to these milliseconds since 1970; gives its id.
pub(crate) fn create(tx: &mut Tx<'_>, owner: i64, from: i64, to: i64, text: impl Fn(i64) -> KeyText) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&KEY);
    sql.push(" (owner, valid_from, valid_to, description, permissions, origin, created) VALUES (").bind(owner);
    sql.push(", ").bind(Value::Timestamp(from)).push(", ").bind(Value::Timestamp(to)).push(", ");
    sql.bind(Origin::Session.description()).push(", ").bind(KeyScopes::all().json().to_string());
    sql.push(", ").bind(Origin::Session.word()).push(", ").bind(Value::Timestamp(from)).push(") RETURNING id");
    let mut id = 0;
    tx.query(&sql, &mut |row| {
        id = row.integer(0)?;
        Ok(())
    })?;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&KEY).push(" SET digest = ").bind(Value::Bytes(text(id).digest.to_vec()));
    sql.push(" WHERE id = ").bind(id);
    tx.execute(&sql)?;
    Ok(id)
}

/// Has the key live as long as its session, and has it follow the session's new token.
pub(crate) fn renew(tx: &mut Tx<'_>, id: i64, to: i64, text: Option<KeyText>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&KEY).push(" SET valid_to = ").bind(Value::Timestamp(to));
    if let Some(text) = &text {
        sql.push(", digest = ").bind(Value::Bytes(text.digest.to_vec()));
    }
    sql.push(" WHERE id = ").bind(id);
    tx.execute(&sql)?;
    // Nodes look again by themselves once the end that they know has come; a digest they would keep.
    if text.is_some() {
        tx.raise_access()?;
    }
    Ok(())
}

/// Deletes the keys of sessions that end. The access epoch rises, so no node serves them any more.
pub(crate) fn delete(tx: &mut Tx<'_>, ids: Vec<Value>) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&KEY).push(" WHERE id").any_of(ColumnType::Integer, ids);
    tx.execute(&sql)?;
    tx.raise_access()?;
    Ok(())
}
