//! The steps of a test's cases: what is done, as whom, and what must come of it.

use super::expression_sites;
use super::findings;
use super::section::{FileProblems, FileSection};
use super::test_expectations::{self, StepSubject};
use super::test_file::{NameSubject, NameUse, instant, spot, unknown};
use super::test_outside;
use super::test_rows::{NamedRows, known_rows, references, value};
use super::yaml::YamlEntry;
use automation::State;
use automation::config_tests::{Act, RowName, Step};
use expression::scope::ValueKind;
use jiff::Span;
use model::place::{ExpressionPlace, compile};
use model::shape::TypeShapes;
use model::types::{Model, ResourceType};
use model::user_columns::USER_TYPE;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use std::sync::Arc;

/// Verbs of a step: the key says what it does.
const VERBS: [&str; 20] = [
    "list",
    "get",
    "create",
    "patch",
    "put",
    "delete",
    "query",
    "canvas",
    "request",
    "stored",
    "expect",
    "wait",
    "until",
    "hook",
    "answer",
    "http",
    "ran",
    "mail",
    "sms",
    "notification",
];

/// User who acts in a case or a step.
#[derive(Clone)]
pub(super) struct ActingUser {
    /// True if somebody is named, be it rightly or not.
    pub(super) named: bool,
    user: Option<RowName>,
}

/// The user that a case or a step names.
pub(super) fn acting(section: &mut FileSection<'_>, rows: &NamedRows, problems: &mut FileProblems) -> ActingUser {
    let named = section.mapping.entries.iter().any(|entry| entry.key == "as");
    ActingUser { named, user: row(section, "as", Some(USER_TYPE), rows, problems) }
}

/// Reads a step.
pub(super) fn read(
    mut section: FileSection<'_>,
    model: &Model,
    rows: &mut NamedRows,
    ActingUser { named, user }: ActingUser,
    problems: &mut FileProblems,
) -> Option<Step> {
    let verbs = section.mapping.entries.iter().filter(|entry| VERBS.contains(&entry.key.as_str()));
    let verbs: Vec<&YamlEntry> = verbs.collect();
    let [verb] = verbs.as_slice() else {
        match verbs.get(1) {
            None => {
                let message = format!("A step needs one of the keys {}.", VERBS.join(", "));
                let mut problem = section.problem(section.position, "", "missing_key", &message);
                let written =
                    section.mapping.entries.iter().filter(|entry| !["case", "as"].contains(&entry.key.as_str()));
                problem.suggestion = written.filter_map(|entry| super::diagnostic::closest(&entry.key, VERBS)).next();
                problems.push(problem);
            }
            Some(second) => {
                let message = "A step does one thing. Split it into several steps.";
                problems.push(section.problem(second.position, &second.key, "two_steps", message));
            }
        }
        return None;
    };
    let label = match verb.value.text() {
        Some(text) => format!("{}: {text}", verb.key),
        None => verb.key.clone(),
    };
    let at = spot(verb.position);
    let acts = ["list", "get", "create", "patch", "put", "delete", "query", "canvas"].contains(&verb.key.as_str());
    if acts && !named {
        let message = "The step has no user. Name one with the key as, in the case or in the step.";
        problems.push(section.problem(verb.position, &verb.key, "missing_user", message));
    }
    let act = act(&mut section, &verb.key, model, rows, problems);
    let groups = act.as_ref().and_then(|act| match act {
        Act::Query(name, ..) => model.queries.get(name)?.groups.as_ref(),
        _ => None,
    });
    let subject = StepSubject { resource_type: act.as_ref().and_then(|act| type_of(act, model)), model, groups };
    let expected = test_expectations::read(&mut section, &verb.key, subject, rows, problems);
    section.finish(problems);
    let act = act?;
    if let Act::Create(type_id, _, Some(name)) = &act {
        rows.put(RowName { type_id: *type_id, name: name.clone() });
    }
    Some(Step { at, label, user, act, expected })
}

fn act(
    section: &mut FileSection<'_>,
    verb: &str,
    model: &Model,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Option<Act> {
    Some(match verb {
        "list" => {
            let of = type_named(section, "list", model, problems)?;
            Act::List(of.id, request(section, &["filters", "orderBy", "tags", "tagsMode"], rows, problems))
        }
        "get" => Act::Get(row(section, "get", None, rows, problems)?),
        "create" => {
            let of = type_named(section, "create", model, problems)?;
            let with = with(section, of, rows, problems);
            Act::Create(of.id, with, new_name(section, rows, problems))
        }
        "patch" | "put" => {
            let key = if verb == "patch" { "patch" } else { "put" };
            let row = row(section, key, None, rows, problems)?;
            let with = with(section, model.type_by_id(row.type_id)?, rows, problems);
            if verb == "patch" { Act::Patch(row, with) } else { Act::Put(row, with) }
        }
        "delete" => Act::Delete(row(section, "delete", None, rows, problems)?),
        "stored" => Act::Stored(row(section, "stored", None, rows, problems)?),
        "query" => {
            let entry = section.take("query", problems)?;
            let name = section.text_of(entry, problems)?;
            let Some(query) = model.queries.get(&name) else {
                let known = model.queries.keys().map(String::as_str);
                unknown(section, NameUse::value(entry, &name), NameSubject::QUERY, known, problems);
                return None;
            };
            let params = params(section, query.parameters.iter().map(|known| known.name.as_str()), rows, problems);
            Act::Query(name, query.type_id, params)
        }
        "canvas" => {
            let entry = section.take("canvas", problems)?;
            let name = section.text_of(entry, problems)?;
            let Some(canvas) = model.canvases.get(&name) else {
                let known = model.canvases.keys().map(String::as_str);
                unknown(section, NameUse::value(entry, &name), NameSubject::CANVAS, known, problems);
                return None;
            };
            let known = canvas.parameters.iter().map(|known| known.name.as_str());
            Act::Canvas(name, params(section, known, rows, problems))
        }
        "request" => free(section, rows, problems)?,
        "expect" => expect(section, model, rows, problems)?,
        "wait" => wait(section, problems)?,
        "until" => Act::Until(instant(section, "until", model, problems)?),
        "hook" => Act::Hook(test_outside::hook(section, model, rows, problems)?),
        "answer" => Act::Answer(test_outside::answer(section.section("answer", problems)?, problems)),
        "http" => Act::Http(test_outside::http(section.section("http", problems)?, problems)),
        "ran" => ran(section, model, problems)?,
        "mail" => Act::Mail(test_outside::letter(section, "mail", problems)?),
        "sms" => Act::Sms(test_outside::letter(section, "sms", problems)?),
        "notification" => {
            let mut about = section.section("notification", problems)?;
            let to = row(&mut about, "to", Some(USER_TYPE), rows, problems);
            let mut like = Map::new();
            for key in ["type", "title", "body", "level"] {
                like.extend(about.text(key, problems).map(|text| (key.to_owned(), Json::String(text))));
            }
            about.finish(problems);
            Act::Notification(to?, like)
        }
        _ => return None,
    })
}

/// The type that an act is about, if it is about one.
fn type_of<'m>(act: &Act, model: &'m Model) -> Option<&'m Arc<ResourceType>> {
    let id = match act {
        Act::List(id, _) | Act::Create(id, ..) | Act::Query(_, id, _) => *id,
        Act::Get(row) | Act::Patch(row, _) | Act::Put(row, _) | Act::Stored(row) => row.type_id,
        _ => return None,
    };
    model.type_by_id(id)
}

fn type_named<'m>(
    section: &mut FileSection<'_>,
    key: &'static str,
    model: &'m Model,
    problems: &mut FileProblems,
) -> Option<&'m Arc<ResourceType>> {
    let entry = section.take(key, problems)?;
    let name = section.text_of(entry, problems)?;
    let found = model.type_named(&name);
    if found.is_none() {
        let known = model.types.iter().map(|of| of.name.as_str());
        unknown(section, NameUse::value(entry, &name), NameSubject::TYPE, known, problems);
    }
    found
}

/// The row that a key names.
pub(super) fn row(
    section: &mut FileSection<'_>,
    key: &'static str,
    type_id: Option<i64>,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Option<RowName> {
    let entry = section.take(key, problems)?;
    let name = section.text_of(entry, problems)?;
    let found = rows.find(&name).filter(|row| type_id.is_none_or(|id| row.type_id == id));
    if found.is_none() {
        let subject = if type_id == Some(USER_TYPE) { NameSubject::USER } else { NameSubject::ROW };
        unknown(section, NameUse::value(entry, &name), subject, rows.names(type_id), problems);
    }
    found.cloned()
}

/// Members of a request, as they are.
fn request(
    section: &mut FileSection<'_>,
    keys: &[&'static str],
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Map<String, Json> {
    let mut members = Map::new();
    for key in keys {
        if let Some(entry) = section.take(key, problems) {
            known_rows(section, entry, rows, problems);
            members.insert((*key).to_owned(), entry.value.json());
        }
    }
    members
}

fn params<'k>(
    section: &mut FileSection<'_>,
    known: impl Iterator<Item = &'k str>,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Map<String, Json> {
    let Some(list) = section.section("params", problems) else { return Map::new() };
    let known: Vec<&str> = known.collect();
    for entry in &list.mapping.entries {
        if !known.contains(&entry.key.as_str()) {
            unknown(&list, NameUse::key(entry), NameSubject::PARAMETER, known.iter().copied(), problems);
        }
        known_rows(&list, entry, rows, problems);
    }
    list.mapping.entries.iter().map(|entry| (entry.key.clone(), entry.value.json())).collect()
}

/// The body of a step: its properties are known, and so are the rows that it names; all else may be wrong, for tests of
/// that.
fn with(
    section: &mut FileSection<'_>,
    resource_type: &ResourceType,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Map<String, Json> {
    section.require("with", problems);
    let Some(body) = section.section("with", problems) else { return Map::new() };
    let mut members = Map::new();
    for entry in &body.mapping.entries {
        let Some(property) = resource_type.field(entry.key.trim_end_matches(['+', '='])) else {
            let known = resource_type.properties().iter().map(|property| property.name.as_str());
            unknown(&body, NameUse::key(entry), NameSubject::PROPERTY, known, problems);
            continue;
        };
        if let Some(relation) = property.kind.relation() {
            references(&body, &entry.value, relation.type_id, rows, problems);
        }
        members.insert(entry.key.clone(), value(&entry.value, property));
    }
    members
}

fn new_name(section: &mut FileSection<'_>, rows: &NamedRows, problems: &mut FileProblems) -> Option<String> {
    let entry = section.take("name", problems)?;
    let name = section.text_of(entry, problems)?;
    if rows.find(&name).is_some() {
        let message = format!("{name} is the name of another row.");
        problems.push(section.problem(entry.value.position, "name", "duplicate_name", &message));
    }
    Some(name)
}

fn expect(section: &mut FileSection<'_>, model: &Model, rows: &NamedRows, problems: &mut FileProblems) -> Option<Act> {
    let about = row(section, "of", None, rows, problems);
    let entry = section.take("expect", problems)?;
    let text = section.text_of(entry, problems)?;
    let context = about.as_ref().and_then(|row| TypeShapes::of(&model.types).get(row.type_id));
    let context = context.or_else(|| Some(Arc::new(model::shape::NoResource)));
    let key = section.key("expect");
    expression_sites::note(section.file, &key, ExpressionPlace::Test, context.as_ref(), &HashMap::new());
    match compile(&text, ExpressionPlace::Test, context, HashMap::new(), ValueKind::Any) {
        Ok(program) => {
            let (at, key) = (entry.value.position, section.key("expect"));
            problems.warn(findings::of(&program, section.file, at, &key));
            Some(Act::Expect(program, about))
        }
        Err(mistakes) => {
            for mistake in mistakes {
                let problem = section.problem(entry.value.position, "expect", mistake.code, &mistake.message);
                problems.push(problem.of_mistake(entry.value.position, mistake));
            }
            None
        }
    }
}

fn ran(section: &mut FileSection<'_>, model: &Model, problems: &mut FileProblems) -> Option<Act> {
    let states = State::ALL.map(|state| (state.name(), state.name()));
    let state = section.choice("state", &states, problems).unwrap_or(State::Done.name());
    let entry = section.take("ran", problems)?;
    let name = section.text_of(entry, problems)?;
    if model.automations.named(&name).is_none() {
        let known = model.automations.iter().map(|automation| automation.name.as_str());
        unknown(section, NameUse::value(entry, &name), NameSubject::AUTOMATION, known, problems);
        return None;
    }
    Some(Act::Ran(name, state.to_owned()))
}

/// A request that no other step is: the method and the path, as in `POST /api/v1/app/tags.assign`.
fn free(section: &mut FileSection<'_>, rows: &NamedRows, problems: &mut FileProblems) -> Option<Act> {
    const METHODS: [&str; 6] = ["GET", "SEARCH", "POST", "PUT", "PATCH", "DELETE"];
    let entry = section.take("request", problems)?;
    let text = section.text_of(entry, problems)?;
    let body = section.section("with", problems).map(|body| {
        body.mapping.entries.iter().for_each(|entry| known_rows(&body, entry, rows, problems));
        body.mapping.entries.iter().map(|entry| (entry.key.clone(), entry.value.json())).collect()
    });
    let parts = text.split_once(' ').filter(|(method, path)| {
        METHODS.contains(method) && path.starts_with("/api/") && path.bytes().all(|byte| byte.is_ascii_graphic())
    });
    let Some((method, path)) = parts else {
        let message = "request must be a method and a path of the API, such as GET /api/v1/app/user.current.";
        problems.push(section.problem(entry.value.position, "request", "wrong_value", message));
        return None;
    };
    Some(Act::Request(method.to_owned(), path.to_owned(), body))
}

fn wait(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<Act> {
    let entry = section.take("wait", problems)?;
    let text = section.text_of(entry, problems)?;
    let span = text.parse::<Span>().ok().filter(|span| span.is_positive());
    if span.is_none() {
        let message = "wait must be a length of time, such as 3 days, or 2 hours 30 minutes.";
        problems.push(section.problem(entry.value.position, "wait", "wrong_value", message));
    }
    span.map(Act::Wait)
}
