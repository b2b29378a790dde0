//! The beginning of a run: a row of the transaction that causes it.

use super::Trigger;
use context::request_context::RequestContext;
use context::vault::KeyPurpose;
use database::{ColumnType, Name, Sql, Tx, Value};
use model::automation::Automation;
use model::error::Result;
use model::table_names::{RUN, RUN_LIST, RUN_STEP};
use std::sync::atomic::Ordering;

/// The most runs that may cause one another.
const MOST_DEEP: i64 = 8;
/// The time for which what became of a run is remembered, in milliseconds.
const KEPT: i64 = 90 * 24 * 60 * 60_000;
/// The most old runs that are removed at a time: more than are claimed at a time.
const SWEPT: i64 = 100;

/// The columns of a new row.
const COLUMNS: [(Name, ColumnType); 19] = [
    (Name::fixed("identifier"), ColumnType::Text),
    (Name::fixed("automation"), ColumnType::Text),
    (Name::fixed("event"), ColumnType::Text),
    (Name::fixed("type"), ColumnType::Integer),
    (Name::fixed("object"), ColumnType::Integer),
    (Name::fixed("actor"), ColumnType::Integer),
    (Name::fixed("depth"), ColumnType::Integer),
    (Name::fixed("state"), ColumnType::Text),
    (Name::fixed("tries"), ColumnType::Integer),
    (Name::fixed("due"), ColumnType::Timestamp),
    (Name::fixed("created"), ColumnType::Timestamp),
    (Name::fixed("ended"), ColumnType::Timestamp),
    (Name::fixed("version"), ColumnType::Integer),
    (Name::fixed("position"), ColumnType::Text),
    (Name::fixed("steps"), ColumnType::Integer),
    (Name::fixed("trigger"), ColumnType::Bytes),
    (Name::fixed("error"), ColumnType::Text),
    (Name::fixed("held"), ColumnType::Integer),
    (Name::fixed("bulk"), ColumnType::Boolean),
];

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// To be carried out when it is due.
    Waiting,
    /// Some node carries it out; where that node dies, another does once the lease is over.
    Running,
    /// All steps are done.
    Done,
    /// Given up.
    Failed,
    /// A step ended it.
    Stopped,
}

impl State {
    /// All of them.
    pub const ALL: [State; 5] = [State::Waiting, State::Running, State::Done, State::Failed, State::Stopped];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Running => "running",
            State::Done => "done",
            State::Failed => "failed",
            State::Stopped => "stopped",
        }
    }
}

/// A run that is to be.
pub(super) struct NewRun<'a> {
    pub(super) automation: &'a Automation,
    pub(super) trigger: Trigger,
    /// Why it fails before it begins.
    pub failed: Option<String>,
}

/// Has an automation run, with the transaction that wants it: both are there, or neither. It runs in the name of
/// the acting user, with all rights. Gives the id of the run.
pub fn start(tx: &mut Tx<'_>, context: &RequestContext, automation: &Automation, trigger: Trigger) -> Result<i64> {
    let trigger = trigger.by(context.user());
    let ids = start_all(tx, context, vec![NewRun { automation, trigger, failed: None }])?;
    ids.first().copied().ok_or_else(|| model::error::Error::failed("a run has no id"))
}

/// The same for many.
pub(super) fn start_all(tx: &mut Tx<'_>, context: &RequestContext, new: Vec<NewRun<'_>>) -> Result<Vec<i64>> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    // Those that will be claimed have old ones removed then, many at a time and in no request's transaction.
    let unclaimed = |new: &NewRun<'_>| new.failed.is_some() || context.depth >= MOST_DEEP;
    let sweeps = new.iter().any(unclaimed);
    let rows = new.into_iter().map(|new| row(context, new)).collect::<Result<Vec<_>>>()?;
    let ids = tx.insert_many(&RUN, &COLUMNS, &rows)?;
    if sweeps {
        sweep(tx, context)?;
    }
    context.started.store(true, Ordering::Relaxed);
    Ok(ids)
}

fn row(context: &RequestContext, new: NewRun<'_>) -> Result<Vec<Value>> {
    let NewRun { automation, mut trigger, failed } = new;
    trigger.span = context.span;
    let depth = context.depth + 1;
    let too_deep = || {
        let message = format!("More than {MOST_DEEP} runs caused one another: this one is not carried out.");
        tracing::error!(automation = automation.name, event = trigger.event, "{message}");
        message
    };
    let failed = failed.or_else(|| (depth > MOST_DEEP).then(too_deep));
    let identifier = context.random_name();
    // What is sealed is bound to its run by its name.
    let plain = trigger.encode().to_string().into_bytes();
    let sealed = context.vault()?.seal(KeyPurpose::Run, identifier.as_bytes(), &plain, context.random.as_ref());
    let now = Value::Timestamp(context.now.as_millisecond());
    let state = if failed.is_some() { State::Failed } else { State::Waiting };
    let held = context.held.filter(|_| failed.is_none());
    let (due, ended) = match (&failed, held) {
        (Some(_), _) => (Value::Null, now.clone()),
        (None, Some(_)) => (Value::Null, Value::Null),
        (None, None) => (now.clone(), Value::Null),
    };
    let target = trigger.target();
    Ok(vec![
        identifier.into(),
        automation.name.as_str().into(),
        trigger.event.as_str().into(),
        target.map(|(type_id, _)| type_id).into(),
        target.map(|(_, id)| id).into(),
        trigger.user.into(),
        depth.into(),
        state.name().into(),
        Value::Integer(0),
        due,
        now,
        ended,
        // Nothing was done yet.
        Value::Integer(0),
        String::new().into(),
        Value::Integer(0),
        Value::Bytes(sealed),
        failed.into(),
        held.into(),
        context.in_job.then_some(true).map_or(Value::Null, Value::Boolean),
    ])
}

/// Removes what ended long ago, a bounded number of runs at a time, with what belongs to them.
pub(super) fn sweep(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    let old = |sql: &mut Sql| {
        sql.push("SELECT id FROM ").table(&RUN).push(" WHERE ended <= ");
        sql.bind(Value::Timestamp(context.now.as_millisecond() - KEPT)).push(" ORDER BY ended, id").limit(SWEPT, 0);
    };
    for (table, column) in [(&RUN_STEP, "run"), (&RUN_LIST, "run"), (&RUN, "id")] {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(table).push(" WHERE ").name(&Name::fixed(column)).push(" IN (");
        old(&mut sql);
        sql.push(")");
        tx.defer(sql)?;
    }
    Ok(())
}
