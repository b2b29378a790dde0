//! Virtual calculations of what a run begins with: worked out when the event is written, and kept with it. A run whose
//! automation names others by now has those worked out of the same values.

use super::{Trigger, stored};
use context::request_context::RequestContext;
use database::Tx;
use model::automation::Automation;
use model::error::Result;
use model::kinds::StoredValue;
use model::types::ResourceType;
use model::used_properties::UsedProperties;
use resources::{complete_all, shows_own};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// Returns the message about a property of which nobody knows whether it has changed.
pub fn unknown(name: &str) -> String {
    format!(
        "{name} cannot be compared: it is a virtual calculation over other resources. Name the properties that it depends on, or store it."
    )
}

/// Gives triggers of one event what the automations that wait for it may take of the resources that they are about. Costs
/// next to nothing where there are no virtual calculations.
pub(super) fn with_event(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    waiting: &[Arc<Automation>],
    triggers: &mut [Trigger],
) -> Result<()> {
    let of = triggers.first().and_then(|trigger| about(call, trigger));
    let Some(of) = of.filter(|of| !of.rules().virtuals.is_empty()) else { return Ok(()) };
    let mut takes = UsedProperties::default();
    waiting.iter().for_each(|automation| takes.join(&automation.takes));
    complete(tx, &call.elevated(call.actor.user), of, triggers, &takes.virtuals(of))
}

/// Returns the completed trigger of a run, where it lacks something that its automation may take by now.
pub(super) fn with_run(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    takes: &UsedProperties,
    trigger: &Trigger,
) -> Result<Option<Trigger>> {
    let Some((of, (_, row))) = about(call, trigger).zip(trigger.resource.as_ref()) else { return Ok(None) };
    let mut lacking = takes.virtuals(of);
    lacking.retain(|position| !row.contains_key(&stored::key(&of.fields[*position])));
    if lacking.is_empty() {
        return Ok(None);
    }
    let mut trigger = [trigger.clone()];
    complete(tx, call, of, &mut trigger, &lacking)?;
    let [trigger] = trigger;
    Ok(Some(trigger))
}

fn about<'c>(call: &'c RequestContext, trigger: &Trigger) -> Option<&'c Arc<ResourceType>> {
    call.model.type_by_id(trigger.resource.as_ref()?.0)
}

fn complete(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    of: &Arc<ResourceType>,
    triggers: &mut [Trigger],
    wanted: &[usize],
) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let rows: Vec<Vec<StoredValue>> = triggers.iter().map(|trigger| now(of, trigger)).collect();
    let shown = complete_all(tx, call, of, rows.clone(), wanted)?;
    changes(tx, call, (of, wanted), (triggers, &rows, &shown))?;
    for (trigger, shown) in triggers.iter_mut().zip(&shown) {
        if let Some((_, row)) = &mut trigger.resource {
            put(row, of, wanted, shown);
        }
        trigger.rows_changed();
    }
    Ok(())
}

/// Notes which of them changed: those that take nothing but their own resource, which is known as it was.
fn changes(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    (of, wanted): (&Arc<ResourceType>, &[usize]),
    (triggers, rows, shown): (&mut [Trigger], &[Vec<StoredValue>], &[Vec<StoredValue>]),
) -> Result<()> {
    let known: Vec<usize> = wanted.iter().copied().filter(|position| shows_own(of, *position)).collect();
    if known.is_empty() || triggers.iter().all(|trigger| trigger.before.is_none()) {
        return Ok(());
    }
    let former = triggers.iter().zip(rows).map(|(trigger, row)| before(of, row, trigger.before.as_ref()));
    let former = complete_all(tx, call, of, former.collect(), &known)?;
    for ((trigger, former), shown) in triggers.iter_mut().zip(&former).zip(shown) {
        let Some(before) = &mut trigger.before else { continue };
        let differ: Vec<usize> =
            known.iter().copied().filter(|position| former[*position] != shown[*position]).collect();
        put(before, of, &differ, former);
    }
    Ok(())
}

fn put(row: &mut Map<String, Json>, of: &ResourceType, positions: &[usize], values: &[StoredValue]) {
    let value = |position: &usize| (stored::key(&of.fields[*position]), stored::encode_one(&values[*position]));
    row.extend(positions.iter().map(value));
}

fn now(of: &ResourceType, trigger: &Trigger) -> Vec<StoredValue> {
    trigger.resource.as_ref().map(|(_, row)| stored::decode(of, row)).unwrap_or_default()
}

/// A row as it was, of what it is now and what changed.
pub(super) fn before(of: &ResourceType, now: &[StoredValue], changed: Option<&Map<String, Json>>) -> Vec<StoredValue> {
    let mut old = now.to_vec();
    for (field, json) in of.properties().iter().filter_map(|field| Some((field, changed?.get(&stored::key(field))?))) {
        if let Some(value) = stored::decode_one(field, json) {
            old[field.position] = value;
        }
    }
    old
}
