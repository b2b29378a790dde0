//! The audit log.

use super::literal::json;
use super::pages;
use super::parameters::of_query;
use super::responses::{body, operation};
use context::audit::{EventKind, RequestChannel};
use serde_json::Value;

/// The list of entries.
pub fn list() -> Value {
    let (number, text) = (json!({"type": ["integer", "null"]}), json!({"type": ["string", "null"]}));
    let events = EventKind::ALL.map(|(name, _)| name);
    let entry = json!({
        "type": "object",
        "required": ["id", "at", "event", "subjectId", "actorId", "keyId", "via", "address", "details", "digest"],
        "properties": {
            "id": {"type": "integer"}, "at": {"type": "string", "format": "date-time"}, "event": {"enum": events},
            "subjectId": number, "subject": text, "actorId": number, "actor": text, "keyId": number,
            "via": {"enum": RequestChannel::ALL.map(|(name, _)| name)}, "address": text, "details": {"type": "object"},
            "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        },
    });
    let answers = [("200", body("A page of the log, newest first.", &pages::page(&entry), &[]))];
    let summary = "List changes of accounts, roles, keys and the configuration. Needs the permission admin.";
    let mut list = operation("audit", summary, &answers, &["403", "404", "503"]);
    let event = json!({"type": "array", "items": {"enum": events}});
    let mut event = of_query("event", "Only these events.", event);
    (event["style"], event["explode"]) = ("form".into(), false.into());
    let string = || json!({"type": "string"});
    let own = [
        event,
        of_query("actor", "The id or login name of the acting user.", string()),
        of_query("subject", "The id or login name of the user concerned.", string()),
        of_query("from", "A datetime: only events from then on.", string()),
        of_query("to", "A datetime: only earlier events.", string()),
    ];
    list["parameters"] = pages::parameters(own, 100, 1_000);
    list
}
