//! The steps of automations that reach beyond the run, as files have them: resources, messages, requests.

use super::automation_steps::variable;
use super::automation_values::{Known, needed, program, template, template_of};
use super::diagnostic::closest;
use super::section::{Problems, Section};
use crate::automations::{Action, Create, Http, Mail, Notify, Template, Update};
use crate::types::Type;
use expression::scope::{self, Kind};
use reqwest::Method;
use reqwest::header::HeaderName;
use std::sync::Arc;

/// The methods of requests.
pub(super) const METHODS: [(&str, Method); 6] = [
    ("GET", Method::GET),
    ("POST", Method::POST),
    ("PUT", Method::PUT),
    ("PATCH", Method::PATCH),
    ("DELETE", Method::DELETE),
    ("HEAD", Method::HEAD),
];

/// `create`.
pub(super) fn create(mut section: Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
    let of = of_type(&mut section, known, problems);
    let values = values(&mut section, of.as_ref(), false, known, problems);
    let variable = variable(&mut section, problems);
    section.finish(problems);
    if let (Some(variable), Some(of)) = (&variable, &of) {
        known.variable(variable, known.around.shapes.get(of.id).map_or_else(Default::default, scope::Type::resource));
    }
    Some(Action::Create(Create { type_id: of?.id, values: values?, variable }))
}

/// `update`.
pub(super) fn update(mut section: Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
    let of = of_type(&mut section, known, problems);
    let item = needed(&mut section, "item", known, problems);
    section.require("set", problems);
    let values = values(&mut section, of.as_ref(), true, known, problems);
    section.finish(problems);
    Some(Action::Update(Update { type_id: of?.id, item: item?, values: values? }))
}

/// `delete`.
pub(super) fn delete(mut section: Section<'_>, known: &mut Known<'_>, problems: &mut Problems) -> Option<Action> {
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
        let property = of.and_then(|of| of.properties().iter().find(|property| property.name == name));
        if let Some(property) = property.filter(|property| property.shown_only()) {
            let message = format!("{} is read-only: a step that sets it would fail each time.", property.name);
            problems.push(list.problem(entry.position, &entry.key, "read_only", &message));
        }
        if let Some(of) = of.filter(|_| property.is_none()) {
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

/// `notify`.
pub(super) fn notify(mut section: Section<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Action> {
    let to = needed(&mut section, "to", known, problems);
    let title = needed(&mut section, "title", known, problems);
    let mut optional = |key| template(&mut section, key, known, problems);
    let (body, level, kind) = (optional("body"), optional("level"), optional("type"));
    let (target, url, data) = (optional("target"), optional("url"), optional("data"));
    section.finish(problems);
    Some(Action::Notify(Box::new(Notify { to: to?, title: title?, body, level, kind, target, url, data })))
}

/// `mail`.
pub(super) fn mail(mut section: Section<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Action> {
    let to = needed(&mut section, "to", known, problems);
    let subject = needed(&mut section, "subject", known, problems);
    let text = needed(&mut section, "text", known, problems);
    section.finish(problems);
    Some(Action::Mail(Mail { to: to?, subject: subject?, text: text? }))
}

/// `http`.
pub(super) fn http(mut section: Section<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Action> {
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
