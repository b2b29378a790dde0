//! The files that a write gives a resource: promises become files, in the transaction of the write (D-24).

use super::change::FileChange;
use super::promise;
use context::actor::Allowed;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, InputProblem, Result};
use model::file_member::FileMember;
use model::kinds::{StoredValue, no_promise};
use model::types::Property;
use std::collections::HashMap;

/// A property of files, and what is to become of them.
pub(crate) struct FileWish<'w, 'm> {
    /// The property.
    pub(crate) property: &'m Property,
    /// The change that the body gives.
    pub(crate) change: &'w FileChange,
    /// The files that it gets.
    pub(crate) value: &'w mut StoredValue,
}

/// Settles what files the properties have then. `old` holds the values of the resource as it is.
pub(crate) fn resolve(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    allowed: &Allowed<'_>,
    wishes: Vec<FileWish<'_, '_>>,
    old: Option<&[StoredValue]>,
) -> Result<()> {
    if let Some(blind) =
        wishes.iter().find(|wish| wish.change.looks() && old.is_some() && !allowed.readable.contains(wish.property))
    {
        // What is refused would tell of what is there.
        let message = format!("You may not add to {}, since you may not read it.", blind.property.title);
        let name = blind.property.name.clone();
        let problem = InputProblem { property: name, code: "property_forbidden", message: message.clone() };
        return Err(Error { problems: vec![problem], ..Error::forbidden("property_forbidden", message) });
    }
    let tokens: Vec<Value> = wishes.iter().flat_map(|wish| wish.change.promises()).map(Value::from).collect();
    let found =
        if tokens.is_empty() { HashMap::new() } else { promise::find(tx, request, allowed.resource_type, tokens)? };
    let mut problems = Vec::new();
    for FileWish { property, change, value } in wishes {
        let old: Vec<FileMember> = match old.map(|old| &old[property.position]) {
            Some(StoredValue::Many(members)) => members.iter().filter_map(FileMember::of).collect(),
            _ => Vec::new(),
        };
        let promised =
            |token: &str| found.get(token).filter(|(of, _)| *of == property.id).map(|(_, file)| file.clone());
        let rules = property.kind.files().ok_or_else(no_promise);
        match rules.and_then(|rules| change.apply(rules, &old, promised)) {
            Ok(files) => *value = StoredValue::Many(files.iter().map(FileMember::value).collect()),
            Err(fault) => problems.push(fault.of(&property.name, &property.title)),
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}
