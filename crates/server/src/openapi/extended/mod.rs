//! The description for generated clients: the collections below `/api/ext/v1/`, by rules that generators agree on.
//!
//! First, all parts get the names that the contract's description gives them. Then [`normal`] gives the whole document
//! the form that the rules ask for: names, enums and objects that stand by themselves, one body for each status.

pub(crate) mod bulk;
mod names;
mod normal;
pub(crate) mod operations;
mod schemas;
#[cfg(test)]
mod tests;
pub(crate) mod upserts;

use super::literal::json;
use crate::routes::route::Profile;
use model::types::{Model, ResourceType, TypeGrant};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Describes the API as a caller with these rights finds it, for generators of clients.
pub(super) fn document(model: &Model, server_url: &str, rights: &dyn Fn(&Arc<ResourceType>) -> TypeGrant) -> Value {
    let (mut paths, mut components, groups) = super::parts(model, Profile::Extended, rights);
    components.append(&mut schemas::shared());
    components.append(&mut super::batch::schemas());
    normal::NormalForm::new(model).apply(&mut paths, &mut components);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": model.settings.title,
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The contract's own description is at /api/ext/v1/openapi.json?profile=contract.",
        },
        "servers": [{"url": server_url}],
        "security": [{"bearer": []}, {"key": []}, {"xApiKey": []}],
        "tags": groups,
        "paths": paths.0,
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "key"},
                "xApiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
            "parameters": parameters(),
            "headers": super::responses::headers(),
            "responses": responses(),
            "schemas": components,
        },
    })
}

/// The schemas of a type, as far as the caller's rights go.
pub(super) fn add_schemas(resource_type: &ResourceType, grant: &TypeGrant, components: &mut Map<String, Value>) {
    schemas::add(resource_type, grant, components);
    upserts::add_schemas(resource_type, grant, components);
    bulk::add_schema(resource_type, grant, components);
}

/// The parameters that operations share. Filters in an address are a text: generators write no JSON there.
fn parameters() -> Value {
    let mut parameters = super::parameters::parameters();
    parameters["filters"] = super::parameters::of_query(
        "filters",
        "Filters, all of which must hold: an array as JSON, as the member `filters` of a search has it.",
        json!({"type": "string"}),
    );
    let members = parameters.as_object_mut().into_iter().flat_map(|parameters| parameters.values_mut());
    members.for_each(normal::parameter);
    parameters
}

/// The answers of errors: with details, and the message alone of the routes that came before.
fn responses() -> Value {
    let mut responses = Map::new();
    let all = super::responses::problems();
    for (name, response) in all.as_object().into_iter().flatten() {
        let mut with = |name: String, media_type: &str, schema: &str| {
            let mut response = response.clone();
            response["content"] = json!({});
            response["content"][media_type] = json!({"schema": {"$ref": format!("#/components/schemas/{schema}")}});
            responses.insert(name, response);
        };
        with(name.clone(), "application/problem+json", "Problem");
        with(name.replace("Problem", "Message"), "application/json", "Message");
    }
    responses.into()
}
