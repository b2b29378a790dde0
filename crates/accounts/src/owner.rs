//! The user whom settings and views belong to.

use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use model::user_columns::USERS;

/// Returns the acting user, where the scopes of the key leave the command.
pub(super) fn of(context: &RequestContext, command: &str) -> Result<i64> {
    context.actor.require_command(command)?;
    context.user().ok_or_else(|| Error::forbidden("user_missing", "A user is needed for this."))
}

/// Locks the user's row until the transaction ends: writes of what belongs to a user come one after the other, so that
/// their numbers are right, and none comes behind the deletion of the user.
pub(super) fn lock(tx: &mut Tx<'_>, user: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&USERS).push(" WHERE id = ").bind(user).for_change();
    let mut found = false;
    tx.query(&sql, &mut |_| {
        found = true;
        Ok(())
    })?;
    if found { Ok(()) } else { Err(Error::forbidden("user_missing", "The user was deleted.")) }
}
