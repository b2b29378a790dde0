//! Notifications of the caller, and how administrators make them.

use super::literal::json;
use super::pages;
use super::parameters::of_query;
use super::responses::{self, body, empty, schema};
use serde_json::{Map, Value};

/// The schemas of notifications.
pub fn schemas() -> Map<String, Value> {
    let nullable = |kind: &str| json!({"type": [kind, "null"]});
    let instant = json!({"type": "string", "format": "date-time"});
    let moment = json!({"type": ["string", "null"], "format": "date-time"});
    let target = json!({
        "type": ["object", "null"], "description": "The subject. Only readers of its type see the resource.",
        "properties": {
            "typeId": nullable("integer"), "type": nullable("string"), "objectId": nullable("integer"),
            "uuid": {"type": ["string", "null"], "format": "uuid"}, "url": nullable("string"),
        },
    });
    let notification = json!({
        "type": "object",
        "required": [
            "id", "uuid", "type", "title", "body", "level", "read", "readAt", "archived", "archivedAt", "created",
            "expiresAt", "actor", "recipient", "target", "actions", "data",
        ],
        "properties": {
            "id": {"type": "integer"}, "uuid": {"type": "string", "format": "uuid"}, "type": {"type": "string"},
            "title": {"type": "string"}, "body": nullable("string"), "level": level(), "read": {"type": "boolean"},
            "readAt": moment, "archived": {"type": "boolean"}, "archivedAt": moment, "created": instant,
            "expiresAt": moment,
            "actor": {
                "type": ["object", "null"], "description": "The user who caused it.",
                "properties": {"id": {"type": "integer"}, "title": nullable("string")},
            },
            "recipient": recipient(), "target": target, "actions": actions(), "data": nullable("object"),
        },
    });
    [("Notification", notification), ("Notification.create", created())]
        .map(|(name, schema)| (name.to_owned(), schema))
        .into_iter()
        .collect()
}

fn created() -> Value {
    let identifier = json!({"type": ["string", "integer"]});
    let user = json!({
        "type": "object", "required": ["userId"], "properties": {"userId": {"type": "integer"}}, "additionalProperties": false,
    });
    let custom = json!({
        "type": "object", "required": ["customId"], "additionalProperties": false,
        "properties": {"customId": {"type": "string", "minLength": 1, "maxLength": 255}},
    });
    let mut item = identifier.clone();
    item["description"] = "The id or UUID of a resource.".into();
    json!({
        "type": "object", "required": ["recipients", "title"], "additionalProperties": false,
        "properties": {
            "recipients": {"type": "array", "minItems": 1, "maxItems": 1_000, "items": {"oneOf": [user, custom]}},
            "title": {"type": "string", "minLength": 1, "maxLength": 255},
            "type": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,100}$", "default": "message"},
            "body": {"type": ["string", "null"], "maxLength": 10_000},
            "level": level(),
            "expiresAt": {"type": ["string", "null"], "format": "date-time"},
            "target": {
                "type": ["object", "null"], "additionalProperties": false,
                "dependentRequired": {"type": ["item"], "item": ["type"]},
                "properties": {"type": identifier, "item": item, "url": link()},
            },
            "actions": actions(),
            "data": {"type": ["object", "null"], "description": "At most 16 KiB."},
        },
    })
}

fn level() -> Value {
    json!({"enum": ["info", "success", "warning", "error"], "default": "info"})
}

fn recipient() -> Value {
    json!({"type": "object", "properties": {"userId": {"type": ["integer", "null"]}, "customId": {"type": ["string", "null"]}}})
}

fn link() -> Value {
    json!({"type": "string", "maxLength": 2_048, "description": "An address of the web, or a path that begins with /."})
}

fn actions() -> Value {
    json!({
        "type": "array", "maxItems": 5,
        "items": {
            "type": "object", "required": ["label", "url"], "additionalProperties": false,
            "properties": {"label": {"type": "string", "minLength": 1, "maxLength": 100}, "url": link()},
        },
    })
}

/// Describes the list of notifications.
pub fn list() -> Value {
    let answers = [
        ("200", body("A page, newest first.", &pages::page(&schema("Notification")), &[])),
        ("204", empty("There is none.", &[])),
    ];
    let summary = "List notifications. Needs the permission notifications or getNotificationsPerCustomId.";
    let mut list = operation("notifications.list", summary, &answers, &[]);
    let own = [
        of_query("unread_only", "true for unread ones.", json!({"type": "boolean", "default": false})),
        of_query("after", "An id or a datetime: only later ones.", json!({"type": "string"})),
        of_query(
            "recipient_custom_id",
            "Those of this custom id instead of the caller's own; needs getNotificationsPerCustomId.",
            json!({"type": "string", "minLength": 1}),
        ),
        of_query("_archived", "1 includes archived ones.", json!({"type": "boolean", "default": false})),
    ];
    list["parameters"] = pages::parameters(own, 25, 100);
    list
}

/// Describes one notification.
pub fn get() -> Value {
    let answers = [("200", body("The notification.", &schema("Notification"), &[]))];
    let mut get = operation("notifications.get", "Read one.", &answers, &[]);
    let custom_id = of_query(
        "recipient_custom_id",
        "The custom id of the recipient; needs getNotificationsPerCustomId.",
        json!({"type": "string", "minLength": 1}),
    );
    get["parameters"] = json!([custom_id]);
    get
}

/// Describes a change of a notification.
pub fn patch() -> Value {
    let message = json!({
        "type": "object", "required": ["message"], "properties": {"message": {"const": "Notification archived."}},
    });
    let answer = json!({"oneOf": [schema("Notification"), message]});
    let answers = [("200", body("The notification, or a message that it was archived.", &answer, &[]))];
    let mut patch = operation("notifications.patch", "Mark as read, or archive.", &answers, &["413", "415"]);
    let one = |name: &str| {
        json!({
            "type": "object", "required": [name], "properties": {name: {"const": true}}, "additionalProperties": false,
        })
    };
    let schema = json!({"oneOf": [one("read"), one("archive")]});
    patch["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    patch
}

/// Describes a new notification.
pub fn send() -> Value {
    let item = json!({
        "type": "object", "required": ["id", "uuid", "recipient"],
        "properties": {"id": {"type": "integer"}, "uuid": {"type": "string", "format": "uuid"}, "recipient": recipient()},
    });
    let made = json!({
        "type": "object", "required": ["items"], "properties": {"items": {"type": "array", "items": item}},
    });
    let answers = [("201", body("One for each recipient.", &made, &[]))];
    let mut send =
        operation("notifications.send", "Create notifications. Needs the permission admin.", &answers, &["413", "415"]);
    let schema = schema("Notification.create");
    send["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    send
}

fn operation(id: &str, summary: &str, answers: &[(&str, Value)], beside: &[&str]) -> Value {
    let mut statuses = vec!["403", "404", "503"];
    statuses.extend(beside);
    let mut operation = responses::operation(id, summary, answers, &statuses);
    operation["tags"] = json!(["notifications"]);
    operation
}
