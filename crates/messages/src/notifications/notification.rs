//! A notification as it is stored, and as its reader gets it.

use context::request_context::RequestContext;
use database::{ColumnType, Name, Row, Sql, Tx, Value, ValueRef};
use model::error::Result;
use model::kinds::instant_text;
use model::table_names::NOTIFICATION;
use model::types::{ResourceAction as TypeAction, ResourceType};
use serde_json::{Value as Json, json};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The importance of a notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// To know.
    #[default]
    Info,
    /// Something went well.
    Success,
    /// Something wants attention.
    Warning,
    /// Something failed.
    Error,
}

impl Level {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Level); 4] =
        [("info", Level::Info), ("success", Level::Success), ("warning", Level::Warning), ("error", Level::Error)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Level::ALL.iter().find(|(_, level)| *level == self).map_or("info", |(name, _)| name)
    }
}

/// An action that a notification offers its reader: a link with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The text.
    pub label: String,
    /// The address that it leads to.
    pub url: String,
}

/// A row.
pub(super) struct NotificationRow {
    pub id: i64,
    pub(super) created: i64,
    values: Vec<Value>,
}

/// The columns of a row, in the order of [`select`]. Those from `recipient` on are what a notification is made of.
pub(super) const COLUMNS: [(Name, ColumnType); 20] = [
    (Name::fixed("id"), ColumnType::Integer),
    (Name::fixed("read_at"), ColumnType::Timestamp),
    (Name::fixed("archived_at"), ColumnType::Timestamp),
    (Name::fixed("recipient"), ColumnType::Integer),
    (Name::fixed("custom_id"), ColumnType::Text),
    (Name::fixed("uuid"), ColumnType::Uuid),
    (Name::fixed("created"), ColumnType::Timestamp),
    (Name::fixed("type"), ColumnType::Text),
    (Name::fixed("title"), ColumnType::Text),
    (Name::fixed("body"), ColumnType::Text),
    (Name::fixed("level"), ColumnType::Text),
    (Name::fixed("expires"), ColumnType::Timestamp),
    (Name::fixed("actor"), ColumnType::Integer),
    (Name::fixed("actor_title"), ColumnType::Text),
    (Name::fixed("target_type"), ColumnType::Integer),
    (Name::fixed("target_object"), ColumnType::Integer),
    (Name::fixed("target_uuid"), ColumnType::Uuid),
    (Name::fixed("target_url"), ColumnType::Text),
    (Name::fixed("actions"), ColumnType::Json),
    (Name::fixed("data"), ColumnType::Json),
];

/// The position of the first column that a new row is given.
pub(super) const GIVEN: usize = 3;

/// Appends `SELECT … FROM notifications AS n`, for [`NotificationRow::read`].
pub(super) fn select(sql: &mut Sql) {
    for (index, (column, _)) in COLUMNS.iter().enumerate() {
        sql.push(if index == 0 { "SELECT " } else { ", " }).column(&Name::fixed("n"), column);
    }
    sql.push(" FROM ").table(&NOTIFICATION).push(" AS n");
}

/// For types of which the caller sees some resources: which of those that notifications are about.
type SeenTypes = HashMap<i64, HashSet<i64>>;

/// Notifications as the caller gets them.
pub(super) fn documents(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    notifications: &[NotificationRow],
) -> Result<Vec<Json>> {
    let mut about: HashMap<i64, Vec<i64>> = HashMap::new();
    for (of, id) in notifications.iter().filter_map(NotificationRow::target) {
        about.entry(of).or_default().push(id);
    }
    let mut seen = SeenTypes::new();
    for (of, ids) in about {
        let found = context.model.type_by_id(of).and_then(|of| context.actor.allowed_type(of, TypeAction::Show).ok());
        if let Some(allowed) = found.filter(|allowed| !allowed.sees_every_row()) {
            seen.insert(of, query::row_access::visible_among(tx, context, &allowed, ids)?);
        }
    }
    notifications.iter().map(|notification| Ok(notification.json(context, &seen)?)).collect()
}

impl NotificationRow {
    /// Reads a row of [`select`].
    pub(crate) fn read(row: &Row<'_>) -> database::Result<Self> {
        let values = COLUMNS.into_iter().enumerate().map(|(index, (_, column))| Ok(row.get(index, column)?.to_value()));
        let values: Vec<Value> = values.collect::<database::Result<_>>()?;
        let created = match values[6] {
            Value::Timestamp(created) => created,
            _ => return Err(database::Error::Corrupt("a notification without its moment".to_owned())),
        };
        Ok(NotificationRow { id: row.integer(0)?, created, values })
    }

    fn value(&self, name: &str) -> ValueRef<'_> {
        let index = COLUMNS.iter().position(|(column, _)| column.as_str() == name);
        index.map_or(ValueRef::Null, |index| self.values[index].as_ref())
    }

    /// Returns its subject: type and id.
    fn target(&self) -> Option<(i64, i64)> {
        match (self.value("target_type"), self.value("target_object")) {
            (ValueRef::Integer(of), ValueRef::Integer(id)) => Some((of, id)),
            _ => None,
        }
    }

    /// The notification as the caller gets it. What it is about is told to those who see the resource.
    fn json(&self, context: &RequestContext, seen: &SeenTypes) -> database::Result<Json> {
        let value = |name: &str| self.value(name);
        let plain = |name: &str| match value(name) {
            ValueRef::Integer(number) => json!(number),
            ValueRef::Text(text) => json!(text),
            ValueRef::Timestamp(moment) => json!(instant_text(moment, &context.actor.zone)),
            ValueRef::Uuid(uuid) => json!(uuid::Uuid::from_bytes(uuid).hyphenated().to_string()),
            _ => Json::Null,
        };
        let document = |name: &str| match value(name) {
            ValueRef::Text(text) => serde_json::from_str(text)
                .map_err(|error| database::Error::Corrupt(format!("{name} of a notification: {error}"))),
            _ => Ok(Json::Null),
        };
        let about = match value("target_type") {
            ValueRef::Integer(id) => context.model.type_by_id(id),
            _ => None,
        };
        let shown = |about: &&Arc<ResourceType>| match seen.get(&about.id) {
            Some(seen) => self.target().is_some_and(|(_, id)| seen.contains(&id)),
            None => context.actor.allowed_type(about, TypeAction::Show).is_ok(),
        };
        let about = about.filter(shown);
        let target = match (about, plain("target_url")) {
            (None, Json::Null) => Json::Null,
            (None, url) => json!({"typeId": null, "type": null, "objectId": null, "uuid": null, "url": url}),
            (Some(about), url) => json!({
                "typeId": about.id, "type": about.name, "objectId": plain("target_object"),
                "uuid": plain("target_uuid"), "url": url,
            }),
        };
        let actor = match value("actor") {
            ValueRef::Integer(id) => json!({"id": id, "title": plain("actor_title")}),
            _ => Json::Null,
        };
        Ok(json!({
            "id": self.id, "uuid": plain("uuid"), "type": plain("type"), "title": plain("title"),
            "body": plain("body"), "level": plain("level"),
            "read": value("read_at") != ValueRef::Null, "readAt": plain("read_at"),
            "archived": value("archived_at") != ValueRef::Null, "archivedAt": plain("archived_at"),
            "created": plain("created"), "expiresAt": plain("expires"), "actor": actor,
            "recipient": {"userId": plain("recipient"), "customId": plain("custom_id")},
            "target": target, "actions": document("actions")?, "data": document("data")?,
        }))
    }
}
