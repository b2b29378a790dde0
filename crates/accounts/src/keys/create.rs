//! Making a key.

use super::last_use::longest_unused;
use super::{ApiKey, revoke};
use context::audit;
use context::audit::{AuditEvent, EventKind};
use context::key_owner::SESSION_ORIGIN;
use context::key_text::KeyText;
use context::request_context::RequestContext;
use context::scopes::KeyScopes;
use context::validity;
use context::validity::ValidityWindow;
use database::{Name, Tx, Value};
use jiff::tz::TimeZone;
use model::error::{Error, Result};
use model::table_names::KEY;
use model::user_columns::USERS;

/// The most keys that a user may have.
const MOST: i64 = 100;
/// The code of the error that there are too many, none of which may go.
pub(crate) const FULL: &str = "keys_full";
/// The most expired keys that are removed at a time.
const SWEPT: i64 = 1_000;
/// The most characters of a description.
const DESCRIPTION: usize = 500;

/// The content of a new key.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The owner.
    pub user: i64,
    /// Milliseconds since 1970 at which it expires.
    pub valid_to: i64,
    /// The description; a default text where none.
    pub description: Option<String>,
    /// The most that it may do.
    pub scopes: KeyScopes,
    /// The maker.
    pub origin: Origin,
    /// The owner's display zone.
    pub zone: TimeZone,
}

/// The maker of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The owner, with login and password.
    SignIn,
    /// The registration of the owner (D-35).
    Registration,
    /// The operator, at the command line.
    Command,
    /// An administrator, who acts as the owner.
    LoginAs,
    /// The owner's session in a browser.
    Session,
}

impl Origin {
    pub(super) fn word(self) -> &'static str {
        match self {
            Origin::SignIn => "signIn",
            Origin::Registration => "registration",
            Origin::Command => "command",
            Origin::LoginAs => "loginAs",
            Origin::Session => SESSION_ORIGIN,
        }
    }

    pub(super) fn description(self) -> &'static str {
        match self {
            Origin::SignIn => "Key made at sign-in",
            Origin::Registration => "Key made at registration",
            Origin::Command => "Key made at the command line",
            Origin::LoginAs => "An administrator acts as this user",
            Origin::Session => "Session in a browser",
        }
    }
}

/// Makes a key and gives it with its text, which is not to be had again. Expired keys of the user make room; where
/// there are none, the one of a sign-in that was unused for longest.
pub fn create(tx: &mut Tx<'_>, context: &RequestContext, key: NewKey) -> Result<ApiKey> {
    let now = context.now;
    check_description(key.description.as_deref())?;
    make_room(tx, context, key.user)?;
    let description = key
        .description
        .clone()
        .filter(|text| !text.trim().is_empty())
        .unwrap_or_else(|| key.origin.description().to_owned());
    let validity = ValidityWindow { from: now.as_millisecond(), to: key.valid_to };
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&KEY);
    sql.push(" (owner, valid_from, valid_to, description, permissions, origin, created) VALUES (").bind(key.user);
    sql.push(", ").bind(Value::Timestamp(validity.from)).push(", ").bind(Value::Timestamp(validity.to));
    sql.push(", ").bind(description.as_str()).push(", ").bind(key.scopes.json().to_string());
    sql.push(", ").bind(key.origin.word()).push(", ").bind(Value::Timestamp(now.as_millisecond()));
    sql.push(") RETURNING id");
    let mut id = 0;
    tx.query(&sql, &mut |row| {
        id = row.integer(0)?;
        Ok(())
    })?;

    let (text, shown) = KeyText::generate(id, context.random.as_ref());
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&KEY).push(" SET digest = ").bind(Value::Bytes(text.digest.to_vec()));
    sql.push(" WHERE id = ").bind(id);
    tx.execute(&sql)?;
    audit::record(context, made(id, &key));
    Ok(ApiKey { id, user: key.user, text: Some(shown), validity, description, scopes: key.scopes, zone: key.zone })
}

fn made(id: i64, key: &NewKey) -> AuditEvent {
    let event = AuditEvent::of(EventKind::KeyCreated, key.user)
        .with("key", id)
        .with("origin", key.origin.word())
        .with("permissions", key.scopes.json())
        .with("validTo", validity::text(key.valid_to, &TimeZone::UTC));
    // The password proves its user.
    if key.origin == Origin::SignIn { event.by(key.user) } else { event }
}

/// Checks the description of a key.
pub(crate) fn check_description(description: Option<&str>) -> Result<()> {
    let valid = |text: &str| text.chars().count() <= DESCRIPTION && !text.contains('\0');
    if description.is_none_or(valid) {
        return Ok(());
    }
    Err(Error::invalid("description_invalid", "description may have at most 500 characters, none of them NUL."))
}

fn make_room(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<()> {
    // Keys of one user are made one after the other, so that the count is right.
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&USERS).push(" WHERE id = ").bind(user).for_change();
    tx.query(&sql, &mut |_| Ok(()))?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&KEY).push(" WHERE owner = ").bind(user);
    sql.push(" AND valid_to <= ").bind(Value::Timestamp(context.now.as_millisecond()));
    tx.execute(&sql)?;
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&KEY).push(" WHERE owner = ").bind(user);
    sql.push(" AND origin <> ").bind(Origin::Session.word());
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    if count < MOST {
        return Ok(());
    }
    match longest_unused(tx, context, user)? {
        Some(id) => revoke(tx, context, id),
        None => Err(Error::conflict(FULL, "The user has 100 API keys already. Revoke one first.")),
    }
}

/// Removes keys that have expired, a bounded number at a time; gives whether there may be more.
pub fn sweep(tx: &mut Tx<'_>, context: &RequestContext) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&KEY).push(" WHERE ").name(&Name::fixed("id")).push(" IN (SELECT id FROM ");
    sql.table(&KEY).push(" WHERE valid_to <= ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(" ORDER BY id").limit(SWEPT, 0).push(")");
    Ok(tx.execute(&sql)? >= SWEPT.unsigned_abs())
}
