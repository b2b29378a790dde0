//! Saved views of lists.

use crate::literal::json;
use crate::parameters::{VALIDATORS, of_query, shared};
use crate::responses::{TAGGED, VALIDATED, body, empty, not_modified, operation, schema};
use serde_json::{Map, Value};

/// Describes the list of views.
pub fn list() -> Value {
    let page = schema("ViewPage");
    let answers =
        [("200", body("The caller's views, and those that are shared.", &page, &VALIDATED)), ("304", not_modified())];
    let mut list = operation("view.list", "List saved views.", &answers, &["403", "404", "503"]);
    let of = of_query("type", "Only views of this type.", json!({"type": "string"}));
    list["parameters"] = [of].into_iter().chain(VALIDATORS.map(shared)).collect();
    list
}

/// Describes a view.
pub fn get() -> Value {
    let answers = [("200", body("The view.", &schema("View"), &VALIDATED)), ("304", not_modified())];
    let mut get = operation("view.get", "Read a saved view.", &answers, &["403", "404", "503"]);
    get["parameters"] = VALIDATORS.map(shared).to_vec().into();
    get
}

/// Describes a new view.
pub fn create() -> Value {
    let answers = [("201", body("The created view.", &schema("View"), &TAGGED))];
    let summary = "Save a view. Sharing it needs the permission admin.";
    let mut create = operation("view.create", summary, &answers, &["403", "409", "413", "415", "503"]);
    create["requestBody"] = input();
    super::operations::prefers(&mut create);
    create
}

/// Describes the replacement of a view.
pub fn replace() -> Value {
    let answers = [("200", body("The view as it is now.", &schema("View"), &TAGGED))];
    let summary = "Replace a saved view. One that is shared needs the permission admin.";
    let mut replace = operation("view.replace", summary, &answers, &["403", "404", "412", "413", "415", "503"]);
    replace["parameters"] = json!([shared("ifMatch")]);
    replace["requestBody"] = input();
    super::operations::prefers(&mut replace);
    replace
}

/// Describes the deletion of a view.
pub fn delete() -> Value {
    let answers = [("204", empty("Deleted.", &[]))];
    let summary = "Delete a saved view. One of another user needs the permission admin.";
    let mut delete = operation("view.delete", summary, &answers, &["403", "404", "412", "503"]);
    delete["parameters"] = json!([shared("ifMatch")]);
    delete
}

/// The schemas of views.
pub fn schemas() -> Map<String, Value> {
    let text = || json!({"type": "string"});
    let state = || json!({"type": "object", "additionalProperties": true, "description": "What the client keeps, at most 16 KB."});
    let shared = || {
        json!({
            "anyOf": [{"type": "null"}, {"type": "string"}, {"type": "array", "items": {"type": "string"}}],
            "description": "Null, all, or the names of roles.",
        })
    };
    let owner = json!({
        "type": "object", "required": ["id", "name"],
        "properties": {
            "id": {"type": "integer"},
            "name": {"type": ["string", "null"], "description": "Null where the caller may not read the names of users."},
        },
    });
    let view = json!({
        "type": "object", "required": ["id", "type", "title", "state", "shared", "owner", "own"],
        "properties": {
            "id": {"type": "integer"}, "type": text(), "title": text(), "state": state(), "shared": shared(),
            "owner": schema("ViewOwner"), "own": {"type": "boolean"},
        },
    });
    let input = json!({
        "type": "object", "required": ["type", "title", "state"], "additionalProperties": false,
        "properties": {
            "type": text(), "title": {"type": "string", "minLength": 1, "maxLength": 200}, "state": state(),
            "shared": shared(),
        },
    });
    let page = json!({
        "type": "object", "required": ["data"], "properties": {"data": {"type": "array", "items": schema("View")}},
    });
    [("View", view), ("ViewInput", input), ("ViewOwner", owner), ("ViewPage", page)]
        .map(|(name, schema)| (name.to_owned(), schema))
        .into_iter()
        .collect()
}

fn input() -> Value {
    json!({"required": true, "content": {"application/json": {"schema": schema("ViewInput")}}})
}
