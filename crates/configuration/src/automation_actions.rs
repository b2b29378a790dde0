//! The steps of automations that reach beyond the run, as files have them: resources, messages, requests.

use super::automation_steps::variable;
use super::automation_values::{StepNames, program, template_of};
use super::section::{FileProblems, FileSection};
use super::step_fields::{StepSlot, needed, taken};
use super::step_values::values;
use expression::scope::{self, ValueKind};
use model::automation::{CreateStep, HttpStep, MailStep, NotifyStep, StepAction, UpdateStep};
use model::types::ResourceType;
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
pub(super) fn create(
    mut section: FileSection<'_>,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<StepAction> {
    let of = of_type(&mut section, known, problems);
    let values = values(&mut section, of.as_ref(), false, known, problems);
    let variable = variable(&mut section, problems);
    section.finish(problems);
    if let (Some(variable), Some(of)) = (&variable, &of) {
        known.variable(
            variable,
            known.around.shapes.get(of.id).map_or_else(Default::default, scope::ValueType::resource),
        );
    }
    Some(StepAction::Create(CreateStep { type_id: of?.id, values: values?, variable }))
}

/// `update`.
pub(super) fn update(
    mut section: FileSection<'_>,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<StepAction> {
    let of = of_type(&mut section, known, problems);
    let item = needed(&mut section, "item", item_of(of.as_ref()), known, problems);
    section.require("set", problems);
    let values = values(&mut section, of.as_ref(), true, known, problems);
    section.finish(problems);
    Some(StepAction::Update(UpdateStep { type_id: of?.id, item: item?, values: values? }))
}

/// `delete`.
pub(super) fn delete(
    mut section: FileSection<'_>,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<StepAction> {
    let of = of_type(&mut section, known, problems);
    let item = needed(&mut section, "item", item_of(of.as_ref()), known, problems);
    section.finish(problems);
    Some(StepAction::Delete(of?.id, item?))
}

/// Returns the slot of `item`; that of a variable where the type is none.
fn item_of(resource_type: Option<&Arc<ResourceType>>) -> StepSlot<'_> {
    resource_type.map_or(StepSlot::Variable, |resource_type| StepSlot::Item(&resource_type.name))
}

fn of_type(
    section: &mut FileSection<'_>,
    known: &StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<Arc<ResourceType>> {
    let id = super::query_file::type_id(section, known.around.types, problems)?;
    known.around.types.read.iter().find(|of| of.id == id).cloned()
}

/// `notify`.
pub(super) fn notify(
    mut section: FileSection<'_>,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<StepAction> {
    let to = needed(&mut section, "to", StepSlot::Users, known, problems);
    let title = needed(&mut section, "title", StepSlot::Text, known, problems);
    let mut optional = |key, slot| taken(&mut section, key, slot, known, problems);
    let (body, level) = (optional("body", StepSlot::Text), optional("level", StepSlot::Level));
    let (kind, target) = (optional("type", StepSlot::Text), optional("target", StepSlot::Target));
    let (url, data) = (optional("url", StepSlot::Link), optional("data", StepSlot::Object));
    section.finish(problems);
    Some(StepAction::Notify(Box::new(NotifyStep { to: to?, title: title?, body, level, kind, target, url, data })))
}

/// `mail`.
pub(super) fn mail(
    mut section: FileSection<'_>,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<StepAction> {
    let to = needed(&mut section, "to", StepSlot::Addresses, known, problems);
    let subject = needed(&mut section, "subject", StepSlot::Text, known, problems);
    let text = needed(&mut section, "text", StepSlot::Text, known, problems);
    section.finish(problems);
    Some(StepAction::Mail(MailStep { to: to?, subject: subject?, text: text? }))
}

/// `http`.
pub(super) fn http(
    mut section: FileSection<'_>,
    known: &mut StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<StepAction> {
    let methods: Vec<(&'static str, usize)> =
        METHODS.iter().enumerate().map(|(index, (name, _))| (*name, index)).collect();
    let method = section.choice("method", &methods, problems).map_or(Method::POST, |index| METHODS[index].1.clone());
    let url = needed(&mut section, "url", StepSlot::Address, known, problems);
    let mut headers = Vec::new();
    if let Some(list) = section.section("headers", problems) {
        for entry in &list.mapping.entries {
            let value = template_of(&list, entry, known, problems);
            if let Some(value) = &value {
                StepSlot::Header.check(&list.value_of(entry), value, problems);
            }
            match HeaderName::from_bytes(entry.key.as_bytes()) {
                Ok(name) => headers.extend(value.map(|value| (name, value))),
                Err(_) => {
                    let message = format!("{:?} is not the name of a header.", entry.key);
                    problems.push(list.problem(entry.position, &entry.key, "wrong_value", &message));
                }
            }
        }
    }
    let body = section.take("body", problems).and_then(|entry| template_of(&section, entry, known, problems));
    let timeout = section.integer("timeout", 1..=30, problems).unwrap_or(10).unsigned_abs();
    let success = section.take("success", problems);
    let success = success.and_then(|entry| program(&section, entry, known, ValueKind::Any, problems));
    section.finish(problems);
    Some(StepAction::Http(Box::new(HttpStep { method, url: url?, headers, body, timeout, success })))
}
