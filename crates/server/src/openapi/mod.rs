//! The description of a tenant's API in OpenAPI 3.1: its types with real schemas, and only what is served.

mod audit;
mod automations;
mod canvases;
mod collections;
mod commands;
mod components;
mod documents;
mod downloads;
mod explain;
mod keys;
mod login_as;
mod metadata;
mod notifications;
mod outbox;
mod pages;
mod parameters;
mod queries;
mod registration;
mod responses;
mod schemas;
mod service;
mod tags;
#[cfg(test)]
mod tests;
mod uploads;

pub use documents::Documents;

use model::types::{Fields, Model, Type, TypeGrant};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Describes the API as a caller with these rights finds it: types, fields and actions that the caller has no
/// right to are left out, as everywhere (D-3).
pub fn document(model: &Model, server_url: &str, rights: &dyn Fn(&Arc<Type>) -> TypeGrant) -> Value {
    let mut paths = keys::paths();
    paths.append(&mut commands::paths());
    paths.append(&mut registration::paths());
    paths.append(&mut tags::paths());
    paths.append(&mut notifications::paths());
    paths.append(&mut automations::paths());
    paths.append(&mut outbox::paths());
    paths.append(&mut service::paths());
    paths.append(&mut audit::paths());
    paths.append(&mut login_as::paths());
    paths.append(&mut explain::paths());
    let mut components = components::schemas();
    components.append(&mut metadata::schemas());
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
        add_schemas(resource_type, &grant, &mut components);
        collections::add(resource_type, &grant, &mut paths);
        uploads::add(resource_type, &grant, &mut paths);
        downloads::add(resource_type, &grant, &mut paths);
    }
    for query in model.queries.values() {
        let listed = model.type_by_id(query.type_id).filter(|of| rights(of).show.is_some());
        listed.into_iter().for_each(|of| queries::add(query, of, &mut paths));
    }
    for canvas in model.canvases.values() {
        let queried = |query: &String| model.queries.get(query).and_then(|query| model.type_by_id(query.type_id));
        let mut types = canvas.items.iter().filter_map(|item| item.query.as_ref()).filter_map(queried).peekable();
        if types.peek().is_none() || types.any(|of| rights(of).show.is_some()) {
            canvases::add(canvas, &mut paths);
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": model.settings.title,
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every path may also be asked with OPTIONS, and with HEAD where it has GET.",
        },
        "servers": [{"url": server_url}],
        "security": [{"key": []}, {"xApiKey": []}],
        "tags": groups,
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "key"},
                "xApiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
            "parameters": parameters::parameters(),
            "headers": responses::headers(),
            "responses": responses::problems(),
            "schemas": components,
        },
    })
}

fn add_schemas(resource_type: &Type, grant: &TypeGrant, components: &mut Map<String, Value>) {
    let name = &resource_type.name;
    let nothing = Fields::Only(Arc::new([]));
    let readable = grant.show.as_ref().unwrap_or(&nothing);
    components.insert(name.clone(), schemas::output(resource_type, readable));
    if let Some(writable) = &grant.create {
        components.insert(format!("{name}.create"), schemas::input(resource_type, writable, false));
    }
    if let Some(writable) = &grant.edit {
        components.insert(format!("{name}.replace"), schemas::input(resource_type, writable, true));
        components.insert(format!("{name}.patch"), schemas::patch(resource_type, writable));
    }
}
