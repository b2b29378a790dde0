//! The description of a tenant's API in OpenAPI 3.1: its types with real schemas, and only what is served.

mod kept;
mod paths;
#[cfg(test)]
mod tests;

pub use kept::{ApiDocument, ApiDocuments, ApiForm, DocumentForm};

use crate::routes::route::Profile;
use model::types::{Model, ResourceType, TypeGrant};
use openapi::answers::DecimalForm;
use openapi::queries::DescribedQuery;
use openapi::version::{ApiAudience, schema_version};
use openapi::{
    automations, batch, components, explain, extended, metadata, notifications, outbox, parameters, registration,
    responses, tags,
};
use paths::PathItems;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Describes the API as a caller with these rights finds it: types, fields and actions that the caller has no
/// right to are left out, as everywhere (D-3).
pub fn document(
    form: ApiForm,
    audience: ApiAudience,
    model: &Model,
    server_url: &str,
    rights: &dyn Fn(&Arc<ResourceType>) -> TypeGrant,
) -> Value {
    match form {
        ApiForm::Contract => contract(audience, model, server_url, rights),
        ApiForm::Extended(decimals) => for_clients(decimals, audience, model, server_url, rights),
    }
}

/// The description of the contract's paths, and of all others but the collections below `/api/ext/v1/`.
fn contract(
    audience: ApiAudience,
    model: &Model,
    server_url: &str,
    rights: &dyn Fn(&Arc<ResourceType>) -> TypeGrant,
) -> Value {
    let paths = PathItems::new(Profile::Contract, audience, model);
    let (paths, components, groups) = parts(model, paths, DecimalForm::Number, rights);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": model.settings.title,
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every path may also be asked with OPTIONS, and with HEAD where it has GET.",
        },
        "servers": [{"url": server_url}],
        "security": [{"key": []}, {"xApiKey": []}, {"bearer": []}],
        "tags": groups,
        "paths": paths.items,
        "components": {
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "key"},
                "xApiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
            "parameters": parameters::parameters(),
            "headers": responses::headers(),
            "responses": responses::problems(),
            "schemas": components,
        },
    })
}

/// The paths, schemas and groups of a profile.
fn parts(
    model: &Model,
    mut paths: PathItems,
    decimals: DecimalForm,
    rights: &dyn Fn(&Arc<ResourceType>) -> TypeGrant,
) -> (PathItems, Map<String, Value>, Vec<Value>) {
    let profile = paths.profile;
    paths.add_fixed();
    let mut components = components::schemas();
    if profile == Profile::Contract {
        components.append(&mut metadata::schemas());
    }
    components.append(&mut registration::schemas());
    components.append(&mut tags::schemas());
    components.append(&mut notifications::schemas());
    components.append(&mut automations::schemas());
    components.append(&mut outbox::schemas());
    components.append(&mut explain::schemas());
    let mut groups = vec![
        json!({"name": "tags", "description": "Tags"}),
        json!({"name": "notifications", "description": "Notifications"}),
        json!({"name": "queries", "description": "Named queries"}),
        json!({"name": "canvases", "description": "Canvases"}),
    ];
    for resource_type in &model.types {
        let grant = rights(resource_type);
        if grant.show.is_none() && grant.edit.is_none() && grant.create.is_none() && !grant.delete {
            continue;
        }
        groups.push(json!({"name": resource_type.name, "description": resource_type.title}));
        match profile {
            Profile::Contract => openapi::add_schemas(resource_type, &grant, &mut components),
            Profile::Extended => {
                let inverses = openapi::inverses(model, resource_type, rights);
                extended::add_schemas(resource_type, &grant, &inverses, decimals, &mut components);
            }
        }
        paths.add_type(resource_type, &grant);
    }
    for query in model.queries.values() {
        let described = DescribedQuery::new(model, query, rights);
        described.into_iter().for_each(|query| paths.add_query(&query.with_decimals(decimals)));
    }
    for canvas in model.canvases.values() {
        let queried = |query: &String| model.queries.get(query).and_then(|query| model.type_by_id(query.type_id));
        let mut types = canvas.items.iter().filter_map(|item| item.query.as_ref()).filter_map(queried).peekable();
        if types.peek().is_none() || types.any(|of| rights(of).show.is_some()) {
            paths.add_canvas(canvas);
        }
    }
    (paths, components, groups)
}

/// Describes the API as a caller with these rights finds it, for generators of clients.
fn for_clients(
    decimals: DecimalForm,
    audience: ApiAudience,
    model: &Model,
    server_url: &str,
    rights: &dyn Fn(&Arc<ResourceType>) -> TypeGrant,
) -> Value {
    let paths = PathItems::new(Profile::Extended, audience, model);
    let (mut paths, mut components, groups) = parts(model, paths, decimals, rights);
    components.append(&mut extended::schemas::shared());
    components.append(&mut batch::schemas());
    components.append(&mut extended::jobs::schemas());
    components.append(&mut extended::model_description::schemas());
    components.append(&mut extended::views::schemas());
    extended::normal::NormalForm::new(model).apply(&mut paths.items, &mut components);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": model.settings.title,
            "version": &*schema_version(audience, model, rights),
            "description": "The contract's own description is at /api/ext/v1/openapi.json?profile=contract.",
        },
        "servers": [{"url": server_url}],
        "security": [{"bearer": []}, {"key": []}, {"xApiKey": []}],
        "tags": groups,
        "paths": paths.items,
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "key"},
                "xApiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
            "parameters": extended::parameters(decimals),
            "headers": responses::headers(),
            "responses": extended::responses(),
            "schemas": components,
        },
    })
}
