//! Whether what was found is what was expected, by the kinds of the properties.

use super::{Names, target};
use crate::kinds::{Context, Kind, read_property};
use crate::types::{Model, Type};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// What expected values are understood with.
pub struct Expectations<'e> {
    /// The configuration.
    pub model: &'e Model,
    /// Rows by name.
    pub names: &'e Names,
}

/// A value that is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What it is the value of.
    pub what: String,
    /// What was expected, in words.
    pub expected: String,
    /// What there was.
    pub found: String,
}

impl Expectations<'_> {
    /// Compares values of a row with what was found of it. Paths such as `company.name` lead into what is expanded.
    pub fn compare(&self, of: &Arc<Type>, expected: &Map<String, Json>, found: &Json) -> Vec<Mismatch> {
        let compare = |(path, expected): (&String, &Json)| {
            let there = path.split('.').try_fold(found, |value, step| value.get(step));
            let agrees = there.is_some_and(|there| self.agrees(of, path, expected, there));
            (!agrees).then(|| Mismatch {
                what: path.clone(),
                expected: self.worded(of, path, expected),
                found: there
                    .map_or_else(|| "nothing: the field is absent".to_owned(), |there| self.worded(of, path, there)),
            })
        };
        expected.iter().filter_map(compare).collect()
    }

    fn agrees(&self, of: &Arc<Type>, path: &str, expected: &Json, found: &Json) -> bool {
        let Some((kind, target)) = self.kind(of, path) else { return alike(expected, found) };
        if let Some(target) = target {
            return alike(&self.names.reference(target, expected), &ids(found));
        }
        let context = Context { zone: &self.model.settings.timezone, now: jiff::Timestamp::UNIX_EPOCH, links: None };
        let read = |value: &Json| read_property(kind, value, &context);
        match (read(expected), read(found)) {
            // Of documents the order of members tells nothing.
            (Ok(read), Ok(there)) => read == there || expected == found,
            _ => alike(expected, found),
        }
    }

    /// The kind of the property that a path leads to, and the type that it refers to.
    fn kind<'t>(&'t self, of: &'t Arc<Type>, path: &str) -> Option<(&'t dyn Kind, Option<i64>)> {
        let mut here = of;
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
    fn worded(&self, of: &Arc<Type>, path: &str, value: &Json) -> String {
        match self.kind(of, path) {
            Some((_, Some(target))) => {
                let name = |id: &Json| id.as_i64().map_or_else(|| id.to_string(), |id| self.names.name(target, id));
                match ids(value) {
                    Json::Array(members) => format!("[{}]", members.iter().map(name).collect::<Vec<_>>().join(", ")),
                    Json::String(text) => text,
                    one => name(&one),
                }
            }
            _ => value.to_string(),
        }
    }
}

/// Resources by their ids, where they are expanded.
fn ids(found: &Json) -> Json {
    match found {
        Json::Object(members) => members.get("id").cloned().unwrap_or_default(),
        Json::Array(members) => members.iter().map(ids).collect(),
        other => other.clone(),
    }
}

/// Whether JSON is what was expected: of objects, the members that are named.
pub fn alike(expected: &Json, found: &Json) -> bool {
    match (expected, found) {
        // Beyond 2^53 several integers are one float.
        (Json::Number(expected), Json::Number(found)) if expected.is_f64() || found.is_f64() => {
            expected.as_f64().is_some_and(|expected| Some(expected) == found.as_f64())
        }
        (Json::Array(expected), Json::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(expected, found)| alike(expected, found))
        }
        (Json::Object(expected), Json::Object(found)) => {
            expected.iter().all(|(name, expected)| found.get(name).is_some_and(|found| alike(expected, found)))
        }
        (expected, found) => expected == found,
    }
}

#[cfg(test)]
mod tests {
    use super::alike;
    use serde_json::json;

    #[test]
    fn numbers_are_alike_as_they_are() {
        assert!(alike(&json!(12.0), &json!(12)) && alike(&json!(12.5), &json!(12.50)));
        assert!(alike(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_993_i64)));
        assert!(!alike(&json!(9_007_199_254_740_992_i64), &json!(9_007_199_254_740_993_i64)));
        assert!(!alike(&json!(u64::MAX), &json!(-1)));
    }

    #[test]
    fn of_objects_the_members_that_are_named_count() {
        assert!(alike(&json!({"a": [{"b": 1}]}), &json!({"c": 2, "a": [{"d": 3, "b": 1}]})));
        assert!(!alike(&json!({"a": null}), &json!({})), "absent is not null");
        assert!(!alike(&json!([1]), &json!([1, 2])), "lists are whole");
    }
}
