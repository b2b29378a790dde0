//! Settings of a user for programs with screens: JSON documents by name, which the user alone reads and writes.

use super::owner;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value, ValueRef};
use model::error::{Error, ErrorKind, Result};
use model::kinds::instant_text;
use model::table_names::USER_SETTING;
use resources::{IfMatch, etag};
use serde_json::{Value as Json, json};

/// The command that a key's scopes must leave: `app:user.settings`.
const COMMAND: &str = "user.settings";
/// The most bytes of a setting.
pub const MOST_BYTES: usize = 64 * 1024;
/// The most settings of a user.
const MOST: i64 = 200;
/// The most characters of a name.
const LONGEST: usize = 100;

/// The demands of a write on the setting as it is.
#[derive(Clone, Debug, Default)]
pub struct SettingPrecondition {
    /// `If-Match`.
    pub if_match: Option<IfMatch>,
    /// True for `If-None-Match: *`: there must be none yet.
    pub is_new: bool,
}

/// The name of a setting.
#[derive(Clone, Debug)]
pub struct SettingName(String);

impl SettingName {
    /// Reads a name: 1 to 100 of the characters `a-z`, `0-9`, `.`, `_`, `-`.
    pub fn parse(text: &str) -> Result<Self> {
        let is_valid =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'-');
        if (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_valid) {
            return Ok(SettingName(text.to_owned()));
        }
        let message =
            format!("The name of a setting has 1 to {LONGEST} of the characters a-z, 0-9, \".\", \"_\", \"-\".");
        Err(Error::invalid("setting_name_invalid", message))
    }
}

impl SettingPrecondition {
    /// Fails where the setting is not as the client expects it.
    fn check(&self, context: &RequestContext, now: Option<&str>) -> Result<()> {
        let changed = |message: &str| Err(Error::new(ErrorKind::Changed, "resource_changed", message));
        if self.is_new && now.is_some() {
            return changed("There is such a setting already.");
        }
        match (&self.if_match, now) {
            (Some(_), None) => changed("There is no such setting any more."),
            (Some(if_match), Some(now)) => if_match.check(context, || Ok(now.as_bytes().to_vec())),
            (None, _) => Ok(()),
        }
    }
}

/// Lists the names of the user's settings, in their order.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext) -> Result<Json> {
    let user = owner::of(context, COMMAND)?;
    let mut sql = tx.sql();
    sql.push("SELECT name, updated FROM ").table(&USER_SETTING).push(" WHERE owner = ").bind(user);
    let mut settings = Vec::new();
    tx.query(&sql, &mut |row| {
        let updated = match row.get(1, ColumnType::Timestamp)? {
            ValueRef::Timestamp(updated) => updated,
            _ => 0,
        };
        settings.push((row.text(0)?.to_owned(), updated));
        Ok(())
    })?;
    settings.sort();
    let told = |(name, updated)| json!({"name": name, "updated": instant_text(updated, &context.actor.zone)});
    Ok(json!({"data": settings.into_iter().map(told).collect::<Vec<_>>()}))
}

/// Returns a setting, and its ETag.
pub fn get(tx: &mut Tx<'_>, context: &RequestContext, name: &SettingName) -> Result<(Vec<u8>, String)> {
    let user = owner::of(context, COMMAND)?;
    let content = find(tx, user, name)?.ok_or_else(missing)?.into_bytes();
    let tag = etag(context, &content);
    Ok((content, tag))
}

/// Writes a setting; returns its ETag.
pub fn put(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    name: &SettingName,
    precondition: &SettingPrecondition,
    value: &Json,
) -> Result<String> {
    let user = owner::of(context, COMMAND)?;
    let content = value.to_string();
    if content.len() > MOST_BYTES {
        let message = format!("A setting has at most {MOST_BYTES} bytes.");
        return Err(Error::new(ErrorKind::TooLarge, "setting_too_large", message));
    }
    owner::lock(tx, user)?;
    let before = find(tx, user, name)?;
    precondition.check(context, before.as_deref())?;
    if before.is_none() && count(tx, user)? >= MOST {
        return Err(Error::conflict("settings_too_many", format!("A user has at most {MOST} settings.")));
    }
    let tag = etag(context, content.as_bytes());
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&USER_SETTING).push(" (owner, name, content, updated) VALUES (");
    sql.bind(user).push(", ").bind(name.0.as_str()).push(", ").bind(content).push(", ");
    sql.bind(Value::Timestamp(context.now.as_millisecond())).push(") ON CONFLICT (owner, name) DO UPDATE SET ");
    sql.push("content = excluded.content, updated = excluded.updated");
    tx.execute(&sql)?;
    Ok(tag)
}

/// Deletes a setting.
pub fn delete(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    name: &SettingName,
    precondition: &SettingPrecondition,
) -> Result<()> {
    let user = owner::of(context, COMMAND)?;
    owner::lock(tx, user)?;
    let before = find(tx, user, name)?.ok_or_else(missing)?;
    precondition.check(context, Some(&before))?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&USER_SETTING).push(" WHERE owner = ").bind(user);
    sql.push(" AND name = ").bind(name.0.as_str());
    tx.execute(&sql)?;
    Ok(())
}

/// Removes the settings of users who are deleted.
pub fn forget_users(tx: &mut Tx<'_>, users: Vec<Value>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&USER_SETTING).push(" WHERE owner").any_of(ColumnType::Integer, users);
    tx.execute(&sql)?;
    Ok(())
}

fn find(tx: &mut Tx<'_>, user: i64, name: &SettingName) -> Result<Option<String>> {
    let mut sql = tx.sql();
    sql.push("SELECT content FROM ").table(&USER_SETTING).push(" WHERE owner = ").bind(user);
    sql.push(" AND name = ").bind(name.0.as_str());
    let mut content = None;
    tx.query(&sql, &mut |row| {
        content = Some(row.text(0)?.to_owned());
        Ok(())
    })?;
    Ok(content)
}

fn count(tx: &mut Tx<'_>, user: i64) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT count(*) FROM ").table(&USER_SETTING).push(" WHERE owner = ").bind(user);
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    Ok(count)
}

fn missing() -> Error {
    Error::missing("setting_missing", "There is no such setting.")
}
