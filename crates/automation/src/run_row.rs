//! The row of a run: statements that change its state, for a run that goes on, waits or fails.

use super::claim::ClaimedRun;
use super::record;
use super::run::RunAdvance;
use super::start::State;
use context::request_context::RequestContext;
use database::{Sql, Tx, Value};
use model::error::Result;
use model::table_names::RUN;
use tenant::worker::LEASE;

/// Returns true if a run is this node's still. It stays so to the end of the transaction.
pub(super) fn hold(tx: &mut Tx<'_>, run: i64, claim: i64) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&RUN);
    mine(&mut sql, run, claim);
    sql.for_change();
    Ok(tx.any(&sql)?)
}

/// Renews the lease of a run, where it is this node's still and stands at that number.
pub(super) fn renew(tx: &mut Tx<'_>, context: &RequestContext, run: i64, claim: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RUN).push(" SET due = ").bind(Value::Timestamp(context.now.as_millisecond() + LEASE));
    mine(&mut sql, run, claim);
    Ok(tx.defer(sql)?)
}

/// Has a run wait before the step where it stands. That is no try of it.
pub(super) fn step_aside(tx: &mut Tx<'_>, context: &RequestContext, run: i64, claim: i64, pause: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RUN).push(" SET state = ").bind(State::Waiting.name()).push(", due = ");
    sql.bind(Value::Timestamp(context.now.as_millisecond() + pause))
        .push(", tries = CASE WHEN tries > 0 THEN tries - 1 ELSE 0 END");
    mine(&mut sql, run, claim);
    tx.execute(&sql)?;
    Ok(())
}

/// Has a run wait until its automation is switched on again.
pub(super) fn release(tx: &mut Tx<'_>, context: &RequestContext, run: i64) -> Result<RunAdvance> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RUN).push(" SET state = ").bind(State::Waiting.name()).push(", due = ");
    sql.bind(Value::Timestamp(context.now.as_millisecond())).push(", tries = tries - 1 WHERE id = ").bind(run);
    tx.execute(&sql)?;
    Ok(RunAdvance::Left)
}

/// Gives a run up that never will work. Its variables are kept: somebody may fix the cause and have it go on.
pub(super) fn fail(tx: &mut Tx<'_>, context: &RequestContext, run: i64, error: &str) -> Result<RunAdvance> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RUN).push(" SET state = ").bind(State::Failed.name()).push(", due = NULL, error = ");
    sql.bind(record::cut(error)).push(", ended = ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(" WHERE id = ").bind(run);
    tx.execute(&sql)?;
    Ok(RunAdvance::Ended(State::Failed))
}

/// Gives a run up of which nobody can tell what it began with, or how far it is.
pub(super) fn unreadable(tx: &mut Tx<'_>, context: &RequestContext, claimed: &ClaimedRun) -> Result<RunAdvance> {
    fail(tx, context, claimed.id, "The input or the progress of the run cannot be read.")
}

fn mine(sql: &mut Sql, run: i64, claim: i64) {
    sql.push(" WHERE id = ").bind(run).push(" AND state = ").bind(State::Running.name());
    sql.push(" AND claim = ").bind(claim);
}
