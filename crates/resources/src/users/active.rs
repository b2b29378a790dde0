//! The check that a user may sign in at all, for what needs neither password nor key.

use context::key_owner::AccountState;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::user_columns::{STATE, USERS};

/// The name of a user, where that user may sign in now. The row is locked to the end of the transaction.
pub fn active_name(tx: &mut Tx<'_>, request: &RequestContext, user: i64) -> Result<Option<String>> {
    let mut sql = tx.sql();
    sql.push("SELECT ").push(STATE).push(", p2 FROM ").table(&USERS).push(" WHERE id = ").bind(user).for_change();
    let mut found = None;
    tx.query(&sql, &mut |row| {
        if AccountState::read(row, &request.model)?.active(request.now) {
            found = Some(row.text(4)?.to_owned());
        }
        Ok(())
    })?;
    Ok(found)
}
