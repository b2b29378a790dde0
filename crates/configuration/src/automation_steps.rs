//! The steps of automations, as files have them.

use super::automation_actions::{create, delete, http, mail, notify, update};
use super::automation_file::members;
use super::automation_values::{StepNames, program, template_of};
use super::diagnostic::closest;
use super::names;
use super::query_fields;
use super::section::{FileProblems, FileSection, diagnostic};
use super::step_fields::{StepSlot, check_parameters, needed};
use super::yaml::{YamlContent, YamlEntry, YamlNode};
use expression::scope::{self, ValueKind};
use model::automation::{AutomationStep, EachStep, FetchedQuery, StepAction};
use xxhash_rust::xxh3::xxh3_64;

/// The most steps of an automation, and the deepest that they may nest.
const MOST: usize = 1_000;
const DEEPEST: usize = 10;

/// The steps of a list.
pub(super) fn read(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Vec<AutomationStep> {
    let Some(members) = members(section, entry, problems) else { return Vec::new() };
    if known.depth >= DEEPEST {
        let message = format!("Steps can nest at most {DEEPEST} deep.");
        problems.push(section.problem(entry.position, &entry.key, "too_deep", &message));
        return Vec::new();
    }
    known.depth += 1;
    // The query of a step is not that of the steps within it.
    let fetches = std::mem::take(&mut known.fetches);
    let mut steps = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let path = section.key(&format!("{}.{index}", entry.key));
        known.steps += 1;
        if known.steps == MOST + 1 {
            let message = format!("An automation has at most {MOST} steps.");
            problems.push(diagnostic(section.file, member.position, &path, "too_many", &message));
        }
        let opened = FileSection::open(section.file, path, member, problems);
        steps.extend(opened.and_then(|opened| step(opened, known, problems)));
    }
    known.depth -= 1;
    known.fetches = fetches;
    steps
}

fn step(
    mut section: FileSection<'_>,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<AutomationStep> {
    let mut name = section.text("name", problems);
    const ACTIONS: [&str; 10] =
        ["if", "set", "create", "update", "delete", "notify", "mail", "http", "forEach", "stop"];
    let given: Vec<&'static str> =
        ACTIONS.into_iter().filter(|key| section.mapping.entries.iter().any(|entry| entry.key == *key)).collect();
    let [key] = given[..] else {
        let mut problem = match given.is_empty() {
            true => {
                let message = format!("A step has one of the keys {}.", ACTIONS.join(", "));
                section.problem(section.position, "", "missing_key", &message)
            }
            false => {
                let message = format!("A step does one thing, and this one has {}.", given.join(", "));
                section.problem(section.position, "", "wrong_value", &message)
            }
        };
        let rest = section.rest().next().filter(|_| given.is_empty());
        problem.suggestion = rest.and_then(|entry| closest(&entry.key, ACTIONS));
        problems.push(problem);
        return None;
    };
    let parameter = |list: &FileSection<'_>, entry: &YamlEntry, problems: &mut FileProblems| {
        template_of(list, entry, known, problems)
    };
    let (query, parameters) = query_fields::query(&mut section, known.around.queries, parameter, problems);
    if let Some(query) = query.as_ref().and_then(|name| known.around.queries.get(name)) {
        check_parameters(&section, query, &parameters, known.around.zone, problems);
    }
    let query = query.map(|name| FetchedQuery { name, parameters });
    known.fetches = section.mapping.entries.iter().any(|entry| entry.key == "query");
    let action = match key {
        "if" => branch(&mut section, known, problems),
        "set" => set(&mut section, known, problems),
        "create" => inner(&mut section, key, problems).and_then(|inner| create(inner, known, problems)),
        "update" => inner(&mut section, key, problems).and_then(|inner| update(inner, known, problems)),
        "delete" => inner(&mut section, key, problems).and_then(|inner| delete(inner, known, problems)),
        "notify" => inner(&mut section, key, problems).and_then(|inner| notify(inner, known, problems)),
        "mail" => inner(&mut section, key, problems).and_then(|inner| mail(inner, known, problems)),
        "http" => inner(&mut section, key, problems).and_then(|mut inner| {
            // That of the request is that of the step.
            let own = inner.text("name", problems);
            name = name.take().or(own);
            http(inner, known, problems)
        }),
        "forEach" => inner(&mut section, key, problems).and_then(|inner| each(inner, known, problems)),
        _ => stop(&mut section, known, problems),
    };
    known.fetches = false;
    section.finish(problems);
    Some(AutomationStep { name, query, action: action?, digest: section.node.digest(), head: head(section.node) })
}

/// A digest of what decides how a step goes into blocks of its own.
fn head(node: &YamlNode) -> u64 {
    let entries = |node: &YamlNode| match &node.content {
        YamlContent::Mapping(mapping) => mapping.entries.clone(),
        _ => Vec::new(),
    };
    let step = entries(node);
    let list = step.iter().find(|entry| entry.key == "forEach").map(|entry| entries(&entry.value));
    let of = |entries: Vec<YamlEntry>, decide: &[&str]| -> Vec<YamlEntry> {
        entries.into_iter().filter(|entry| decide.contains(&entry.key.as_str())).collect()
    };
    let mut all = of(list.unwrap_or_default(), &["in", "as"]);
    all.extend(of(step, &["if", "query", "params"]));
    let all = all.iter();
    let digests: Vec<String> = all.map(|entry| format!("{} {:x}", entry.key, entry.value.digest())).collect();
    xxh3_64(digests.join(" ").as_bytes())
}

fn inner<'n>(section: &mut FileSection<'n>, key: &'static str, problems: &mut FileProblems) -> Option<FileSection<'n>> {
    section.section(key, problems)
}

fn branch(section: &mut FileSection<'_>, known: &mut StepNames<'_>, problems: &mut FileProblems) -> Option<StepAction> {
    let entry = section.take("if", problems)?;
    let test = program(section, entry, known, ValueKind::Any, problems);
    let mut blocks = [Vec::new(), Vec::new()];
    for (block, key) in blocks.iter_mut().zip(["then", "else"]) {
        if let Some(entry) = section.take(key, problems) {
            *block = read(section, entry, known, problems);
        }
    }
    let [then, otherwise] = blocks;
    Some(StepAction::If { test: test?, then, otherwise })
}

fn set(section: &mut FileSection<'_>, known: &mut StepNames<'_>, problems: &mut FileProblems) -> Option<StepAction> {
    let list = section.section("set", problems)?;
    let mut values = Vec::new();
    for entry in &list.mapping.entries {
        check_variable(&list, entry, &entry.key, problems);
        let value = template_of(&list, entry, known, problems);
        if let Some(value) = &value {
            StepSlot::Variable.check(&list.value_of(entry), value, problems);
        }
        known.variable(&entry.key, scope::ValueType::default());
        values.push((entry.key.clone(), value?));
    }
    Some(StepAction::Set(values))
}

fn check_variable(section: &FileSection<'_>, entry: &YamlEntry, name: &str, problems: &mut FileProblems) {
    if !names::is_system_name(name) {
        let (code, message) = names::malformed(name);
        problems.push(section.problem(entry.position, &entry.key, code, &message));
    }
}

/// The variable that a step names.
pub(super) fn variable(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<String> {
    let entry = section.take("as", problems)?;
    let name = section.text_of(entry, problems)?;
    check_variable(section, entry, &name, problems);
    Some(name)
}

fn each(mut section: FileSection<'_>, known: &mut StepNames<'_>, problems: &mut FileProblems) -> Option<StepAction> {
    let list = needed(&mut section, "in", StepSlot::List, known, problems);
    section.require("as", problems);
    let variable = variable(&mut section, &mut FileProblems::new());
    if section.mapping.entries.iter().any(|entry| entry.key == "as") && variable.is_none() {
        self::variable(&mut section, problems);
    }
    if let Some(variable) = &variable {
        known.variable(variable, scope::ValueType::default());
    }
    let steps = section.require("do", problems).map(|entry| read(&section, entry, known, problems));
    section.finish(problems);
    Some(StepAction::Each(EachStep { list: list?, variable: variable?, steps: steps? }))
}

/// `stop: true`, or with a message.
fn stop(section: &mut FileSection<'_>, known: &StepNames<'_>, problems: &mut FileProblems) -> Option<StepAction> {
    let entry = section.take("stop", problems)?;
    if entry.value.json() == serde_json::Value::Bool(true) {
        return Some(StepAction::Stop(None));
    }
    if entry.value.json() == serde_json::Value::Bool(false) {
        let message = "stop is true, or a message: leave the step out.";
        problems.push(section.problem(entry.value.position, "stop", "wrong_value", message));
    }
    let message = template_of(section, entry, known, problems)?;
    StepSlot::Text.check(&section.value_of(entry), &message, problems);
    Some(StepAction::Stop(Some(message)))
}
