//! The commands, `module.action`.

use super::responses::{body, operation};
use serde_json::{Map, Value, json};

/// The paths of commands.
pub(super) fn paths() -> Map<String, Value> {
    let version = json!({
        "type": "object", "required": ["id", "code", "notes", "release_time"],
        "properties": {
            "id": {"type": "integer"}, "code": {"type": "string"}, "notes": {"type": "string"},
            "release_time": {"type": "string", "format": "date-time"},
        },
    });
    [
        ("backend.version", "Tell the version of the server.", version),
        ("user.current", "Read the acting user; needs the permission profile.", json!({"type": "object"})),
    ]
    .map(|(name, summary, schema)| {
        let answers = [("200", body("What it is.", &schema, &[]))];
        let get = operation(name, summary, &answers, &["403", "404", "503"]);
        (format!("/api/v1/app/{name}"), json!({"get": get}))
    })
    .into_iter()
    .collect()
}
