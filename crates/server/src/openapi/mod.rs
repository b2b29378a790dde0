//! The description of a tenant's API in OpenAPI 3.1: its types with real schemas, and only what is served.

mod fixed;
mod schemas;
#[cfg(test)]
mod tests;

use platform::types::{Fields, Model, Type, TypeGrant};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Describes the API as a caller with these rights finds it: types, fields and actions that the caller has no
/// right to are left out, as everywhere (D-3).
pub fn document(model: &Model, server_url: &str, rights: &dyn Fn(&Arc<Type>) -> TypeGrant) -> Value {
    let mut paths = fixed::paths();
    let mut components = fixed::schemas();
    let mut tags = Vec::new();
    for resource_type in &model.types {
        let grant = rights(resource_type);
        if grant.show.is_none() && grant.edit.is_none() && grant.create.is_none() && !grant.delete {
            continue;
        }
        tags.push(json!({"name": resource_type.name, "description": resource_type.title}));
        add_schemas(resource_type, &grant, &mut components);
        add_paths(resource_type, &grant, &mut paths);
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
        "tags": tags,
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "key"},
                "xApiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
            "parameters": fixed::parameters(),
            "responses": fixed::responses(),
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

fn add_paths(resource_type: &Type, grant: &TypeGrant, paths: &mut Map<String, Value>) {
    let name = &resource_type.name;
    let mut collection = Map::new();
    let mut item = json!({"parameters": [parameter("item")]});
    if let Some(readable) = &grant.show {
        let names: Vec<&str> = resource_type
            .fields
            .iter()
            .filter(|property| schemas::is_readable(property, readable))
            .map(|property| property.name.as_str())
            .collect();
        collection.insert("get".to_owned(), list(name, &names));
        collection.insert("x-search".to_owned(), search(name, &names));
        item["get"] = read(name, "Read one.", &[]);
        let mut property = fixed::path_parameter("property", "The property to look at.");
        property["schema"]["enum"] = names.into();
        let value = fixed::path_parameter("item", "Its value, as text.");
        let get_by = read(name, "Read the first whose property has the value.", &[property, value]);
        paths.insert(format!("/api/v1/collection/{name}/get-by/{{property}}/{{item}}"), json!({"get": get_by}));
    }
    if grant.create.is_some() {
        let answers = [("201", answer("The created resource.", name))];
        let statuses = &["400", "403", "404", "409", "413", "415"];
        let create = operation(name, &format!("{name}.create"), "Create.", &answers, statuses);
        collection.insert("post".to_owned(), with_body(create, &format!("{name}.create")));
    }
    if grant.edit.is_some() {
        for (method, word) in [("put", "replace"), ("patch", "patch")] {
            let summary = if method == "put" { "Replace." } else { "Change some properties." };
            let answers = [("200", answer("The resource as it is now.", name))];
            let statuses = &["400", "403", "404", "409", "412", "413", "415"];
            let id = format!("{name}.{word}");
            let mut change = with_body(operation(name, &id, summary, &answers, statuses), &id);
            change["parameters"] = json!([parameter("ifMatch")]);
            item[method] = change;
        }
    }
    if grant.delete {
        let answers = [("204", json!({"description": "Deleted."}))];
        let statuses = &["400", "403", "404", "409", "412"];
        item["delete"] = operation(name, &format!("{name}.delete"), "Delete.", &answers, statuses);
        item["delete"]["parameters"] = json!([parameter("ifMatch")]);
    }
    if !collection.is_empty() {
        paths.insert(format!("/api/v1/collection/{name}"), collection.into());
    }
    paths.insert(format!("/api/v1/collection/{name}/{{item}}"), item);
}

fn list(name: &str, names: &[&str]) -> Value {
    let mut list = list_answers(name, "list", "List, filter and sort.");
    let mut parameters: Vec<Value> = ["page", "perPage", "orderDir", "filters"].map(parameter).into();
    parameters.extend(fixed::field_lists(names));
    list["parameters"] = parameters.into();
    list
}

/// OpenAPI 3.1 has no place for the method SEARCH, so it stands under an extension.
fn search(name: &str, names: &[&str]) -> Value {
    let mut search = list_answers(name, "search", "The list, with its parameters in a JSON body.");
    let mut properties = fixed::search_members();
    for parameter in fixed::field_lists(names) {
        if let Some(name) = parameter["name"].as_str() {
            properties.insert(name.to_owned(), parameter["schema"].clone());
        }
    }
    let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    search["requestBody"] = json!({"content": {"application/json": {"schema": schema}}});
    search
}

fn list_answers(name: &str, word: &str, summary: &str) -> Value {
    let schema = json!({
        "type": "object",
        "required": ["stats", "data"],
        "properties": {
            "stats": {"$ref": "#/components/schemas/Stats"},
            "data": {"type": "array", "items": {"$ref": format!("#/components/schemas/{name}")}},
        },
    });
    let page = json!({"description": "A page of the list.", "content": {"application/json": {"schema": schema}}});
    let answers = [("200", page), ("204", json!({"description": "Nothing matches."}))];
    operation(name, &format!("{name}.{word}"), summary, &answers, &["400", "403", "404"])
}

fn read(name: &str, summary: &str, parameters: &[Value]) -> Value {
    let word = if parameters.is_empty() { "get" } else { "getBy" };
    let answers = [("200", answer("The resource.", name))];
    let mut read = operation(name, &format!("{name}.{word}"), summary, &answers, &["400", "403", "404"]);
    let parameters: Vec<Value> =
        parameters.iter().cloned().chain([parameter("showFields"), parameter("hideFields")]).collect();
    read["parameters"] = parameters.into();
    read
}

fn operation(tag: &str, id: &str, summary: &str, answers: &[(&str, Value)], statuses: &[&str]) -> Value {
    let mut responses: Map<String, Value> =
        answers.iter().map(|(status, answer)| ((*status).to_owned(), answer.clone())).collect();
    for status in statuses.iter().chain(&["429", "500", "503"]) {
        responses.insert((*status).to_owned(), fixed::problem(status));
    }
    json!({"tags": [tag], "operationId": id, "summary": summary, "responses": responses})
}

fn answer(description: &str, schema: &str) -> Value {
    let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
    json!({"description": description, "content": {"application/json": {"schema": schema}}})
}

fn with_body(mut operation: Value, schema: &str) -> Value {
    let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
    operation["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    operation
}

fn parameter(name: &str) -> Value {
    json!({"$ref": format!("#/components/parameters/{name}")})
}
