//! What tells about the service itself: this document, and how the process does.

use super::parameters::{VALIDATORS, shared};
use super::responses::{VALIDATED, body, not_modified, operation};
use platform::read_log::Way;
use serde_json::{Map, Value, json};

/// The paths of the service.
pub(super) fn paths() -> Map<String, Value> {
    let answers = [("200", body("OpenAPI 3.1.", &json!({"type": "object"}), &VALIDATED)), ("304", not_modified())];
    let mut describe = operation("openapi", "This document.", &answers, &["403", "404", "503"]);
    describe["parameters"] = VALIDATORS.map(shared).to_vec().into();
    let number = json!({"type": ["integer", "null"]});
    let text = json!({"type": ["string", "null"]});
    let entry = json!({
        "type": "object", "required": ["id", "at", "userId", "keyId", "address", "typeId", "objectId", "way"],
        "properties": {
            "id": {"type": "integer"}, "at": {"type": "string", "format": "date-time"}, "userId": number, "user": text,
            "keyId": number, "address": text, "typeId": number, "type": text, "objectId": number,
            "way": {"enum": Way::ALL.map(|(name, _)| name)},
        },
    });
    let page = json!({
        "type": "object", "required": ["items", "nextCursor", "hasMore"],
        "properties": {"items": {"type": "array", "items": entry}, "nextCursor": text, "hasMore": {"type": "boolean"}},
    });
    let answers = [("200", body("A page of the log, newest first.", &page, &[]))];
    let summary = "Who read what, of types that log reads. Needs the permission admin.";
    let mut read_log = operation("readLog", summary, &answers, &["403", "404", "503"]);
    let query = |(name, description): (&str, &str)| json!({"name": name, "in": "query", "description": description, "schema": {"type": "string"}});
    let texts = [
        ("type", "The name or id of a type."),
        ("item", "The id of a resource of the type."),
        ("user", "The id or login name of a user."),
        ("from", "A datetime: no earlier reads."),
        ("to", "A datetime: only earlier reads."),
        ("cursor", "The nextCursor of the page before, asked for with the same parameters."),
    ];
    let limit = json!({"type": "integer", "minimum": 1, "maximum": 1_000, "default": 100});
    let limit = json!({"name": "limit", "in": "query", "description": "How many at most.", "schema": limit});
    read_log["parameters"] = texts.map(query).into_iter().chain([limit]).collect();
    let state = json!({
        "type": "object", "required": ["status"], "properties": {"status": {"type": "string"}},
    });
    let open = |mut operation: Value| {
        operation["security"] = json!([]);
        operation
    };
    let alive = [("200", body("It does.", &state, &[]))];
    let ready = [("200", body("They can.", &state, &[]))];
    [
        ("/api/ext/v1/openapi.json", describe),
        ("/api/ext/v1/read-log", read_log),
        ("/healthz", open(operation("healthz", "Tell that the process lives.", &alive, &[]))),
        ("/readyz", open(operation("readyz", "Tell whether requests can be served.", &ready, &["503"]))),
    ]
    .map(|(path, operation)| (path.to_owned(), json!({"get": operation})))
    .into_iter()
    .collect()
}
