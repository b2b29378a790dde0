//! Comparison of what was found with what was expected, by the kinds of the properties.

use super::{Names, target};
use messages::outgoing::alike;
use model::kinds::{Kind, StoredValue, ValueContext, read_property};
use model::types::{Model, ResourceType};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// The surroundings in which expected values are understood.
pub struct Expectations<'e> {
    /// The configuration.
    pub model: &'e Model,
    /// Rows by name.
    pub names: &'e Names,
}

/// A value that is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The path of the value.
    pub what: String,
    /// The expected value, in words.
    pub expected: String,
    /// The value that there was.
    pub found: String,
}

impl Expectations<'_> {
    /// Compares values of a row with what was found of it. Paths such as `company.name` lead into what is expanded.
    pub fn compare(
        &self,
        resource_type: &Arc<ResourceType>,
        expected: &Map<String, Json>,
        found: &Json,
    ) -> Vec<Mismatch> {
        let compare = |(path, expected): (&String, &Json)| {
            let there = path.split('.').try_fold(found, |value, step| value.get(step));
            let agrees = there.is_some_and(|there| self.agrees(resource_type, path, expected, there));
            (!agrees).then(|| Mismatch {
                what: path.clone(),
                expected: self.worded(resource_type, path, expected),
                found: there.map_or_else(
                    || "nothing: the field is absent".to_owned(),
                    |there| self.worded(resource_type, path, there),
                ),
            })
        };
        expected.iter().filter_map(compare).collect()
    }

    fn agrees(&self, resource_type: &Arc<ResourceType>, path: &str, expected: &Json, found: &Json) -> bool {
        let Some((kind, target)) = self.kind(resource_type, path) else { return alike(expected, found) };
        if let Some(target) = target {
            return alike(&self.names.reference(target, expected), &ids(found));
        }
        let context = self.value_context();
        let read = |value: &Json| read_property(kind, value, &context);
        match (read(expected), read(found)) {
            // Of documents the order of members tells nothing.
            (Ok(read), Ok(there)) => read == there || expected == found,
            _ => alike(expected, found),
        }
    }

    /// The kind of the property that a path leads to, and the type that it refers to.
    fn kind<'t>(&'t self, resource_type: &'t Arc<ResourceType>, path: &str) -> Option<(&'t dyn Kind, Option<i64>)> {
        let mut here = resource_type;
        let mut steps = path.split('.').peekable();
        while let Some(step) = steps.next() {
            let property = here.field(step)?;
            let target = target(here, step);
            if steps.peek().is_none() {
                return Some((property.kind.as_ref(), target));
            }
            here = self.model.type_by_id(target?)?;
        }
        None
    }

    /// A value as people should see it: rows by their names.
    fn worded(&self, resource_type: &Arc<ResourceType>, path: &str, value: &Json) -> String {
        match self.kind(resource_type, path) {
            Some((_, Some(target))) => {
                let name = |id: &Json| id.as_i64().map_or_else(|| id.to_string(), |id| self.names.name(target, id));
                match ids(value) {
                    Json::Array(members) => format!("[{}]", members.iter().map(name).collect::<Vec<_>>().join(", ")),
                    Json::String(text) => text,
                    one => name(&one),
                }
            }
            Some((kind, None)) if value.is_number() => number(kind, value, &self.value_context()),
            _ => value.to_string(),
        }
    }

    /// The context in which values are read and written: no value of a test depends on the present.
    fn value_context(&self) -> ValueContext<'_> {
        ValueContext {
            zone: &self.model.settings.timezone,
            now: jiff::Timestamp::UNIX_EPOCH,
            links: None,
            texts: false,
        }
    }
}

/// A number as answers of the API have it: a decimal with all its places.
fn number(kind: &dyn Kind, value: &Json, context: &ValueContext<'_>) -> String {
    let Ok(StoredValue::One(read)) = read_property(kind, value, context) else { return value.to_string() };
    let mut written = Vec::new();
    kind.write(read.as_ref(), context, &mut written);
    String::from_utf8_lossy(&written).into_owned()
}

/// Resources by their ids, where they are expanded.
fn ids(found: &Json) -> Json {
    match found {
        Json::Object(members) => members.get("id").cloned().unwrap_or_default(),
        Json::Array(members) => members.iter().map(ids).collect(),
        other => other.clone(),
    }
}
