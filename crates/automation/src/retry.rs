//! Having a run go on: at the step where it failed, or from the start.

use super::list::get;
use super::start::State;
use context::request_context::RequestContext;
use context::vault::KeyPurpose;
use database::{ColumnType, Name, Sql, Tx, Value, ValueRef};
use model::error::{Error, Result};
use model::parameters::RequestParameters;
use model::table_names::{RUN, RUN_LIST};
use model::types::SystemPermission;
use serde_json::{Map, Value as Json};
use std::sync::atomic::Ordering;

/// Request for a run to go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryRequest {
    /// `fromStart`: all steps are done, those too that were done before.
    pub from_start: bool,
}

impl RetryRequest {
    /// Reads the query parameters, decoded pairs in the order of the URL, and the members of the body.
    pub fn parse(query: &[(String, String)], body: &Map<String, Json>) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, Some(body), &["fromStart"])?;
        Ok(RetryRequest { from_start: parameters.flag("fromStart")?.unwrap_or_default() })
    }
}

/// Has a run that failed go on, or one that waits at once, for administrators.
pub fn retry(tx: &mut Tx<'_>, context: &RequestContext, id: i64, request: RetryRequest) -> Result<Json> {
    context.actor.require(SystemPermission::Admin)?;
    if request.from_start {
        forget(tx, context, id)?;
    }
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RUN).push(" SET state = ").bind(State::Waiting.name()).push(", due = ");
    sql.bind(Value::Timestamp(context.now.as_millisecond())).push(", tries = 0, ended = NULL");
    open(&mut sql, id);
    let changed = tx.execute(&sql)?;
    let run = get(tx, context, id)?;
    if changed == 0 {
        let state = run["state"].as_str().unwrap_or_default();
        let message = format!("Only a failed or waiting run can be retried; this one is {state}.");
        return Err(Error::conflict("run_ended", message));
    }
    context.started.store(true, Ordering::Relaxed);
    // Where a command does this, servers see that they have to look.
    tx.grow(&RUN)?;
    Ok(run)
}

/// Has a run be as it was before its first step, but for its record. It gets another name: its requests are others than
/// those that were sent.
fn forget(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT identifier, ").name(&Name::fixed("trigger")).push(" FROM ").table(&RUN);
    open(&mut sql, id);
    sql.for_update();
    let mut found = None;
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(sealed) = row.get(1, ColumnType::Bytes)? {
            found = Some((row.text(0)?.to_owned(), sealed.to_vec()));
        }
        Ok(())
    })?;
    let Some((former, sealed)) = found else { return Ok(()) };
    let vault = context.vault()?;
    let plain = vault.open(KeyPurpose::Run, former.as_bytes(), &sealed);
    let plain = plain.ok_or_else(|| Error::conflict("run_unreadable", "The input of the run cannot be read."))?;
    let identifier = context.random_name();
    let sealed = vault.seal(KeyPurpose::Run, identifier.as_bytes(), &plain, context.random.as_ref());
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RUN).push(" SET identifier = ").bind(identifier).push(", ");
    sql.name(&Name::fixed("trigger")).push(" = ").bind(Value::Bytes(sealed));
    sql.push(", content = NULL, position = '', steps = 0, begun = NULL, error = NULL WHERE id = ").bind(id);
    tx.execute(&sql)?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&RUN_LIST).push(" WHERE run = ").bind(id);
    tx.execute(&sql)?;
    Ok(())
}

/// The run of that id, where it has not ended and nobody carries it out.
fn open(sql: &mut Sql, id: i64) {
    sql.push(" WHERE id = ").bind(id).push(" AND state");
    sql.any_of(ColumnType::Text, [State::Waiting, State::Failed].map(|state| state.name().into()).into());
}
