//! Making notifications: by administrators over HTTP, and by the platform itself.

use super::accept;
use super::notification::{Action, COLUMNS, GIVEN, Level};
use context::request_context::RequestContext;
use database::{ColumnType, Name, Sql, Tx, Value, ValueRef};
use model::automation::AutomationEvent;
use model::error::{Error, InputProblem, Result};
use model::table_names::{META, NOTIFICATION};
use model::types::SystemPermission;
use model::user_columns::USERS;
use resources::events;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeSet, HashSet};

/// Whom a notification is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Recipient {
    /// A user, by id.
    User(i64),
    /// Somebody whom an integration knows by an id of its own.
    Custom(String),
}

/// The subject of a notification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// A resource: the ids of type and resource, and its UUID.
    pub resource: Option<(i64, i64, [u8; 16])>,
    /// A link.
    pub url: Option<String>,
}

/// The content of a notification.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// A word for programs that tells what sort of thing happened.
    pub kind: String,
    /// The title.
    pub title: String,
    /// The text.
    pub body: Option<String>,
    /// The level.
    pub level: Level,
    /// When it ends, in milliseconds since 1970.
    pub expires: Option<i64>,
    /// The subject.
    pub target: Target,
    /// The links that it offers its reader.
    pub actions: Vec<Action>,
    /// Anything, for programs.
    pub data: Option<Map<String, Json>>,
}

/// A notification for some recipients, each of whom gets one of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewNotification {
    /// Whom it is for; one who is named twice gets one.
    pub recipients: Vec<Recipient>,
    /// The content.
    pub content: Content,
}

/// The most that a clock may have gone back for notifications to keep their order, in milliseconds.
const CLOCK: i64 = 60_000;
/// The most expired notifications that are removed along with a new one.
const SWEPT: i64 = 1_000;

/// Makes notifications of a body, for an administrator; gives them as JSON.
pub fn send(tx: &mut Tx<'_>, context: &RequestContext, members: &Map<String, Json>) -> Result<Vec<u8>> {
    context.actor.require(SystemPermission::Admin)?;
    let mut new = accept::accept(tx, context, members)?;
    deduplicate(&mut new.recipients);
    let made = create(tx, context, &new)?;
    let items = new.recipients.iter().zip(&made).map(|(recipient, (id, uuid))| {
        let (user, custom) = parts(recipient);
        let uuid = uuid::Uuid::from_bytes(*uuid).hyphenated().to_string();
        json!({"id": id, "uuid": uuid, "recipient": {"userId": user, "customId": custom}})
    });
    let items: Vec<Json> = items.collect();
    Ok(json!({"items": items}).to_string().into_bytes())
}

/// Makes a notification for each recipient; gives ids and UUIDs, in the order of the recipients without those that
/// are named again. The acting user is named as its cause.
/// The caller checks the right to make it.
pub fn create(tx: &mut Tx<'_>, context: &RequestContext, new: &NewNotification) -> Result<Vec<(i64, [u8; 16])>> {
    accept::check(context, new)?;
    let mut recipients = new.recipients.clone();
    deduplicate(&mut recipients);
    let actor_title = check_users(tx, context, &recipients)?;
    let created = Value::Timestamp(moment(tx, context)?);
    sweep_expired(tx, context)?;
    let content = content(context, new, actor_title);
    let uuids: Vec<[u8; 16]> = recipients.iter().map(|_| context.uuid()).collect();
    let rows: Vec<Vec<Value>> = recipients
        .iter()
        .zip(&uuids)
        .map(|(recipient, uuid)| {
            let (user, custom) = parts(recipient);
            let mut row = vec![user.into(), custom.into(), Value::Uuid(*uuid), created.clone()];
            row.extend(content.iter().cloned());
            row
        })
        .collect();
    let ids = tx.insert_many(&NOTIFICATION, &COLUMNS[GIVEN..], &rows)?;
    let made: Vec<(i64, [u8; 16])> = ids.into_iter().zip(uuids).collect();
    events::told(tx, context, AutomationEvent::Notified, || {
        made.iter().zip(&recipients).map(|((id, uuid), recipient)| told(&new.content, *id, *uuid, recipient)).collect()
    })?;
    Ok(made)
}

/// Returns the members that automations are given of a notification: `trigger('notification')`.
fn told(content: &Content, id: i64, uuid: [u8; 16], recipient: &Recipient) -> Map<String, Json> {
    let (user, custom) = parts(recipient);
    let target = content.target.resource.map(|(of, object, _)| json!({"typeId": of, "objectId": object}));
    let told = json!({
        "id": id, "uuid": uuid::Uuid::from_bytes(uuid).hyphenated().to_string(), "type": content.kind,
        "title": content.title, "body": content.body, "level": content.level.name(), "userId": user,
        "customId": custom, "target": target, "url": content.target.url, "data": content.data,
    });
    Map::from_iter([("notification".to_owned(), told)])
}

/// Removes the notifications of users who are deleted.
pub fn forget_users(tx: &mut Tx<'_>, users: Vec<Value>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&NOTIFICATION).push(" WHERE recipient").any_of(ColumnType::Integer, users);
    Ok(tx.defer(sql)?)
}

fn deduplicate(recipients: &mut Vec<Recipient>) {
    let mut known = HashSet::new();
    recipients.retain(|recipient| known.insert(recipient.clone()));
}

fn parts(recipient: &Recipient) -> (Option<i64>, Option<&str>) {
    match recipient {
        Recipient::User(id) => (Some(*id), None),
        Recipient::Custom(id) => (None, Some(id)),
    }
}

/// The values of the columns behind `created`.
fn content(context: &RequestContext, new: &NewNotification, actor_title: Option<String>) -> Vec<Value> {
    let Content { kind, title, body, level, expires, target, actions, data } = new.content.clone();
    let actions: Vec<Json> = actions.iter().map(|action| json!({"label": action.label, "url": action.url})).collect();
    let resource = target.resource;
    vec![
        Value::Text(kind),
        Value::Text(title),
        body.into(),
        level.name().into(),
        expires.map_or(Value::Null, Value::Timestamp),
        context.user().into(),
        actor_title.into(),
        resource.map(|(of, ..)| of).into(),
        resource.map(|(_, object, _)| object).into(),
        resource.map_or(Value::Null, |(.., uuid)| Value::Uuid(uuid)),
        target.url.into(),
        Json::Array(actions).to_string().into(),
        data.map(|data| Json::Object(data).to_string()).into(),
    ]
}

/// Fails unless all users are there, who then stay until this transaction ends; gives the acting user's name.
fn check_users(tx: &mut Tx<'_>, context: &RequestContext, recipients: &[Recipient]) -> Result<Option<String>> {
    let mut missing: BTreeSet<i64> = recipients.iter().filter_map(|recipient| parts(recipient).0).collect();
    let asked = missing.iter().copied().chain(context.user()).map(Value::Integer).collect();
    let mut sql = tx.sql();
    sql.push("SELECT id, p2 FROM ").table(&USERS).push(" WHERE id").any_of(ColumnType::Integer, asked);
    sql.push(" ORDER BY id").for_share();
    let mut title = None;
    tx.query(&sql, &mut |row| {
        let id = row.integer(0)?;
        missing.remove(&id);
        if context.user() == Some(id)
            && let ValueRef::Text(name) = row.get(1, ColumnType::Text)?
        {
            title = Some(name.to_owned());
        }
        Ok(())
    })?;
    if missing.is_empty() {
        return Ok(title);
    }
    let problem = |id| {
        let message = format!("recipients must exist: there is no user {id}.");
        InputProblem { property: "recipients".to_owned(), code: "user_missing", message }
    };
    Err(Error::problems(missing.into_iter().map(problem).collect()))
}

/// The moment of a new notification. From here on, others wait until this transaction ends: what has the greater id is
/// committed later, and no earlier by the clock of another node.
fn moment(tx: &mut Tx<'_>, context: &RequestContext) -> Result<i64> {
    let mut lock = tx.sql();
    lock.push("INSERT INTO ").table(&META).push(" (name, content) VALUES ('notifications', '')");
    lock.push(" ON CONFLICT (name) DO UPDATE SET content = excluded.content");
    tx.execute(&lock)?;
    let mut last = tx.sql();
    last.push("SELECT created FROM ").table(&NOTIFICATION).push(" ORDER BY id DESC").limit(1, 0);
    let now = context.now.as_millisecond();
    let mut moment = now;
    tx.query(&last, &mut |row| {
        if let ValueRef::Timestamp(last) = row.get(0, ColumnType::Timestamp)?
            && (now..=now.saturating_add(CLOCK)).contains(&last)
        {
            moment = last;
        }
        Ok(())
    })?;
    Ok(moment)
}

/// Removes what has expired, a bounded number of rows at a time.
fn sweep_expired(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    let now = Value::Timestamp(context.now.as_millisecond());
    let sql = removal(tx, |sql| _ = sql.push("expires <= ").bind(now).push(" ORDER BY expires"));
    Ok(tx.defer(sql)?)
}

/// Removes what has expired, and what is too old where it has no expiry, a bounded number of rows at a time; gives
/// whether there may be more.
pub fn sweep(tx: &mut Tx<'_>, context: &RequestContext) -> Result<bool> {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    let now = context.now.as_millisecond();
    let old = now - i64::from(context.model.settings.notification_days) * DAY;
    let expired = removal(tx, |sql| {
        sql.push("expires <= ").bind(Value::Timestamp(now)).push(" ORDER BY expires");
    });
    let aged = removal(tx, |sql| {
        sql.push("expires IS NULL AND created <= ").bind(Value::Timestamp(old)).push(" ORDER BY id");
    });
    Ok(tx.execute(&expired)?.max(tx.execute(&aged)?) >= SWEPT.unsigned_abs())
}

/// The statement that removes some of the notifications that a condition names.
fn removal(tx: &Tx<'_>, which: impl FnOnce(&mut Sql)) -> Sql {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&NOTIFICATION).push(" WHERE ").name(&Name::fixed("id")).push(" IN (SELECT id FROM ");
    sql.table(&NOTIFICATION).push(" WHERE ");
    which(&mut sql);
    sql.limit(SWEPT, 0).push(")");
    sql
}
