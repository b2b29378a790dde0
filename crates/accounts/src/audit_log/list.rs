//! Reading the audit log: newest first, by event, actor, subject and time.

use crate::read_log::{invalid, moments, user_named};
use context::audit::chain::{COLUMNS, ChainEntry, hex};
use context::audit::event::EventKind;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::cursor::{CursorPlace, CursorPurpose};
use model::error::{Error, Result};
use model::kinds::instant_text;
use model::parameters::RequestParameters;
use model::table_names::AUDIT;
use model::types::SystemPermission;
use model::user_columns::USERS;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// A request for events in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRequest {
    /// Names of events, separated by commas.
    pub event: Option<String>,
    /// The user who acted, by id or login.
    pub actor: Option<String>,
    /// Whom it was about: a user, by id or login.
    pub subject: Option<String>,
    /// The first instant, a datetime.
    pub from: Option<String>,
    /// The instant before which, a datetime.
    pub to: Option<String>,
    /// The most events of a page.
    pub limit: u64,
    /// The `nextCursor` of the page before.
    pub cursor: Option<String>,
}

/// A page of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditPage {
    /// The entries.
    pub items: Vec<Json>,
    /// The cursor at which older ones begin.
    pub next: Option<String>,
}

const PARAMETERS: &[&str] = &["event", "actor", "subject", "from", "to", "limit", "cursor"];
/// The number of events of a page unless another is given.
const LIMIT: u64 = 100;
/// The most events that a page may have.
const MOST: u64 = 1_000;

impl Default for AuditRequest {
    fn default() -> Self {
        AuditRequest { event: None, actor: None, subject: None, from: None, to: None, limit: LIMIT, cursor: None }
    }
}

impl AuditRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, PARAMETERS)?;
        Ok(AuditRequest {
            event: parameters.text("event")?,
            actor: parameters.text("actor")?,
            subject: parameters.text("subject")?,
            from: parameters.text("from")?,
            to: parameters.text("to")?,
            limit: parameters.positive("limit", Some(u64::MAX))?.unwrap_or(LIMIT),
            cursor: parameters.text("cursor")?,
        })
    }

    /// Returns the parameters that a cursor is bound to beside the user.
    fn parameters(&self) -> Vec<String> {
        let AuditRequest { event, actor, subject, from, to, limit, cursor: _ } = self;
        let text = |text: &Option<String>| text.as_ref().map_or_else(|| "-".to_owned(), |text| format!("={text}"));
        [event, actor, subject, from, to].into_iter().map(text).chain([limit.to_string()]).collect()
    }
}

/// Lists entries of the log, newest first, for administrators.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, request: &AuditRequest) -> Result<AuditPage> {
    context.actor.require(SystemPermission::Admin)?;
    if request.limit > MOST {
        return Err(invalid("limit", &format!("must be from 1 to {MOST}")));
    }
    let parameters = request.parameters();
    let purpose = CursorPurpose { user: context.actor.user, route: "audit", parameters: &parameters };
    let mut sql = tx.sql();
    sql.push("SELECT ").push(COLUMNS).push(" FROM ").table(&AUDIT).push(" WHERE TRUE");
    for (name, column, user) in
        [("actor", " AND actor = ", &request.actor), ("subject", " AND subject = ", &request.subject)]
    {
        if let Some(user) = user {
            let id = user_named(tx, name, user)?;
            sql.push(column).bind(id);
        }
    }
    if let Some(events) = &request.event {
        sql.push(" AND event").any_of(ColumnType::Text, named(events)?);
    }
    moments(&mut sql, context, "moment", [request.from.as_deref(), request.to.as_deref()])?;
    if let Some(cursor) = &request.cursor {
        let place = context.cursors.verify(purpose, cursor);
        let place = place.ok_or_else(|| Error::invalid("cursor_invalid", "The cursor is not one of this list."))?;
        sql.push(" AND id < ").bind(place.id);
    }
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    sql.push(" ORDER BY id DESC").limit(request.limit as i64 + 1, 0);
    let mut entries = Vec::new();
    tx.query(&sql, &mut |row| {
        entries.push(ChainEntry::read(row)?);
        Ok(())
    })?;
    let more = entries.len() > limit;
    entries.truncate(limit);
    let logins = logins(tx, &entries)?;
    let last = entries.last().map_or(0, |(entry, _)| entry.id);
    let next = more.then(|| context.cursors.sign(purpose, CursorPlace { moment: 0, id: last }));
    let items = entries.iter().map(|(entry, digest)| item(context, entry, digest, &logins)).collect();
    Ok(AuditPage { items, next })
}

fn named(events: &str) -> Result<Vec<Value>> {
    let kind = |name: &str| EventKind::named(name.trim()).ok_or_else(|| invalid("event", "must be names of events"));
    events.split(',').map(|name| Ok(kind(name)?.name().into())).collect()
}

/// The login names that users have now.
fn logins(tx: &mut Tx<'_>, entries: &[(ChainEntry, Vec<u8>)]) -> Result<BTreeMap<i64, String>> {
    let users: BTreeSet<i64> = entries.iter().flat_map(|(entry, _)| [entry.actor, entry.subject]).flatten().collect();
    let mut logins = BTreeMap::new();
    if users.is_empty() {
        return Ok(logins);
    }
    let mut sql = tx.sql();
    sql.push("SELECT id, p1 FROM ").table(&USERS).push(" WHERE id");
    sql.any_of(ColumnType::Integer, users.into_iter().map(Value::Integer).collect());
    tx.query(&sql, &mut |row| {
        logins.insert(row.integer(0)?, row.text(1)?.to_owned());
        Ok(())
    })?;
    Ok(logins)
}

fn item(context: &RequestContext, entry: &ChainEntry, digest: &[u8], logins: &BTreeMap<i64, String>) -> Json {
    let login = |user: Option<i64>| user.and_then(|user| logins.get(&user));
    let details: Json = serde_json::from_str(&entry.details).unwrap_or_default();
    json!({
        "id": entry.id, "at": instant_text(entry.moment, &context.actor.zone), "event": entry.event,
        "subjectId": entry.subject, "subject": login(entry.subject), "actorId": entry.actor, "actor": login(entry.actor),
        "keyId": entry.key, "via": entry.via, "address": entry.address, "details": details, "digest": hex(digest),
    })
}
