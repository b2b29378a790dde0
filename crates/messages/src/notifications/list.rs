//! The list of notifications.

use super::notification::{self, NotificationRow};
use context::allowed_notifications::lasting;
use context::request_context::RequestContext;
use database::{Sql, Tx, Value};
use model::cursor::{CursorPlace, CursorPurpose};
use model::error::{Error, Result};
use model::kinds::read_instant;
use model::parameters::RequestParameters;
use model::table_names::NOTIFICATION;
use model::types::ResourceAction;
use serde_json::{Value as Json, json};

/// The parameters of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationListRequest {
    /// `unread_only`.
    pub unread_only: bool,
    /// `limit`: how many at most.
    pub limit: u64,
    /// `cursor`: the `nextCursor` of the page before.
    pub cursor: Option<String>,
    /// `after`: an id or a datetime; only what came later.
    pub after: Option<String>,
    /// `recipient_custom_id`: those of a custom id instead of one's own.
    pub custom_id: Option<String>,
    /// `_archived`: archived ones too.
    pub archived: bool,
}

/// A page of the list. Where it is empty the contract has no body: the edge answers 204.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationPage {
    /// The envelope, as JSON.
    pub body: Vec<u8>,
    /// The number of notifications in it.
    pub fetched: usize,
}

const PARAMETERS: &[&str] = &["unread_only", "limit", "cursor", "after", "recipient_custom_id", "_archived"];
/// The number of notifications of a page unless another is given.
const LIMIT: u64 = 25;
/// The most notifications that a page may have.
const MOST: u64 = 100;

impl NotificationListRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, PARAMETERS)?;
        let request = NotificationListRequest {
            unread_only: parameters.one_of("unread_only", &["true", "false"])? == Some("true"),
            limit: parameters.positive("limit", Some(u64::MAX))?.unwrap_or(LIMIT),
            cursor: parameters.text("cursor")?,
            after: parameters.text("after")?,
            custom_id: custom_id(&mut parameters)?,
            archived: parameters.flag("_archived")?.unwrap_or(false),
        };
        let fault =
            |name: &str, what: &str| Err(Error::invalid("parameter_invalid", format!("The parameter {name} {what}.")));
        if request.limit > MOST { fault("limit", &format!("must be from 1 to {MOST}")) } else { Ok(request) }
    }

    /// Returns the parameters that a cursor of this list is bound to beside the user.
    fn parameters(&self) -> Vec<String> {
        let NotificationListRequest { unread_only, limit, cursor: _, after, custom_id, archived } = self;
        let text = |text: &Option<String>| text.as_ref().map_or_else(|| "-".to_owned(), |text| format!("={text}"));
        vec![unread_only.to_string(), limit.to_string(), text(after), text(custom_id), archived.to_string()]
    }
}

/// The parameter `recipient_custom_id`.
pub(super) fn custom_id(parameters: &mut RequestParameters) -> Result<Option<String>> {
    let fault = |what: &str| {
        Err(Error::invalid("parameter_invalid", format!("The parameter recipient_custom_id must not {what}.")))
    };
    match parameters.text("recipient_custom_id")? {
        Some(id) if id.is_empty() => fault("be empty"),
        Some(id) if id.contains('\0') => fault("hold the character NUL"),
        id => Ok(id),
    }
}

/// Lists notifications, newest first.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, request: &NotificationListRequest) -> Result<NotificationPage> {
    let allowed = context.actor.notifications(ResourceAction::Show)?;
    let parameters = request.parameters();
    let purpose = CursorPurpose { user: context.actor.user, route: "notifications", parameters: &parameters };
    let mut sql = tx.sql();
    notification::select(&mut sql);
    sql.push(" WHERE ");
    allowed.listed(&mut sql, request.custom_id.as_deref())?;
    if let Some(cursor) = &request.cursor {
        let place = context.cursors.verify(purpose, cursor);
        let place = place.ok_or_else(|| Error::invalid("cursor_invalid", "The cursor is not one of this list."))?;
        sql.push(" AND (n.created, n.id) < (").bind(Value::Timestamp(place.moment)).push(", ").bind(place.id).push(")");
    }
    if let Some(after) = &request.after {
        newer(&mut sql, context, after)?;
    }
    if request.unread_only {
        sql.push(" AND n.read_at IS NULL");
    }
    if !request.archived {
        sql.push(" AND n.archived_at IS NULL");
    }
    sql.push(" AND ");
    lasting(&mut sql, context.now);
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    sql.push(" ORDER BY n.created DESC, n.id DESC").limit(request.limit as i64 + 1, 0);
    let mut found = Vec::with_capacity(limit + 1);
    tx.query(&sql, &mut |row| {
        found.push(NotificationRow::read(row)?);
        Ok(())
    })?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| has_more);
    let next = last.map(|last| context.cursors.sign(purpose, CursorPlace { moment: last.created, id: last.id }));
    let items = notification::documents(tx, context, &found)?;
    let body = json!({"items": items, "nextCursor": next, "hasMore": has_more}).to_string().into_bytes();
    Ok(NotificationPage { body, fetched: found.len() })
}

/// Counts the own notifications that are neither read nor archived; none where the caller may not see them.
pub fn unread(tx: &mut Tx<'_>, context: &RequestContext) -> Result<i64> {
    let Ok(allowed) = context.actor.notifications(ResourceAction::Show) else { return Ok(0) };
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&NOTIFICATION).push(" n WHERE ");
    if allowed.listed(&mut sql, None).is_err() {
        return Ok(0);
    }
    sql.push(" AND n.read_at IS NULL AND n.archived_at IS NULL AND ");
    lasting(&mut sql, context.now);
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    Ok(count)
}

/// Appends that a notification is newer than an id, of any user's, or a datetime.
fn newer(sql: &mut Sql, context: &RequestContext, after: &str) -> Result<()> {
    if !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number beyond ours has nothing after it.
        sql.push(" AND n.id > ").bind(after.parse().unwrap_or(i64::MAX));
        return Ok(());
    }
    let instant = read_instant(after, &context.actor.zone).map_err(|_| {
        let message = "The parameter after must be the id of a notification, or a datetime.";
        Error::invalid("parameter_invalid", message)
    })?;
    sql.push(" AND n.created > ").bind(Value::Timestamp(instant));
    Ok(())
}

/// All notifications of a user that have not expired, the oldest first, for callers with all rights.
pub fn all_of(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<Vec<Json>> {
    let mut sql = tx.sql();
    notification::select(&mut sql);
    sql.push(" WHERE n.recipient = ").bind(user).push(" AND ");
    lasting(&mut sql, context.now);
    sql.push(" ORDER BY n.id");
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        found.push(NotificationRow::read(row)?);
        Ok(())
    })?;
    notification::documents(tx, context, &found)
}
