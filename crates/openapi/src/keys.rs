//! Keys: made from login and password, judged, revoked.

use super::literal::json;
use super::responses::{body, operation, schema};
use serde_json::Value;

/// Describes signing in for a key.
pub fn create() -> Value {
    let key = json!({
        "type": "object", "required": ["authToken"], "properties": {"authToken": schema("ApiKey")},
    });
    let answers = [("200", body("The key; its text is shown this once.", &key, &[]))];
    let statuses = &["401", "404", "413", "415", "429", "503"];
    let mut create = operation("auth.create", "Create an API key from login and password.", &answers, statuses);
    let fields = json!({
        "user": {"type": "string", "description": "Login name.", "minLength": 1},
        "password": {"type": "string", "format": "password"},
        "valid": {"type": "string", "description": "The expiry of the key.", "default": "9999-12-31"},
        "description": {"type": "string"},
        "permissions": {
            "type": "string", "description": "Scopes of the key, with commas between them; all by default.",
        },
    });
    create["requestBody"] = form(&fields, &["user", "password"]);
    create
}

/// Describes the check of a key.
pub fn validate() -> Value {
    let status = json!({
        "type": "object", "required": ["status", "validTo"],
        "properties": {
            "status": {"enum": ["valid", "invalid"]},
            "validTo": {"type": "string", "description": "Empty if the key is invalid."},
        },
    });
    let answers = [("200", body("The validity of the key.", &status, &[]))];
    operation("auth.validate", "Check the key in the headers.", &answers, &["404", "503"])
}

/// Describes the end of a key.
pub fn revoke() -> Value {
    let message = json!({
        "type": "object", "required": ["message"], "properties": {"message": {"const": "API key deleted."}},
    });
    let answers = [("200", body("Revoked.", &message, &[]))];
    let mut revoke = operation("auth.revoke", "Revoke an API key.", &answers, &["404", "413", "415", "503"]);
    revoke["requestBody"] =
        form(&json!({"key": {"type": "string", "description": "The key's text.", "minLength": 1}}), &["key"]);
    revoke
}

fn form(properties: &Value, required: &[&str]) -> Value {
    let schema = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    json!({"required": true, "content": {
        "application/x-www-form-urlencoded": {"schema": schema},
        "multipart/form-data": {"schema": schema},
    }})
}
