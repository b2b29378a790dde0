//! `automations/*.yaml`: what happens on its own when something has happened.

use super::automation_steps;
use super::automation_values::{self, StepNames};
use super::diagnostic::{Diagnostic, closest};
use super::load::below;
use super::names;
use super::role_file::{self, DeclaredName};
use super::section::{FileProblems, FileSection};
use super::step_fields;
use super::symbols::FileTypes;
use super::yaml::{YamlContent, YamlEntry, YamlNode};
use crate::expression_slots::SlotNames;
use expression::scope::{self, ValueKind};
use jiff::tz::TimeZone;
use model::automation::{
    Automation, AutomationEvent, AutomationSchedule, AutomationTrigger, IncomingHook, MissedMoments,
};
use model::cron::CronExpression;
use model::query::QueryDefinition;
use model::shape::TypeShapes;
use model::user_columns::USER_TYPE;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Runs of an automation that may begin in a minute: the number where the file is silent, and the most.
const RATE: i64 = 600;
const MOST_RATE: i64 = 100_000;

/// Surroundings that automations are read against.
pub(crate) struct AutomationContext<'a> {
    pub(crate) types: FileTypes<'a>,
    /// The queries that could be read.
    pub(crate) queries: &'a BTreeMap<String, Arc<QueryDefinition>>,
    /// The types as expressions see them.
    pub(crate) shapes: TypeShapes,
    /// Names that `env()` knows.
    pub(crate) environment: SlotNames,
    /// The tenant's time zone.
    pub(crate) zone: &'a TimeZone,
}

/// All automations.
pub(crate) fn read_all(
    nodes: &BTreeMap<&str, YamlNode>,
    around: &AutomationContext<'_>,
    problems: &mut FileProblems,
) -> BTreeMap<String, Arc<Automation>> {
    let mut automations = BTreeMap::new();
    let (mut seen, mut hooks) = (BTreeMap::new(), BTreeMap::new());
    for (file, node) in below(nodes, "automations") {
        let Some(mut section) = FileSection::open(file, String::new(), node, problems) else { continue };
        let name = role_file::name(&mut section, "automation", problems);
        let read = automation(section, name.as_ref().map_or("", |(name, _)| name), around, problems);
        let Some((name, at)) = name else { continue };
        let declared = DeclaredName { file, key: "automation", name: &name, position: at };
        role_file::refuse_duplicate(&mut seen, declared, problems);
        if let Some(AutomationTrigger::Hook(hook)) = read.as_ref().map(|read| &read.on) {
            let at = node.nearest(&["on".to_owned(), "hook".to_owned()]);
            let declared = DeclaredName { file, key: "on.hook", name: &hook.name, position: at };
            role_file::refuse_duplicate(&mut hooks, declared, problems);
        }
        automations.extend(read.map(|automation| (name, Arc::new(automation))));
    }
    automations
}

fn automation(
    mut section: FileSection<'_>,
    name: &str,
    around: &AutomationContext<'_>,
    problems: &mut FileProblems,
) -> Option<Automation> {
    let title = section.text("title", problems).unwrap_or_else(|| names::title(name));
    let description = section.text("description", problems).unwrap_or_default();
    let rate = section.integer("rate", 1..=MOST_RATE, problems).unwrap_or(RATE);
    section.require("on", problems);
    let on = section.section("on", &mut FileProblems::new());
    if on.is_none() && section.mapping.entries.iter().any(|entry| entry.key == "on") {
        section.section("on", problems);
    }
    let mut known = StepNames::new(around);
    let on = on.and_then(|on| self::on(on, around, &mut known, problems));
    let steps = section.require("do", problems);
    let mut found = FileProblems::new();
    let steps = steps.map(|entry| automation_steps::read(&section, entry, &mut known, &mut found)).unwrap_or_default();
    // What expressions may name rests on what is waited for: where that is wrong, they would be told to be wrong as well.
    let told = |problem: &Diagnostic| on.is_some() || problem.stands_alone() || problem.code == "wrong_value";
    let (mistakes, findings) = found.into_parts();
    problems.extend(mistakes.into_iter().filter(told));
    problems.warn(findings);
    section.finish(problems);
    let (on, condition) = on?;
    Some(Automation {
        name: name.to_owned(),
        title,
        description,
        on,
        condition,
        steps,
        takes: known.takes.into_inner(),
        rate,
    })
}

type WaitingStep = (AutomationTrigger, Option<Arc<expression::Program>>);

fn on(
    mut section: FileSection<'_>,
    around: &AutomationContext<'_>,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<WaitingStep> {
    const KEYS: [&str; 3] = ["event", "schedule", "hook"];
    let given = section.mapping.entries.iter().filter(|entry| KEYS.contains(&entry.key.as_str())).count();
    if given != 1 {
        let message = format!("on has one of the keys {}; {given} are given.", KEYS.join(", "));
        problems.push(section.problem(section.position, "", "wrong_shape", &message));
    }
    let moment = schedule(&mut section, problems);
    let call = hook(&mut section, problems);
    let entry = section.take("event", problems);
    let event = entry.and_then(|entry| event(&section, entry, around, problems));
    let condition = section.take("if", problems);
    section.finish(problems);
    if given != 1 {
        return None;
    }
    if let Some(on) = moment.map(AutomationTrigger::Schedule).or(call.map(AutomationTrigger::Hook)) {
        if let Some(entry) = condition {
            let message = "if goes with an event. Begin with a step if instead.";
            problems.push(section.problem(entry.position, "if", "wrong_shape", message));
        }
        known.names.insert("trigger", parameters_of(&on));
        return Some((on, None));
    }
    let event = event?;
    known.names.insert("trigger", parameters(event, around));
    known.about = event.type_id().and_then(|id| around.types.read.iter().find(|of| of.id == id).cloned());
    known.context = event.type_id().and_then(|id| around.shapes.get(id));
    let condition = match condition {
        None => None,
        Some(entry) => {
            let at = section.value_of(entry);
            let program = automation_values::compiled(&at, known, ValueKind::Any, problems)?;
            step_fields::check_decision(&at, &program, problems);
            // The run finds the resource as it was, and what its relations lead to as it is.
            known.assume(Some(&program), true);
            known.forget(scope::Fact::is_of_relation);
            Some(program)
        }
    };
    Some((AutomationTrigger::Event(event), condition))
}

/// `schedule`, with `missed`.
fn schedule(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<AutomationSchedule> {
    let entry = section.take("schedule", problems);
    let missed = section.choice("missed", &[("last", MissedMoments::Last), ("all", MissedMoments::All)], problems);
    let Some(entry) = entry else {
        refuse_without(section, "missed", "schedule", problems);
        return None;
    };
    let text = section.text_of(entry, problems)?;
    match CronExpression::parse(&text) {
        Ok(cron) => Some(AutomationSchedule { text, cron, missed: missed.unwrap_or(MissedMoments::Last) }),
        Err(message) => {
            problems.push(section.problem(entry.value.position, "schedule", "wrong_schedule", &message));
            None
        }
    }
}

/// `hook`, with `secret`.
fn hook(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<IncomingHook> {
    let given = section.mapping.entries.iter().any(|entry| entry.key == "hook");
    let secret = section.text("secret", problems);
    if !given {
        refuse_without(section, "secret", "hook", problems);
        return None;
    }
    let (name, _) = role_file::name(section, "hook", problems)?;
    Some(IncomingHook { secret: secret.unwrap_or_else(|| name.clone()), name })
}

/// Refuses a key that belongs to another one, which is not there.
fn refuse_without(section: &FileSection<'_>, key: &str, to: &str, problems: &mut FileProblems) {
    if let Some(entry) = section.mapping.entries.iter().find(|entry| entry.key == key) {
        problems.push(section.problem(entry.position, key, "unknown_key", &format!("{key} goes with {to} alone.")));
    }
}

/// Returns the parameters that `trigger()` knows of a moment, or of a call.
fn parameters_of(on: &AutomationTrigger) -> HashMap<String, scope::ValueType> {
    let more = match on {
        AutomationTrigger::Schedule(_) => vec![("scheduled", ValueKind::Text)],
        _ => vec![("body", ValueKind::Any), ("headers", ValueKind::Object)],
    };
    let all = [("event", ValueKind::Text), ("user", ValueKind::Any)].into_iter().chain(more);
    all.map(|(name, kind)| (name.to_owned(), given(kind))).collect()
}

/// The type of a parameter that each event has.
fn given(kind: ValueKind) -> scope::ValueType {
    scope::ValueType::of(kind).or_null(kind == ValueKind::Any)
}

fn event(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    around: &AutomationContext<'_>,
    problems: &mut FileProblems,
) -> Option<AutomationEvent> {
    let text = section.text_of(entry, problems)?;
    let (subject, word) = text.split_once('.').unwrap_or((text.as_str(), ""));
    let of_type = around.types.read.iter().find(|of| of.name == subject);
    if let (Some(of), Some((_, event))) =
        (of_type, AutomationEvent::OF_RESOURCES.iter().find(|(known, _)| *known == word))
    {
        return Some(event(of.id));
    }
    // A type of that name goes before what the platform has.
    if let Some((_, event)) = AutomationEvent::OTHERS.iter().find(|(name, _)| *name == text) {
        return Some(*event);
    }
    if around.types.unread.contains(subject) {
        return None;
    }
    let all = around.types.read.iter();
    let all = all.flat_map(|of| AutomationEvent::OF_RESOURCES.map(|(word, _)| format!("{}.{word}", of.name)));
    let all: Vec<String> = all.chain(AutomationEvent::OTHERS.map(|(name, _)| name.to_owned())).collect();
    let message = format!("There is no event {text:?}: it is written like invoice.updated.");
    let mut problem = section.problem(entry.value.position, "event", "unknown_event", &message);
    problem.suggestion = closest(&text, all.iter().map(String::as_str));
    problems.push(problem);
    None
}

/// Returns the parameters that `trigger()` knows of an event.
fn parameters(event: AutomationEvent, around: &AutomationContext<'_>) -> HashMap<String, scope::ValueType> {
    let resource = |id: i64| around.shapes.get(id).map_or_else(scope::ValueType::default, scope::ValueType::resource);
    let mut known =
        HashMap::from([("event".to_owned(), given(ValueKind::Text)), ("user".to_owned(), resource(USER_TYPE))]);
    known.extend(event.type_id().map(|id| ("resource".to_owned(), resource(id).or_null(false))));
    let more = match event {
        AutomationEvent::Updated(_) => Some(("changes", ValueKind::Changes)),
        AutomationEvent::Tagged(_) | AutomationEvent::Untagged(_) => Some(("tags", ValueKind::Array)),
        AutomationEvent::TagCreated | AutomationEvent::TagUpdated | AutomationEvent::TagDeleted => {
            Some(("tag", ValueKind::Object))
        }
        AutomationEvent::Notified => Some(("notification", ValueKind::Object)),
        _ => None,
    };
    known.extend(more.map(|(name, kind)| (name.to_owned(), given(kind))));
    known
}

/// The members of a list.
pub(super) fn members<'n>(
    section: &FileSection<'_>,
    entry: &'n YamlEntry,
    problems: &mut FileProblems,
) -> Option<&'n [YamlNode]> {
    if let YamlContent::Sequence(members) = &entry.value.content {
        return Some(members);
    }
    let message = format!("{} must be a list of steps.", entry.key);
    problems.push(section.problem(entry.value.position, &entry.key, "wrong_value", &message));
    None
}
