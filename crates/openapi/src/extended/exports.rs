//! The exports of a type.

use crate::collections::{operation, readable};
use crate::literal::json;
use crate::parameters::{of_path, of_query, shared};
use crate::responses;
use crate::responses::{body, empty, schema};
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
    export["parameters"] = parameters(resource_type);
    Some(export)
}

/// Describes the beginning of a job that exports a list.
pub fn begin(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    readable(resource_type, grant)?;
    let answers = [("202", body("The job that makes the file.", &schema("Job"), &[]))];
    let summary = "Have a job export all rows that a list would have.";
    let mut begin = operation(resource_type, "beginExport", summary, &answers, &["409"]);
    begin["parameters"] = parameters(resource_type);
    Some(begin)
}

/// Describes the file that a job made.
pub fn linked() -> Value {
    let mut file = empty("The file.", &[]);
    file["headers"]["Content-Disposition"] = json!({"schema": {"type": "string"}});
    file["content"] = json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}});
    let mut linked = responses::operation(
        "export.file",
        "Read the file that a job exported.",
        &[("200", file)],
        &["403", "404", "503"],
    );
    linked["parameters"] = json!([
        of_path("link", "The signed part of the address, as the job's `url` has it."),
        of_path("name", "The name of the file, which may be any."),
    ]);
    linked
}

fn parameters(resource_type: &ResourceType) -> Value {
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
    own.into_iter().chain(common.map(shared)).collect()
}
