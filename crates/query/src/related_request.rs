//! The parameter `_related`: the resources that inverses show, and totals of them.

use crate::request::order_of;
use model::error::{Error, Result};
use model::groups::AggregateFunction;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// The most inverses that a request may describe.
const MAX_PATHS: usize = 16;
/// The most resources of an inverse that a row shows.
const MAX_MEMBERS: u64 = 1_000;
/// The most names by which the resources of an inverse are sorted.
const MAX_KEYS: usize = 16;
/// Resources of an inverse where no number is asked for.
const MEMBERS: u64 = 50;

/// The wish for the resources behind inverses, by their dotted paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RelatedRequest {
    by_path: BTreeMap<String, RelatedOptions>,
    /// Paths of inverses by whose totals a list is sorted.
    sorted_by: BTreeSet<String>,
}

/// The wish for the resources behind one inverse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RelatedOptions {
    /// `filters`: which of them are shown and counted.
    pub filters: Vec<Json>,
    /// `orderBy`: names, and whether descending.
    pub order_by: Vec<(String, bool)>,
    limit: Option<u64>,
}

/// A total of the resources behind an inverse: `comments.$count`, `comments.$sum.minutes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalName<'n> {
    /// The dotted path to the inverse.
    pub inverse: &'n str,
    /// The name behind it: `$count`, `$sum.minutes`.
    pub total: &'n str,
    /// The function.
    pub function: AggregateFunction,
    /// The property; none for the number of resources.
    pub property: Option<&'n str>,
}

impl RelatedOptions {
    /// The most resources that a row shows.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(MEMBERS) as usize
    }
}

impl RelatedRequest {
    /// Reads the parameter.
    pub(crate) fn parse(given: Option<Json>) -> Result<Self> {
        let members = match given {
            None | Some(Json::Null) => return Ok(RelatedRequest::default()),
            Some(Json::Object(members)) => members,
            Some(_) => return Err(invalid("needs an object: {\"comments\": {\"limit\": 5}}")),
        };
        if members.len() > MAX_PATHS {
            return Err(invalid(&format!("takes at most {MAX_PATHS} names")));
        }
        let options = members.into_iter().map(|(path, given)| match given {
            Json::Object(given) => options(&path, given).map(|options| (path, options)),
            _ => Err(invalid(&format!("needs an object for {path:?}"))),
        });
        Ok(RelatedRequest { by_path: options.collect::<Result<_>>()?, sorted_by: BTreeSet::new() })
    }

    /// The wish for the inverse at a path.
    pub fn options(&self, path: &str) -> Option<&RelatedOptions> {
        self.by_path.get(path)
    }

    /// About how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        // A value in memory takes a few times its text.
        let filters = |options: &RelatedOptions| 4 * Json::Array(options.filters.clone()).to_string().len();
        let names = |options: &RelatedOptions| options.order_by.iter().map(|(name, _)| 64 + name.len()).sum::<usize>();
        self.by_path.iter().map(|(path, options)| 128 + path.len() + filters(options) + names(options)).sum()
    }

    /// Notes the totals that a list is sorted by.
    pub fn sorted_by(mut self, order_by: &[(String, bool)]) -> Self {
        let totals = order_by.iter().filter_map(|(name, _)| TotalName::parse(name).ok().flatten());
        self.sorted_by = totals.map(|total| total.inverse.to_owned()).collect();
        self
    }

    /// Returns true if a list is sorted by a total of what an inverse leads to.
    pub fn is_sorted_by(&self, path: &str) -> bool {
        self.sorted_by.contains(path)
    }

    /// Returns true if it wishes for nothing.
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    /// The paths that the parameter names.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.by_path.keys().map(String::as_str)
    }
}

fn options(path: &str, mut given: Map<String, Json>) -> Result<RelatedOptions> {
    let fault = |what: &str| invalid(&format!("needs {what} in {path:?}"));
    let filters = match given.remove("filters") {
        None => Vec::new(),
        Some(Json::Array(filters)) => filters,
        Some(_) => return Err(fault("an array as \"filters\"")),
    };
    let names: Option<Vec<String>> = match given.remove("orderBy") {
        None => Some(Vec::new()),
        Some(Json::String(name)) => Some(vec![name]),
        Some(Json::Array(names)) => names.into_iter().map(|name| name.as_str().map(str::to_owned)).collect(),
        Some(_) => None,
    };
    let names = names.filter(|names| names.len() <= MAX_KEYS);
    let names = names.ok_or_else(|| fault(&format!("a name or an array of up to {MAX_KEYS} names as \"orderBy\"")))?;
    let limit = given.remove("limit").map(|limit| {
        let limit = limit.as_u64().filter(|limit| (1..=MAX_MEMBERS).contains(limit));
        limit.ok_or_else(|| fault(&format!("a number from 1 to {MAX_MEMBERS} as \"limit\"")))
    });
    if let Some(name) = given.keys().next() {
        return Err(invalid(&format!("has no member {name:?} in {path:?}; there are filters, orderBy and limit")));
    }
    Ok(RelatedOptions { filters, order_by: order_of(names, None), limit: limit.transpose()? })
}

impl<'n> TotalName<'n> {
    /// Reads the name of a total; none where it is another name.
    pub fn parse(name: &'n str) -> Result<Option<Self>> {
        let Some((inverse, rest)) = name.split_once(".$") else { return Ok(None) };
        let total = &name[inverse.len() + 1..];
        let (word, property) = match rest.split_once('.') {
            Some((word, property)) => (word, Some(property)),
            None => (rest, None),
        };
        let function = AggregateFunction::ALL.iter().find(|(known, _)| *known == word).map(|(_, function)| *function);
        let is_total = match (function, property) {
            (Some(AggregateFunction::Count), None) => true,
            (Some(AggregateFunction::Count | AggregateFunction::CountDistinct) | None, _) => false,
            (Some(_), property) => property.is_some(),
        };
        match function.filter(|_| is_total) {
            Some(function) => Ok(Some(TotalName { inverse, total, function, property })),
            None => {
                let message = format!(
                    "There is no total {total:?}. There are $count, and $sum, $avg, $min and $max with a property: \
                     $sum.minutes."
                );
                Err(Error::invalid("property_unknown", message))
            }
        }
    }
}

fn invalid(what: &str) -> Error {
    Error::invalid("parameter_invalid", format!("The parameter _related {what}."))
}
