//! The imports of a type.

use crate::collections::operation;
use crate::literal::json;
use crate::parameters::of_query;
use crate::responses::{self, body, schema};
use model::types::{ResourceType, TypeGrant};
use serde_json::Value;

/// Describes a file of rows that comes.
pub fn receive(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    if grant.create.is_none() && grant.edit.is_none() {
        return None;
    }
    let answers = [
        ("200", body("The rows were written, or have problems.", &schema("ImportDone"), &[])),
        ("201", body("The file is kept for its run.", &schema("ImportPreview"), &[])),
        ("202", body("A job writes the rows.", &schema("Job"), &[])),
    ];
    let summary = "Import a file of rows: show what it has, or write it at once with run=1.";
    let mut receive = operation(resource_type, "import", summary, &answers, &["409", "413", "415"]);
    let flag = || json!({"type": "boolean"});
    let mut parameters = vec![
        of_query("run", "True writes the rows without a preview.", flag()),
        of_query("safe", "True takes away the sign before formulas of CSV.", flag()),
        of_query(
            "sheet",
            "The name or the number of a workbook's sheet: the first that is shown, if there is none.",
            json!({"type": "string"}),
        ),
        of_query("delimiter", "The character between the cells of CSV.", json!({"type": "string", "default": ","})),
    ];
    let mut members = run_members();
    for (name, member) in members.as_object_mut().into_iter().flatten() {
        let description = member.as_object_mut().and_then(|member| member.shift_remove("description"));
        let description = description.as_ref().and_then(Value::as_str).unwrap_or_default();
        parameters.push(match name.as_str() {
            "mapping" => of_query(name, &format!("{description} As JSON."), json!({"type": "string"})),
            _ => of_query(name, description, member.take()),
        });
    }
    receive["parameters"] = parameters.into();
    // A type that all generators send. What says more is text/csv, application/json, application/jsonl or a workbook.
    let file = json!({"schema": {"type": "string", "format": "binary", "description": "CSV, unless the header Content-Type says application/json, application/jsonl or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet."}});
    receive["requestBody"] = json!({"required": true, "content": {"application/octet-stream": file}});
    Some(receive)
}

/// Describes the run of a file that was kept.
pub fn run() -> Value {
    let answers = [
        ("200", body("The rows were written, or have problems.", &schema("ImportDone"), &[])),
        ("202", body("A job writes the rows.", &schema("Job"), &[])),
    ];
    let problems = ["403", "404", "409", "413", "415", "503"];
    let mut run = responses::operation("import.run", "Write the rows of a file that was kept.", &answers, &problems);
    run["requestBody"] = json!({"content": {"application/json": {"schema": schema("ImportRun")}}});
    run
}

/// The members of a run.
pub(super) fn run_members() -> Value {
    let flag = |description: &str| json!({"type": "boolean", "description": description, "default": false});
    let mapping = json!({
        "type": "object", "additionalProperties": {"type": ["string", "null"]},
        "description": "The property of each column that has another name; null leaves the column out.",
    });
    let mode = json!({
        "type": "string", "enum": ["create", "update", "upsert"], "default": "create",
        "description": "create makes resources, update changes those that the key finds, upsert does both.",
    });
    json!({
        "mapping": mapping, "mode": mode,
        "key": {"type": "string", "description": "The unique property that finds resources."},
        "dryRun": flag("True tries up to 10,000 rows, checks more, and keeps nothing."),
        "keepGoing": flag("True keeps the rows without problems, even if others have some."),
        "atomic": flag("True writes up to 10,000 rows in one transaction."),
        "decimal": {
            "type": "string", "enum": [".", ","],
            "description": "The sign before the decimals of numbers in CSV and in texts of workbooks. Without it, numbers in which it matters are problems.",
        },
        "dates": {
            "type": "string", "enum": ["dmy", "mdy"],
            "description": "The order of days with slashes in CSV and in texts of workbooks: dmy or mdy. Without it, they are problems.",
        },
        "asAdmin": flag("True writes the rows with all rights. Needs the permission admin."),
    })
}
