//! The exports of a type.

use crate::collections::{operation, readable};
use crate::literal::json;
use crate::parameters::{of_query, shared};
use crate::responses::{empty, schema};
use model::types::{ResourceType, TypeGrant};
use serde_json::Value;

/// Describes an export of a list.
pub fn export(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    readable(resource_type, grant)?;
    let mut file = empty("The file.", &[]);
    file["headers"]["Content-Disposition"] = json!({"schema": {"type": "string"}});
    // A generated client reads one form of an answer.
    file["content"] = json!({"text/csv": {"schema": {"type": "string"}}});
    let summary = "Export all rows that a list would have, as a file.";
    let mut export = operation(resource_type, "export", summary, &[("200", file)], &[]);
    let order = json!({
        "name": "orderBy", "in": "query", "description": "Sort keys.", "style": "form", "explode": false,
        "schema": {"type": "array", "items": schema(&format!("{}.sort", resource_type.name))},
    });
    let own = [
        of_query("format", "The form of the file.", json!({"type": "string", "enum": ["csv"], "default": "csv"})),
        of_query("safe", "True keeps spreadsheets from reading cells of CSV as formulas.", json!({"type": "boolean"})),
        order,
    ];
    let common =
        ["orderDir", "filters", "tags", "tagsMode", "includeTagDescendants", "showFields", "hideFields", "wrapFields"];
    export["parameters"] = own.into_iter().chain(common.map(shared)).collect();
    Some(export)
}
