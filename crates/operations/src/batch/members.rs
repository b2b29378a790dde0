//! Members of a JSON object, each of which is read once and has its form.

use super::OperationFailure;
use super::failure::escaped;
use serde_json::{Map, Value as Json};

/// The members of an operation that are not read yet, and its place.
pub(super) struct OperationMembers<'m> {
    pub(super) place: &'static str,
    pub(super) index: usize,
    members: &'m mut Map<String, Json>,
}

/// The result of reading a part of an operation.
pub(super) type Read<T> = Result<T, Box<OperationFailure>>;

impl<'m> OperationMembers<'m> {
    /// Reads one of a list of operations.
    pub(super) fn new(place: &'static str, index: usize, operation: &'m mut Json) -> Read<Self> {
        match operation {
            Json::Object(members) => Ok(OperationMembers { place, index, members }),
            _ => {
                let message = "It must be an object.".to_owned();
                Err(Box::new(OperationFailure::at(place, index, "", "not_object", message)))
            }
        }
    }

    /// Refuses members beside the known ones.
    pub(super) fn expect(&self, known: &[&str]) -> Read<()> {
        match self.members.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let message = format!("There is no member {name:?} here. There are {}.", known.join(", "));
                Err(self.refused(&format!("/{}", escaped(name)), "member_unknown", message))
            }
        }
    }

    /// Takes a member.
    pub(super) fn take(&mut self, name: &str) -> Option<Json> {
        self.members.shift_remove(name)
    }

    /// Takes a member that must be there.
    pub(super) fn required(&mut self, name: &str) -> Read<Json> {
        let missing = || self.refused(&format!("/{name}"), "required", format!("{name} is missing."));
        self.members.get(name).ok_or_else(missing)?;
        Ok(self.take(name).unwrap_or_default())
    }

    /// Takes a text that must be there; a number counts as its digits.
    pub(super) fn name(&mut self, name: &str) -> Read<String> {
        match self.required(name)? {
            Json::String(text) => Ok(text),
            Json::Number(number) => Ok(number.to_string()),
            _ => Err(self.refused(&format!("/{name}"), "not_text", format!("{name} must be a text."))),
        }
    }

    /// Takes one of some words.
    pub(super) fn word(&mut self, name: &str, words: &[&'static str]) -> Read<Option<&'static str>> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let found = value.as_str().and_then(|text| words.iter().find(|word| **word == text));
        let message = || format!("{name} must be one of {}.", words.join(", "));
        found.copied().map(Some).ok_or_else(|| self.refused(&format!("/{name}"), "word_unknown", message()))
    }

    /// Takes an object.
    pub(super) fn object(&mut self, name: &str) -> Read<Option<Map<String, Json>>> {
        match self.take(name) {
            None => Ok(None),
            Some(Json::Object(members)) => Ok(Some(members)),
            Some(_) => Err(self.refused(&format!("/{name}"), "not_object", format!("{name} must be an object."))),
        }
    }

    /// Takes an object that must be there.
    pub(super) fn fields(&mut self, name: &str) -> Read<Map<String, Json>> {
        let missing = || self.refused(&format!("/{name}"), "required", format!("{name} is missing."));
        self.members.get(name).ok_or_else(missing)?;
        self.object(name).map(Option::unwrap_or_default)
    }

    /// A failure at a place below the operation.
    pub(super) fn refused(&self, below: &str, code: &'static str, message: String) -> Box<OperationFailure> {
        Box::new(OperationFailure::at(self.place, self.index, below, code, message))
    }
}
