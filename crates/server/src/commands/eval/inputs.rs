//! A resource that was given as JSON: its properties are the members, its id, type and title those named so.

use expression::value::{Object, Resource, Text, Value};
use expression::{HostProviders, Result, convert};
use std::sync::Arc;

/// The resource.
#[derive(Debug)]
pub(super) struct InputResource(pub(super) Object);

impl InputResource {
    /// Returns what was given as a resource where it is an object; other values stay what they are.
    pub(super) fn of(value: Value) -> Value {
        match value {
            Value::Object(object) => Value::Resource(Arc::new(InputResource(object))),
            value => value,
        }
    }

    fn number(&self, name: &str) -> i64 {
        match self.0.get(name) {
            Some(Value::Int(number)) => *number,
            _ => 0,
        }
    }

    fn named(&self, name: &str) -> Option<Value> {
        self.0.get(name).filter(|value| !value.is_null()).cloned()
    }
}

/// The link of an action: a path, for there is no app that would know the host.
pub(super) fn link(resource: &dyn Resource, action: &str, providers: &dyn HostProviders) -> Result<Value> {
    let resource_type = convert::to_text(&resource.property("type", providers)?.unwrap_or_default(), providers)?;
    let resource_type = if resource_type.is_empty() { Text::from("resource") } else { resource_type };
    Ok(Value::text(&match action {
        "create" => format!("/{resource_type}/create"),
        action => format!("/{resource_type}/{}/{action}", resource.id()),
    }))
}

impl Resource for InputResource {
    fn id(&self) -> i64 {
        self.number("id")
    }

    fn type_id(&self) -> i64 {
        self.number("type")
    }

    /// Returns a property; what was not given is null, the id too.
    fn property(&self, name: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(Some(self.0.get(name).cloned().unwrap_or_default()))
    }

    /// Members are stored as they are given, resources as their ids.
    fn raw(&self, name: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.0.get(name).cloned())
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.0.iter().map(|(name, _)| Arc::from(&*name.lossy())).collect()
    }

    /// The member `title`, else `name`.
    fn title(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.named("title").or_else(|| self.named("name")))
    }

    fn code(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.named("code"))
    }

    fn uuid(&self, _: &dyn HostProviders) -> Result<Option<String>> {
        Ok(match self.0.get("uuid") {
            Some(Value::Text(uuid)) => Some(uuid.lossy().into_owned()),
            _ => None,
        })
    }
}
