//! Events of changes of users, whatever made them: the API, the command line, an import, files.

use super::{AuditEvent, EventKind, record};
use crate::request_context::RequestContext;
use database::Value;
use jiff::Timestamp;
use model::kinds::StoredValue;
use model::types::ResourceType;
use model::user_columns::{USER_TYPE, property};
use serde_json::Value as Json;

/// The properties that decide about rights or sign-in, with the event that a change of them is.
const WATCHED: [(i64, EventKind, &str); 7] = [
    (property::ROLES, EventKind::RolesChanged, "roles"),
    (property::GROUP, EventKind::GroupChanged, "group"),
    (property::BLOCKED, EventKind::StateChanged, "blocked"),
    (property::VALID_FROM, EventKind::StateChanged, "validFrom"),
    (property::VALID_TO, EventKind::StateChanged, "validTo"),
    // Of these only that they changed: of people, the log has ids alone.
    (property::LOGIN, EventKind::LoginChanged, ""),
    (property::PASSWORD, EventKind::PasswordChanged, ""),
];

/// A resource was made; where it is a user, that is noted. `values` gives the value of a field by its position.
pub fn created<'v>(
    context: &RequestContext,
    resource_type: &ResourceType,
    id: i64,
    values: impl Fn(usize) -> Option<&'v StoredValue>,
) {
    acted(context, resource_type, id, "create");
    if resource_type.id != USER_TYPE {
        return;
    }
    let mut event = AuditEvent::of(EventKind::UserCreated, id);
    for (property, _, name) in WATCHED.iter().filter(|(_, _, name)| !name.is_empty()) {
        let position = resource_type.fields.iter().find(|field| field.id == *property).map(|field| field.position);
        if let Some(value) = position.and_then(&values).map(json).filter(|value| !empty(value)) {
            event = event.with(name, value);
        }
    }
    record(context, event);
}

/// A resource was changed; where it is a user, what was changed of rights and sign-in is noted.
pub fn changed(
    context: &RequestContext,
    resource_type: &ResourceType,
    id: i64,
    old: &[StoredValue],
    new: &[StoredValue],
) {
    acted(context, resource_type, id, "edit");
    if resource_type.id != USER_TYPE {
        return;
    }
    let mut events: Vec<AuditEvent> = Vec::new();
    for (property, kind, name) in WATCHED {
        let Some(field) = resource_type.fields.iter().find(|field| field.id == property) else { continue };
        let (Some(before), Some(after)) = (old.get(field.position), new.get(field.position)) else { continue };
        if before == after {
            continue;
        }
        let event = match events.pop_if(|event| event.kind == kind) {
            Some(event) => event,
            None => AuditEvent::of(kind, id),
        };
        events.push(match name {
            "" => event,
            name => event.with(name, Json::Array(vec![json(before), json(after)])),
        });
    }
    events.into_iter().for_each(|event| record(context, event));
}

/// Resources are gone; where they are users, that is noted.
pub fn deleted(context: &RequestContext, resource_type: &ResourceType, ids: &[i64]) {
    ids.iter().for_each(|id| acted(context, resource_type, *id, "delete"));
    if resource_type.id == USER_TYPE {
        ids.iter().for_each(|id| record(context, AuditEvent::of(EventKind::UserDeleted, *id)));
    }
}

/// An administrator who acts as a user did something to a resource: that is noted, whatever it is.
fn acted(context: &RequestContext, resource_type: &ResourceType, id: i64, action: &str) {
    if context.actor.acting.is_some() {
        let event = AuditEvent::of(EventKind::LoginAsChanged, context.actor.user);
        record(context, event.with("type", resource_type.name.as_str()).with("id", id).with("action", action));
    }
}

/// The same where what was changed is no resource: the path of the request tells which it is.
pub fn acted_elsewhere(context: &RequestContext) {
    if context.actor.acting.is_some() && context.audit.count() == 0 {
        let path = context.path.as_deref().unwrap_or_default();
        record(context, AuditEvent::of(EventKind::LoginAsChanged, context.actor.user).with("path", path));
    }
}

fn json(stored: &StoredValue) -> Json {
    match stored {
        StoredValue::One(value) => one(value),
        StoredValue::Many(members) => members.iter().map(one).collect(),
    }
}

fn one(value: &Value) -> Json {
    match value {
        Value::Boolean(value) => (*value).into(),
        Value::Integer(value) => (*value).into(),
        Value::Text(value) => value.as_str().into(),
        // What is "for ever" lies beyond the greatest instant of the library.
        Value::Timestamp(moment) => Timestamp::from_millisecond(*moment)
            .map_or_else(|_| Json::from("9999-12-31"), |instant| instant.to_string().into()),
        _ => Json::Null,
    }
}

fn empty(value: &Json) -> bool {
    value.is_null() || *value == Json::Bool(false) || value.as_array().is_some_and(Vec::is_empty)
}
