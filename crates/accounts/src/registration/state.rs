//! States of an account that was registered, and the ways on from each: the contract's table of states (I-4) as types.
//! Only a [`PendingAccount`] account can be activated or cancelled, and each takes it away.

use super::challenge::AccountChallenge;
use crate::keys;
use context::audit;
use context::audit::{AuditEvent, EventKind};
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value, ValueRef};
use model::email::EmailAddress;
use model::error::Result;
use model::table_names::CHALLENGE;
use model::user_columns::USERS;
use query::request::ItemRef;
use resources::Body;
use resources::events;
use serde_json::{Map, Value as Json, json};

/// From when on an account is valid that waits for its verification.
pub(super) const NEVER: &str = "9999-12-31T00:00:00Z";
/// 9999-01-01T00:00:00Z in milliseconds since 1970: whatever is valid from later on waits.
const YEAR_9999: i64 = 253_370_764_800_000;

/// An account, locked to the end of the transaction. One that was never registered, or deleted, is none.
pub(super) enum LockedAccount {
    /// It waits for its verification: neither sign-in nor keys work.
    Pending(PendingAccount),
    /// It was verified, or is none that user.register made. An account that an administrator blocks later stays this.
    Active(AccountUser),
}

/// The user's data.
#[derive(Clone, Debug)]
pub(super) struct AccountUser {
    pub id: i64,
    pub(super) login: String,
    pub name: String,
    pub(super) phone: Option<String>,
}

/// An account that waits for its verification.
pub(super) struct PendingAccount {
    pub(super) user: AccountUser,
    pub(super) challenge: AccountChallenge,
}

/// The purpose of a lock on an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LockPurpose {
    /// To be changed.
    Change,
    /// To be deleted.
    Deletion,
}

/// Reads an account and locks it, user before challenge, as everybody does.
pub(super) fn lock(tx: &mut Tx<'_>, id: i64, purpose: LockPurpose) -> Result<Option<LockedAccount>> {
    let mut sql = tx.sql();
    sql.push("SELECT p1, p2, p4, p8, p9 FROM ").table(&USERS).push(" WHERE id = ").bind(id);
    match purpose {
        LockPurpose::Change => sql.for_change(),
        LockPurpose::Deletion => sql.for_update(),
    };
    let mut found = None;
    tx.query(&sql, &mut |row| {
        let phone = match row.get(2, ColumnType::Text)? {
            ValueRef::Text(phone) => Some(phone.to_owned()),
            _ => None,
        };
        let user = AccountUser { id, login: row.text(0)?.to_owned(), name: row.text(1)?.to_owned(), phone };
        let blocked = matches!(row.get(3, ColumnType::Boolean)?, ValueRef::Boolean(true));
        let from = row.get(4, ColumnType::Timestamp)?;
        found = Some((user, blocked && matches!(from, ValueRef::Timestamp(from) if from >= YEAR_9999)));
        Ok(())
    })?;
    let Some((user, waits)) = found else { return Ok(None) };
    if !waits {
        return Ok(Some(LockedAccount::Active(user)));
    }
    Ok(Some(match AccountChallenge::lock_open(tx, id)? {
        Some(challenge) => LockedAccount::Pending(PendingAccount { user, challenge }),
        None => LockedAccount::Active(user),
    }))
}

/// The id of the user with that address.
pub(super) fn find(tx: &mut Tx<'_>, email: &EmailAddress) -> Result<Option<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&USERS).push(" WHERE p1 = ").bind(email.as_str());
    let mut id = None;
    tx.query(&sql, &mut |row| {
        id = Some(row.integer(0)?);
        Ok(())
    })?;
    Ok(id)
}

impl PendingAccount {
    /// Activates the account: pending to active.
    pub(super) fn activate(self, tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&CHALLENGE).push(" SET completed = ");
        sql.bind(Value::Timestamp(context.now.as_millisecond())).push(" WHERE id = ").bind(self.challenge.id);
        tx.execute(&sql)?;
        let mut members = Map::new();
        members.insert("login_expired".into(), Json::Bool(false));
        members.insert("valid_from".into(), Json::Null);
        let item = ItemRef::Id(self.user.id);
        resources::patch(tx, &context.elevated(self.user.id), "user", &item, None, &Body::plain(members))?;
        events::of_user(tx, context, model::automation::AutomationEvent::Activated, self.user.id)
    }

    /// Deletes the account, then its keys: pending to deleted.
    pub(crate) fn cancel(self, tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
        let item = ItemRef::Id(self.user.id);
        audit::record(context, AuditEvent::of(EventKind::UserCancelled, self.user.id));
        resources::delete(tx, &context.elevated(context.actor.user), "user", &item, None)?;
        keys::revoke_of_user(tx, context, self.user.id)?;
        Ok(())
    }
}

/// The members that make a new user wait.
pub(super) fn waiting(members: &mut Map<String, Json>) {
    members.insert("login_expired".into(), json!(true));
    members.insert("valid_from".into(), json!(NEVER));
}
