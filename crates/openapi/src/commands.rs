//! The commands, `module.action`.

use super::literal::json;
use super::responses::{body, operation};
use serde_json::Value;

/// Describes the version of the API.
pub fn version() -> Value {
    let version = json!({
        "type": "object", "required": ["id", "code", "notes", "release_time"],
        "properties": {
            "id": {"type": "integer"}, "code": {"type": "string"}, "notes": {"type": "string"},
            "release_time": {"type": "string", "format": "date-time"},
        },
    });
    command("backend.version", "Tell the version of the server.", &version)
}

/// Describes the acting user.
pub fn current_user() -> Value {
    command("user.current", "Read the acting user; needs the permission profile.", &json!({"type": "object"}))
}

fn command(name: &str, summary: &str, schema: &Value) -> Value {
    operation(name, summary, &[("200", body("The answer.", schema, &[]))], &["403", "404", "503"])
}
