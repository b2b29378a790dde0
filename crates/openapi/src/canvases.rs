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
