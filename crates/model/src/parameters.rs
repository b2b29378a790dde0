//! Query parameters and the body of a SEARCH, gathered under their names.

use crate::error::{Error, Result};
use crate::{kinds, suggestion};
use serde_json::{Map, Value as Json};

/// The names that a list takes.
pub const LIST: &[&str] = &[
    "page",
    "perPage",
    "orderBy",
    "orderDir",
    "showFields",
    "hideFields",
    "propsMeta",
    "wrapFields",
    "tags",
    "tagsMode",
    "includeTagDescendants",
    "filters",
    "_related",
    "_decimals",
    "_noCache",
];

/// The names that a list of the extended profile takes beside these.
pub const FOR: &str = "for";

/// The names that get-one and get-by take.
pub const ITEM: &[&str] = &["showFields", "hideFields", "propsMeta", "wrapFields", "_related", "_decimals", "_noCache"];

/// Words that other interfaces have for parameters, where no name of ours is like them.
const OTHER_WORDS: [(&str, &str); 9] = [
    ("fields", "showFields"),
    ("include", "showFields"),
    ("limit", "perPage"),
    ("pageSize", "perPage"),
    ("per_page", "perPage"),
    ("q", "filters"),
    ("select", "showFields"),
    ("sort", "orderBy"),
    ("where", "filters"),
];

/// The name by which a caller wants no answer out of a cache.
const NO_CACHE: &str = "_noCache";

/// Names that may be repeated or written `name[]`.
const LISTS: &[&str] = &["orderBy", "showFields", "hideFields", "propsMeta", "wrapFields", "tags"];

/// Words that stand for all fields (D-19), and for none. No property is named so.
const ALL: [&str; 3] = ["*", "1", "true"];
const NONE: [&str; 2] = ["0", "false"];

/// Fields that `propsMeta` or `wrapFields` are for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SomeFields {
    /// True if they are for all that are shown.
    pub all: bool,
    /// The names that were given.
    pub named: Vec<String>,
}

/// Values that were given under the names, from the query string or from a body.
pub struct RequestParameters {
    given: Vec<(String, RawParameter)>,
}

enum RawParameter {
    Query(Vec<String>),
    Body(Json),
}

impl RequestParameters {
    /// Gathers what was given. A name outside `known`, one that is given twice, and one that is in the query and
    /// in the body are refused (D-2, D-21).
    pub fn gather(
        query: &[(String, String)],
        body: Option<&Map<String, Json>>,
        known: &[&str],
    ) -> Result<RequestParameters> {
        let mut parameters = RequestParameters { given: Vec::new() };
        for (key, value) in query {
            let (name, bracketed) = match key.strip_suffix("[]") {
                Some(name) if LISTS.contains(&name) => (name, true),
                _ => (key.as_str(), false),
            };
            expect_known(name, known)?;
            match parameters.given.iter_mut().find(|(given, _)| given == name) {
                Some((_, RawParameter::Query(values))) if bracketed || LISTS.contains(&name) => {
                    values.push(value.clone())
                }
                Some(_) => return Err(twice(name)),
                None => parameters.given.push((name.to_owned(), RawParameter::Query(vec![value.clone()]))),
            }
        }
        for (name, value) in body.into_iter().flatten() {
            expect_known(name, known)?;
            if parameters.given.iter().any(|(given, _)| given == name) {
                return Err(twice(name));
            }
            parameters.given.push((name.clone(), RawParameter::Body(value.clone())));
        }
        check_no_cache(query, body)?;
        Ok(parameters)
    }

    /// A positive integer; where `beyond` is given, it stands for those that are too large for us.
    pub fn positive(&mut self, name: &str, beyond: Option<u64>) -> Result<Option<u64>> {
        let fault = || invalid(name, "must be a positive integer");
        let text = match self.take(name) {
            None => return Ok(None),
            Some(RawParameter::Query(mut values)) => values.pop().unwrap_or_default(),
            Some(RawParameter::Body(Json::String(text))) => text,
            Some(RawParameter::Body(Json::Number(number))) => number.to_string(),
            Some(RawParameter::Body(_)) => return Err(fault()),
        };
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fault());
        }
        let number = text.parse().ok().or(beyond).ok_or_else(fault)?;
        if number == 0 { Err(fault()) } else { Ok(Some(number)) }
    }

    /// One of some words.
    pub fn one_of(&mut self, name: &str, words: &[&'static str]) -> Result<Option<&'static str>> {
        let text = match self.take(name) {
            None => return Ok(None),
            Some(RawParameter::Query(mut values)) => values.pop(),
            Some(RawParameter::Body(value)) => value.as_str().map(str::to_owned),
        };
        // Nothing behind the name is as if it were not given.
        if text.as_deref() == Some("") {
            return Ok(None);
        }
        let word = words.iter().copied().find(|word| Some(*word) == text.as_deref());
        word.map(Some).ok_or_else(|| invalid(name, &format!("must be {}", words.join(" or "))))
    }

    /// A text; null is the empty one.
    pub fn text(&mut self, name: &str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(RawParameter::Query(mut values)) => Ok(values.pop()),
            Some(RawParameter::Body(Json::String(text))) => Ok(Some(text)),
            Some(RawParameter::Body(Json::Null)) => Ok(Some(String::new())),
            Some(RawParameter::Body(_)) => Err(invalid(name, "must be a string")),
        }
    }

    /// Yes or no: `1` or `true`, `0` or `false`.
    pub fn flag(&mut self, name: &str) -> Result<Option<bool>> {
        let text = match self.take(name) {
            None => return Ok(None),
            Some(RawParameter::Query(mut values)) => values.pop(),
            Some(RawParameter::Body(Json::Bool(flag))) => return Ok(Some(flag)),
            Some(RawParameter::Body(Json::String(text))) => Some(text),
            Some(RawParameter::Body(value)) => Some(value.to_string()),
        };
        match text.as_deref() {
            Some("1" | "true") => Ok(Some(true)),
            Some("0" | "false") => Ok(Some(false)),
            _ => Err(invalid(name, "must be true or false, or 1 or 0")),
        }
    }

    /// Names in a comma list, a repeated parameter, `name[]`, or an array of strings. An empty text is none.
    pub fn names(&mut self, name: &str) -> Result<Vec<String>> {
        let texts = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(RawParameter::Query(values)) => values,
            Some(RawParameter::Body(Json::String(text))) => vec![text],
            Some(RawParameter::Body(Json::Array(members))) => members
                .into_iter()
                .map(|member| match member {
                    Json::String(text) => Ok(text),
                    _ => Err(invalid(name, "must list strings")),
                })
                .collect::<Result<_>>()?,
            Some(RawParameter::Body(_)) => return Err(invalid(name, "must be a string or an array of strings")),
        };
        let filled = texts.iter().filter(|text| !text.is_empty());
        let names: Vec<String> = filled.flat_map(|text| text.split(',')).map(|part| part.trim().to_owned()).collect();
        // More names than any type has properties are no honest request.
        if names.len() > 1_000 { Err(invalid(name, "may list at most 1000 names")) } else { Ok(names) }
    }

    /// Names of fields as [`RequestParameters::names`] takes them, or a word for all or none of them.
    pub fn some_fields(&mut self, name: &str) -> Result<Option<SomeFields>> {
        let position = self.given.iter().position(|(given, _)| given == name);
        if let Some(RawParameter::Body(value @ (Json::Bool(_) | Json::Number(_)))) =
            position.map(|at| &self.given[at].1)
        {
            let word = Json::String(value.to_string());
            self.given
                .iter_mut()
                .filter(|(given, _)| given == name)
                .for_each(|(_, given)| *given = RawParameter::Body(word.clone()));
        }
        let mut fields = SomeFields { all: false, named: self.names(name)? };
        fields.named.retain(|name| !NONE.contains(&name.as_str()));
        fields.all = fields.named.iter().any(|name| ALL.contains(&name.as_str()));
        fields.named.retain(|name| !ALL.contains(&name.as_str()));
        Ok((fields.all || !fields.named.is_empty()).then_some(fields))
    }

    /// An array: JSON-encoded in a query string, a real one in a body.
    pub fn array(&mut self, name: &str) -> Result<Vec<Json>> {
        let value = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(RawParameter::Query(values)) if values.iter().all(String::is_empty) => return Ok(Vec::new()),
            Some(RawParameter::Query(mut values)) => crate::json::parse(values.pop().unwrap_or_default().as_bytes())
                .map_err(|error| invalid(name, &format!("must be a JSON-encoded array ({error})")))?,
            Some(RawParameter::Body(value)) => value,
        };
        match value {
            Json::Array(members) => Ok(members),
            _ => Err(invalid(name, "must be an array")),
        }
    }

    /// Any JSON. In a query string, a text other than an object or an array is a string; an empty one counts as missing.
    pub fn json(&mut self, name: &str) -> Result<Option<Json>> {
        let text = match self.take(name) {
            None => return Ok(None),
            Some(RawParameter::Body(value)) => return Ok(Some(value)),
            Some(RawParameter::Query(mut values)) => values.pop().unwrap_or_default(),
        };
        match text.trim_start().as_bytes().first() {
            None => Ok(None),
            Some(b'{' | b'[') => crate::json::parse(text.as_bytes())
                .map(Some)
                .map_err(|error| invalid(name, &format!("must be JSON ({error})"))),
            Some(_) => Ok(Some(Json::String(text))),
        }
    }

    fn take(&mut self, name: &str) -> Option<RawParameter> {
        let position = self.given.iter().position(|(given, _)| given == name)?;
        Some(self.given.swap_remove(position).1)
    }
}

/// Reads `_noCache` of a query string: whether no answer out of a cache is wanted.
pub fn no_cache(query: &[(String, String)]) -> Result<bool> {
    let mut wanted = false;
    for (_, value) in query.iter().filter(|(name, _)| name == NO_CACHE) {
        wanted = match value.as_str() {
            "1" | "true" => true,
            "0" | "false" => false,
            _ => return Err(invalid(NO_CACHE, "must be true or false, or 1 or 0")),
        };
    }
    Ok(wanted)
}

/// Refuses a `_noCache` that says nothing, or that stands in a body, where it would not be looked for.
pub fn check_no_cache(query: &[(String, String)], body: Option<&Map<String, Json>>) -> Result<()> {
    if body.is_some_and(|body| body.contains_key(NO_CACHE)) {
        return Err(invalid(NO_CACHE, "must be given in the address, not in a body"));
    }
    no_cache(query).map(drop)
}

fn expect_known(name: &str, known: &[&str]) -> Result<()> {
    if known.contains(&name) {
        return Ok(());
    }
    if name == "filters" {
        return Err(Error::invalid("parameter_unsupported", "A single resource takes no filters."));
    }
    Err(unknown(name, known.iter().copied()))
}

/// The error of a name that is no parameter, with the one that was perhaps meant.
pub fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone) -> Error {
    // `filter[name]=x` is how others write filters.
    let word = name.split('[').next().unwrap_or(name);
    let other = OTHER_WORDS.iter().find(|(other, _)| *other == word).map(|(_, parameter)| *parameter);
    let other = other.filter(|parameter| known.clone().any(|name| name == *parameter));
    let hint = suggestion::sentence(other.or_else(|| kinds::nearest(word, known)));
    Error::invalid("parameter_unknown", format!("There is no parameter {name:?}.{hint}"))
}

fn twice(name: &str) -> Error {
    Error::invalid("parameter_twice", format!("The parameter {name} is given twice."))
}

fn invalid(name: &str, what: &str) -> Error {
    Error::invalid("parameter_invalid", format!("The parameter {name} {what}."))
}
