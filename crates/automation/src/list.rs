//! Lists of runs that administrators see.

use super::start::State;
use super::switch::known;
use super::trigger::Trigger;
use context::request_context::RequestContext;
use context::vault::KeyPurpose;
use database::{ColumnType, Name, Row, Sql, Tx, ValueRef};
use model::cursor::{CursorPlace, CursorPurpose};
use model::error::{Error, Result};
use model::kinds::instant_text;
use model::parameters::RequestParameters;
use model::table_names::{RUN, RUN_STEP};
use model::types::SystemPermission;
use serde_json::{Map, Value as Json, json};

/// Request for a list of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRequest {
    /// `automation`: runs of this one alone.
    pub automation: Option<String>,
    /// `state`: runs in this state alone.
    pub state: Option<String>,
    /// `limit`: how many at most.
    pub limit: u64,
    /// `cursor`: the `nextCursor` of the page before.
    pub cursor: Option<String>,
}

/// A page of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPage {
    /// The runs.
    pub items: Vec<Json>,
    /// The cursor at which older ones begin.
    pub next: Option<String>,
}

const PARAMETERS: &[&str] = &["automation", "state", "limit", "cursor"];
/// Number of runs on a page unless it is said.
const LIMIT: u64 = 25;
/// The most runs on a page.
const MOST: u64 = 1_000;

impl Default for RunRequest {
    fn default() -> Self {
        RunRequest { automation: None, state: None, limit: LIMIT, cursor: None }
    }
}

impl RunRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, PARAMETERS)?;
        let states = State::ALL.map(State::name);
        Ok(RunRequest {
            automation: parameters.text("automation")?,
            state: parameters.one_of("state", &states)?.map(str::to_owned),
            limit: parameters.positive("limit", Some(u64::MAX))?.unwrap_or(LIMIT),
            cursor: parameters.text("cursor")?,
        })
    }

    /// Returns the parameters that a cursor is bound to beside the user.
    fn parameters(&self) -> Vec<String> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        vec![text(&self.automation), text(&self.state), self.limit.to_string()]
    }
}

/// Lists runs, newest first, for administrators. The name of an automation that neither is there nor was is missing.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, request: &RunRequest) -> Result<RunPage> {
    context.actor.require(SystemPermission::Admin)?;
    if request.limit > MOST {
        let message = format!("The parameter limit must be from 1 to {MOST}.");
        return Err(Error::invalid("parameter_invalid", message));
    }
    let parameters = request.parameters();
    let purpose = CursorPurpose { user: context.actor.user, route: "automation.runs", parameters: &parameters };
    let mut sql = select(tx);
    sql.push(" WHERE TRUE");
    for (column, value) in [(" AND r.automation = ", &request.automation), (" AND r.state = ", &request.state)] {
        if let Some(value) = value {
            sql.push(column).bind(value.as_str());
        }
    }
    if let Some(cursor) = &request.cursor {
        let place = context.cursors.verify(purpose, cursor);
        let place = place.ok_or_else(|| Error::invalid("cursor_invalid", "The cursor is not one of this list."))?;
        sql.push(" AND r.id < ").bind(place.id);
    }
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    sql.push(" ORDER BY r.id DESC").limit(request.limit.cast_signed() + 1, 0);
    let (mut items, mut last, mut more) = (Vec::new(), 0, false);
    tx.query(&sql, &mut |row| {
        more = items.len() == limit;
        if !more {
            last = row.integer(0)?;
            items.push(Json::Object(shown(row, context)?));
        }
        Ok(())
    })?;
    if let Some(name) = request.automation.as_ref().filter(|_| items.is_empty()) {
        // One that is no longer configured still has its runs.
        if !has_runs(tx, name)? {
            known(context, name)?;
        }
    }
    let next = more.then(|| context.cursors.sign(purpose, CursorPlace { moment: 0, id: last }));
    Ok(RunPage { items, next })
}

fn has_runs(tx: &mut Tx<'_>, automation: &str) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("SELECT r.id FROM ").table(&RUN).push(" AS r WHERE r.automation = ").bind(automation).limit(1, 0);
    Ok(tx.any(&sql)?)
}

/// One run with what it began with, and what became of each step, for administrators.
pub fn get(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<Json> {
    context.actor.require(SystemPermission::Admin)?;
    let vault = context.vault()?;
    let mut sql = select(tx);
    sql.push(" WHERE r.id = ").bind(id);
    let mut found = None;
    tx.query(&sql, &mut |row| {
        let trigger = match row.get(16, ColumnType::Bytes)? {
            ValueRef::Bytes(sealed) => vault.open(KeyPurpose::Run, row.text(15)?.as_bytes(), sealed),
            _ => None,
        };
        let trigger = trigger.and_then(|bytes| serde_json::from_slice(&bytes).ok()).and_then(Trigger::decode);
        found = Some((shown(row, context)?, trigger));
        Ok(())
    })?;
    let (mut run, trigger) =
        found.ok_or_else(|| Error::missing("run_missing", "There is no such run of an automation."))?;
    run.insert(
        "trigger".to_owned(),
        trigger.map_or(Json::Null, |trigger| trigger.shown(&context.model, &context.value_context())),
    );
    run.insert("log".to_owned(), Json::Array(steps(tx, context, id)?));
    Ok(Json::Object(run))
}

fn select(tx: &Tx<'_>) -> Sql {
    let mut sql = tx.sql();
    sql.push("SELECT r.id, r.automation, r.event, r.type, r.object, r.actor, r.depth, r.state, r.tries, r.due, ");
    sql.push("r.created, r.begun, r.ended, r.position, r.steps, r.identifier, ");
    sql.column(&Name::fixed("r"), &Name::fixed("trigger")).push(", r.error FROM ").table(&RUN).push(" AS r");
    sql
}

/// A row of [`select`], as JSON.
fn shown(row: &Row<'_>, context: &RequestContext) -> database::Result<Map<String, Json>> {
    let text = |index: usize| match row.get(index, ColumnType::Text)? {
        ValueRef::Text(text) => Ok(json!(text)),
        _ => Ok::<_, database::Error>(Json::Null),
    };
    let number = |index: usize| match row.get(index, ColumnType::Integer)? {
        ValueRef::Integer(number) => Ok(json!(number)),
        _ => Ok::<_, database::Error>(Json::Null),
    };
    let moment = |index: usize| match row.get(index, ColumnType::Timestamp)? {
        ValueRef::Timestamp(moment) => Ok(json!(instant_text(moment, &context.actor.zone))),
        _ => Ok::<_, database::Error>(Json::Null),
    };
    let members = [
        ("id", number(0)?),
        ("automation", text(1)?),
        ("event", text(2)?),
        ("typeId", number(3)?),
        ("objectId", number(4)?),
        ("actor", number(5)?),
        ("depth", number(6)?),
        ("state", text(7)?),
        ("tries", number(8)?),
        ("due", moment(9)?),
        ("created", moment(10)?),
        ("begun", moment(11)?),
        ("ended", moment(12)?),
        ("position", text(13)?),
        ("steps", number(14)?),
        ("error", text(17)?),
    ];
    Ok(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Returns the outcome of each step, in order.
fn steps(tx: &mut Tx<'_>, context: &RequestContext, run: i64) -> Result<Vec<Json>> {
    let mut sql = tx.sql();
    sql.push("SELECT position, kind, name, result, error, started, ended FROM ").table(&RUN_STEP);
    sql.push(" WHERE run = ").bind(run).push(" ORDER BY id");
    let mut steps = Vec::new();
    tx.query(&sql, &mut |row| {
        let text = |index: usize| match row.get(index, ColumnType::Text)? {
            ValueRef::Text(text) => Ok(Some(text.to_owned())),
            _ => Ok::<_, database::Error>(None),
        };
        let moment = |index: usize| match row.get(index, ColumnType::Timestamp)? {
            ValueRef::Timestamp(moment) => Ok(json!(instant_text(moment, &context.actor.zone))),
            _ => Ok::<_, database::Error>(Json::Null),
        };
        // A long one was cut off: it is a text then.
        let result = text(3)?.map(|text| serde_json::from_str(&text).unwrap_or(Json::String(text)));
        steps.push(json!({
            "position": text(0)?, "kind": text(1)?, "name": text(2)?, "result": result, "error": text(4)?,
            "started": moment(5)?, "ended": moment(6)?,
        }));
        Ok(())
    })?;
    Ok(steps)
}
