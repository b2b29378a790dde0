//! The operations of a type for generated clients.

use crate::collections::{self, operation, readable};
use crate::literal::json;
use crate::parameters::{VALIDATORS, of_path, of_query, search_members, shared};
use crate::responses::{TAGGED, VALIDATED, body, empty, not_modified, schema};
use model::types::{ResourceType, TypeGrant};
use serde_json::Value;

/// The description of the parameter `for`.
const FOR: &str = "A relation that you may write, as type.property: only resources that it takes.";

fn picked_for() -> Value {
    of_query("for", FOR, json!({"type": "string"}))
}

/// Describes a list.
pub fn list(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    readable(resource_type, grant)?;
    let name = &resource_type.name;
    let mut list = operation(resource_type, "list", "List, filter and sort.", &pages(&format!("{name}.page")), &[]);
    let own =
        ["page", "perPage", "orderDir", "filters", "tags", "tagsMode", "includeTagDescendants", "decimals", "noCache"];
    let order = json!({
        "name": "orderBy", "in": "query", "description": "Sort keys.", "style": "form", "explode": false,
        "schema": {"type": "array", "items": schema(&format!("{name}.sort"))},
    });
    list["parameters"] = own.into_iter().chain(VALIDATORS).map(shared).chain([order, picked_for()]).collect();
    Some(list)
}

/// Describes a list whose parameters stand in a body.
pub fn search(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let page = format!("{}.page", resource_type.name);
    asked(resource_type, grant, "search", "List, filter and sort, with a body.", &page, &[])
}

/// Describes a list of chosen fields.
pub fn select(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let page = format!("{}.partialPage", resource_type.name);
    let summary = "The same with chosen fields; dotted paths put related resources in their place.";
    asked(resource_type, grant, "select", summary, &page, &["showFields", "hideFields"])
}

/// Describes groups.
pub fn group(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let mut group = groups(resource_type, grant, "group", &[])?;
    let text = |name: &str, description: &str| of_query(name, description, json!({"type": "string"}));
    let own = [
        text("groupBy", "Names of properties, or keys as JSON."),
        text("values", "Values by name, as JSON."),
        text("having", "Conditions on groups, as JSON."),
        text("orderBy", "Names of keys and values; -name is descending."),
        of_query("fill", "True adds the periods without rows.", json!({"type": "boolean"})),
        of_query("totals", "True adds the values of all rows.", json!({"type": "boolean"})),
    ];
    let common = ["page", "perPage", "filters", "tags", "tagsMode", "includeTagDescendants", "decimals", "noCache"];
    group["parameters"] = common.into_iter().chain(VALIDATORS).map(shared).chain(own).collect();
    Some(group)
}

/// Describes groups whose parameters stand in a body.
pub fn aggregate(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let name = &resource_type.name;
    let mut aggregate = groups(resource_type, grant, "aggregate", &["413", "415"])?;
    let filters = json!({"type": "array", "items": schema(&format!("{name}.filter"))});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let number = json!({"type": "integer", "minimum": 1});
    let schema = json!({"type": "object", "additionalProperties": false, "properties": {
        "filters": filters, "tags": texts, "tagsMode": schema("TagsMode"), "includeTagDescendants": {"type": "boolean"},
        "groupBy": {"type": "array", "maxItems": 4, "items": schema("GroupKey")},
        "values": {
            "type": "object", "maxProperties": 20, "additionalProperties": schema("GroupValue"),
            "description": "A value for each name; without it, the number of rows as count.",
        },
        "having": {"type": "array", "items": schema("Filter")},
        "orderBy": {"type": "array", "items": {"type": "string"}, "description": "Names of keys and values; -name is descending."},
        "page": number, "perPage": number, "fill": {"type": "boolean"}, "totals": {"type": "boolean"},
    }});
    aggregate["parameters"] = ["decimals"].into_iter().chain(VALIDATORS).map(shared).collect();
    aggregate["requestBody"] = json!({"content": {"application/json": {"schema": schema}}});
    Some(aggregate)
}

/// Describes one resource.
pub fn get(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    readable(resource_type, grant)?;
    Some(read(resource_type, "get", "Read one.", Vec::new()))
}

/// Describes the first resource with a value.
pub fn get_by(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let names = readable(resource_type, grant).filter(|names| !names.is_empty())?;
    let mut property = of_path("property", "The property.");
    property["schema"]["enum"] = names.into();
    let summary = "Read the first resource whose property has the value.";
    Some(read(resource_type, "getBy", summary, vec![property, of_path("item", "Its value, as text.")]))
}

/// Describes a new resource.
pub fn create(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    Some(writes(collections::create(resource_type, grant)?))
}

/// Describes the replacement of a resource.
pub fn replace(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    Some(writes(collections::replace(resource_type, grant)?))
}

/// Describes a change of a resource.
pub fn patch(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    Some(writes(collections::patch(resource_type, grant)?))
}

/// Describes the deletion of a resource.
pub fn delete(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let mut delete = collections::delete(resource_type, grant)?;
    // The form of the answer whose ETag `If-Match` has.
    delete["parameters"].as_array_mut().into_iter().for_each(|parameters| parameters.push(shared("decimals")));
    Some(delete)
}

fn groups(resource_type: &ResourceType, grant: &TypeGrant, word: &str, beside: &[&str]) -> Option<Value> {
    readable(resource_type, grant)?;
    let summary = "Count, sum and group the rows that a list would have.";
    let answers = [("200", body("The groups.", &schema("GroupPage"), &VALIDATED)), ("304", not_modified())];
    Some(operation(resource_type, word, summary, &answers, beside))
}

/// A list whose parameters stand in a body.
fn asked(
    resource_type: &ResourceType,
    grant: &TypeGrant,
    word: &str,
    summary: &str,
    page: &str,
    fields: &[&str],
) -> Option<Value> {
    readable(resource_type, grant)?;
    let name = &resource_type.name;
    let mut members = search_members();
    members.insert("filters".to_owned(), json!({"type": "array", "items": schema(&format!("{name}.filter"))}));
    members.insert("orderBy".to_owned(), json!({"type": "array", "items": schema(&format!("{name}.sort"))}));
    members.insert("orderDir".to_owned(), schema("OrderDir"));
    members.insert("tagsMode".to_owned(), schema("TagsMode"));
    members.insert("for".to_owned(), json!({"type": "string", "description": FOR}));
    for field in fields {
        members.insert((*field).to_owned(), json!({"type": "array", "items": {"type": "string"}}));
    }
    if !fields.is_empty() {
        members.insert("_related".to_owned(), related());
    }
    let schema = json!({"type": "object", "properties": members, "additionalProperties": false});
    let mut operation = operation(resource_type, word, summary, &pages(page), &["413", "415"]);
    operation["parameters"] = ["decimals"].into_iter().chain(VALIDATORS).map(shared).collect();
    operation["requestBody"] = json!({"content": {"application/json": {"schema": schema}}});
    Some(operation)
}

/// The options of what refers to the resources.
fn related() -> Value {
    let options = json!({"type": "object", "additionalProperties": false, "properties": {
        "filters": {"type": "array", "items": schema("Filter")},
        "orderBy": {"type": "array", "items": {"type": "string"}, "description": "Sort keys; -name is descending."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50},
    }});
    json!({
        "type": "object", "maxProperties": 16, "additionalProperties": options,
        "description": "For the other ends of relations, by their paths: which resources are shown and counted.",
    })
}

fn read(resource_type: &ResourceType, word: &str, summary: &str, mut parameters: Vec<Value>) -> Value {
    let answers = [("200", body("The resource.", &schema(&resource_type.name), &VALIDATED)), ("304", not_modified())];
    let mut read = operation(resource_type, word, summary, &answers, &[]);
    parameters.extend(["decimals", "noCache"].into_iter().chain(VALIDATORS).map(shared));
    read["parameters"] = parameters.into();
    read
}

fn pages(page: &str) -> [(&'static str, Value); 2] {
    [("200", body("A page of the list.", &schema(page), &VALIDATED)), ("304", not_modified())]
}

/// A write, whose answer may be left out.
pub(super) fn writes(mut operation: Value) -> Value {
    add(&mut operation, shared("decimals"));
    prefers(&mut operation);
    if let Some(body) = operation["requestBody"].as_object_mut() {
        body.remove("description");
    }
    operation
}

/// Says that the answer of a write may be left out.
pub(super) fn prefers(operation: &mut Value) {
    let prefer = json!({
        "name": "Prefer", "in": "header", "description": "return=minimal leaves the body of the answer out.",
        "schema": {"type": "string"},
    });
    add(operation, prefer);
    if let Some(answers) = operation["responses"].as_object_mut().filter(|answers| !answers.contains_key("201")) {
        answers.insert("204".to_owned(), empty("Done, with return=minimal.", &TAGGED));
    }
}

fn add(operation: &mut Value, parameter: Value) {
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(parameter),
        None => operation["parameters"] = json!([parameter]),
    }
}
