//! The operations of canvases.

use super::literal::json;
use super::parameters::{VALIDATORS, shared};
use super::queries::{body, in_query};
use super::responses::{self, VALIDATED, body as answer, not_modified};
use model::canvas::Canvas;
use serde_json::{Map, Value};

/// Describes a canvas.
pub fn get(canvas: &Canvas) -> Value {
    let mut get = operation(canvas, "get", &[]);
    get["parameters"] =
        canvas.parameters.iter().map(in_query).chain(["noCache"].map(shared)).chain(VALIDATORS.map(shared)).collect();
    get
}

/// Describes a canvas whose parameters stand in a body.
pub fn search(canvas: &Canvas) -> Value {
    with_body(canvas, "search")
}

/// The same for clients that know no SEARCH.
pub fn run(canvas: &Canvas) -> Value {
    with_body(canvas, "run")
}

fn with_body(canvas: &Canvas, word: &str) -> Value {
    let mut search = operation(canvas, word, &["413", "415"]);
    search["parameters"] = VALIDATORS.map(shared).to_vec().into();
    search["requestBody"] = json!({"content": {"application/json": {"schema": body(&canvas.parameters, Map::new())}}});
    search
}

fn operation(canvas: &Canvas, word: &str, beside: &[&str]) -> Value {
    let error = json!({
        "type": "object", "required": ["code", "message"],
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
    });
    let item = json!({
        "type": "object", "required": ["kind"],
        "properties": {
            "kind": {"enum": ["number", "table", "chart", "text"]}, "title": {"type": ["string", "null"]}, "value": {}, "text": {"type": "string"},
            "columns": {"type": "array", "items": {"type": "string"}}, "rows": {"type": "array", "items": {"type": "array", "items": {}}},
            "total": {"type": "integer"}, "chart": {"enum": ["line", "bar", "pie"]}, "x": {"type": "array", "items": {}},
            "series": {"type": "array", "items": {"type": "object"}}, "error": error,
            "query": {"type": "string", "description": "The query that the item shows."},
            "axes": axes(),
            "params": {"type": "object", "additionalProperties": true, "description": "Its parameters."},
        },
    });
    let schema = json!({
        "type": "object", "required": ["canvas", "title", "items"],
        "properties": {
            "canvas": {"type": "string"}, "title": {"type": "string"}, "items": {"type": "array", "items": item},
        },
    });
    let answers = [("200", answer("The items, in order.", &schema, &VALIDATED)), ("304", not_modified())];
    let statuses: Vec<&str> = ["403", "404", "503"].into_iter().chain(beside.iter().copied()).collect();
    let name = format!("canvas.{}.{word}", canvas.name);
    let mut operation = responses::operation(&name, &canvas.title, &answers, &statuses);
    if !canvas.description.is_empty() {
        operation["description"] = canvas.description.as_str().into();
    }
    operation["tags"] = json!(["canvases"]);
    operation
}

/// The properties that a chart of groups shows.
fn axes() -> Value {
    let path = || json!({"type": "string", "description": "A path of properties from the type of the query."});
    let key = || {
        json!({
            "type": "object", "required": ["property"],
            "properties": {"property": path(), "by": {"type": "string", "description": "The part of a date that counts."}},
        })
    };
    let mut counted = path();
    counted["type"] = json!(["string", "null"]);
    let value = json!({
        "type": "object", "required": ["function", "property"],
        "properties": {"function": {"type": "string"}, "property": counted},
    });
    json!({
        "type": "object", "required": ["x", "y"], "description": "The properties behind a chart of groups.",
        "properties": {"x": key(), "series": key(), "y": {"type": "array", "items": value}},
    })
}
