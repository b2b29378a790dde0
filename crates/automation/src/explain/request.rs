//! Requests for an explanation.

use model::error::{Error, Result};
use model::parameters::check_no_cache;
use serde_json::{Map, Value as Json};

/// A request for an explanation: whose rights, and on what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExplainRequest {
    /// The user's id or login.
    pub user: String,
    /// The type's name or id.
    pub resource_type: String,
    /// The row's id or uuid; none asks about the type.
    pub item: Option<String>,
    /// The scopes of a key by which the user would call; all where there are none.
    pub scopes: Vec<String>,
    /// New values: of the row, or where there is none, of a new one.
    pub set: Option<Map<String, Json>>,
}

const NAMES: [&str; 5] = ["user", "type", "item", "scopes", "set"];

impl ExplainRequest {
    /// Reads the parameters of a URL, decoded pairs in its order, and the members of a body.
    pub fn parse(query: &[(String, String)], body: Option<Map<String, Json>>) -> Result<Self> {
        check_no_cache(query, body.as_ref())?;
        let mut members = body.unwrap_or_default();
        for (name, value) in query.iter().filter(|(name, _)| name != "_noCache") {
            if name == "set" {
                return Err(invalid("set", "is a member of the body of a POST"));
            }
            if members.insert(name.clone(), Json::String(value.clone())).is_some() {
                return Err(invalid(name, "is given twice"));
            }
        }
        if let Some(name) = members.keys().find(|name| !NAMES.contains(&name.as_str())) {
            return Err(invalid(name, "is not known here"));
        }
        let mut request = ExplainRequest {
            user: text(members.remove("user"), "user")?.ok_or_else(|| invalid("user", "is needed"))?,
            resource_type: text(members.remove("type"), "type")?.ok_or_else(|| invalid("type", "is needed"))?,
            item: text(members.remove("item"), "item")?,
            ..ExplainRequest::default()
        };
        match members.remove("scopes") {
            None | Some(Json::Null) => {}
            Some(Json::String(text)) => {
                request.scopes = text.split(',').map(|scope| scope.trim().to_owned()).collect();
            }
            Some(Json::Array(scopes)) => {
                let scope = |scope: Json| text(Some(scope), "scopes")?.ok_or_else(|| invalid("scopes", "has no null"));
                request.scopes = scopes.into_iter().map(scope).collect::<Result<_>>()?;
            }
            Some(_) => return Err(invalid("scopes", "must be texts")),
        }
        match members.remove("set") {
            None | Some(Json::Null) => {}
            Some(Json::Object(set)) => request.set = Some(set),
            Some(_) => return Err(invalid("set", "must be an object of values by their properties")),
        }
        Ok(request)
    }
}

/// A text, or a number that is written as one.
fn text(value: Option<Json>, name: &str) -> Result<Option<String>> {
    match value {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) if !text.is_empty() => Ok(Some(text)),
        Some(Json::Number(number)) if number.is_i64() => Ok(Some(number.to_string())),
        Some(_) => Err(invalid(name, "must be a text or an id")),
    }
}

fn invalid(name: &str, what: &str) -> Error {
    Error::invalid("parameter_invalid", format!("The parameter {name} {what}."))
}
