//! Lists of the outbox that administrators see: the state of each row, and nothing of what it says.

use super::message::{Channel, State};
use context::request_context::RequestContext;
use database::{ColumnType, Row, Sql, Tx, Value, ValueRef};
use model::cursor::{CursorPlace, CursorPurpose};
use model::error::{Error, Result};
use model::kinds::instant_text;
use model::parameters::RequestParameters;
use model::table_names::OUTBOX;
use model::types::SystemPermission;
use serde_json::{Value as Json, json};
use std::sync::atomic::Ordering;

/// Request for a list of the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRequest {
    /// `state`: rows in this state alone.
    pub state: Option<String>,
    /// `channel`: rows of this channel alone.
    pub channel: Option<String>,
    /// `limit`: how many at most.
    pub limit: u64,
    /// `cursor`: the `nextCursor` of the page before.
    pub cursor: Option<String>,
}

/// A page of the outbox.
#[derive(Clone, Debug, PartialEq)]
pub struct OutboxPage {
    /// The rows.
    pub items: Vec<Json>,
    /// The cursor at which older ones begin.
    pub next: Option<String>,
}

const PARAMETERS: &[&str] = &["state", "channel", "limit", "cursor"];
/// Number of rows on a page unless it is said.
const LIMIT: u64 = 25;
/// The most rows on a page.
const MOST: u64 = 1_000;

impl Default for OutboxRequest {
    fn default() -> Self {
        OutboxRequest { state: None, channel: None, limit: LIMIT, cursor: None }
    }
}

impl OutboxRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, PARAMETERS)?;
        let states = State::ALL.map(State::name);
        let channels = [Channel::Mail, Channel::Sms, Channel::Task].map(Channel::name);
        Ok(OutboxRequest {
            state: parameters.one_of("state", &states)?.map(str::to_owned),
            channel: parameters.one_of("channel", &channels)?.map(str::to_owned),
            limit: parameters.positive("limit", Some(u64::MAX))?.unwrap_or(LIMIT),
            cursor: parameters.text("cursor")?,
        })
    }

    /// Returns the parameters that a cursor is bound to beside the user.
    fn parameters(&self) -> Vec<String> {
        let OutboxRequest { state, channel, limit, cursor: _ } = self;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        vec![text(state), text(channel), limit.to_string()]
    }
}

/// Lists rows, newest first, for administrators.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, request: &OutboxRequest) -> Result<OutboxPage> {
    context.actor.require(SystemPermission::Admin)?;
    if request.limit > MOST {
        let message = format!("The parameter limit must be from 1 to {MOST}.");
        return Err(Error::invalid("parameter_invalid", message));
    }
    let parameters = request.parameters();
    let purpose = CursorPurpose { user: context.actor.user, route: "outbox", parameters: &parameters };
    let mut sql = select(tx);
    sql.push(" WHERE TRUE");
    for (column, value) in [(" AND o.state = ", &request.state), (" AND o.channel = ", &request.channel)] {
        if let Some(value) = value {
            sql.push(column).bind(value.as_str());
        }
    }
    if let Some(cursor) = &request.cursor {
        let place = context.cursors.verify(purpose, cursor);
        let place = place.ok_or_else(|| Error::invalid("cursor_invalid", "The cursor is not one of this list."))?;
        sql.push(" AND o.id < ").bind(place.id);
    }
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    sql.push(" ORDER BY o.id DESC").limit(request.limit as i64 + 1, 0);
    let (mut items, mut last, mut more) = (Vec::new(), 0, false);
    tx.query(&sql, &mut |row| {
        more = items.len() == limit;
        if !more {
            last = row.integer(0)?;
            items.push(shown(row, context)?);
        }
        Ok(())
    })?;
    let next = more.then(|| context.cursors.sign(purpose, CursorPlace { moment: 0, id: last }));
    Ok(OutboxPage { items, next })
}

/// One row, for administrators.
pub fn get(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<Json> {
    context.actor.require(SystemPermission::Admin)?;
    let mut sql = select(tx);
    sql.push(" WHERE o.id = ").bind(id);
    let mut found = None;
    tx.query(&sql, &mut |row| {
        found = Some(shown(row, context)?);
        Ok(())
    })?;
    found.ok_or_else(|| Error::missing("outbox_missing", "There is no such row in the outbox."))
}

/// Makes a row that waits due at once, for administrators. Others have nothing left that could be sent.
pub fn retry(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<Json> {
    context.actor.require(SystemPermission::Admin)?;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&OUTBOX).push(" SET due = ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(" WHERE state = ").bind(State::Waiting.name()).push(" AND id = ").bind(id);
    let changed = tx.execute(&sql)?;
    let row = get(tx, context, id)?;
    if changed == 0 {
        let message = format!(
            "Only a waiting message can be sent again; this one is {}. Its content was deleted: send a new one.",
            row["state"].as_str().unwrap_or_default()
        );
        return Err(Error::conflict("outbox_ended", message));
    }
    context.queued.store(true, Ordering::Relaxed);
    Ok(row)
}

fn select(tx: &Tx<'_>) -> Sql {
    let mut sql = tx.sql();
    sql.push(
        "SELECT o.id, o.channel, o.template, o.recipient, o.language, o.state, o.tries, o.due, o.error, o.message, ",
    );
    sql.push("o.reference, o.reference_id, o.reference_part, o.created, o.ended FROM ").table(&OUTBOX).push(" AS o");
    sql
}

/// A row of [`select`], as JSON.
fn shown(row: &Row<'_>, context: &RequestContext) -> database::Result<Json> {
    let text = |index: usize| match row.get(index, ColumnType::Text)? {
        ValueRef::Text(text) => Ok(json!(text)),
        _ => Ok::<_, database::Error>(Json::Null),
    };
    let moment = |index: usize| match row.get(index, ColumnType::Timestamp)? {
        ValueRef::Timestamp(moment) => Ok(json!(instant_text(moment, &context.actor.zone))),
        _ => Ok::<_, database::Error>(Json::Null),
    };
    let reference = match row.get(11, ColumnType::Integer)? {
        ValueRef::Integer(id) => json!({"kind": text(10)?, "id": id, "part": text(12)?}),
        _ => Json::Null,
    };
    Ok(json!({
        "id": row.integer(0)?, "channel": text(1)?, "template": text(2)?, "recipient": text(3)?, "language": text(4)?,
        "state": text(5)?, "tries": row.integer(6)?, "due": moment(7)?, "error": text(8)?, "messageId": text(9)?,
        "reference": reference, "created": moment(13)?, "ended": moment(14)?,
    }))
}
