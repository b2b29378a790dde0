//! The last use of keys: written now and then, and read where a key has to make room.

use super::Origin;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value, ValueRef};
use model::error::Result;
use model::table_names::KEY;

/// Writes when keys were last used: pairs of a key's id and milliseconds since 1970, in the order of ids. Another node may
/// know of a later use.
pub fn note_uses(tx: &mut Tx<'_>, uses: &[(i64, i64)]) -> Result<()> {
    for (key, last) in uses {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&KEY).push(" SET last_used = ").bind(Value::Timestamp(*last));
        sql.push(" WHERE id = ").bind(*key).push(" AND (last_used IS NULL OR last_used < ");
        sql.bind(Value::Timestamp(*last)).push(")");
        tx.defer(sql)?;
    }
    Ok(())
}

/// Returns the key of a user's sign-ins that was unused for longest, by its last use, else by its making.
pub(super) fn longest_unused(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<Option<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, created, last_used FROM ").table(&KEY).push(" WHERE owner = ").bind(user);
    sql.push(" AND origin = ").bind(Origin::SignIn.word());
    let mut longest = None;
    tx.query(&sql, &mut |row| {
        let id = row.integer(0)?;
        let mut last = context.key_uses.last(id).unwrap_or(i64::MIN);
        for index in [1, 2] {
            if let ValueRef::Timestamp(at) = row.get(index, ColumnType::Timestamp)? {
                last = last.max(at);
            }
        }
        let found = (last, id);
        longest = Some(longest.map_or(found, |longest: (i64, i64)| longest.min(found)));
        Ok(())
    })?;
    Ok(longest.map(|(_, id)| id))
}
