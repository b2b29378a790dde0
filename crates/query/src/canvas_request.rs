//! A canvas that a client asks for, with its parameters.

use crate::query_request::{ParameterValue, given};
use model::error::Result;
use model::parameters::check_no_cache;
use serde_json::{Map, Value as Json};

/// A canvas with what it is given, parsed as far as that goes without a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CanvasRequest {
    /// The parameters, by name.
    pub given: Vec<(String, ParameterValue)>,
}

impl CanvasRequest {
    /// Reads the parameters of a URL, decoded pairs in its order, and the body of a SEARCH.
    pub fn parse(query: &[(String, String)], body: Option<&Map<String, Json>>) -> Result<Self> {
        let own = |name: &str| name != "_noCache";
        check_no_cache(query, body)?;
        let pairs: Vec<_> = query.iter().filter(|(name, _)| own(name)).cloned().collect();
        let members = body.into_iter().flatten().filter(|(name, _)| own(name));
        let members = members.map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(CanvasRequest { given: given(pairs, members)? })
    }
}
