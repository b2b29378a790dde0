//! The operations of named queries.

use super::collections::pages;
use super::literal::json;
use super::parameters::{VALIDATORS, shared};
use super::responses;
use model::query::{ParameterDefault, QueryDefinition, QueryParameter};
use model::types::ResourceType;
use serde_json::{Map, Value};

/// The parameters that every query takes beside its own.
const COMMON: [&str; 6] = ["page", "perPage", "showFields", "hideFields", "propsMeta", "wrapFields"];

/// Describes a page of a named query.
pub fn get(query: &QueryDefinition, resource_type: &ResourceType) -> Value {
    let mut get = operation(query, resource_type, "get", &[]);
    let own = query.parameters.iter().map(in_query);
    let common = COMMON.into_iter().chain(["noCache"]).chain(VALIDATORS).map(shared);
    get["parameters"] = own.chain(common).collect();
    get
}

/// Describes a page of a named query whose parameters stand in a body.
pub fn search(query: &QueryDefinition, resource_type: &ResourceType) -> Value {
    with_body(query, resource_type, "search")
}

/// The same for clients that know no SEARCH.
pub fn run(query: &QueryDefinition, resource_type: &ResourceType) -> Value {
    with_body(query, resource_type, "run")
}

fn with_body(query: &QueryDefinition, resource_type: &ResourceType, word: &str) -> Value {
    let mut search = operation(query, resource_type, word, &["413", "415"]);
    search["parameters"] = VALIDATORS.map(shared).to_vec().into();
    search["requestBody"] =
        json!({"content": {"application/json": {"schema": body(&query.parameters, shared_members())}}});
    search
}

fn operation(query: &QueryDefinition, resource_type: &ResourceType, word: &str, beside: &[&str]) -> Value {
    let statuses: Vec<&str> = ["403", "404", "503"].into_iter().chain(beside.iter().copied()).collect();
    let name = format!("query.{}.{word}", query.name);
    let mut operation = responses::operation(&name, &query.title, &pages(resource_type), &statuses);
    if !query.description.is_empty() {
        operation["description"] = query.description.as_str().into();
    }
    operation["tags"] = json!(["queries"]);
    operation
}

/// A parameter of a query string.
pub fn in_query(parameter: &QueryParameter) -> Value {
    let mut described = json!({
        "name": parameter.name, "in": "query", "description": text(parameter),
        "required": parameter.required, "schema": schema(parameter),
    });
    if parameter.multiple() {
        described["style"] = "form".into();
        described["explode"] = false.into();
    }
    described
}

/// Returns the members that a query takes in a body beside its own parameters.
fn shared_members() -> Map<String, Value> {
    let names = json!({"type": "array", "items": {"type": "string"}});
    let number = json!({"type": "integer", "minimum": 1});
    let schema = |name| if matches!(name, "page" | "perPage") { number.clone() } else { names.clone() };
    COMMON.into_iter().map(|name| (name.to_owned(), schema(name))).collect()
}

/// A body with parameters, and what else it may have.
pub fn body(parameters: &[QueryParameter], common: Map<String, Value>) -> Value {
    let own = parameters.iter().map(|parameter| (parameter.name.clone(), schema(parameter)));
    let properties: Map<String, Value> = own.chain(common).collect();
    let required = parameters.iter().filter(|parameter| parameter.required);
    let required: Vec<&str> = required.map(|parameter| parameter.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn schema(parameter: &QueryParameter) -> Value {
    let mut schema = parameter.kind.schema();
    if parameter.multiple() {
        schema = json!({"type": "array", "items": schema, "maxItems": 1_000});
    }
    if let Some(ParameterDefault::Fixed(default)) = &parameter.default {
        schema["default"] = default.clone();
    }
    schema
}

fn text(parameter: &QueryParameter) -> &str {
    if parameter.description.is_empty() { &parameter.title } else { &parameter.description }
}
