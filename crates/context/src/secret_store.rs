//! The table of named secrets: who may list, set and remove them, and how a value is sealed and opened.

use crate::audit;
use crate::audit::{AuditEvent, EventKind};
use crate::request_context::RequestContext;
use crate::vault::KeyPurpose;
use database::{ColumnType, Tx, Value, ValueRef};
use jiff::Timestamp;
use model::error::{Error, Result};
use model::table_names::NAMED_SECRET;
use model::types::SystemPermission;
use serde_json::{Value as Json, json};

/// The most characters of a name.
const NAME: usize = 100;
/// The most characters of a title.
const TITLE: usize = 255;
/// The most bytes of a value.
const VALUE: usize = 64 << 10;
/// The most secrets of a tenant.
const MOST: i64 = 1_000;

/// The kind of a secret's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// A text.
    String,
    /// A JSON document.
    Json,
}

/// A secret, but for its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSecret {
    /// The name in `getSecret()`.
    pub name: String,
    /// A description for people; may be empty.
    pub title: String,
    /// The kind of its value.
    pub kind: SecretKind,
    /// Since when there is one of that name.
    pub created: Timestamp,
    /// When its value was last set.
    pub updated: Timestamp,
}

/// A secret with its value, to be set.
#[derive(Clone)]
pub struct NewSecret {
    /// The name: letters, digits, `_`, `-` and `.`, at most 100.
    pub name: String,
    /// A description for people; where none, or empty, what is there stays.
    pub title: Option<String>,
    /// The kind of the value.
    pub kind: SecretKind,
    /// The text, or the text of the JSON document.
    pub value: String,
}

/// The value is never told.
impl std::fmt::Debug for NewSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("NewSecret").field("name", &self.name).field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl SecretKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            SecretKind::String => "string",
            SecretKind::Json => "json",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        [SecretKind::String, SecretKind::Json].into_iter().find(|kind| kind.name() == name)
    }
}

impl NamedSecret {
    /// The secret for programs. Its value is not in it.
    pub fn json(&self) -> Json {
        json!({
            "name": self.name,
            "title": self.title,
            "type": self.kind.name(),
            "created": self.created.to_string(),
            "updated": self.updated.to_string(),
        })
    }
}

impl NewSecret {
    /// Refuses what cannot be kept. No text tells anything of the value.
    pub fn check(&self) -> Result<()> {
        check_name(&self.name)?;
        let title = self.title.as_deref().unwrap_or_default();
        if title.chars().count() > TITLE || title.chars().any(char::is_control) {
            let message = format!("A secret's title has at most {TITLE} characters, and no control characters.");
            return Err(Error::invalid("secret_title", message));
        }
        if self.value.is_empty() || self.value.len() > VALUE {
            return Err(Error::invalid("secret_value", format!("A secret's value has 1 to {VALUE} bytes.")));
        }
        if self.kind == SecretKind::Json && serde_json::from_str::<serde::de::IgnoredAny>(&self.value).is_err() {
            return Err(Error::invalid("secret_value", "The value is no JSON document."));
        }
        Ok(())
    }
}

/// The secrets, by name. Their values are not read.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext) -> Result<Vec<NamedSecret>> {
    context.actor.require(SystemPermission::Admin)?;
    let mut sql = tx.sql();
    sql.push("SELECT name, title, type, created, updated FROM ").table(&NAMED_SECRET).push(" ORDER BY name");
    let mut secrets = Vec::new();
    tx.query(&sql, &mut |row| {
        secrets.push(NamedSecret {
            name: row.text(0)?.to_owned(),
            title: row.text(1)?.to_owned(),
            kind: SecretKind::named(row.text(2)?).unwrap_or(SecretKind::String),
            created: instant(row.timestamp(3)?)?,
            updated: instant(row.timestamp(4)?)?,
        });
        Ok(())
    })?;
    Ok(secrets)
}

/// Sets a secret; gives whether there was none of that name.
pub fn set(tx: &mut Tx<'_>, context: &RequestContext, secret: &NewSecret) -> Result<bool> {
    context.actor.require(SystemPermission::Admin)?;
    put(tx, context, secret)
}

/// Removes a secret.
pub fn remove(tx: &mut Tx<'_>, context: &RequestContext, name: &str) -> Result<()> {
    context.actor.require(SystemPermission::Admin)?;
    if take(tx, context, name)? { Ok(()) } else { Err(missing(name)) }
}

/// Seals a secret and writes it down; gives whether there was none of that name.
pub fn put(tx: &mut Tx<'_>, context: &RequestContext, secret: &NewSecret) -> Result<bool> {
    secret.check()?;
    let content = context.vault()?.seal(
        KeyPurpose::Secret,
        secret.name.as_bytes(),
        secret.value.as_bytes(),
        context.random.as_ref(),
    );
    let title = secret.title.as_deref().filter(|title| !title.is_empty());
    let now = Value::Timestamp(context.now.as_millisecond());
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&NAMED_SECRET).push(" SET content = ").bind(Value::Bytes(content.clone()));
    sql.push(", type = ").bind(secret.kind.name()).push(", updated = ").bind(now.clone());
    if let Some(title) = title {
        sql.push(", title = ").bind(title);
    }
    sql.push(" WHERE name = ").bind(secret.name.as_str());
    let is_new = tx.execute(&sql)? == 0;
    if is_new {
        if count(tx)? >= MOST {
            return Err(Error::conflict("secrets_full", format!("There are {MOST} secrets already.")));
        }
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&NAMED_SECRET).push(" (name, title, type, content, created, updated) VALUES (");
        sql.bind(secret.name.as_str()).push(", ").bind(title.unwrap_or_default()).push(", ").bind(secret.kind.name());
        sql.push(", ").bind(Value::Bytes(content)).push(", ").bind(now.clone()).push(", ").bind(now);
        // Who was faster with the same name had another value for it: the last one stands.
        sql.push(") ON CONFLICT (name) DO UPDATE SET content = excluded.content, type = excluded.type");
        sql.push(", updated = excluded.updated");
        tx.execute(&sql)?;
    }
    let event = AuditEvent::of_none(EventKind::SecretSet).with("name", secret.name.as_str());
    audit::record(context, event.with("type", secret.kind.name()).with("created", is_new));
    Ok(is_new)
}

/// Removes a secret; gives whether there was one.
pub fn take(tx: &mut Tx<'_>, context: &RequestContext, name: &str) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&NAMED_SECRET).push(" WHERE name = ").bind(name);
    let removed = tx.execute(&sql)? > 0;
    if removed {
        audit::record(context, AuditEvent::of_none(EventKind::SecretRemoved).with("name", name));
    }
    Ok(removed)
}

/// Returns a secret, opened, and its kind; none where there is none of that name.
pub fn open(tx: &mut Tx<'_>, context: &RequestContext, name: &str) -> Result<Option<(SecretKind, String)>> {
    let mut sql = tx.sql();
    sql.push("SELECT type, content FROM ").table(&NAMED_SECRET).push(" WHERE name = ").bind(name);
    let mut found = None;
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(content) = row.get(1, ColumnType::Bytes)? {
            found = Some((row.text(0)?.to_owned(), content.to_vec()));
        }
        Ok(())
    })?;
    let Some((kind, content)) = found else { return Ok(None) };
    let opened = context.vault()?.open(KeyPurpose::Secret, name.as_bytes(), &content);
    let text = opened.and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or_else(|| Error::failed("a secret cannot be opened with the tenant's key"))?;
    Ok(Some((SecretKind::named(&kind).unwrap_or(SecretKind::String), text)))
}

/// Refuses what no secret can be called.
fn check_name(name: &str) -> Result<()> {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if !name.is_empty() && name.len() <= NAME && name.bytes().all(known) {
        return Ok(());
    }
    let message = format!("A secret's name is of letters, digits, `_`, `-` and `.`, at most {NAME}.");
    Err(Error::invalid("secret_name", message))
}

/// The error of a name that no secret has.
fn missing(name: &str) -> Error {
    Error::missing("secret_missing", format!("There is no secret {name:?}."))
}

fn count(tx: &mut Tx<'_>) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&NAMED_SECRET);
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    Ok(count)
}

fn instant(milliseconds: i64) -> database::Result<Timestamp> {
    let corrupt = |_| database::Error::Corrupt("a moment beyond the calendar".to_owned());
    Timestamp::from_millisecond(milliseconds).map_err(corrupt)
}
