//! Administrators who act as a user.

use super::parameters::of_path;
use super::responses::{body, empty, operation};
use serde_json::{Map, Value, json};

/// The paths of acting as a user.
pub(super) fn paths() -> Map<String, Value> {
    let id = json!([of_path("id", "The number of the key.")]);
    [
        ("/api/ext/v1/login-as", json!({"get": list(), "post": begin()})),
        ("/api/ext/v1/login-as/{id}", json!({"parameters": id, "delete": end()})),
    ]
    .map(|(path, operations)| (path.to_owned(), operations))
    .into_iter()
    .collect()
}

fn list() -> Value {
    let item = json!({
        "type": "object", "required": ["id", "userId", "user", "actingId", "acting", "validTo"],
        "properties": {
            "id": {"type": "integer"}, "userId": {"type": "integer"}, "user": {"type": "string"},
            "actingId": {"type": "integer"}, "acting": {"type": ["string", "null"]},
            "validTo": {"type": "string", "format": "date-time"},
        },
    });
    let page = json!({
        "type": "object", "required": ["items"], "properties": {"items": {"type": "array", "items": item}},
    });
    let answers = [("200", body("Who acts as whom.", &page, &[]))];
    let summary = "Keys with which administrators act as users. Needs the permission admin.";
    operation("loginAs.list", summary, &answers, &["403", "404", "503"])
}

fn begin() -> Value {
    let made = json!({
        "type": "object", "required": ["authToken"], "properties": {"authToken": {"type": "object"}},
    });
    let answers = [("200", body("The key, whose text is shown once.", &made, &[]))];
    let summary = "Act as a user, for an hour. Needs the permission admin.";
    let mut begin = operation("loginAs.begin", summary, &answers, &["400", "403", "404", "409", "413", "415", "503"]);
    begin["requestBody"] = json!({
        "required": true,
        "content": {"application/json": {"schema": {
            "type": "object", "required": ["user"], "additionalProperties": false,
            "properties": {"user": {"type": ["integer", "string"], "description": "The id or the login name."}},
        }}},
    });
    begin
}

fn end() -> Value {
    let answers = [("204", empty("The key does not work any more.", &[]))];
    operation("loginAs.end", "Revoke such a key. Needs the permission admin.", &answers, &["400", "403", "404", "503"])
}
