//! Sessions of browsers, and the own keys of their users.

use super::literal::json;
use super::responses::{body, empty, operation};
use serde_json::Value;

/// The statuses that these operations may have.
const REFUSED: [&str; 3] = ["400", "403", "503"];
const WRITE: [&str; 5] = ["400", "403", "413", "415", "503"];

/// Describes the session of the browser.
pub fn get() -> Value {
    let summary = "Read the session of the browser by its cookie, with its proof; or by a key with which an administrator acts as a user.";
    operation("session.get", summary, &[("200", body("The session.", &session(), &[]))], &REFUSED)
}

/// Describes signing in.
pub fn begin() -> Value {
    let summary = "Sign in: the answer sets the cookie. For scripts of the server's own pages alone.";
    let problems = ["401", "400", "403", "413", "415", "503"];
    let mut begin = operation("session.begin", summary, &[("200", body("The session.", &session(), &[]))], &problems);
    begin["requestBody"] = json!({
        "required": true,
        "content": {"application/json": {"schema": {
            "type": "object", "required": ["user", "password"], "additionalProperties": false,
            "properties": {"user": {"type": "string"}, "password": {"type": "string"}},
        }}},
    });
    begin
}

/// Describes signing out.
pub fn end() -> Value {
    let answers = [("204", empty("The session is ended.", &[]))];
    operation("session.end", "Sign out. Needs a session.", &answers, &REFUSED)
}

/// Describes the sessions of the caller.
pub fn list() -> Value {
    let item = json!({
        "type": "object", "required": ["id", "agent", "address", "created", "seen", "current"],
        "properties": {
            "id": {"type": "integer"}, "agent": {"type": "string"}, "address": {"type": "string"},
            "created": instant(), "seen": instant(), "current": {"type": "boolean"},
        },
    });
    let answers = [("200", body("The sessions, the one used last first.", &page(&item), &[]))];
    operation("session.list", "List the own sessions. Needs a session.", &answers, &REFUSED)
}

/// Describes the end of a session.
pub fn end_one() -> Value {
    let answers = [("204", empty("The session is ended.", &[]))];
    operation(
        "session.endOne",
        "End one of the own sessions. Needs a session.",
        &answers,
        &["400", "403", "404", "503"],
    )
}

/// Describes the own keys.
pub fn keys() -> Value {
    let answers = [("200", body("The keys.", &page(&key()), &[]))];
    operation("key.list", "List the own keys. Needs a session.", &answers, &REFUSED)
}

/// Describes a new key.
pub fn make_key() -> Value {
    let mut made = key();
    made["properties"]["key"] = json!({"type": "string", "description": "The text, which is shown once."});
    made["required"] = json!(["id", "description", "scopes", "created", "validTo", "lastUsed", "key"]);
    let answers = [("201", body("The key, with its text.", &made, &[]))];
    let problems = [&WRITE[..], &["409"]].concat();
    let mut make = operation("key.make", "Make a key of the caller. Needs a session.", &answers, &problems);
    make["requestBody"] = json!({
        "required": false,
        "content": {"application/json": {"schema": {
            "type": "object", "additionalProperties": false,
            "properties": {
                "description": {"type": ["string", "null"], "maxLength": 500},
                "scopes": {"type": ["array", "null"], "items": {"type": "string"}},
                "validTo": {"type": ["string", "null"], "description": "A date or datetime; the tenant's time where none."},
            },
        }}},
    });
    make
}

/// Describes the end of a key.
pub fn revoke_key() -> Value {
    let answers = [("204", empty("The key is revoked.", &[]))];
    operation("key.revoke", "Revoke one of the own keys. Needs a session.", &answers, &["400", "403", "404", "503"])
}

fn key() -> Value {
    json!({
        "type": "object", "required": ["id", "description", "scopes", "created", "validTo", "lastUsed"],
        "properties": {
            "id": {"type": "integer"}, "description": {"type": "string"},
            "scopes": {"type": "array", "items": {"type": "string"}}, "created": instant(),
            "validTo": optional_instant(), "lastUsed": optional_instant(),
        },
    })
}

fn session() -> Value {
    let text = || json!({"type": "string"});
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    json!({
        "type": "object", "required": ["user", "ends", "zone", "tenant", "unread", "version"],
        "properties": {
            "user": {
                "type": "object", "required": ["id", "login", "name", "roles", "permissions"],
                "properties": {
                    "id": {"type": "integer"}, "login": text(), "name": text(), "roles": texts(), "permissions": texts(),
                },
            },
            "proof": {"type": "string", "description": "The header X-Plinth-Proof of further requests. A key has none."},
            "actor": {
                "type": "object", "required": ["id", "login", "name"],
                "description": "The administrator who acts as the user.",
                "properties": {"id": {"type": "integer"}, "login": text(), "name": text()},
            },
            "ends": instant(), "zone": text(),
            "tenant": {
                "type": "object", "required": ["name", "title", "locale", "perPage", "maxPageLength", "resets"],
                "properties": {
                    "name": text(), "title": text(), "locale": text(), "perPage": {"type": "integer"},
                    "maxPageLength": {"type": "integer"}, "resets": {"type": "boolean"},
                },
            },
            "unread": {"type": "integer"}, "version": text(), "schema": text(),
        },
    })
}

fn page(item: &Value) -> Value {
    json!({"type": "object", "required": ["data"], "properties": {"data": {"type": "array", "items": item}}})
}

fn instant() -> Value {
    json!({"type": "string", "format": "date-time"})
}

fn optional_instant() -> Value {
    json!({"type": ["string", "null"], "format": "date-time"})
}
