//! The paths of a type: its collection, one resource, and one by a property's value.

use super::parameters::{VALIDATORS, field_lists, of_path, search_members, shared};
use super::responses::{self, TAGGED, VALIDATED, body, empty, not_modified, schema};
use super::{metadata, schemas};
use model::types::{Type, TypeGrant};
use model::user_columns::USER_TYPE;
use serde_json::{Map, Value, json};

/// Adds the paths that a caller with these rights finds.
pub(super) fn add(of: &Type, grant: &TypeGrant, paths: &mut Map<String, Value>) {
    let name = &of.name;
    let mut collection = Map::new();
    let mut item = json!({"parameters": [shared("item")]});
    if let Some(readable) = &grant.show {
        let readable = of.fields.iter().filter(|property| schemas::is_readable(property, readable));
        let names: Vec<&str> = readable.map(|property| property.name.as_str()).collect();
        collection.insert("get".to_owned(), list(of, &names));
        collection.insert("x-oai-additionalOperations".to_owned(), json!({"SEARCH": search(of, &names)}));
        item["get"] = read(of, "get", "Read one.", Vec::new());
        let mut property = of_path("property", "The property to look at.");
        property["schema"]["enum"] = names.into();
        let value = of_path("item", "Its value, as text.");
        let get_by = read(of, "getBy", "Read the first whose property has the value.", vec![property, value]);
        paths.insert(format!("/api/v1/collection/{name}/get-by/{{property}}/{{item}}"), json!({"get": get_by}));
    }
    if grant.create.is_some() {
        let answers = [("201", body("The created resource.", &schema(name), &TAGGED))];
        collection.insert("post".to_owned(), write(of, "create", "Create.", &answers, &[]));
    }
    if grant.edit.is_some() {
        let answers = [("200", body("The resource as it is now.", &schema(name), &TAGGED))];
        for (method, word, summary) in [("put", "replace", "Replace."), ("patch", "patch", "Change some properties.")] {
            item[method] = write(of, word, summary, &answers, &["412"]);
            let mut headers = vec![shared("ifMatch")];
            headers.extend((of.id == USER_TYPE).then(keep_keys));
            item[method]["parameters"] = headers.into();
        }
    }
    if grant.delete {
        let answers = [("204", empty("Deleted.", &[]))];
        item["delete"] = operation(of, "delete", "Delete.", &answers, &["409", "412"]);
        item["delete"]["parameters"] = json!([shared("ifMatch")]);
    }
    if !collection.is_empty() {
        paths.insert(format!("/api/v1/collection/{name}"), collection.into());
    }
    paths.insert(format!("/api/v1/collection/{name}/{{item}}"), item);
}

/// The header of a change of a user that keeps the keys which the old password made.
fn keep_keys() -> Value {
    json!({
        "name": "X-Keep-Keys", "in": "header", "schema": {"enum": ["true", "false"]},
        "description": "Whether the keys that the old password made stay when the body has a new one.",
    })
}

fn list(of: &Type, names: &[&str]) -> Value {
    let mut list = operation(of, "list", "List, filter and sort.", &pages(of), &[]);
    let own = ["page", "perPage", "orderDir", "filters", "tags", "tagsMode", "includeTagDescendants", "noCache"];
    let mut parameters: Vec<Value> = own.into_iter().chain(VALIDATORS).map(shared).collect();
    parameters.extend(field_lists(names));
    list["parameters"] = parameters.into();
    list
}

/// OpenAPI 3.1 has no place for the method SEARCH. It stands where the registry of extensions has such methods, in the form
/// that `additionalOperations` has from 3.2 on.
fn search(of: &Type, names: &[&str]) -> Value {
    let summary = "The list, with its parameters in a JSON body.";
    let mut search = operation(of, "search", summary, &pages(of), &["413", "415"]);
    let mut properties = search_members();
    for parameter in field_lists(names) {
        if let Some(name) = parameter["name"].as_str() {
            properties.insert(name.to_owned(), parameter["schema"].clone());
        }
    }
    let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    search["parameters"] = VALIDATORS.map(shared).to_vec().into();
    search["requestBody"] = json!({"content": {"application/json": {"schema": schema}}});
    search
}

/// The answers of lists.
pub(super) fn pages(of: &Type) -> [(&'static str, Value); 3] {
    let page = json!({
        "type": "object",
        "required": ["stats", "data"],
        "properties": {
            "stats": schema("Stats"), "propsMeta": metadata::by_path(),
            "data": {"type": "array", "items": metadata::resource(&of.name)},
        },
    });
    [
        ("200", body("A page of the list.", &page, &VALIDATED)),
        ("204", empty("Nothing matches.", &VALIDATED)),
        ("304", not_modified()),
    ]
}

fn read(of: &Type, word: &str, summary: &str, mut parameters: Vec<Value>) -> Value {
    let mut resource = metadata::resource(&of.name);
    resource["properties"] = json!({"_propsMeta": metadata::by_path()});
    let answers = [("200", body("The resource.", &resource, &VALIDATED)), ("304", not_modified())];
    let mut read = operation(of, word, summary, &answers, &[]);
    let own = ["showFields", "hideFields", "propsMeta", "wrapFields", "noCache"];
    parameters.extend(own.into_iter().chain(VALIDATORS).map(shared));
    read["parameters"] = parameters.into();
    read
}

/// An operation with a body, whose schema is named like it.
fn write(of: &Type, word: &str, summary: &str, answers: &[(&str, Value)], beside: &[&str]) -> Value {
    let mut statuses = vec!["409", "413", "415"];
    statuses.extend(beside);
    // Hashes of passwords wait for one another.
    statuses.extend((of.id == USER_TYPE).then_some("429"));
    let mut write = operation(of, word, summary, answers, &statuses);
    let schema = schema(&format!("{}.{word}", of.name));
    let taken = "Values as wrapFields gives them are taken as the values in them.";
    write["requestBody"] =
        json!({"required": true, "description": taken, "content": {"application/json": {"schema": schema}}});
    write
}

fn operation(of: &Type, word: &str, summary: &str, answers: &[(&str, Value)], beside: &[&str]) -> Value {
    let mut statuses = vec!["403", "404", "503"];
    statuses.extend(beside);
    let mut operation = responses::operation(&format!("{}.{word}", of.name), summary, answers, &statuses);
    operation["tags"] = json!([of.name]);
    operation
}
