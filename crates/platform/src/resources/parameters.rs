//! Query parameters and the body of a SEARCH, gathered under their names.

use crate::error::{Error, Result};
use serde_json::{Map, Value as Json};

/// The names that a list takes.
pub(super) const LIST: &[&str] =
    &["page", "perPage", "orderBy", "orderDir", "showFields", "hideFields", "filters", "_noCache"];

/// The names that get-one and get-by take.
pub(super) const ITEM: &[&str] = &["showFields", "hideFields", "_noCache"];

/// Names of the contract that this version does not serve yet.
const NOT_YET: &[&str] = &["propsMeta", "wrapFields", "tags", "tagsMode", "includeTagDescendants"];

/// Names that may be repeated or written `name[]`.
const LISTS: &[&str] = &["orderBy", "showFields", "hideFields"];

/// What was given under the names, from the query string or from a body.
pub(super) struct Parameters {
    given: Vec<(String, Given)>,
}

enum Given {
    Query(Vec<String>),
    Body(Json),
}

impl Parameters {
    /// Gathers what was given. A name outside `known`, one that is given twice, and one that is in the query and
    /// in the body are refused (D-2, D-21).
    pub(super) fn gather(
        query: &[(String, String)],
        body: Option<&Map<String, Json>>,
        known: &[&str],
    ) -> Result<Parameters> {
        let mut parameters = Parameters { given: Vec::new() };
        for (key, value) in query {
            let (name, bracketed) = match key.strip_suffix("[]") {
                Some(name) if LISTS.contains(&name) => (name, true),
                _ => (key.as_str(), false),
            };
            expect_known(name, known)?;
            match parameters.given.iter_mut().find(|(given, _)| given == name) {
                Some((_, Given::Query(values))) if bracketed || LISTS.contains(&name) => values.push(value.clone()),
                Some(_) => return Err(twice(name)),
                None => parameters.given.push((name.to_owned(), Given::Query(vec![value.clone()]))),
            }
        }
        for (name, value) in body.into_iter().flatten() {
            expect_known(name, known)?;
            if parameters.given.iter().any(|(given, _)| given == name) {
                return Err(twice(name));
            }
            parameters.given.push((name.clone(), Given::Body(value.clone())));
        }
        Ok(parameters)
    }

    /// A positive integer; where `beyond` is given, it stands for those that are too large for us.
    pub(super) fn positive(&mut self, name: &str, beyond: Option<u64>) -> Result<Option<u64>> {
        let fault = || invalid(name, "must be a positive integer");
        let text = match self.take(name) {
            None => return Ok(None),
            Some(Given::Query(mut values)) => values.pop().unwrap_or_default(),
            Some(Given::Body(Json::String(text))) => text,
            Some(Given::Body(Json::Number(number))) => number.to_string(),
            Some(Given::Body(_)) => return Err(fault()),
        };
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fault());
        }
        let number = text.parse().ok().or(beyond).ok_or_else(fault)?;
        if number == 0 { Err(fault()) } else { Ok(Some(number)) }
    }

    /// One of some words.
    pub(super) fn one_of(&mut self, name: &str, words: &[&'static str]) -> Result<Option<&'static str>> {
        let text = match self.take(name) {
            None => return Ok(None),
            Some(Given::Query(mut values)) => values.pop(),
            Some(Given::Body(value)) => value.as_str().map(str::to_owned),
        };
        let word = words.iter().copied().find(|word| Some(*word) == text.as_deref());
        word.map(Some).ok_or_else(|| invalid(name, &format!("must be {}", words.join(" or "))))
    }

    /// Names in a comma list, a repeated parameter, `name[]`, or an array of strings. An empty text is none.
    pub(super) fn names(&mut self, name: &str) -> Result<Vec<String>> {
        let texts = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Given::Query(values)) => values,
            Some(Given::Body(Json::String(text))) => vec![text],
            Some(Given::Body(Json::Array(members))) => members
                .into_iter()
                .map(|member| match member {
                    Json::String(text) => Ok(text),
                    _ => Err(invalid(name, "must list strings")),
                })
                .collect::<Result<_>>()?,
            Some(Given::Body(_)) => return Err(invalid(name, "must be a string or an array of strings")),
        };
        let filled = texts.iter().filter(|text| !text.is_empty());
        let names: Vec<String> = filled.flat_map(|text| text.split(',')).map(|part| part.trim().to_owned()).collect();
        // More names than any type has properties are no honest request.
        if names.len() > 1_000 { Err(invalid(name, "may list at most 1000 names")) } else { Ok(names) }
    }

    /// An array: JSON-encoded in a query string, a real one in a body.
    pub(super) fn array(&mut self, name: &str) -> Result<Vec<Json>> {
        let value = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Given::Query(mut values)) => crate::json::parse(values.pop().unwrap_or_default().as_bytes())
                .map_err(|error| invalid(name, &format!("must be a JSON-encoded array ({error})")))?,
            Some(Given::Body(value)) => value,
        };
        match value {
            Json::Array(members) => Ok(members),
            _ => Err(invalid(name, "must be an array")),
        }
    }

    fn take(&mut self, name: &str) -> Option<Given> {
        let position = self.given.iter().position(|(given, _)| given == name)?;
        Some(self.given.swap_remove(position).1)
    }
}

fn expect_known(name: &str, known: &[&str]) -> Result<()> {
    if known.contains(&name) {
        return Ok(());
    }
    if NOT_YET.contains(&name) || NOT_YET.iter().any(|listed| name.strip_suffix("[]") == Some(listed)) {
        let message = format!("The parameter {name} is not supported by this version.");
        return Err(Error::invalid("parameter_unsupported", message));
    }
    if name == "filters" {
        return Err(Error::invalid("parameter_unsupported", "A single resource takes no filters."));
    }
    Err(Error::invalid("parameter_unknown", format!("There is no parameter {name:?}.")))
}

fn twice(name: &str) -> Error {
    Error::invalid("parameter_twice", format!("The parameter {name} is given twice."))
}

fn invalid(name: &str, what: &str) -> Error {
    Error::invalid("parameter_invalid", format!("The parameter {name} {what}."))
}
