//! The members of a command's body, each asked for by name and kind. What is not asked for is unknown (D-2).

use model::error::{Error, InputProblem, Result};
use serde_json::{Map, Value as Json};

/// An object of a body. A member that is null is as if it were not given.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyMembers<'m> {
    of: &'m Map<String, Json>,
    /// The text before its members' names in messages.
    path: &'m str,
}

impl<'m> BodyMembers<'m> {
    /// The members of a body, which may have these alone.
    pub(crate) fn of(of: &'m Map<String, Json>, known: &[&str]) -> Result<Self> {
        Self::within(of, "", known)
    }

    /// The same for an object inside a body, of that path.
    pub(super) fn within(of: &'m Map<String, Json>, path: &'m str, known: &[&str]) -> Result<Self> {
        let members = BodyMembers { of, path };
        match of.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(members.refuse(name, "property_unknown", "is unknown")),
            None => Ok(members),
        }
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'m str>> {
        self.read(name, Json::as_str, "must be a text")
    }

    /// A text that must be there and not be empty.
    pub(super) fn required_text(&self, name: &str) -> Result<&'m str> {
        self.text(name)?.filter(|text| !text.is_empty()).ok_or_else(|| self.missing(name))
    }

    /// A whole number of 64 bits, written without a point.
    pub(super) fn integer(&self, name: &str) -> Result<Option<i64>> {
        self.read(name, Json::as_i64, "must be an integer")
    }

    /// True or false.
    pub(super) fn boolean(&self, name: &str) -> Result<Option<bool>> {
        self.read(name, Json::as_bool, "must be true or false")
    }

    /// An object.
    pub(super) fn object(&self, name: &str) -> Result<Option<&'m Map<String, Json>>> {
        self.read(name, Json::as_object, "must be an object")
    }

    /// An array of texts, each once; at most so many.
    pub(super) fn texts(&self, name: &str, most: usize) -> Result<Vec<String>> {
        let must = "must be an array of texts";
        let Some(members) = self.read(name, Json::as_array, must)? else { return Ok(Vec::new()) };
        let mut texts: Vec<String> = Vec::with_capacity(members.len().min(most));
        for member in members {
            let text = member.as_str().ok_or_else(|| self.refuse(name, "wrong_type", must))?;
            if texts.iter().any(|known| known == text) {
                continue;
            }
            // Each is compared with those before it, of which there are few.
            if texts.len() == most {
                return Err(self.refuse(name, "too_many", &format!("has more than {most} members")));
            }
            texts.push(text.to_owned());
        }
        Ok(texts)
    }

    /// The error of a member that is missing.
    pub(super) fn missing(&self, name: &str) -> Error {
        self.refuse(name, "required", "is missing")
    }

    /// The error of a member; `why` goes on from its name.
    pub(super) fn refuse(&self, name: &str, code: &'static str, why: &str) -> Error {
        let property = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        let message = format!("{property} {why}.");
        Error::problems(vec![InputProblem { property, code, message }])
    }

    fn given(&self, name: &str) -> Option<&'m Json> {
        self.of.get(name).filter(|value| !value.is_null())
    }

    fn read<T>(&self, name: &str, read: impl FnOnce(&'m Json) -> Option<T>, must: &str) -> Result<Option<T>> {
        let Some(value) = self.given(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| self.refuse(name, "wrong_type", must))
    }
}
