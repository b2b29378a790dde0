//! Claims of runs by a node. Leases see to it that no two nodes carry out the same run, and a rate limits the runs that
//! begin in a minute.
//!
//! A run is claimed when a place is free for it. Its lease is short and renewed while it is carried out; each claim and
//! each transaction of it raises its number, and what is done of it counts with that number alone.

use super::progress::RunProgress;
use super::run_values::RunIdentity;
use super::start::{State, sweep};
use super::{StepPosition, Trigger, switch};
use context::request_context::RequestContext;
use context::vault::KeyPurpose;
use database::{ColumnType, Tx, Value, ValueRef};
use messages::notifications;
use messages::notifications::{Content, Level, NewNotification, Recipient};
use model::automation::Automation;
use model::error::Result;
use model::table_names::{AUTOMATION, RUN};
use model::types::SystemPermission;
use resources::users::with_roles;
use std::collections::BTreeMap;
use tenant::worker::LEASE;

/// In which time runs are counted, in milliseconds.
const MINUTE: i64 = 60_000;
/// The column of the moment at which a run was caused.
const CREATED: &str = "created";
/// At how many times its rate an automation is switched off.
const STORM: i64 = 10;

/// A run that this node has alone until its lease is over.
#[derive(Clone, Debug)]
pub(super) struct ClaimedRun {
    pub(super) id: i64,
    /// The name that no other run has.
    pub(super) identifier: String,
    pub(super) automation: String,
    pub(super) actor: i64,
    pub(super) depth: i64,
    /// The trigger that it began with, and its progress; none where they cannot be read.
    pub(super) known: Option<(Trigger, RunProgress)>,
}

impl ClaimedRun {
    pub(super) fn identity(&self) -> RunIdentity<'_> {
        RunIdentity { id: self.id, identifier: &self.identifier }
    }
}

/// A run that is due.
struct DueRun {
    id: i64,
    automation: String,
    /// True if it has not begun.
    fresh: bool,
}

/// Room that a node has for runs now.
pub(super) struct RunRoom {
    /// Number of runs that it can begin.
    pub(super) free: usize,
    /// Those that it is carrying out.
    pub(super) running: Vec<i64>,
}

/// Claims runs that are due, in the order in which they became due, as many as there is room for.
pub(super) fn claim(tx: &mut Tx<'_>, context: &RequestContext, room: &RunRoom) -> Result<Vec<ClaimedRun>> {
    let automations = &context.model.automations;
    let disabled = automations.iter().map(|automation| &automation.name).filter(|name| automations.is_disabled(name));
    let mut closed: Vec<String> = disabled.cloned().collect();
    loop {
        let due = due(tx, context, &closed, room)?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let mut left: BTreeMap<&str, i64> = BTreeMap::new();
        for name in due.iter().filter(|run| run.fresh).map(|run| run.automation.as_str()) {
            if let Some(automation) = automations.named(name).filter(|_| !left.contains_key(name)) {
                left.insert(name, automation.rate - counted(tx, context, "begun", name)?);
            }
        }
        let full: Vec<String> =
            left.iter().filter(|(_, left)| **left <= 0).map(|(name, _)| (*name).to_owned()).collect();
        let granted = due.iter().filter(|run| match left.get_mut(run.automation.as_str()).filter(|_| run.fresh) {
            Some(left) => {
                *left -= 1;
                *left >= 0
            }
            None => true,
        });
        let granted: Vec<i64> = granted.map(|run| run.id).collect();
        for automation in full.iter().filter_map(|name| automations.named(name)) {
            guard(tx, context, automation)?;
        }
        if !granted.is_empty() {
            sweep(tx, context)?;
            return take(tx, context, granted);
        }
        closed.extend(full);
    }
}

/// When the next run of the tenant is due, in milliseconds; none where none waits.
pub fn next(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    let mut sql = tx.sql();
    // Said like this, PostgreSQL goes along the index and stops at the first; of a join it may sort all that waits.
    sql.push("SELECT due FROM ").table(&RUN).push(" WHERE due IS NOT NULL AND automation NOT IN (SELECT name FROM ");
    sql.table(&AUTOMATION).push(") ORDER BY due").limit(1, 0);
    let mut due = None;
    tx.query(&sql, &mut |row| {
        due = Some(row.timestamp(0)?);
        Ok(())
    })?;
    Ok(due)
}

/// The runs that are due: those that wait, and those of nodes that did not renew their lease.
fn due(tx: &mut Tx<'_>, context: &RequestContext, closed: &[String], room: &RunRoom) -> Result<Vec<DueRun>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, automation, begun FROM ").table(&RUN).push(" WHERE due <= ");
    sql.bind(Value::Timestamp(context.now.as_millisecond()));
    if !closed.is_empty() {
        let closed = closed.iter().cloned().map(Value::Text).collect();
        sql.push(" AND NOT (automation").any_of(ColumnType::Text, closed).push(")");
    }
    if !room.running.is_empty() {
        let running = room.running.iter().copied().map(Value::Integer).collect();
        sql.push(" AND NOT (id").any_of(ColumnType::Integer, running).push(")");
    }
    sql.push(" ORDER BY due, id").limit(i64::try_from(room.free).unwrap_or(i64::MAX), 0).for_update();
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        found.push(DueRun { id: row.integer(0)?, automation: row.text(1)?.to_owned(), fresh: row.is_null(2)? });
        Ok(())
    })?;
    Ok(found)
}

/// Returns the number of runs of an automation that were created, or begun, within the last minute. Runs that a job of
/// many rows caused wait for the rate, and do not show an automation that runs away.
fn counted(tx: &mut Tx<'_>, context: &RequestContext, column: &'static str, name: &str) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&RUN).push(" WHERE automation = ").bind(name).push(" AND ");
    sql.push(column).push(" > ").bind(Value::Timestamp(context.now.as_millisecond() - MINUTE));
    if column == CREATED {
        sql.push(" AND bulk IS NULL");
    }
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    Ok(count)
}

/// Switches off an automation whose events come so fast that its runs never end; administrators are told.
fn guard(tx: &mut Tx<'_>, context: &RequestContext, automation: &Automation) -> Result<()> {
    let most = automation.rate * STORM;
    if counted(tx, context, CREATED, &automation.name)? <= most {
        return Ok(());
    }
    let reason = format!("more than {most} runs were caused within a minute");
    tracing::error!(automation = automation.name, reason, "an automation was switched off");
    switch::put(tx, context, &automation.name, &reason)?;
    let roles = context.model.roles.values().filter(|role| role.system.contains(&SystemPermission::Admin));
    let recipients = with_roles::with_roles(tx, roles.map(|role| role.name.as_str()))?;
    if recipients.is_empty() {
        return Ok(());
    }
    let content = Content {
        kind: "automation.disabled".to_owned(),
        title: format!("The automation {} was switched off", automation.name),
        body: Some(format!("It was switched off because {reason}. Its events cause nothing, and its runs wait.")),
        level: Level::Error,
        ..Content::default()
    };
    let recipients = recipients.into_iter().map(Recipient::User).collect();
    notifications::create(tx, &context.quietly(), &NewNotification { recipients, content }).map(drop)
}

fn take(tx: &mut Tx<'_>, context: &RequestContext, ids: Vec<i64>) -> Result<Vec<ClaimedRun>> {
    let now = context.now.as_millisecond();
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RUN).push(" SET state = ").bind(State::Running.name()).push(", due = ");
    sql.bind(Value::Timestamp(now + LEASE)).push(", begun = COALESCE(begun, ").bind(Value::Timestamp(now));
    sql.push("), tries = tries + 1, claim = COALESCE(claim, 0) + 1 WHERE due <= ")
        .bind(Value::Timestamp(now))
        .push(" AND id");
    sql.any_of(ColumnType::Integer, ids.into_iter().map(Value::Integer).collect());
    sql.push(" RETURNING id, identifier, automation, actor, depth, version, position, steps, tries, ");
    sql.name(&database::Name::fixed("trigger")).push(", content, claim");
    let vault = context.vault()?;
    let mut claimed = Vec::new();
    tx.query(&sql, &mut |row| {
        let identifier = row.text(1)?.to_owned();
        let open = |index: usize| match row.get(index, ColumnType::Bytes)? {
            ValueRef::Bytes(sealed) => Ok(vault.open(KeyPurpose::Run, identifier.as_bytes(), sealed)),
            _ => Ok::<_, database::Error>(None),
        };
        let trigger = open(9)?.and_then(|bytes| serde_json::from_slice(&bytes).ok()).and_then(Trigger::decode);
        // What is there and cannot be opened is not nothing.
        let content = if row.is_null(10)? { Some(None) } else { open(10)?.map(Some) };
        let position = StepPosition::parse(row.text(6)?);
        let progress = position.zip(content).and_then(|(at, content)| RunProgress::decode(at, content.as_deref()));
        let (passed, steps, tries) = (row.integer(5)?.cast_unsigned(), row.integer(7)?, row.integer(8)?);
        let claim = row.integer(11)?;
        let progress = progress.map(|progress| RunProgress { passed, steps, tries, claim, ..progress });
        claimed.push(ClaimedRun {
            id: row.integer(0)?,
            automation: row.text(2)?.to_owned(),
            actor: match row.get(3, ColumnType::Integer)? {
                ValueRef::Integer(user) => user,
                _ => 0,
            },
            depth: row.integer(4)?,
            known: trigger.zip(progress),
            identifier,
        });
        Ok(())
    })?;
    for ClaimedRun { id, identifier, known, .. } in &mut claimed {
        if let Some((_, progress)) = known
            && !progress.read_apart(tx, context, RunIdentity { id: *id, identifier })?
        {
            *known = None;
        }
    }
    Ok(claimed)
}
