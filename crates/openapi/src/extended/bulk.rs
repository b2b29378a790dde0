//! The bulk writes of a type.

use crate::collections::operation;
use crate::literal::json;
use crate::responses::{body, schema};
use model::types::{ResourceType, TypeGrant};
use serde_json::{Map, Value};

/// Describes a change of many resources.
pub fn bulk(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    if !is_served(grant) {
        return None;
    }
    let answers = [
        ("200", body("The number of resources.", &schema("BulkAnswer"), &[])),
        ("202", body("A job writes the resources, as they are many.", &schema("Job"), &[])),
    ];
    let summary = "Patch, delete or tag all resources that filters find.";
    let mut bulk = operation(resource_type, "bulk", summary, &answers, &["409", "413", "415"]);
    let schema = schema(&format!("{}.bulk", resource_type.name));
    bulk["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    Some(bulk)
}

fn is_served(grant: &TypeGrant) -> bool {
    grant.show.is_some() && (grant.edit.is_some() || grant.delete)
}

/// Adds the schema of a type's bulk writes.
pub fn add_schema(resource_type: &ResourceType, grant: &TypeGrant, components: &mut Map<String, Value>) {
    if !is_served(grant) {
        return;
    }
    let name = &resource_type.name;
    let flag = |description: &str| json!({"type": "boolean", "description": description, "default": false});
    let count = |description: &str| json!({"type": "integer", "minimum": 0, "description": description});
    let edits = grant.edit.is_some();
    let actions: &[&str] = match (edits, grant.delete) {
        (true, true) => &["patch", "delete", "tag"],
        (true, false) => &["patch", "tag"],
        _ => &["delete"],
    };
    let mut properties = json!({
        "action": {"type": "string", "enum": actions},
        "filters": {"type": "array", "items": schema(&format!("{name}.filter"))},
        "tagged": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 100,
            "description": "Ids of tags, of which each resource has one, or all with tagsMode all."},
        "tagsMode": {"type": "string", "enum": ["any", "all"], "default": "any"},
        "imported": {"type": "integer", "format": "int64",
            "description": "The id of an import: only resources that it created, while its job is kept."},
        "all": flag("True stands for no filters, which means all resources."),
        "dryRun": flag("True tries the change and undoes it."),
        "skip": flag("True leaves out the resources that refuse the change."),
        "atomic": flag("True takes up to 10,000 resources in one transaction."),
        "automations": {"type": "boolean", "default": true, "description": "False causes no runs of automations; it needs admin."},
        "limit": count("The most resources; 1,000 without it."),
        "expect": count("The number of resources; any other is 409."),
        "digest": {"type": "string", "description": "The digest of a dry run: its resources must be as they were."},
    });
    if edits {
        properties["set"] = schema(&format!("{name}.patch"));
        properties["operation"] = json!({"type": "string", "enum": ["add", "remove", "replace"]});
        properties["tags"] = json!({"type": "array", "items": {"type": "string"}});
    }
    let bulk =
        json!({"type": "object", "required": ["action"], "properties": properties, "additionalProperties": false});
    components.insert(format!("{name}.bulk"), bulk);
}

/// The schema of the answers.
pub fn answer() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    let problem = json!({
        "type": "object", "required": ["code"],
        "properties": {
            "property": text("The property, if it is about one that the caller may know."),
            "code": {"type": "string"},
            "message": text("The message, if the caller may know all that it names."),
            "value": text("The value that was given for the property, cut where it is long."),
        },
    });
    let refused = json!({
        "type": "object", "required": ["id", "code"],
        "properties": {
            "id": {"type": "integer", "format": "int64"}, "code": {"type": "string"},
            "problems": {
                "type": "array", "items": problem,
                "description": "The reasons. The first 1,000 of all resources are told.",
            },
        },
    });
    json!({
        "type": "object", "required": ["matched", "changed", "refused"],
        "properties": {
            "matched": {"type": "integer"}, "changed": {"type": "integer"},
            "refused": {"type": "array", "items": refused},
            "deleted": {"type": "object", "additionalProperties": {"type": "integer"}},
            "digest": {"type": "string"},
        },
    })
}
