//! Events, noted in the transaction that causes them. Where nothing waits for one, it costs a look-up.

use super::start::{New, start_all};
use super::steps::Surroundings;
use super::template::holds;
use super::{Trigger, shown};
use crate::expressions::{Parts, PlatformProviders, Reading, Rights, Secrets};
use crate::resources::{Purpose, rows_of};
use context::call::Call;
use database::Tx;
use expression::Value;
use model::automation::{Automation, Event};
use model::error::{ErrorKind, Result};
use model::kinds::Stored;
use model::types::Type;
use model::user_columns::USER_TYPE;
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// Rows as they are before something happens to them.
pub(crate) type Before = Vec<(i64, Vec<Stored>)>;

/// Returns true if an automation waits for an event: what is read for its sake alone need not be read else.
pub(crate) fn awaited(call: &Call, event: Event) -> bool {
    !waiting(call, event).is_empty()
}

/// Resources were created.
pub(crate) fn created(tx: &mut Tx<'_>, call: &Call, of: &Type, ids: &[i64]) -> Result<()> {
    of_rows(tx, call, Event::Created(of.id), of, ids)
}

/// Resources are deleted: they are there still.
pub(crate) fn deleted(tx: &mut Tx<'_>, call: &Call, of: &Type, ids: &[i64]) -> Result<()> {
    of_rows(tx, call, Event::Deleted(of.id), of, ids)
}

/// A resource was changed.
pub(crate) fn updated(tx: &mut Tx<'_>, call: &Call, of: &Type, old: &[Stored], new: &[Stored]) -> Result<()> {
    let event = Event::Updated(of.id);
    if !awaited(call, event) || unchanged(of, old, new) {
        return Ok(());
    }
    let trigger = Trigger::of(event.name(&call.model), Map::new());
    raise(tx, call, event, vec![trigger.about(of, new).changed(of, old, new)])
}

/// Reads rows that will change past the usual way, for [`updated_past`]; nothing where no automation waits for that.
pub(crate) fn before(tx: &mut Tx<'_>, call: &Call, of: &Type, ids: &[i64]) -> Result<Before> {
    if awaited(call, Event::Updated(of.id)) { rows_of(tx, of, ids, Purpose::Look) } else { Ok(Vec::new()) }
}

/// They have changed.
pub(crate) fn updated_past(tx: &mut Tx<'_>, call: &Call, of: &Type, before: Before) -> Result<()> {
    if before.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = before.iter().map(|(id, _)| *id).collect();
    let after = rows_of(tx, of, &ids, Purpose::Look)?;
    for ((_, old), (_, new)) in before.iter().zip(&after) {
        updated(tx, call, of, old, new)?;
    }
    Ok(())
}

/// A resource got tags, or lost some; they are told by their ids, as `trigger('tags')`.
pub(crate) fn tagged(
    tx: &mut Tx<'_>,
    call: &Call,
    (type_id, object): (i64, i64),
    tags: [Vec<String>; 2],
) -> Result<()> {
    let Some(of) = call.model.type_by_id(type_id) else { return Ok(()) };
    for (event, tags) in [Event::Tagged(type_id), Event::Untagged(type_id)].into_iter().zip(tags) {
        if tags.is_empty() || !awaited(call, event) {
            continue;
        }
        let parameters = Map::from_iter([("tags".to_owned(), Json::from(tags))]);
        let trigger = Trigger::of(event.name(&call.model), parameters);
        let rows = rows_of(tx, of, &[object], Purpose::Look)?;
        raise(tx, call, event, rows.into_iter().map(|(_, row)| trigger.clone().about(of, &row)).collect())?;
    }
    Ok(())
}

/// Something happened to a user's account.
pub(crate) fn of_user(tx: &mut Tx<'_>, call: &Call, event: Event, user: i64) -> Result<()> {
    match call.model.type_by_id(USER_TYPE) {
        Some(of) => of_rows(tx, call, event, of, &[user]),
        None => Ok(()),
    }
}

/// Something happened that is told by parameters alone. They are made where somebody waits for them.
pub(crate) fn told(
    tx: &mut Tx<'_>,
    call: &Call,
    event: Event,
    parameters: impl FnOnce() -> Vec<Map<String, Json>>,
) -> Result<()> {
    if !awaited(call, event) {
        return Ok(());
    }
    let name = event.name(&call.model);
    raise(tx, call, event, parameters().into_iter().map(|each| Trigger::of(name.clone(), each)).collect())
}

fn of_rows(tx: &mut Tx<'_>, call: &Call, event: Event, of: &Type, ids: &[i64]) -> Result<()> {
    if !awaited(call, event) {
        return Ok(());
    }
    let trigger = Trigger::of(event.name(&call.model), Map::new());
    let rows = rows_of(tx, of, ids, Purpose::Look)?;
    raise(tx, call, event, rows.into_iter().map(|(_, row)| trigger.clone().about(of, &row)).collect())
}

fn waiting(call: &Call, event: Event) -> &[Arc<Automation>] {
    if call.quiet { &[] } else { call.model.automations.waiting_for(event) }
}

/// Returns true if nothing differs that an automation may see: what the platform counts on each row is no change.
fn unchanged(of: &Type, old: &[Stored], new: &[Stored]) -> bool {
    of.properties().iter().all(|field| field.kind.concealed() || old.get(field.position) == new.get(field.position))
}

/// Notes a run of each automation that waits for the event, for each time that it happened, where its condition holds.
fn raise(tx: &mut Tx<'_>, call: &Call, event: Event, mut triggers: Vec<Trigger>) -> Result<()> {
    let mut new = Vec::new();
    shown::with_event(tx, call, waiting(call, event), &mut triggers)?;
    for trigger in triggers {
        let trigger = trigger.by(call.user());
        for automation in waiting(call, event) {
            match holds_for(tx, call, automation, &trigger)? {
                Ok(true) => new.push(New { automation, trigger: trigger.clone(), failed: None }),
                Ok(false) => {}
                Err(message) => {
                    tracing::warn!(automation = automation.name, message, "the condition of an automation failed");
                    let failed = Some(format!("Its condition failed: {message}"));
                    new.push(New { automation, trigger: trigger.clone(), failed });
                }
            }
        }
    }
    start_all(tx, call, new).map(drop)
}

/// Returns true if the automation's condition holds; what is wrong with it is no failure of the write that it is asked
/// about.
fn holds_for(tx: &mut Tx<'_>, call: &Call, automation: &Automation, trigger: &Trigger) -> Result<Result<bool, String>> {
    let Some(condition) = &automation.condition else { return Ok(Ok(true)) };
    let surroundings = Surroundings { trigger: trigger.values(&call.model), ..Surroundings::default() };
    let about = surroundings.trigger.get("resource").cloned().unwrap_or(Value::Null);
    let elevated = call.elevated(call.actor.user);
    let rights = Rights::Configuration;
    let virtuals = Some(&automation.takes);
    let parts = Parts { more: Some(&surroundings), rights, secrets: Secrets::Read, virtuals };
    let providers = PlatformProviders::new(tx, &elevated, Reading::Look, parts);
    match holds(&providers, condition, &about) {
        Err(error) if error.kind == ErrorKind::Invalid => Ok(Err(error.message)),
        held => held.map(Ok),
    }
}
