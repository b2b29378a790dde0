//! Automations that are switched off: their events cause nothing, and their runs wait.

use context::audit;
use context::audit::{AuditEvent, EventKind};
use context::request_context::RequestContext;
use database::{Tx, Value};
use jiff::Timestamp;
use model::error::{Error, Result};
use model::parameters::RequestParameters;
use model::table_names::{AUTOMATION, RUN};
use model::types::{Model, SystemPermission};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

/// The most characters of a reason.
const REASON: usize = 1_000;

/// Why an automation is switched off, of a request's body: `{"reason": text}`, or nothing.
pub fn reason(body: &Map<String, Json>) -> Result<Option<String>> {
    Ok(RequestParameters::gather(&[], Some(body), &["reason"])?.text("reason")?.filter(|reason| !reason.is_empty()))
}

/// Switches an automation off, for administrators. Runs under way stop before their next step.
pub fn disable(tx: &mut Tx<'_>, context: &RequestContext, name: &str, reason: &str) -> Result<()> {
    context.actor.require(SystemPermission::Admin)?;
    known(context, name)?;
    if reason.chars().count() > REASON || reason.contains('\0') {
        let message = format!("The reason may have at most {REASON} characters, and none that is NUL.");
        return Err(Error::invalid("reason_invalid", message));
    }
    put(tx, context, name, reason)
}

/// Switches it on again, for administrators: what waits is carried out.
pub fn enable(tx: &mut Tx<'_>, context: &RequestContext, name: &str) -> Result<()> {
    context.actor.require(SystemPermission::Admin)?;
    known(context, name)?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&AUTOMATION).push(" WHERE name = ").bind(name);
    if tx.execute(&sql)? == 0 {
        return Ok(());
    }
    audit::record(context, AuditEvent::of_none(EventKind::AutomationEnabled).with("automation", name));
    context.started.store(true, Ordering::Relaxed);
    tx.grow(&RUN)?;
    Ok(tx.raise_configuration()?)
}

/// The names of those that are switched off.
pub fn disabled(tx: &mut Tx<'_>) -> Result<BTreeSet<String>> {
    let mut sql = tx.sql();
    sql.push("SELECT name FROM ").table(&AUTOMATION).push(" WHERE disabled IS NOT NULL");
    let mut names = BTreeSet::new();
    tx.query(&sql, &mut |row| {
        names.insert(row.text(0)?.to_owned());
        Ok(())
    })?;
    Ok(names)
}

/// The names of those that are switched off for that reason.
pub fn disabled_for(tx: &mut Tx<'_>, reason: &str) -> Result<Vec<String>> {
    Ok(reasons(tx)?.into_iter().filter(|(_, known)| known == reason).map(|(name, _)| name).collect())
}

/// Why automations are switched off, by name.
pub(super) fn reasons(tx: &mut Tx<'_>) -> Result<BTreeMap<String, String>> {
    let mut sql = tx.sql();
    sql.push("SELECT name, reason FROM ").table(&AUTOMATION).push(" WHERE disabled IS NOT NULL");
    let mut reasons = BTreeMap::new();
    tx.query(&sql, &mut |row| {
        reasons.insert(row.text(0)?.to_owned(), row.text(1)?.to_owned());
        Ok(())
    })?;
    Ok(reasons)
}

/// Switches all automations off in the store of a tenant that is not served yet.
pub fn rest_all(tx: &mut Tx<'_>, model: &Model, now: Timestamp, reason: &str) -> Result<()> {
    // What was off before stays so, with its own reason, once the others are switched on again.
    let off = reasons(tx)?;
    for automation in model.automations.iter().filter(|automation| !off.contains_key(&automation.name)) {
        note(tx, &automation.name, now, reason)?;
    }
    Ok(tx.raise_configuration()?)
}

/// Notes that it is switched off, and tells all that remember the configuration. Where it is, for this reason, nothing
/// happens.
pub(super) fn put(tx: &mut Tx<'_>, context: &RequestContext, name: &str, reason: &str) -> Result<()> {
    if reasons(tx)?.get(name).is_some_and(|known| known == reason) {
        return Ok(());
    }
    note(tx, name, context.now, reason)?;
    let event = AuditEvent::of_none(EventKind::AutomationDisabled).with("automation", name);
    audit::record(context, event.with("reason", reason));
    Ok(tx.raise_configuration()?)
}

fn note(tx: &mut Tx<'_>, name: &str, now: Timestamp, reason: &str) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&AUTOMATION).push(" (name, disabled, reason) VALUES (").bind(name).push(", ");
    sql.bind(Value::Timestamp(now.as_millisecond())).push(", ").bind(reason);
    sql.push(") ON CONFLICT (name) DO UPDATE SET disabled = excluded.disabled, reason = excluded.reason");
    Ok(tx.execute(&sql).map(drop)?)
}

/// Refuses the name of an automation that is not configured.
pub(super) fn known(context: &RequestContext, name: &str) -> Result<()> {
    match context.model.automations.named(name) {
        Some(_) => Ok(()),
        None => Err(Error::missing("automation_missing", format!("There is no automation {name:?}."))),
    }
}
