//! A caller's request of a query: parameters of its own, and those that every query takes.

use crate::request::FieldsRequest;
use model::error::{Error, Result};
use model::parameters;
use model::parameters::RequestParameters;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// The names that a query takes beside its own parameters.
const SHARED: &[&str] =
    &["page", "perPage", "showFields", "hideFields", "propsMeta", "wrapFields", "_related", "_decimals", "_noCache"];

/// The names that no parameter of a query may have: those of lists.
pub const RESERVED: &[&str] = parameters::LIST;

/// A query with what it is given, parsed as far as that goes without a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct QueryRequest {
    /// `page`.
    pub page: Option<u64>,
    /// `perPage`.
    pub per_page: Option<u64>,
    /// The fields that are asked for.
    pub fields: FieldsRequest,
    /// The query's own parameters, by name.
    pub given: Vec<(String, ParameterValue)>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParameterValue {
    /// Texts of a query string: several where the name was repeated.
    Texts(Vec<String>),
    /// A member of a body.
    Json(Json),
}

impl QueryRequest {
    /// Reads the parameters of a URL, decoded pairs in its order, and the body of a SEARCH.
    pub fn parse(query: &[(String, String)], body: Option<&Map<String, Json>>) -> Result<Self> {
        let shared = |name: &str| SHARED.contains(&bare(name));
        let (common, own): (Vec<_>, Vec<_>) = query.iter().cloned().partition(|(name, _)| shared(name));
        let members = body.into_iter().flatten().map(|(name, value)| (name.clone(), value.clone()));
        let (common_members, own_members): (Map<_, _>, Map<_, _>) = members.partition(|(name, _)| shared(name));
        let given = given(own, own_members)?;
        let mut parameters = RequestParameters::gather(&common, Some(&common_members), SHARED)?;
        Ok(QueryRequest {
            page: parameters.positive("page", None)?,
            per_page: parameters.positive("perPage", Some(u64::MAX))?,
            fields: FieldsRequest::take(&mut parameters)?,
            given,
        })
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let of = |given: &ParameterValue| match given {
            ParameterValue::Texts(texts) => texts.iter().map(|text| 32 + text.len()).sum(),
            ParameterValue::Json(json) => 4 * json.to_string().len(),
        };
        256 + self.fields.size() + self.given.iter().map(|(name, given)| 64 + name.len() + of(given)).sum::<usize>()
    }
}

/// The name of a parameter that is written `name[]`.
fn bare(name: &str) -> &str {
    name.strip_suffix("[]").unwrap_or(name)
}

/// Gathers what was given under names that nobody knows yet.
pub fn given(query: Vec<(String, String)>, body: Map<String, Json>) -> Result<Vec<(String, ParameterValue)>> {
    let mut given: Vec<(String, ParameterValue)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (name, value) in query {
        match places.get(bare(&name)).map(|place| &mut given[*place].1) {
            Some(ParameterValue::Texts(texts)) => texts.push(value),
            _ => {
                places.insert(bare(&name).to_owned(), given.len());
                given.push((bare(&name).to_owned(), ParameterValue::Texts(vec![value])));
            }
        }
    }
    for (name, value) in body {
        // The names of a body differ from each other.
        if places.contains_key(&name) {
            return Err(twice(&name));
        }
        given.push((name, ParameterValue::Json(value)));
    }
    Ok(given)
}

/// The error of a parameter that is given twice.
pub fn twice(name: &str) -> Error {
    Error::invalid("parameter_twice", format!("The parameter {name} is given twice.")).about(name)
}
