//! Occurrences of events, as runs of the automations that wait for them.

use super::start::{NewRun, start_all};
use super::steps::StepValues;
use super::template::holds;
use super::{Trigger, virtual_values};
use context::listener::{EventOccurrence, RowChange};
use context::request_context::RequestContext;
use database::Tx;
use expression::Value;
use model::automation::{Automation, AutomationEvent};
use model::error::{ErrorKind, Result};
use resources::expressions::{Parts, PlatformProviders, Reading, Rights, Secrets};

/// Notes a run of each automation that waits for the event, for each occurrence, where its condition holds.
pub fn happened(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    event: AutomationEvent,
    occurrences: Vec<EventOccurrence<'_>>,
) -> Result<()> {
    let mut new = Vec::new();
    let name = event.name(&context.model);
    let mut triggers: Vec<Trigger> = occurrences.into_iter().map(|each| trigger(&name, each)).collect();
    let waiting = context.model.automations.waiting_for(event);
    virtual_values::with_event(tx, context, waiting, &mut triggers)?;
    for trigger in triggers {
        let trigger = trigger.by(context.user());
        for automation in waiting {
            match holds_for(tx, context, automation, &trigger)? {
                Ok(true) => new.push(NewRun { automation, trigger: trigger.clone(), failed: None }),
                Ok(false) => {}
                Err(message) => {
                    tracing::warn!(automation = automation.name, message, "the condition of an automation failed");
                    let failed = Some(format!("Its condition failed: {message}"));
                    new.push(NewRun { automation, trigger: trigger.clone(), failed });
                }
            }
        }
    }
    start_all(tx, context, new).map(drop)
}

/// The trigger that an occurrence is to a run.
fn trigger(event: &str, occurrence: EventOccurrence<'_>) -> Trigger {
    let trigger = Trigger::of(event, occurrence.parameters);
    let Some(RowChange { resource_type, values, before }) = occurrence.row else { return trigger };
    let about = trigger.about(resource_type, &values);
    match before {
        Some(before) => about.changed(resource_type, before, &values),
        None => about,
    }
}

/// Returns true if the automation's condition holds; what is wrong with it is no failure of the write that it is asked
/// about.
fn holds_for(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    automation: &Automation,
    trigger: &Trigger,
) -> Result<Result<bool, String>> {
    let Some(condition) = &automation.condition else { return Ok(Ok(true)) };
    let surroundings = StepValues { trigger: trigger.values(&context.model), ..StepValues::default() };
    let about = surroundings.trigger.get("resource").cloned().unwrap_or(Value::Null);
    let elevated = context.elevated(context.actor.user);
    let rights = Rights::Configuration;
    let virtuals = Some(&automation.takes);
    let parts = Parts { more: Some(&surroundings), rights, secrets: Secrets::Read, virtuals, inverses: true };
    let providers = PlatformProviders::new(tx, &elevated, Reading::Look, parts);
    match holds(&providers, condition, &about) {
        Err(error) if error.kind == ErrorKind::Invalid => Ok(Err(error.message)),
        held => held.map(Ok),
    }
}
