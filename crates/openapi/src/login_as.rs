//! Administrators who act as a user.

use super::literal::json;
use super::responses::{body, empty, operation};
use serde_json::Value;

/// Describes the users that a caller may act as.
pub fn list() -> Value {
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
    let answers = [("200", body("Administrators and the users whom they act as.", &page, &[]))];
    let summary = "List keys with which administrators act as users. Needs the permission admin.";
    operation("loginAs.list", summary, &answers, &["403", "404", "503"])
}

/// Describes acting as another user.
pub fn begin() -> Value {
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

/// Describes the end of acting as another user.
pub fn end() -> Value {
    let answers = [("204", empty("The key is revoked.", &[]))];
    operation("loginAs.end", "Revoke such a key. Needs the permission admin.", &answers, &["400", "403", "404", "503"])
}
