//! The outbox, for administrators.

use super::literal::json;
use super::pages;
use super::parameters::of_query;
use super::responses::{body, operation, schema};
use messages::outbox::State;
use serde_json::{Map, Value};

/// The schema of a row.
pub fn schemas() -> Map<String, Value> {
    let text = json!({"type": ["string", "null"]});
    let moment = json!({"type": ["string", "null"], "format": "date-time"});
    let reference = json!({
        "type": ["object", "null"], "description": "The object of the message.",
        "properties": {"kind": {"type": "string"}, "id": {"type": "integer"}, "part": {"type": "string"}},
    });
    let row = json!({
        "type": "object",
        "required": [
            "id", "channel", "template", "recipient", "language", "state", "tries", "due", "error", "messageId",
            "reference", "created", "ended",
        ],
        "properties": {
            "id": {"type": "integer"}, "channel": channel(), "template": {"type": "string"}, "recipient": text,
            "language": text, "state": state(), "tries": {"type": "integer"}, "due": moment, "error": text,
            "messageId": {"type": "string"}, "reference": reference,
            "created": {"type": "string", "format": "date-time"}, "ended": moment,
        },
    });
    Map::from_iter([("OutboxRow".to_owned(), row)])
}

fn channel() -> Value {
    json!({"enum": ["mail", "sms", "task"]})
}

fn state() -> Value {
    json!({"enum": State::ALL.map(State::name)})
}

/// Describes the list of messages on their way.
pub fn list() -> Value {
    let answers = [("200", body("A page, newest first.", &pages::page(&schema("OutboxRow")), &[]))];
    let summary = "List mails and SMS with their states. Needs the permission admin.";
    let mut list = operation("outbox.list", summary, &answers, &["403", "404", "503"]);
    let own = [
        of_query("state", "Only rows in this state.", state()),
        of_query("channel", "Only rows of this channel.", channel()),
    ];
    list["parameters"] = pages::parameters(own, 25, 1_000);
    list
}

/// Describes one message.
pub fn get() -> Value {
    let answers = [("200", body("The row.", &schema("OutboxRow"), &[]))];
    operation("outbox.get", "Read a row. Needs the permission admin.", &answers, &["403", "404", "503"])
}

/// Describes another try of a message.
pub fn retry() -> Value {
    let answers = [("200", body("The row, which is due now.", &schema("OutboxRow"), &[]))];
    let summary = "Make a waiting row due now. Needs the permission admin.";
    operation("outbox.retry", summary, &answers, &["400", "403", "404", "409", "413", "415", "503"])
}
