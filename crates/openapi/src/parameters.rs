//! Parameters that operations share: of the query, the path and the head.

use super::literal::json;
use serde_json::{Map, Value};

/// `*`, or ETags in quotes.
const IF_MATCH: &str = r#"^\s*(\*|(W/)?"[^"]*"\s*(,\s*(W/)?"[^"]*"\s*)*,?)\s*$"#;

const PROPS_META: &str = "Add the description of these fields; * for all shown fields.";
const WRAP_FIELDS: &str = "Return the values of these fields with data for people; * for all shown fields.";

/// Parameters that several operations share.
pub fn parameters() -> Value {
    let query = of_query;
    let names = json!({"type": "array", "items": {"type": "string"}});
    let field_list = |name: &str, description: &str| {
        let mut parameter = query(name, description, names.clone());
        parameter["style"] = "form".into();
        parameter["explode"] = false.into();
        parameter
    };
    let mut if_match =
        head("If-Match", "The ETag of the resource as it was read, several with commas between them, or *.");
    if_match["schema"]["pattern"] = IF_MATCH.into();
    json!({
        "page": query("page", "Number of the page.", json!({"type": "integer", "minimum": 1, "default": 1})),
        "perPage": query("perPage", "Resources on a page; capped.", json!({"type": "integer", "minimum": 1})),
        "orderDir": query("orderDir", "Direction of the sort keys without one of their own.", json!({"enum": ["asc", "desc"]})),
        "filters": {
            "name": "filters", "in": "query", "description": "Filters, all of which must hold.",
            "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Filter"}}}},
        },
        "tags": field_list("tags", "Ids of tags: only resources with one of them."),
        "tagsMode": query("tagsMode", "any: one of the tags is enough. all: each is needed.", tags_mode()),
        "includeTagDescendants": query(
            "includeTagDescendants",
            "True accepts tags below these, too.",
            json!({"type": "boolean", "default": false}),
        ),
        "showFields": field_list("showFields", "Only these fields; dotted paths expand relations."),
        "hideFields": field_list("hideFields", "Not these fields."),
        "propsMeta": field_list("propsMeta", PROPS_META),
        "wrapFields": field_list("wrapFields", WRAP_FIELDS),
        "item": of_path("item", "An id or a UUID."),
        "decimals": query(
            "_decimals",
            "text answers decimals, and integers beyond 2^53, as texts with all their digits.",
            json!({"enum": ["number", "text"], "default": "number"}),
        ),
        "noCache": query("_noCache", "1 requests a new answer, not a cached one or 304.", json!({"enum": ["0", "1", "false", "true"]})),
        "ifMatch": if_match,
        "idempotencyKey": head(
            "Idempotency-Key",
            "A name for this write, 1 to 255 characters. Sent again within 24 hours, the write is not done twice.",
        ),
        "ifNoneMatch": head("If-None-Match", "ETags of the client's answers: if one is current, 304 without a body."),
        "cacheControl": head("Cache-Control", "no-cache requests a new answer, not a cached one or 304."),
    })
}

/// The proof of work of an operation that wants one.
pub fn proof() -> Value {
    head("Plinth-Proof", "The challenge, a full stop, and a number so that SHA-256 of all begins with zeros.")
}

/// The parameters that the operations that read for caches take beside their own.
pub const VALIDATORS: [&str; 2] = ["ifNoneMatch", "cacheControl"];

fn head(name: &str, description: &str) -> Value {
    json!({"name": name, "in": "header", "description": description, "schema": {"type": "string"}})
}

/// The parameters that name fields of a type.
pub fn field_lists(names: &[&str]) -> Vec<Value> {
    let keys: Vec<String> = names.iter().flat_map(|name| [(*name).to_owned(), format!("-{name}")]).collect();
    let list = |name: &str, description: &str, items: Value| {
        json!({
            "name": name, "in": "query", "description": description, "style": "form", "explode": false,
            "schema": {"type": "array", "items": items},
        })
    };
    let path = json!({"type": "string", "examples": names});
    vec![
        list("orderBy", "Sort keys; -name is descending.", json!({"type": "string", "examples": keys})),
        list("showFields", "Only these fields; dotted paths expand relations.", path.clone()),
        list("hideFields", "Not these fields.", path.clone()),
        list("propsMeta", PROPS_META, path.clone()),
        list("wrapFields", WRAP_FIELDS, path),
    ]
}

/// The members of a SEARCH body beside the lists of fields.
pub fn search_members() -> Map<String, Value> {
    [
        ("page", json!({"type": "integer", "minimum": 1})),
        ("perPage", json!({"type": "integer", "minimum": 1})),
        ("orderDir", json!({"enum": ["asc", "desc"]})),
        ("filters", json!({"type": "array", "items": {"$ref": "#/components/schemas/Filter"}})),
        ("tags", json!({"type": "array", "items": {"type": "string"}})),
        ("tagsMode", tags_mode()),
        ("includeTagDescendants", json!({"type": "boolean", "default": false})),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

fn tags_mode() -> Value {
    json!({"enum": ["any", "all"], "default": "any"})
}

/// A parameter of the query.
pub fn of_query(name: &str, description: &str, schema: Value) -> Value {
    json!({"name": name, "in": "query", "description": description, "schema": schema})
}

/// A parameter of a path.
pub fn of_path(name: &str, description: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "description": description, "schema": {"type": "string"}})
}

/// A reference to a shared parameter.
pub fn shared(name: &str) -> Value {
    json!({"$ref": format!("#/components/parameters/{name}")})
}
