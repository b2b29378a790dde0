//! From a token to its session, if that lives and its user may sign in.

use super::SessionToken;
use super::session::{COLUMNS, Session};
use database::{Tx, Value};
use jiff::Timestamp;
use model::error::Result;
use model::table_names::SESSION;
use model::types::Model;
use resources::users::Person;

/// The session of a token, and its user as that is now.
pub(super) fn find(
    tx: &mut Tx<'_>,
    token: &SessionToken,
    model: &Model,
    now: Timestamp,
) -> Result<Option<(Session, Person)>> {
    let mut sql = tx.sql();
    sql.push("SELECT ").push(COLUMNS).push(" FROM ").table(&SESSION);
    sql.push(" WHERE digest = ").bind(Value::Bytes(token.digest()));
    let mut found = None;
    tx.query(&sql, &mut |row| {
        found = Some(Session::read(row)?);
        Ok(())
    })?;
    // An earlier version began sessions without a key: their users sign in again.
    let living = found.filter(|session: &Session| session.lives(now) && session.key.is_some());
    let Some(session) = living else { return Ok(None) };
    Ok(Person::active(tx, session.owner, model, now)?.map(|person| (session, person)))
}
