//! One notification: read, marked as read, archived.

use super::list::custom_id;
use super::notification::{self, NotificationRow};
use context::allowed_notifications::NotificationRight;
use context::request_context::RequestContext;
use database::{Name, Tx, Value};
use model::error::{Error, Result};
use model::parameters::RequestParameters;
use model::table_names::NOTIFICATION;
use model::types::ResourceAction;
use query::request::ItemRef;
use query::request::item_missing;
use serde_json::{Map, Value as Json, json};

/// The effect of a PATCH. Both can be done again, and change nothing then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patch {
    /// `{read: true}`.
    Read,
    /// `{archive: true}`.
    Archive,
}

impl Patch {
    /// Reads a body. One that names both, neither, or anything else is refused.
    pub fn parse(members: &Map<String, Json>) -> Result<Self> {
        if let Some(name) = members.keys().find(|name| !["read", "archive"].contains(&name.as_str())) {
            return Err(context::actor::unknown(name));
        }
        match (members.get("read"), members.get("archive")) {
            (Some(Json::Bool(true)), None) => Ok(Patch::Read),
            (None, Some(Json::Bool(true))) => Ok(Patch::Archive),
            _ => {
                let message = "A notification takes either {\"read\": true} or {\"archive\": true}.";
                Err(Error::invalid("patch_invalid", message))
            }
        }
    }
}

/// A notification to get.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotificationRequest {
    /// `recipient_custom_id`: the custom id that it must be for.
    pub custom_id: Option<String>,
}

impl NotificationRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, &["recipient_custom_id"])?;
        Ok(NotificationRequest { custom_id: custom_id(&mut parameters)? })
    }
}

/// Gives a notification as JSON.
pub fn get(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    item: &ItemRef,
    request: &NotificationRequest,
) -> Result<Vec<u8>> {
    let allowed = context.actor.notifications(ResourceAction::Show)?;
    document(tx, context, allowed.of(request.custom_id.as_deref())?, item)
}

/// Marks a notification as read and gives it, or archives it and says so.
pub fn patch(tx: &mut Tx<'_>, context: &RequestContext, item: &ItemRef, patch: Patch) -> Result<Vec<u8>> {
    let allowed = context.actor.notifications(ResourceAction::Edit)?.of(None)?;
    let id = find(tx, context, allowed, item)?.id;
    let column = Name::fixed(match patch {
        Patch::Read => "read_at",
        Patch::Archive => "archived_at",
    });
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&NOTIFICATION).push(" SET ").name(&column).push(" = ");
    sql.bind(Value::Timestamp(context.now.as_millisecond())).push(" WHERE id = ").bind(id);
    // The first time counts.
    sql.push(" AND ").name(&column).push(" IS NULL");
    tx.execute(&sql)?;
    match patch {
        Patch::Read => document(tx, context, allowed, item),
        Patch::Archive => Ok(json!({"message": "Notification archived."}).to_string().into_bytes()),
    }
}

fn document(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    allowed: NotificationRight<'_>,
    item: &ItemRef,
) -> Result<Vec<u8>> {
    let found = find(tx, context, allowed, item)?;
    let documents = notification::documents(tx, context, std::slice::from_ref(&found))?;
    Ok(documents.iter().map(Json::to_string).collect::<String>().into_bytes())
}

/// One that is not there, has expired, or is somebody else's, is missing, with one text.
fn find(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    allowed: NotificationRight<'_>,
    item: &ItemRef,
) -> Result<NotificationRow> {
    let mut sql = tx.sql();
    notification::select(&mut sql);
    match *item {
        ItemRef::Id(id) => sql.push(" WHERE n.id = ").bind(id),
        ItemRef::Uuid(uuid) => sql.push(" WHERE n.uuid = ").bind(Value::Uuid(uuid)),
    };
    sql.push(" AND ");
    allowed.visible(&mut sql, context.now);
    let mut found = None;
    tx.query(&sql, &mut |row| {
        found = Some(NotificationRow::read(row)?);
        Ok(())
    })?;
    found.ok_or_else(item_missing)
}
