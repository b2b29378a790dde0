//! Calculations that a change of configuration leaves for later, where they are too many for its own transaction. There
//! is a row for each type. Batches run in transactions of their own, on any node.
//!
//! A batch and the note of how far it came are one transaction: whatever is killed, the next one goes on behind it. Two
//! that do it at once take turns. Writes meanwhile are calculated as the new configuration says.

use context::counter;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, ErrorKind, Result};
use model::table_names::RECALCULATION;
use model::types::{CalculationTime, ResourceType};
use std::sync::Arc;
use std::time::Duration;
use tenant::Tenant;
use tenant::worker::WorkerTurn;
use transfer::import;

/// Number of times that a batch is tried anew whose rows others hold.
const TRIES: u32 = 20;
/// The time for which it waits in between.
const PAUSE: Duration = Duration::from_millis(100);

/// Progress of the calculation of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecalculationProgress {
    /// The type's system name.
    pub type_name: String,
    /// Number of resources that were looked at.
    pub done: u64,
    /// Number of resources when it began.
    pub total: u64,
    /// Number of resources that could not be calculated, and have no values.
    pub failed: u64,
    /// True if that was all.
    pub ended: bool,
}

/// A type that waits.
struct WaitingType {
    id: i64,
    type_id: i64,
    last: i64,
    clears: bool,
    progress: RecalculationProgress,
}

/// Returns the number of resources of a type.
pub(super) fn size(tx: &mut Tx<'_>, resource_type: &ResourceType) -> Result<u64> {
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&resource_type.table);
    let mut size = 0;
    tx.query(&sql, &mut |row| {
        size = row.integer(0)?;
        Ok(())
    })?;
    Ok(size.unsigned_abs())
}

/// Has a type calculated anew later, from its first resource on; what does not apply is cleared where that is wanted.
pub(super) fn put_off(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &ResourceType,
    clears: bool,
) -> Result<()> {
    let total = i64::try_from(size(tx, resource_type)?).unwrap_or(i64::MAX);
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&RECALCULATION).push(" (type, last, clears, done, total, failed, started) VALUES (");
    sql.bind(resource_type.id).push(", 0, ").bind(Value::Boolean(clears)).push(", 0, ").bind(total).push(", 0, ");
    sql.bind(Value::Timestamp(context.now.as_millisecond())).push(")");
    tx.execute(&sql)?;
    Ok(())
}

/// When the next batch is due: at once, where a type waits.
pub(crate) fn next(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    Ok(waiting(tx, false)?.map(|_| 0))
}

/// When the next work that a command left is due: batches at once, what a killed import left when its lease is over.
pub fn next_left(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    Ok(next(tx)?.into_iter().chain(import::next(tx)?).min())
}

fn waiting(tx: &mut Tx<'_>, hold: bool) -> Result<Option<WaitingType>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, type, last, clears, done, total, failed FROM ").table(&RECALCULATION).push(" ORDER BY id");
    sql.limit(1, 0);
    if hold {
        sql.for_change();
    }
    let mut found = None;
    tx.query(&sql, &mut |row| {
        let number = |index| row.integer(index).map(i64::unsigned_abs);
        found = Some(WaitingType {
            id: row.integer(0)?,
            type_id: row.integer(1)?,
            last: row.integer(2)?,
            clears: row.get(3, database::ColumnType::Boolean)?.to_value() == Value::Boolean(true),
            progress: RecalculationProgress {
                done: number(4)?,
                total: number(5)?,
                failed: number(6)?,
                ..RecalculationProgress::default()
            },
        });
        Ok(())
    })?;
    Ok(found)
}

/// Does the next batch; nothing where no type waits.
pub(crate) fn step(tx: &mut Tx<'_>, context: &RequestContext) -> Result<Option<RecalculationProgress>> {
    let Some(mut waiting) = waiting(tx, true)? else { return Ok(None) };
    let Some(of) = context.model.type_by_id(waiting.type_id) else {
        end(tx, &waiting)?;
        return Ok(Some(RecalculationProgress { ended: true, ..waiting.progress }));
    };
    waiting.progress.type_name.clone_from(&of.name);
    let Some(ids) = resources::next_ids(tx, of, waiting.last)? else {
        end(tx, &waiting)?;
        counter::changed(tx, of.id, 0)?;
        let RecalculationProgress { done, failed, .. } = waiting.progress;
        tracing::info!(name = of.name, done, failed, "calculated anew");
        return Ok(Some(RecalculationProgress { ended: true, ..waiting.progress }));
    };
    let failures = calculate(tx, context, of, &ids, waiting.clears)?;
    waiting.progress.failed += failures.count;
    waiting.progress.done += ids.len() as u64;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RECALCULATION).push(" SET last = ").bind(ids.last().copied().unwrap_or(i64::MAX));
    sql.push(", done = ").bind(i64::try_from(waiting.progress.done).unwrap_or(i64::MAX));
    sql.push(", failed = ").bind(i64::try_from(waiting.progress.failed).unwrap_or(i64::MAX));
    sql.push(" WHERE id = ").bind(waiting.id);
    tx.execute(&sql)?;
    Ok(Some(waiting.progress))
}

fn end(tx: &mut Tx<'_>, waiting: &WaitingType) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&RECALCULATION).push(" WHERE id = ").bind(waiting.id);
    tx.execute(&sql)?;
    Ok(())
}

/// Failures of a batch.
#[derive(Default)]
struct BatchFailures {
    /// Number of resources that could not be calculated.
    count: u64,
    /// One of them whose former values could not be removed, with the error.
    kept: Option<(i64, Error)>,
}

/// Calculates a batch; where that fails for a resource's sake, one after the other, and those that cannot be lose their
/// values.
fn calculate(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    ids: &[i64],
    clears: bool,
) -> Result<BatchFailures> {
    let own = |error: &Error| matches!(error.kind, ErrorKind::Invalid | ErrorKind::Conflict);
    match tx.savepoint(|tx| resources::recalculate_some(tx, context, resource_type, ids, clears)) {
        Err(error) if own(&error) => {}
        outcome => return outcome.map(|()| BatchFailures::default()),
    }
    let mut failures = BatchFailures::default();
    for id in ids {
        match tx.savepoint(|tx| resources::recalculate_some(tx, context, resource_type, &[*id], clears)) {
            Err(error) if own(&error) => {
                let message = error.problems.first().map_or(&error.message, |problem| &problem.message);
                tracing::warn!(
                    name = resource_type.name,
                    id,
                    message,
                    "it cannot be calculated anew, and has no values"
                );
                failures.count += 1;
                match tx.savepoint(|tx| resources::forget_calculated(tx, context, resource_type, *id)) {
                    Err(error) if own(&error) => {
                        tracing::warn!(name = resource_type.name, id, "not even that can be written");
                        failures.kept = Some((*id, error));
                    }
                    outcome => outcome?,
                }
            }
            outcome => outcome?,
        }
    }
    Ok(failures)
}

/// Calculates all stored calculations of a tenant anew that is not served yet. A resource that keeps former values is an
/// error.
pub fn all(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    let is_calculated = |of: &&Arc<ResourceType>| {
        of.properties().iter().any(|property| property.calculated == Some(CalculationTime::Stored))
    };
    for of in context.model.types.iter().filter(is_calculated) {
        let mut last = 0;
        while let Some(ids) = resources::next_ids(tx, of, last)? {
            if let Some((id, error)) = calculate(tx, context, of, &ids, false)?.kept {
                return Err(kept(of, id, &error));
            }
            last = ids.last().copied().unwrap_or(i64::MAX);
        }
        counter::changed(tx, of.id, 0)?;
    }
    Ok(())
}

fn kept(of: &ResourceType, id: i64, error: &Error) -> Error {
    let reason = error.problems.first().map_or(&error.message, |problem| &problem.message);
    let message = format!(
        "The calculated values of {} {id} can neither be made anew nor be removed: {reason} Change the calculation, or \
         the limits of what rests on it.",
        of.name
    );
    Error::invalid("values_kept", message)
}

/// Calculates all that a change of configuration left, and tells of each batch. It blocks: for commands.
pub fn finish(tenant: &Tenant, tell: &mut dyn FnMut(&RecalculationProgress)) -> Result<()> {
    let mut tries = 0;
    loop {
        match tenant.write_as_administrator(step) {
            Ok(None) => return Ok(()),
            Ok(Some(progress)) => {
                tries = 0;
                tell(&progress);
            }
            Err(error) if error.kind == ErrorKind::Busy && tries < TRIES => {
                tries += 1;
                std::thread::sleep(PAUSE);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Does all that waits for a tenant; gives when there is more to do.
pub fn recalculate_left(tenant: Arc<Tenant>) -> WorkerTurn<'static, Option<i64>> {
    Box::pin(async move {
        while tenant.store().read(database::ReadCost::Point, next).await?.is_some() {
            tenant.write_elevated(step).await?;
        }
        if tenant.store().read(database::ReadCost::Point, import::next).await?.is_none() {
            return Ok(None);
        }
        let recovered = tokio::task::spawn_blocking(move || import::recover_imports(&tenant));
        recovered.await.map_err(|error| Error::failed(error.to_string()))?
    })
}
