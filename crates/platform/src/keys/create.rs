//! Making a key.

use super::validity::{self, Validity};
use super::{ApiKey, KeyText, Scopes};
use crate::audit::{self, Event, Kind};
use crate::error::{Error, Result};
use crate::tables::KEY;
use crate::tenants::Call;
use crate::users::USERS;
use database::{Tx, Value};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// How many keys a user may have.
const MOST: i64 = 100;
/// How long a description may be, in characters.
const DESCRIPTION: usize = 500;

/// What a key is made of.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The owner.
    pub user: i64,
    /// Milliseconds since 1970 at which it expires.
    pub valid_to: i64,
    /// What it is for; a default text where none.
    pub description: Option<String>,
    /// What it may do at most.
    pub scopes: Scopes,
    /// Who made it.
    pub origin: Origin,
    /// The owner's display zone.
    pub zone: TimeZone,
}

/// Who made a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The owner, with login and password.
    SignIn,
    /// Whoever registered the owner (D-35).
    Registration,
    /// The operator, at the command line.
    Command,
    /// An administrator, who acts as the owner.
    LoginAs,
}

impl Origin {
    pub(super) fn word(self) -> &'static str {
        match self {
            Origin::SignIn => "signIn",
            Origin::Registration => "registration",
            Origin::Command => "command",
            Origin::LoginAs => "loginAs",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Origin::SignIn => "Key made at sign-in",
            Origin::Registration => "Key made at registration",
            Origin::Command => "Key made at the command line",
            Origin::LoginAs => "An administrator acts as this user",
        }
    }
}

/// Makes a key and gives it with its text, which is not to be had again. Expired keys of the user make room.
pub fn create(tx: &mut Tx<'_>, call: &Call, key: NewKey) -> Result<ApiKey> {
    let now = call.now;
    check_description(key.description.as_deref())?;
    make_room(tx, key.user, now)?;
    let description = key
        .description
        .clone()
        .filter(|text| !text.trim().is_empty())
        .unwrap_or_else(|| key.origin.description().to_owned());
    let validity = Validity { from: now.as_millisecond(), to: key.valid_to };
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

    let (text, shown) = KeyText::generate(id, call.random.as_ref());
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&KEY).push(" SET digest = ").bind(Value::Bytes(text.digest.to_vec()));
    sql.push(" WHERE id = ").bind(id);
    tx.execute(&sql)?;
    audit::record(call, made(id, &key));
    Ok(ApiKey { id, user: key.user, text: Some(shown), validity, description, scopes: key.scopes, zone: key.zone })
}

fn made(id: i64, key: &NewKey) -> Event {
    let event = Event::of(Kind::KeyCreated, key.user)
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

fn make_room(tx: &mut Tx<'_>, user: i64, now: Timestamp) -> Result<()> {
    // Keys of one user are made one after the other, so that the count is right.
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&USERS).push(" WHERE id = ").bind(user).for_change();
    tx.query(&sql, &mut |_| Ok(()))?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&KEY).push(" WHERE owner = ").bind(user);
    sql.push(" AND valid_to <= ").bind(Value::Timestamp(now.as_millisecond()));
    tx.execute(&sql)?;
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&KEY).push(" WHERE owner = ").bind(user);
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    if count < MOST {
        return Ok(());
    }
    Err(Error::conflict("keys_full", "The user has 100 API keys already. Revoke one first."))
}
