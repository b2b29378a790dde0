//! The steps of automations, as files have them.

use super::automation_actions::{create, delete, http, mail, notify, update};
use super::automation_file::members;
use super::automation_values::{StepNames, program, template_of};
use super::automation_variables;
use super::diagnostic::closest;
use super::names;
use super::query_fields;
use super::section::{FileProblems, FileSection, diagnostic};
use super::step_fields::{StepSlot, check_parameters, needed};
use super::yaml::{YamlContent, YamlEntry, YamlNode};
use expression::scope::{self, Fact, ValueKind};
use model::automation::{AutomationStep, EachStep, FetchedQuery, StepAction};
use xxhash_rust::xxh3::xxh3_64;

/// The most steps of an automation, and the deepest that they may nest.
const MOST: usize = 1_000;
const DEEPEST: usize = 10;

/// A step as files have it: its key, and the function that reads it.
struct StepKey {
    word: &'static str,
    reader: StepReader,
}

/// A function that reads a step.
enum StepReader {
    /// The key stands beside others of the step.
    Beside(fn(&mut FileSection<'_>, &mut StepNames<'_>, &mut FileProblems) -> Option<StepAction>),
    /// All of the step stands below its key.
    Below(fn(FileSection<'_>, &mut StepNames<'_>, &mut FileProblems) -> Option<StepAction>),
}

use StepReader::{Below, Beside};

/// All steps.
static KEYS: &[StepKey] = &[
    StepKey { word: "if", reader: Beside(branch) },
    StepKey { word: "set", reader: Beside(set) },
    StepKey { word: "create", reader: Below(create) },
    StepKey { word: "update", reader: Below(update) },
    StepKey { word: "delete", reader: Below(delete) },
    StepKey { word: "notify", reader: Below(notify) },
    StepKey { word: "mail", reader: Below(mail) },
    StepKey { word: "http", reader: Below(http) },
    StepKey { word: "forEach", reader: Below(each) },
    StepKey { word: "stop", reader: Beside(stop) },
];

/// Returns the keys of all steps.
fn words() -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|key| key.word)
}

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
    let given: Vec<&StepKey> =
        KEYS.iter().filter(|key| section.mapping.entries.iter().any(|entry| entry.key == key.word)).collect();
    let [key] = given[..] else {
        let words: Vec<&str> =
            if given.is_empty() { words().collect() } else { given.iter().map(|key| key.word).collect() };
        let words = words.join(", ");
        let mut problem = match given.is_empty() {
            true => {
                let message = format!("A step has one of the keys {words}.");
                section.problem(section.position, "", "missing_key", &message)
            }
            false => {
                let message = format!("A step does one thing, and this one has {words}.");
                section.problem(section.position, "", "wrong_value", &message)
            }
        };
        let rest = section.rest().next().filter(|_| given.is_empty());
        problem.suggestion = rest.and_then(|entry| closest(&entry.key, self::words()));
        problems.push(problem);
        return None;
    };
    let parameter = |list: &FileSection<'_>, entry: &YamlEntry, problems: &mut FileProblems| {
        template_of(list, entry, known, problems)
    };
    let (query, parameters) = query_fields::query(&mut section, known.around.queries, parameter, problems);
    known.names.remove(query_fields::COLUMNS);
    if let Some(query) = query.as_ref().and_then(|name| known.around.queries.get(name)) {
        check_parameters(&section, query, &parameters, known.around.zone, problems);
        known.names.extend(query_fields::columns(query));
    }
    let query = query.map(|name| FetchedQuery { name, parameters });
    known.fetches = section.mapping.entries.iter().any(|entry| entry.key == "query");
    let action = match key.reader {
        StepReader::Beside(reader) => reader(&mut section, known, problems),
        StepReader::Below(reader) => section.section(key.word, problems).and_then(|mut below| {
            if key.word == "http" {
                // That of the request is that of the step.
                let own = below.text("name", problems);
                name = name.take().or(own);
            }
            reader(below, known, problems)
        }),
    };
    known.fetches = false;
    known.names.remove(query_fields::COLUMNS);
    match key.word {
        "create" | "update" | "delete" => known.forget(Fact::is_of_relation),
        "http" => known.forget(Fact::is_of_answer),
        _ => {}
    }
    section.finish(problems);
    let (digest, head) = (section.node.digest(), head(section.node));
    Some(AutomationStep { name, word: key.word, query, action: action?, digest, head })
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

fn branch(section: &mut FileSection<'_>, known: &mut StepNames<'_>, problems: &mut FileProblems) -> Option<StepAction> {
    let entry = section.take("if", problems)?;
    let test = program(section, entry, known, ValueKind::Any, problems);
    let (before, variables) = (known.facts.clone(), known.variables().clone());
    let [(then, after_then), (otherwise, after_else)] = [("then", true), ("else", false)].map(|(key, truth)| {
        known.facts.clone_from(&before);
        known.variables().clone_from(&variables);
        known.assume(test.as_deref(), truth);
        let entry = section.take(key, problems);
        let steps = entry.map(|entry| read(section, entry, known, problems)).unwrap_or_default();
        (steps, (std::mem::take(&mut known.facts), std::mem::take(known.variables())))
    });
    let stops = |steps: &[AutomationStep]| steps.last().is_some_and(|step| matches!(step.action, StepAction::Stop(_)));
    (known.facts, *known.variables()) = match (stops(&then), stops(&otherwise)) {
        (true, _) => after_else,
        (false, true) => after_then,
        (false, false) => {
            let ((facts, variables), (others, other_variables)) = (after_then, after_else);
            let facts = facts.into_iter().filter(|fact| others.contains(fact)).collect();
            (facts, automation_variables::joined(&variables, &other_variables))
        }
    };
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
        let of = value.as_ref().map_or_else(scope::ValueType::default, automation_variables::of_value);
        known.variable(&entry.key, of);
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
    let outside = known.variables().clone();
    if let Some(variable) = &variable {
        let node = section.mapping.entries.iter().find(|entry| entry.key == "in").map(|entry| &entry.value);
        let of = list.as_ref().zip(node).map(|(list, node)| automation_variables::of_member(list, node, known));
        known.variable(variable, of.unwrap_or_default());
    }
    // A later pass finds what an earlier one wrote.
    known.forget(|fact| fact.is_of_variables() || fact.is_of_relation() || fact.is_of_answer());
    let before = known.facts.clone();
    if let Some(entry) = section.mapping.entries.iter().find(|entry| entry.key == "do") {
        automation_variables::forget_set(entry, known);
    }
    let steps = section.require("do", problems).map(|entry| read(&section, entry, known, problems));
    known.forget(|fact| !before.contains(fact));
    // A list may have no members.
    *known.variables() = automation_variables::joined(&outside, &known.variables().clone());
    section.finish(problems);
    Some(StepAction::Each(EachStep { list: list?, variable: variable?, steps: steps? }))
}

/// `stop: true`, or with a message.
fn stop(section: &mut FileSection<'_>, known: &mut StepNames<'_>, problems: &mut FileProblems) -> Option<StepAction> {
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_step_is_tested_and_on_the_page() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = fs::read_to_string(root.join("docs/automations.md")).unwrap();
        let tests = fs::read_dir(root.join("crates/server/tests/server/automations")).unwrap();
        let tests: String = tests.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
        for word in super::words() {
            let row = |line: &str| [": ", "`"].iter().any(|end| line.starts_with(&format!("| `{word}{end}")));
            assert!(page.lines().any(row), "docs/automations.md has no row for the step {word}");
            assert!(
                tests.contains(&format!("- {word}: ")) || tests.contains(&format!("- {word}:\n")),
                "no test has the step {word}"
            );
        }
    }
}
