//! Which runs a node carries out: leases, so that no two nodes carry out the same one, and how many may begin in a minute.

use super::progress::{Progress, read_lists};
use super::start::{State, sweep};
use super::{Automation, Position, Trigger, switch};
use crate::error::Result;
use crate::notifications::{self, Content, Level, NewNotification, Recipient};
use crate::tables::{AUTOMATION, RUN};
use crate::tenants::Call;
use crate::types::SystemPermission;
use crate::users;
use crate::vault::Purpose;
use database::{ColumnType, Tx, Value, ValueRef};
use std::collections::BTreeMap;

/// How long whoever claimed a run has it alone, in milliseconds: more than any step may take. Each step begins it anew.
pub(super) const LEASE: i64 = 60_000;
/// How many runs are claimed at a time; they are carried out side by side.
const BATCH: i64 = 16;
/// In which time runs are counted, in milliseconds.
const MINUTE: i64 = 60_000;
/// At how many times its rate an automation is switched off.
const STORM: i64 = 10;

/// A run that this node has alone until its lease is over.
#[derive(Clone, Debug)]
pub(super) struct Claimed {
    pub(super) id: i64,
    /// The name that no other run has.
    pub(super) identifier: String,
    pub(super) automation: String,
    pub(super) actor: i64,
    pub(super) depth: i64,
    /// What it began with, and how far it is; none where that cannot be read.
    pub(super) known: Option<(Trigger, Progress)>,
}

/// A run that is due.
struct Due {
    id: i64,
    automation: String,
    /// Whether it has not begun.
    fresh: bool,
}

/// Claims runs that are due, in the order in which they became due.
pub(super) fn claim(tx: &mut Tx<'_>, call: &Call) -> Result<Vec<Claimed>> {
    let automations = &call.model.automations;
    let disabled = automations.iter().map(|automation| &automation.name).filter(|name| automations.is_disabled(name));
    let mut closed: Vec<String> = disabled.cloned().collect();
    loop {
        let due = due(tx, call, &closed)?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let mut left: BTreeMap<&str, i64> = BTreeMap::new();
        for name in due.iter().filter(|run| run.fresh).map(|run| run.automation.as_str()) {
            if let Some(automation) = automations.named(name).filter(|_| !left.contains_key(name)) {
                left.insert(name, automation.rate - counted(tx, call, "begun", name)?);
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
            guard(tx, call, automation)?;
        }
        if !granted.is_empty() {
            sweep(tx, call)?;
            return take(tx, call, granted);
        }
        closed.extend(full);
    }
}

/// When the next run of the tenant is due, in milliseconds; none where none waits.
pub(crate) fn next(tx: &mut Tx<'_>) -> Result<Option<i64>> {
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

/// The runs that are due: those that wait, and those of nodes that did not end within their lease.
fn due(tx: &mut Tx<'_>, call: &Call, closed: &[String]) -> Result<Vec<Due>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, automation, begun FROM ").table(&RUN).push(" WHERE due <= ");
    sql.bind(Value::Timestamp(call.now.as_millisecond()));
    if !closed.is_empty() {
        let closed = closed.iter().cloned().map(Value::Text).collect();
        sql.push(" AND NOT (automation").any_of(ColumnType::Text, closed).push(")");
    }
    sql.push(" ORDER BY due, id").limit(BATCH, 0).for_update();
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        found.push(Due { id: row.integer(0)?, automation: row.text(1)?.to_owned(), fresh: row.is_null(2)? });
        Ok(())
    })?;
    Ok(found)
}

/// How many runs of an automation were created, or begun, within the last minute.
fn counted(tx: &mut Tx<'_>, call: &Call, column: &'static str, name: &str) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&RUN).push(" WHERE automation = ").bind(name).push(" AND ");
    sql.push(column).push(" > ").bind(Value::Timestamp(call.now.as_millisecond() - MINUTE));
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    Ok(count)
}

/// Switches off an automation whose events come so fast that its runs never end; administrators are told.
fn guard(tx: &mut Tx<'_>, call: &Call, automation: &Automation) -> Result<()> {
    let most = automation.rate * STORM;
    if counted(tx, call, "created", &automation.name)? <= most {
        return Ok(());
    }
    let reason = format!("more than {most} runs were caused within a minute");
    tracing::error!(automation = automation.name, reason, "an automation was switched off");
    switch::put(tx, call, &automation.name, &reason)?;
    let roles = call.model.roles.values().filter(|role| role.system.contains(&SystemPermission::Admin));
    let recipients = users::with_roles(tx, roles.map(|role| role.name.as_str()))?;
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
    notifications::create(tx, &call.quietly(), &NewNotification { recipients, content }).map(drop)
}

fn take(tx: &mut Tx<'_>, call: &Call, ids: Vec<i64>) -> Result<Vec<Claimed>> {
    let now = call.now.as_millisecond();
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RUN).push(" SET state = ").bind(State::Running.name()).push(", due = ");
    sql.bind(Value::Timestamp(now + LEASE)).push(", begun = COALESCE(begun, ").bind(Value::Timestamp(now));
    sql.push("), tries = tries + 1 WHERE due <= ").bind(Value::Timestamp(now)).push(" AND id");
    sql.any_of(ColumnType::Integer, ids.into_iter().map(Value::Integer).collect());
    sql.push(" RETURNING id, identifier, automation, actor, depth, version, position, steps, tries, ");
    sql.name(&database::Name::fixed("trigger")).push(", content");
    let vault = call.vault()?;
    let mut claimed = Vec::new();
    tx.query(&sql, &mut |row| {
        let identifier = row.text(1)?.to_owned();
        let open = |index: usize| match row.get(index, ColumnType::Bytes)? {
            ValueRef::Bytes(sealed) => Ok(vault.open(Purpose::Run, identifier.as_bytes(), sealed)),
            _ => Ok::<_, database::Error>(None),
        };
        let trigger = open(9)?.and_then(|bytes| serde_json::from_slice(&bytes).ok()).and_then(Trigger::decode);
        // What is there and cannot be opened is not nothing.
        let content = if row.is_null(10)? { Some(None) } else { open(10)?.map(Some) };
        let position = Position::parse(row.text(6)?);
        let progress = position.zip(content).and_then(|(at, content)| Progress::decode(at, content.as_deref()));
        let (passed, steps, tries) = (row.integer(5)?.cast_unsigned(), row.integer(7)?, row.integer(8)?);
        let progress = progress.map(|progress| Progress { passed, steps, tries, lease: now + LEASE, ..progress });
        claimed.push(Claimed {
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
    for Claimed { id, identifier, known, .. } in &mut claimed {
        if let Some((_, progress)) = known {
            progress.lists = read_lists(tx, call, (*id, identifier.as_str()), progress.position.lists())?;
        }
    }
    Ok(claimed)
}
