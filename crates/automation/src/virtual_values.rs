//! Virtual calculations of what a run begins with: worked out when the event is written, and kept with it. A run whose
//! automation names others by now has those worked out of the same values.

use super::{Trigger, row_encoding};
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
    context: &RequestContext,
    waiting: &[Arc<Automation>],
    triggers: &mut [Trigger],
) -> Result<()> {
    let of = triggers.first().and_then(|trigger| about(context, trigger));
    let Some(of) = of.filter(|of| !of.rules().virtuals.is_empty()) else { return Ok(()) };
    let mut takes = UsedProperties::default();
    waiting.iter().for_each(|automation| takes.join(&automation.takes));
    complete(tx, &context.elevated(context.actor.user), of, triggers, &takes.virtuals(of))
}

/// Returns the completed trigger of a run, where it lacks something that its automation may take by now.
pub(super) fn with_run(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    takes: &UsedProperties,
    trigger: &Trigger,
) -> Result<Option<Trigger>> {
    let Some((of, (_, row))) = about(context, trigger).zip(trigger.resource.as_ref()) else { return Ok(None) };
    let mut lacking = takes.virtuals(of);
    lacking.retain(|position| !row.contains_key(&row_encoding::key(&of.fields[*position])));
    if lacking.is_empty() {
        return Ok(None);
    }
    let mut trigger = [trigger.clone()];
    complete(tx, context, of, &mut trigger, &lacking)?;
    let [trigger] = trigger;
    Ok(Some(trigger))
}

fn about<'c>(context: &'c RequestContext, trigger: &Trigger) -> Option<&'c Arc<ResourceType>> {
    context.model.type_by_id(trigger.resource.as_ref()?.0)
}

fn complete(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    triggers: &mut [Trigger],
    wanted: &[usize],
) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let rows: Vec<Vec<StoredValue>> = triggers.iter().map(|trigger| now(resource_type, trigger)).collect();
    let shown = complete_all(tx, context, resource_type, rows.clone(), wanted)?;
    changes(tx, context, resource_type, wanted, EventRows { triggers, rows: &rows, shown: &shown })?;
    for (trigger, shown) in triggers.iter_mut().zip(&shown) {
        if let Some((_, row)) = &mut trigger.resource {
            put(row, resource_type, wanted, shown);
        }
        trigger.rows_changed();
    }
    Ok(())
}

/// Triggers of one event with the rows that they are about.
struct EventRows<'r> {
    triggers: &'r mut [Trigger],
    /// The rows as they are stored.
    rows: &'r [Vec<StoredValue>],
    /// The same with their virtual calculations.
    shown: &'r [Vec<StoredValue>],
}

/// Notes which of them changed: those that take nothing but their own resource, which is known as it was.
fn changes(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    wanted: &[usize],
    EventRows { triggers, rows, shown }: EventRows<'_>,
) -> Result<()> {
    let known: Vec<usize> = wanted.iter().copied().filter(|position| shows_own(resource_type, *position)).collect();
    if known.is_empty() || triggers.iter().all(|trigger| trigger.before.is_none()) {
        return Ok(());
    }
    let former = triggers.iter().zip(rows).map(|(trigger, row)| before(resource_type, row, trigger.before.as_ref()));
    let former = complete_all(tx, context, resource_type, former.collect(), &known)?;
    for ((trigger, former), shown) in triggers.iter_mut().zip(&former).zip(shown) {
        let Some(before) = &mut trigger.before else { continue };
        let differ: Vec<usize> =
            known.iter().copied().filter(|position| former[*position] != shown[*position]).collect();
        put(before, resource_type, &differ, former);
    }
    Ok(())
}

fn put(row: &mut Map<String, Json>, resource_type: &ResourceType, positions: &[usize], values: &[StoredValue]) {
    let value = |position: &usize| {
        (row_encoding::key(&resource_type.fields[*position]), row_encoding::encode_one(&values[*position]))
    };
    row.extend(positions.iter().map(value));
}

fn now(resource_type: &ResourceType, trigger: &Trigger) -> Vec<StoredValue> {
    trigger.resource.as_ref().map(|(_, row)| row_encoding::decode(resource_type, row)).unwrap_or_default()
}

/// A row as it was, of what it is now and what changed.
pub(super) fn before(
    resource_type: &ResourceType,
    now: &[StoredValue],
    changed: Option<&Map<String, Json>>,
) -> Vec<StoredValue> {
    let mut old = now.to_vec();
    for (field, json) in
        resource_type.properties().iter().filter_map(|field| Some((field, changed?.get(&row_encoding::key(field))?)))
    {
        if let Some(value) = row_encoding::decode_one(field, json) {
            old[field.position] = value;
        }
    }
    old
}
