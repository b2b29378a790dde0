//! The audit log.

use super::responses::{body, operation};
use platform::audit::{Kind, Via};
use serde_json::{Map, Value, json};

/// The path of the audit log.
pub(super) fn paths() -> Map<String, Value> {
    let (number, text) = (json!({"type": ["integer", "null"]}), json!({"type": ["string", "null"]}));
    let events = Kind::ALL.map(|(name, _)| name);
    let entry = json!({
        "type": "object",
        "required": ["id", "at", "event", "subjectId", "actorId", "keyId", "via", "address", "details", "digest"],
        "properties": {
            "id": {"type": "integer"}, "at": {"type": "string", "format": "date-time"}, "event": {"enum": events},
            "subjectId": number, "subject": text, "actorId": number, "actor": text, "keyId": number,
            "via": {"enum": Via::ALL.map(|(name, _)| name)}, "address": text, "details": {"type": "object"},
            "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        },
    });
    let page = json!({
        "type": "object", "required": ["items", "nextCursor", "hasMore"],
        "properties": {"items": {"type": "array", "items": entry}, "nextCursor": text, "hasMore": {"type": "boolean"}},
    });
    let answers = [("200", body("A page of the log, newest first.", &page, &[]))];
    let summary = "Who changed accounts, roles, keys and the configuration. Needs the permission admin.";
    let mut list = operation("audit", summary, &answers, &["403", "404", "503"]);
    let query = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "query", "description": description, "schema": schema});
    let event = json!({"type": "array", "items": {"enum": events}});
    let mut event = query("event", "Only these events.", event);
    (event["style"], event["explode"]) = ("form".into(), false.into());
    let string = || json!({"type": "string"});
    let limit = json!({"type": "integer", "minimum": 1, "maximum": 1_000, "default": 100});
    list["parameters"] = json!([
        event,
        query("actor", "The id or login name of a user: who acted.", string()),
        query("subject", "The id or login name of a user: whom it was about.", string()),
        query("from", "A datetime: nothing earlier.", string()),
        query("to", "A datetime: only what is earlier.", string()),
        query("cursor", "The nextCursor of the page before, asked for with the same parameters.", string()),
        query("limit", "How many at most.", limit),
    ]);
    Map::from_iter([("/api/ext/v1/audit".to_owned(), json!({"get": list}))])
}
