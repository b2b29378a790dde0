//! The steps of automations, as files have them.

use super::automation_file::{Around, members};
use super::diagnostic::closest;
use super::expressions::{self, About, Names};
use super::names;
use super::section::{Problems, Section, diagnostic};
use super::yaml::{Content, Entry, Mapping, Node};
use crate::automations::{Action, Create, Each, Http, Mail, Notify, Step, Template, Update};
use crate::expressions::Place;
use crate::types::Type;
use expression::Program;
use expression::scope::{self, Kind, Shape};
use reqwest::Method;
use reqwest::header::HeaderName;
use std::collections::HashMap;
use std::sync::Arc;

/// How many steps an automation may have, and how deep they may nest.
const MOST: usize = 1_000;
const DEEPEST: usize = 10;
/// The methods of requests.
pub(super) const METHODS: [(&str, Method); 6] = [
    ("GET", Method::GET),
    ("POST", Method::POST),
    ("PUT", Method::PUT),
    ("PATCH", Method::PATCH),
    ("DELETE", Method::DELETE),
    ("HEAD", Method::HEAD),
];
/// Functions that need what changed.
const OF_CHANGES: [&str; 3] = ["hasChanged", "isOnlyChange", "changedFrom"];
/// Functions that need a query that is under way.
const OF_QUERY: [&str; 7] = [
    "getDataQuery",
    "dataQueryFetch",
    "dataQueryFetchObject",
    "dataQueryFetchAll",
    "dataQueryCount",
    "dataQueryMin",
    "dataQueryMax",
];

/// What the expressions of an automation may name.
pub(super) struct Known<'a> {
    around: &'a Around<'a>,
    pub(super) names: Names,
    /// What bare names are properties of.
    pub(super) context: Option<Arc<dyn Shape>>,
    steps: usize,
    depth: usize,
}

impl<'a> Known<'a> {
    pub(super) fn new(around: &'a Around<'a>) -> Self {
        let endpoint = [("status", Kind::Int), ("headers", Kind::Object), ("body", Kind::Any)];
        let endpoint = endpoint.into_iter().map(|(name, kind)| (name.to_owned(), kind.into())).collect();
        let mut names = around.environment.clone();
        names.extend([("endpoint", endpoint), ("var", HashMap::new())]);
        Known { around, names, context: None, steps: 0, depth: 0 }
    }

    fn scope(&self) -> About {
        About { context: self.context.clone(), names: self.names.clone() }
    }

    fn variable(&mut self, name: &str, of: scope::Type) {
        self.names.entry("var").or_default().insert(name.to_owned(), of);
    }
}

/// The steps of a list.
pub(super) fn read(section: &Section<'_>, entry: &Entry, known: &mut Known<'_>, problems: &mut Problems) -> Vec<Step> {
    let Some(members) = members(section, entry, problems) else { return Vec::new() };
    if known.depth >= DEEPEST {
        let message = format!("Steps lie at most {DEEPEST} deep in one another.");
        problems.push(section.problem(entry.position, &entry.key, "too_deep", &message));
        return Vec::new();
    }
    known.depth += 1;
    let mut steps = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let path = section.key(&format!("{}.{index}", entry.key));
        known.steps += 1;
        if known.steps == MOST + 1 {
            let message = format!("An automation has at most {MOST} steps.");
            problems.push(diagnostic(section.file, member.position, &path, "too_many", &message));
        }
        let opened = Section::open(section.file, path, member, problems);
        steps.extend(opened.and_then(|opened| step(opened, known, problems)));
    }
    known.depth -= 1;
    steps
}

fn step(mut section: Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Step> {
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
    section.finish(problems);
    Some(Step { name, action: action? })
}

fn inner<'n>(section: &mut Section<'n>, key: &'static str, problems: &mut Problems) -> Option<Section<'n>> {
    section.section(key, problems)
}

fn branch(section: &mut Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
    let entry = section.take("if", problems)?;
    let test = program(section, entry, known, Kind::Any, problems);
    let mut blocks = [Vec::new(), Vec::new()];
    for (block, key) in blocks.iter_mut().zip(["then", "else"]) {
        if let Some(entry) = section.take(key, problems) {
            *block = read(section, entry, known, problems);
        }
    }
    let [then, otherwise] = blocks;
    Some(Action::If { test: test?, then, otherwise })
}

fn set(section: &mut Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
    let list = section.section("set", problems)?;
    let mut values = Vec::new();
    for entry in &list.mapping.entries {
        check_variable(&list, entry, &entry.key, problems);
        let value = template_of(&list, entry, known, problems);
        known.variable(&entry.key, scope::Type::default());
        values.push((entry.key.clone(), value?));
    }
    Some(Action::Set(values))
}

fn check_variable(section: &Section<'_>, entry: &Entry, name: &str, problems: &mut Problems) {
    if !names::is_system_name(name) {
        let (code, message) = names::malformed(name);
        problems.push(section.problem(entry.position, &entry.key, code, &message));
    }
}

fn variable(section: &mut Section<'_>, problems: &mut Problems) -> Option<String> {
    let entry = section.take("as", problems)?;
    let name = section.text_of(entry, problems)?;
    check_variable(section, entry, &name, problems);
    Some(name)
}

fn create(mut section: Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
    let of = of_type(&mut section, known, problems);
    let values = values(&mut section, of.as_ref(), false, known, problems);
    let variable = variable(&mut section, problems);
    section.finish(problems);
    if let (Some(variable), Some(of)) = (&variable, &of) {
        known.variable(variable, known.around.shapes.get(of.id).map_or_else(Default::default, scope::Type::resource));
    }
    Some(Action::Create(Create { type_id: of?.id, values: values?, variable }))
}

fn update(mut section: Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
    let of = of_type(&mut section, known, problems);
    let item = needed(&mut section, "item", known, problems);
    section.require("set", problems);
    let values = values(&mut section, of.as_ref(), true, known, problems);
    section.finish(problems);
    Some(Action::Update(Update { type_id: of?.id, item: item?, values: values? }))
}

fn delete(mut section: Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
    let of = of_type(&mut section, known, problems);
    let item = needed(&mut section, "item", known, problems);
    section.finish(problems);
    Some(Action::Delete(of?.id, item?))
}

fn of_type(section: &mut Section<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Arc<Type>> {
    let id = super::query_file::type_id(section, (known.around.types, known.around.unread), problems)?;
    known.around.types.iter().find(|of| of.id == id).cloned()
}

/// Values by property, which there must be; `+=` and its kin behind a name where it may.
fn values(
    section: &mut Section<'_>,
    of: Option<&Arc<Type>>,
    sums: bool,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Vec<(String, Template)>> {
    let Some(list) = section.section("set", problems) else { return Some(Vec::new()) };
    let mut values = Vec::new();
    for entry in &list.mapping.entries {
        let name = entry.key.split(['+', '-', '=']).next().unwrap_or_default();
        let name = if sums { name } else { entry.key.as_str() };
        if let Some(of) = of.filter(|of| !of.properties().iter().any(|property| property.name == name)) {
            let message = format!("{} has no property {name:?}.", of.name);
            let mut problem = list.problem(entry.position, &entry.key, "unknown_property", &message);
            problem.suggestion = closest(name, of.properties().iter().map(|property| property.name.as_str()));
            problems.push(problem);
        }
        // A value may be none: that is how one is taken away.
        let value = match entry.value.is_null() {
            true => Some(Template::Fixed(serde_json::Value::Null)),
            false => template_of(&list, entry, known, problems),
        };
        values.push((entry.key.clone(), value));
    }
    values.into_iter().map(|(name, value)| Some((name, value?))).collect()
}

fn notify(mut section: Section<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Action> {
    let to = needed(&mut section, "to", known, problems);
    let title = needed(&mut section, "title", known, problems);
    let mut optional = |key| template(&mut section, key, known, problems);
    let (body, level, kind) = (optional("body"), optional("level"), optional("type"));
    let (target, url, data) = (optional("target"), optional("url"), optional("data"));
    section.finish(problems);
    Some(Action::Notify(Box::new(Notify { to: to?, title: title?, body, level, kind, target, url, data })))
}

fn mail(mut section: Section<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Action> {
    let to = needed(&mut section, "to", known, problems);
    let subject = needed(&mut section, "subject", known, problems);
    let text = needed(&mut section, "text", known, problems);
    section.finish(problems);
    Some(Action::Mail(Mail { to: to?, subject: subject?, text: text? }))
}

fn http(mut section: Section<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Action> {
    let methods: Vec<(&'static str, usize)> =
        METHODS.iter().enumerate().map(|(index, (name, _))| (*name, index)).collect();
    let method = section.choice("method", &methods, problems).map_or(Method::POST, |index| METHODS[index].1.clone());
    let url = needed(&mut section, "url", known, problems);
    let mut headers = Vec::new();
    if let Some(list) = section.section("headers", problems) {
        for entry in &list.mapping.entries {
            let value = template_of(&list, entry, known, problems);
            match HeaderName::from_bytes(entry.key.as_bytes()) {
                Ok(name) => headers.extend(value.map(|value| (name, value))),
                Err(_) => {
                    let message = format!("{:?} is no name of a header.", entry.key);
                    problems.push(list.problem(entry.position, &entry.key, "wrong_value", &message));
                }
            }
        }
    }
    let body = template(&mut section, "body", known, problems);
    let timeout = section.integer("timeout", 1..=30, problems).unwrap_or(10).unsigned_abs();
    let success = section.take("success", problems);
    let success = success.and_then(|entry| program(&section, entry, known, Kind::Any, problems));
    section.finish(problems);
    Some(Action::Http(Box::new(Http { method, url: url?, headers, body, timeout, success })))
}

fn each(mut section: Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
    let list = needed(&mut section, "in", known, problems);
    section.require("as", problems);
    let variable = variable(&mut section, &mut Problems::new());
    if section.mapping.entries.iter().any(|entry| entry.key == "as") && variable.is_none() {
        self::variable(&mut section, problems);
    }
    if let Some(variable) = &variable {
        known.variable(variable, scope::Type::default());
    }
    let steps = section.require("do", problems).map(|entry| read(&section, entry, known, problems));
    section.finish(problems);
    Some(Action::Each(Each { list: list?, variable: variable?, steps: steps? }))
}

/// `stop: true`, or with a message.
fn stop(section: &mut Section<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Action> {
    let entry = section.take("stop", problems)?;
    if entry.value.json() == serde_json::Value::Bool(true) {
        return Some(Action::Stop(None));
    }
    Some(Action::Stop(Some(template_of(section, entry, known, problems)?)))
}

fn needed(
    section: &mut Section<'_>,
    key: &'static str,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Template> {
    let entry = section.require(key, problems)?;
    template_of(section, entry, known, problems)
}

fn template(
    section: &mut Section<'_>,
    key: &'static str,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Template> {
    let entry = section.take(key, problems)?;
    template_of(section, entry, known, problems)
}

fn template_of(section: &Section<'_>, entry: &Entry, known: &Known<'_>, problems: &mut Problems) -> Option<Template> {
    of_node((section.file, section.key(&entry.key), &entry.value), known, problems)
}

fn of_node((file, path, node): (&str, String, &Node), known: &Known<'_>, problems: &mut Problems) -> Option<Template> {
    match &node.content {
        _ if expressions::is_expression(node) => {
            compiled((file, &path, node), known, Kind::Any, problems).map(Template::Expression)
        }
        Content::Sequence(members) => {
            let member =
                |(index, member): (usize, &Node)| of_node((file, format!("{path}.{index}"), member), known, problems);
            let members: Vec<Option<Template>> = members.iter().enumerate().map(member).collect();
            members.into_iter().collect::<Option<Vec<_>>>().map(Template::List)
        }
        Content::Mapping(Mapping { entries, .. }) => {
            let member = |entry: &Entry| {
                let value = of_node((file, format!("{path}.{}", entry.key), &entry.value), known, problems);
                (entry.key.clone(), value)
            };
            let members: Vec<(String, Option<Template>)> = entries.iter().map(member).collect();
            let members = members.into_iter().map(|(name, value)| Some((name, value?)));
            members.collect::<Option<Vec<_>>>().map(Template::Object)
        }
        Content::Scalar { .. } => Some(Template::Fixed(node.json())),
    }
}

fn program(
    section: &Section<'_>,
    entry: &Entry,
    known: &Known<'_>,
    wants: Kind,
    problems: &mut Problems,
) -> Option<Arc<Program>> {
    compiled((section.file, &section.key(&entry.key), &entry.value), known, wants, problems)
}

/// Compiles an expression of an automation.
pub(super) fn compiled(
    at: (&str, &str, &Node),
    known: &Known<'_>,
    wants: Kind,
    problems: &mut Problems,
) -> Option<Arc<Program>> {
    let program = expressions::compiled(at, Place::Automation, known.scope(), wants, problems)?;
    let changes = known.names.get("trigger").is_some_and(|known| known.contains_key("changes"));
    if let Some(function) = program.facts().calls(&OF_CHANGES).filter(|_| !changes) {
        let message = format!("{function}() needs what changed, which an event such as article.updated tells.");
        problems.push(diagnostic(at.0, at.2.position, at.1, "missing_changes", &message));
    }
    if let Some(function) = program.facts().calls(&OF_QUERY) {
        let message = format!("{function}() needs a query that is under way: ask with query() and its kin here.");
        problems.push(diagnostic(at.0, at.2.position, at.1, "missing_key", &message));
    }
    Some(program)
}
