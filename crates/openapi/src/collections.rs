//! The paths of a type: its collection, one resource, and one by a property's value.

use super::literal::json;
use super::parameters::{VALIDATORS, field_lists, of_path, search_members, shared};
use super::responses::{self, TAGGED, VALIDATED, body, empty, not_modified, schema};
use super::{metadata, schemas};
use model::types::{ResourceType, TypeGrant};
use model::user_columns::USER_TYPE;
use serde_json::Value;

/// Describes the first resource with a value.
pub fn get_by(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let mut property = of_path("property", "The property.");
    property["schema"]["enum"] = readable(resource_type, grant)?.into();
    let value = of_path("item", "Its value, as text.");
    let summary = "Read the first resource whose property has the value.";
    Some(read(resource_type, "getBy", summary, vec![property, value]))
}

/// Describes a list.
pub fn list(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let names = readable(resource_type, grant)?;
    let mut list = operation(resource_type, "list", "List, filter and sort.", &pages(resource_type), &[]);
    let own =
        ["page", "perPage", "orderDir", "filters", "tags", "tagsMode", "includeTagDescendants", "decimals", "noCache"];
    let mut parameters: Vec<Value> = own.into_iter().chain(VALIDATORS).map(shared).collect();
    parameters.extend(field_lists(&names));
    list["parameters"] = parameters.into();
    Some(list)
}

/// Describes a list whose parameters stand in a body.
pub fn search(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let names = readable(resource_type, grant)?;
    let summary = "The list, with its parameters in a JSON body.";
    let mut search = operation(resource_type, "search", summary, &pages(resource_type), &["413", "415"]);
    let mut properties = search_members();
    for parameter in field_lists(&names) {
        if let Some(name) = parameter["name"].as_str() {
            properties.insert(name.to_owned(), parameter["schema"].clone());
        }
    }
    let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    search["parameters"] = ["decimals"].into_iter().chain(VALIDATORS).map(shared).collect();
    search["requestBody"] = json!({"content": {"application/json": {"schema": schema}}});
    Some(search)
}

/// Describes a new resource.
pub fn create(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    grant.create.as_ref()?;
    let answers = [("201", body("The created resource.", &schema(&resource_type.name), &TAGGED))];
    Some(write(resource_type, "create", "Create.", &answers, &[]))
}

/// Describes one resource.
pub fn get(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    grant.show.as_ref()?;
    Some(read(resource_type, "get", "Read one.", Vec::new()))
}

/// Describes the replacement of a resource.
pub fn replace(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    change(resource_type, grant, "replace", "Replace.")
}

/// Describes a change of a resource.
pub fn patch(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    change(resource_type, grant, "patch", "Change some properties.")
}

/// Describes the deletion of a resource.
pub fn delete(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    if !grant.delete {
        return None;
    }
    let answers = [("204", empty("Deleted.", &[]))];
    let mut delete = operation(resource_type, "delete", "Delete.", &answers, &["409", "412"]);
    delete["parameters"] = json!([shared("ifMatch")]);
    Some(delete)
}

/// The names of the fields that the caller may read, where there are rights to read.
pub fn readable<'t>(resource_type: &'t ResourceType, grant: &TypeGrant) -> Option<Vec<&'t str>> {
    let readable = grant.show.as_ref()?;
    let fields = resource_type.fields.iter().filter(|property| schemas::is_readable(property, readable));
    Some(fields.map(|property| property.name.as_str()).collect())
}

fn change(resource_type: &ResourceType, grant: &TypeGrant, word: &str, summary: &str) -> Option<Value> {
    grant.edit.as_ref()?;
    let answers = [("200", body("The resource as it is now.", &schema(&resource_type.name), &TAGGED))];
    let mut change = write(resource_type, word, summary, &answers, &["412"]);
    let mut headers = vec![shared("ifMatch")];
    headers.extend((resource_type.id == USER_TYPE).then(keep_keys));
    change["parameters"] = headers.into();
    Some(change)
}

/// The header of a change of a user that keeps the keys which the old password made.
fn keep_keys() -> Value {
    json!({
        "name": "X-Keep-Keys", "in": "header", "schema": {"enum": ["true", "false"]},
        "description": "True keeps the keys that the old password made when the body has a new one.",
    })
}

/// The answers of lists.
pub fn pages(resource_type: &ResourceType) -> [(&'static str, Value); 3] {
    let page = json!({
        "type": "object",
        "required": ["stats", "data"],
        "properties": {
            "stats": schema("Stats"), "propsMeta": metadata::by_path(),
            "data": {"type": "array", "items": metadata::resource(&resource_type.name)},
        },
    });
    [
        ("200", body("A page of the list.", &page, &VALIDATED)),
        ("204", empty("Nothing matches.", &VALIDATED)),
        ("304", not_modified()),
    ]
}

fn read(resource_type: &ResourceType, word: &str, summary: &str, mut parameters: Vec<Value>) -> Value {
    let mut resource = metadata::resource(&resource_type.name);
    resource["properties"] = json!({"_propsMeta": metadata::by_path()});
    let answers = [("200", body("The resource.", &resource, &VALIDATED)), ("304", not_modified())];
    let mut read = operation(resource_type, word, summary, &answers, &[]);
    let own = ["showFields", "hideFields", "propsMeta", "wrapFields", "decimals", "noCache"];
    parameters.extend(own.into_iter().chain(VALIDATORS).map(shared));
    read["parameters"] = parameters.into();
    read
}

/// An operation with a body, whose schema is named like it.
fn write(resource_type: &ResourceType, word: &str, summary: &str, answers: &[(&str, Value)], beside: &[&str]) -> Value {
    let mut statuses = vec!["409", "413", "415"];
    statuses.extend(beside);
    // Hashes of passwords wait for one another.
    statuses.extend((resource_type.id == USER_TYPE).then_some("429"));
    let mut write = operation(resource_type, word, summary, answers, &statuses);
    let schema = schema(&format!("{}.{word}", resource_type.name));
    let taken = "Wrapped values, as wrapFields returns them, are read as the values in them.";
    write["requestBody"] =
        json!({"required": true, "description": taken, "content": {"application/json": {"schema": schema}}});
    write
}

/// An operation on a type, with the problems that all of these have.
pub fn operation(
    resource_type: &ResourceType,
    word: &str,
    summary: &str,
    answers: &[(&str, Value)],
    beside: &[&str],
) -> Value {
    let mut statuses = vec!["403", "404", "503"];
    statuses.extend(beside);
    let mut operation = responses::operation(&format!("{}.{word}", resource_type.name), summary, answers, &statuses);
    operation["tags"] = json!([resource_type.name]);
    operation
}
