//! The paths that tell about the service itself: this document, and how the process does.

use super::literal::json;
use super::pages;
use super::parameters::{VALIDATORS, of_query, shared};
use super::responses::{VALIDATED, body, not_modified, operation};
use context::reads::ReadWay;
use serde_json::Value;

/// Describes this description.
pub fn document() -> Value {
    let answers = [("200", body("OpenAPI 3.1.", &json!({"type": "object"}), &VALIDATED)), ("304", not_modified())];
    let mut document = operation("openapi", "This document.", &answers, &["403", "404", "503"]);
    document["parameters"] = VALIDATORS.map(shared).to_vec().into();
    document
}

/// Describes the types of a client.
pub fn typescript() -> Value {
    let mut answer = body("A module of TypeScript.", &json!({}), &VALIDATED);
    answer["content"] = json!({"text/plain": {"schema": {"type": "string"}}});
    let answers = [("200", answer), ("304", not_modified())];
    let summary = "Types of TypeScript for the package plinth-client.";
    let mut typescript = operation("clientTypes", summary, &answers, &["403", "404", "503"]);
    typescript["parameters"] = VALIDATORS.map(shared).to_vec().into();
    typescript
}

/// Describes challenges to a proof of work.
pub fn challenge() -> Value {
    let challenge = json!({
        "type": "object", "required": ["challenge", "difficulty", "expires"],
        "properties": {
            "challenge": {"type": "string"}, "difficulty": {"type": "integer"},
            "expires": {"type": "string", "format": "date-time"},
        },
    });
    let answers = [("200", body("A challenge, which serves once.", &challenge, &[]))];
    operation(
        "challenge",
        "Get a challenge to the proof of work that creating without a key takes.",
        &answers,
        &["404", "503"],
    )
}

/// Describes the log of reads.
pub fn read_log() -> Value {
    let number = json!({"type": ["integer", "null"]});
    let text = json!({"type": ["string", "null"]});
    let entry = json!({
        "type": "object", "required": ["id", "at", "userId", "keyId", "address", "typeId", "objectId", "way"],
        "properties": {
            "id": {"type": "integer"}, "at": {"type": "string", "format": "date-time"}, "userId": number, "user": text,
            "keyId": number, "address": text, "typeId": number, "type": text, "objectId": number,
            "way": {"enum": ReadWay::ALL.map(|(name, _)| name)},
        },
    });
    let answers = [("200", body("A page of the log, newest first.", &pages::page(&entry), &[]))];
    let summary = "List reads of types that log reads. Needs the permission admin.";
    let mut read_log = operation("readLog", summary, &answers, &["403", "404", "503"]);
    let texts = [
        ("type", "The name or id of a type."),
        ("item", "The id of a resource of the type."),
        ("user", "The id or login name of a user."),
        ("from", "A datetime: only reads from then on."),
        ("to", "A datetime: only earlier reads."),
    ];
    let texts = texts.map(|(name, description)| of_query(name, description, json!({"type": "string"})));
    read_log["parameters"] = pages::parameters(texts, 100, 1_000);
    read_log
}

/// Describes the sign of life.
pub fn alive() -> Value {
    operation("healthz", "Check that the process lives.", &[("200", state("It does."))], &[])
}

/// Describes the sign of readiness.
pub fn ready() -> Value {
    operation("readyz", "Check that the server can serve requests.", &[("200", state("They can."))], &["503"])
}

fn state(description: &str) -> Value {
    let state = json!({
        "type": "object", "required": ["status"], "properties": {"status": {"type": "string"}},
    });
    body(description, &state, &[])
}
