//! Scrubbing of a copy without people in it: done on rows that nobody reaches yet, which are copied once more afterwards.

use super::clone::clear;
use configuration::UPGRADES;
use context::audit::chain;
use context::tables;
use database::{Name, Tx, Value};
use jiff::Timestamp;
use model::error::{Error, Result};
use model::kinds::{FakeSource, fake_value};
use model::kinds::{ValueContext, ValueStorage};
use model::table_names::{
    ATTACHMENT, AUDIT, CHALLENGE, CHALLENGE_METHOD, HOOK, IDEMPOTENCY, IMPORT, IMPORT_GROUP, JOB, JOB_PART, KEY,
    NAMED_SECRET, NOTIFICATION, OUTBOX, READ_LOG, RESET, ROLLUP, ROLLUP_VALUES, SESSION, THROTTLE, USER_SETTING, VIEW,
};
use model::types::{CalculationTime, Model, Property, ResourceType};

/// Tables whose rows let someone in, tell what people did, or hold values of rows.
const CLEARED: [Name; 20] = [
    KEY,
    SESSION,
    CHALLENGE_METHOD,
    CHALLENGE,
    RESET,
    THROTTLE,
    NAMED_SECRET,
    AUDIT,
    READ_LOG,
    OUTBOX,
    NOTIFICATION,
    HOOK,
    IDEMPOTENCY,
    JOB_PART,
    JOB,
    IMPORT_GROUP,
    IMPORT,
    USER_SETTING,
    VIEW,
    ROLLUP,
];

/// Replaces personal values by made-up ones, and removes what lets someone in or tells of people. Calculations follow
/// afterwards.
pub(super) fn scrub(tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
    for table in CLEARED.iter().chain(ROLLUP_VALUES.iter().map(|(table, _)| table)) {
        clear(tx, table)?;
    }
    chain::begin_anew(tx)?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&ATTACHMENT).push(" WHERE object IS NULL");
    tx.execute(&sql)?;
    let Some(model) = configuration::stored_types(tx)? else { return Ok(()) };
    for of in &model.types {
        for property in of.properties().iter().filter(|property| property.personal || property.kind.concealed()) {
            replace(tx, &model, of, property, now)?;
        }
        for property in of.properties().iter().filter(|property| property.calculated == Some(CalculationTime::Stored)) {
            forget(tx, of, property)?;
        }
    }
    tables::renew(tx, UPGRADES)
}

fn replace(tx: &mut Tx<'_>, model: &Model, of: &ResourceType, property: &Property, now: Timestamp) -> Result<()> {
    match property.kind.storage() {
        ValueStorage::Links(_) => clear(tx, &property.column),
        ValueStorage::Attachments => {
            let mut sql = tx.sql();
            sql.push("DELETE FROM ").table(&ATTACHMENT).push(" WHERE property = ").bind(property.id);
            Ok(tx.execute(&sql).map(drop)?)
        }
        ValueStorage::Column(_) => fake_column(tx, model, of, property, now),
    }
}

/// Removes the values of a calculation or a rollup: one that fails on made-up values must leave no former ones.
fn forget(tx: &mut Tx<'_>, of: &ResourceType, property: &Property) -> Result<()> {
    match property.kind.storage() {
        ValueStorage::Links(_) => clear(tx, &property.column),
        ValueStorage::Column(_) => empty(tx, of, property),
        ValueStorage::Attachments => Ok(()),
    }
}

fn empty(tx: &mut Tx<'_>, of: &ResourceType, property: &Property) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&of.table).push(" SET ").name(&property.column).push(" = ").bind(Value::Null);
    Ok(tx.execute(&sql).map(drop)?)
}

/// Replaces the values of a column. Resources without one stay so.
fn fake_column(tx: &mut Tx<'_>, model: &Model, of: &ResourceType, property: &Property, now: Timestamp) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&of.table).push(" WHERE ").name(&property.column).push(" IS NOT NULL");
    let mut ids = Vec::new();
    tx.query(&sql, &mut |row| {
        ids.push(row.integer(0)?);
        Ok(())
    })?;
    // First none has a value: a made-up one may be the old one of another resource.
    empty(tx, of, property)?;
    let context = ValueContext { zone: &model.settings.timezone, now, links: None, texts: false };
    let is_title = of.title_property == Some(property.position);
    let title = if is_title { &of.title } else { &property.title };
    let unique = of.unique.iter().any(|set| set.contains(&property.position));
    for id in ids {
        let source = FakeSource { type_name: &of.name, title, id, unique };
        let Some(value) = fake_value(property.kind.as_ref(), source, &context) else {
            if property.required && !property.kind.concealed() {
                return Err(impossible(of, property));
            }
            continue;
        };
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&of.table).push(" SET ").name(&property.column).push(" = ").bind(value);
        sql.push(" WHERE id = ").bind(id);
        tx.execute(&sql)?;
    }
    Ok(())
}

fn impossible(of: &ResourceType, property: &Property) -> Error {
    let message = format!(
        "{} of {} is personal and required, and none of the made-up values fits its limits. Leave required, or the \
         limits, out of its file; plinth check tells of it, too.",
        property.name, of.name
    );
    Error::invalid("scrub_impossible", message)
}
