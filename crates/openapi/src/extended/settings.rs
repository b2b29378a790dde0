//! Settings of the own user.

use crate::literal::json;
use crate::parameters::{VALIDATORS, shared};
use crate::responses::{TAGGED, VALIDATED, body, empty, not_modified, operation};
use serde_json::Value;

/// Describes the list of names.
pub fn list() -> Value {
    let setting = json!({
        "type": "object", "required": ["name", "updated"],
        "properties": {"name": {"type": "string"}, "updated": {"type": "string", "format": "date-time"}},
    });
    let page = json!({
        "type": "object", "required": ["data"], "properties": {"data": {"type": "array", "items": setting}},
    });
    let answers = [("200", body("The names of the caller's settings.", &page, &[]))];
    operation("setting.list", "List the names of the own settings.", &answers, &["403", "503"])
}

/// Describes a setting.
pub fn get() -> Value {
    let answers = [("200", body("The setting.", &any(), &VALIDATED)), ("304", not_modified())];
    let mut get = operation("setting.get", "Read a setting.", &answers, &["403", "404", "503"]);
    get["parameters"] = VALIDATORS.map(shared).to_vec().into();
    get
}

/// Describes a write of a setting.
pub fn put() -> Value {
    let answers = [("204", empty("Written.", &TAGGED))];
    let mut put = operation("setting.put", "Write a setting.", &answers, &["403", "409", "412", "413", "415", "503"]);
    put["parameters"] = json!([shared("ifMatch"), is_new()]);
    put["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": any()}}});
    put
}

/// Describes the deletion of a setting.
pub fn delete() -> Value {
    let answers = [("204", empty("Deleted.", &[]))];
    let mut delete = operation("setting.delete", "Delete a setting.", &answers, &["403", "404", "412", "503"]);
    delete["parameters"] = json!([shared("ifMatch")]);
    delete
}

/// Any JSON.
fn any() -> Value {
    json!({"description": "A JSON document of at most 64 KB."})
}

fn is_new() -> Value {
    json!({
        "name": "If-None-Match", "in": "header", "description": "* writes the setting only if there is none yet.",
        "schema": {"type": "string", "enum": ["*"]},
    })
}
