//! Requests that read and change the tags of a resource.

use model::error::{Error, InputProblem, Result};
use model::parameters::RequestParameters;
use serde_json::{Map, Value as Json};

/// The most tags of a resource, of those that one caller sees.
pub(super) const MOST: usize = 100;

/// The resource that is meant: its type's id or system name, and its id or UUID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tagged {
    /// As a path would name the collection.
    pub collection: String,
    /// As a path would name the item.
    pub item: String,
}

/// The operation of tags.assign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Adds tags to those that are there.
    Add,
    /// Takes tags away.
    Remove,
    /// Makes the tags that the caller sees be these.
    Replace,
}

/// The body of tags.assign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The resource.
    pub of: Tagged,
    /// The operation.
    pub operation: Operation,
    /// The ids of tags, each once.
    pub tags: Vec<String>,
}

impl Tagged {
    /// Reads the query parameters of tags.object.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        let mut parameters = RequestParameters::gather(query, None, &["type", "item"])?;
        let mut text = |name: &str| parameters.text(name)?.ok_or_else(|| missing("parameter", name));
        Ok(Tagged { collection: text("type")?, item: text("item")? })
    }
}

impl Operation {
    const ALL: [(&'static str, Operation); 3] =
        [("add", Operation::Add), ("remove", Operation::Remove), ("replace", Operation::Replace)];

    /// Its name in requests and answers.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, operation)| *operation == self).map_or("", |(name, _)| name)
    }
}

impl Assignment {
    /// Reads the body.
    pub fn parse(members: &Map<String, Json>) -> Result<Self> {
        let known = ["type", "item", "operation", "tags"];
        if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(invalid(name, "property_unknown", format!("There is no property {name:?}.")));
        }
        let member = |name: &str| members.get(name).ok_or_else(|| missing("property", name));
        let reference = |name: &str| match member(name)? {
            Json::String(text) => Ok(text.clone()),
            Json::Number(number) => Ok(number.to_string()),
            _ => Err(invalid(name, "not_text", format!("{name} must be an id or a name."))),
        };
        let word = member("operation")?.as_str();
        let operation = Operation::ALL.into_iter().find(|(name, _)| word == Some(name)).map(|(_, found)| found);
        let unknown = || "operation must be add, remove or replace.".to_owned();
        Ok(Assignment {
            of: Tagged { collection: reference("type")?, item: reference("item")? },
            operation: operation.ok_or_else(|| invalid("operation", "operation_unknown", unknown()))?,
            tags: ids(member("tags")?)?,
        })
    }
}

/// The ids of a body, each once.
fn ids(value: &Json) -> Result<Vec<String>> {
    let refused = || invalid("tags", "not_ids", "tags must be an array of ids of tags.".to_owned());
    let members = value.as_array().ok_or_else(refused)?;
    if members.len() > MOST {
        return Err(too_many());
    }
    let mut ids: Vec<String> = Vec::with_capacity(members.len());
    for member in members {
        let id = member.as_str().ok_or_else(refused)?;
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    }
    Ok(ids)
}

pub(super) fn invalid(property: &str, code: &'static str, message: String) -> Error {
    Error::problems(vec![InputProblem { property: property.to_owned(), code, message }])
}

fn missing(what: &str, name: &str) -> Error {
    invalid(name, "required", format!("The {what} {name} is missing."))
}

pub(super) fn too_many() -> Error {
    invalid("tags", "tags_too_many", format!("A resource has at most {MOST} tags."))
}
