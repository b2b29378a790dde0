//! Why a user may or may not do something.

use super::literal::json;
use super::responses::{body, operation, schema};
use serde_json::{Map, Value};

const SUMMARY: &str = "Explain why a user may or may not do something with a row. Needs the permission admin.";

/// Describes an explanation of rights.
pub fn get() -> Value {
    let mut get = explanation("explain", SUMMARY);
    let query = |(name, description): (&str, &str)| {
        let required = matches!(name, "user" | "type");
        json!({"name": name, "in": "query", "required": required, "description": description, "schema": {"type": "string"}})
    };
    let parameters = [
        ("user", "The id or login name of a user."),
        ("type", "The name or id of a type."),
        ("item", "The id or UUID of a row; without it the answer is about the type."),
        ("scopes", "The scopes of a key, with commas between them."),
    ];
    get["parameters"] = parameters.map(query).into_iter().collect();
    get
}

/// Describes an explanation of a write that is not made.
pub fn post() -> Value {
    let mut post = explanation("explainValues", &format!("{SUMMARY} With new values, too."));
    let id = json!({"type": ["string", "integer"]});
    let asked = json!({
        "type": "object", "required": ["user", "type"], "additionalProperties": false,
        "properties": {
            "user": id, "type": id, "item": {"type": ["string", "integer", "null"]},
            "scopes": {"type": ["array", "string", "null"], "items": {"type": "string"}},
            "set": {
                "type": ["object", "null"],
                "description": "New values of the row; without item, of a new row. Nothing is written.",
            },
        },
    });
    post["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": asked}}});
    post
}

fn explanation(id: &str, summary: &str) -> Value {
    let answer = body("The answer of the API to each action, and why.", &schema("Explained"), &[]);
    operation(id, summary, &[("200", answer)], &["400", "403", "404", "503"])
}

/// The schemas of explanations.
pub fn schemas() -> Map<String, Value> {
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    let (text, number, flag) = (json!({"type": "string"}), json!({"type": "integer"}), json!({"type": "boolean"}));
    let action = json!({"enum": ["show", "edit", "create", "delete"]});
    let refusal = json!({
        "type": "object", "required": ["kind", "code", "message"],
        "properties": {
            "kind": {"enum": ["forbidden", "missing", "invalid", "conflict"]}, "code": text, "message": text,
            "properties": texts(),
        },
    });
    let verdict = json!({
        "type": "object", "required": ["action", "allowed", "depends"],
        "properties": {
            "action": action, "allowed": flag, "depends": flag, "fields": texts(), "others": texts(), "refusal": refusal,
        },
    });
    let granted = json!({
        "type": "object", "required": ["action", "role", "file", "line", "key", "followsEdit", "inScope"],
        "properties": {
            "action": action, "role": text, "file": text, "line": number, "key": text, "followsEdit": flag,
            "inScope": flag, "holds": flag, "fields": texts(), "unseen": flag, "preset": texts(),
            "where": schema("Explained.rule"), "check": schema("Explained.rule"),
        },
    });
    let rule = json!({
        "type": "object", "required": ["text", "file", "line", "key"],
        "properties": {
            "text": text, "file": text, "line": number, "key": text, "holds": flag, "because": texts(),
            "tree": schema("Explained.part"),
        },
    });
    let part = json!({
        "type": "object", "required": ["text", "decides"],
        "properties": {
            "text": text, "decides": flag, "value": {}, "withheld": text,
            "error": {"type": "object", "required": ["code", "message"], "properties": {"code": text, "message": text}},
            "parts": {"type": "array", "items": schema("Explained.part")},
        },
    });
    let statement = json!({
        "type": "object", "required": ["purpose", "sql", "values", "plan", "names"],
        "properties": {
            "purpose": {"enum": ["total", "rows"]}, "sql": text, "values": texts(), "plan": texts(),
            "names": {"type": "object", "additionalProperties": text},
        },
    });
    let user = json!({
        "type": "object", "required": ["id", "login", "roles"],
        "properties": {"id": number, "login": text, "roles": texts(), "scopes": texts(), "obstacle": text},
    });
    let explained = json!({
        "type": "object", "required": ["user", "type", "actions", "grants", "statements"],
        "properties": {
            "user": user, "type": text, "id": number, "uuid": {"type": "string", "format": "uuid"},
            "actions": {"type": "array", "items": verdict}, "grants": {"type": "array", "items": granted},
            "statements": {"type": "array", "items": statement},
        },
    });
    [("Explained", explained), ("Explained.rule", rule), ("Explained.part", part)]
        .map(|(name, schema)| (name.to_owned(), schema))
        .into_iter()
        .collect()
}
