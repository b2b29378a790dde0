//! Jobs of many rows.

use crate::literal::json;
use crate::parameters::of_query;
use crate::responses::{body, empty, operation, schema};
use serde_json::{Map, Value};

/// The states of a job.
const STATES: [&str; 7] = ["uploaded", "waiting", "checking", "running", "done", "failed", "canceled"];

/// Describes the list of jobs.
pub fn list() -> Value {
    let answers =
        [("200", body("Jobs of the caller, the latest first; of all users with admin.", &schema("JobPage"), &[]))];
    let mut list = operation("job.list", "List jobs.", &answers, &["403", "503"]);
    let before = of_query("before", "Only jobs before this one.", json!({"type": "integer", "format": "int64"}));
    list["parameters"] = json!([before]);
    list
}

/// Describes the progress of a job.
pub fn get() -> Value {
    let answers = [("200", body("The job.", &schema("Job"), &[]))];
    operation("job.get", "Read how far a job is.", &answers, &["403", "404", "503"])
}

/// Describes the end of a job.
pub fn cancel() -> Value {
    let answers = [("204", empty("The job ends behind the batch that is under way.", &[]))];
    operation("job.cancel", "Cancel a job.", &answers, &["403", "404", "503"])
}

/// Describes the rows of a job with problems.
pub fn problems() -> Value {
    let mut csv = empty("The rows with problems, as they were sent.", &[]);
    csv["headers"]["Content-Disposition"] = json!({"schema": {"type": "string"}});
    csv["content"] = json!({"text/csv": {"schema": {"type": "string"}}});
    let mut problems =
        operation("job.problems", "Read the rows with problems.", &[("200", csv)], &["403", "404", "503"]);
    let format = of_query("format", "The form of the file.", json!({"type": "string", "enum": ["csv"]}));
    let safe =
        of_query("safe", "True keeps spreadsheets from reading a cell as a formula.", json!({"type": "boolean"}));
    problems["parameters"] = json!([format, safe]);
    problems
}

/// The schemas of jobs and imports.
pub fn schemas() -> Map<String, Value> {
    let count = || json!({"type": "integer"});
    let text = || json!({"type": "string"});
    let id = || json!({"type": "integer", "format": "int64"});
    let problem = json!({
        "type": "object", "required": ["code"],
        "properties": {"line": count(), "column": text(), "code": text(), "message": text(), "id": id(),
            "property": {"type": "string", "description": "The property of a resource that refused a bulk change."},
            "value": {"type": "string", "description": "The value that has the problem, cut where it is long."},
        },
    });
    let error = json!({"type": "object", "properties": {"code": text(), "message": text()}});
    let result = json!({
        "type": "object",
        "properties": {
            "created": count(), "updated": count(), "unchanged": count(), "failed": count(), "problemCount": count(),
            "kept": {"type": "boolean"}, "tried": {"type": "boolean"}, "matched": count(), "changed": count(), "error": schema("JobError"),
            "rows": count(), "bytes": id(),
            "url": {"type": "string", "description": "The address of the file of an export, which needs no key."},
        },
    });
    let common = || {
        json!({
            "state": {"type": "string", "enum": STATES},
            "done": {"type": "integer", "description": "The number of rows that were written."},
            "total": count(), "failed": count(),
            "atomic": {"type": "boolean", "description": "True if all rows were written in one transaction."},
            "problems": {
                "type": "array", "maxItems": 1_000, "items": schema("JobProblem"),
                "description": "The first problems: 1,000 of one job, 20 of each job of a list.",
            },
            "result": schema("JobResult"),
        })
    };
    let mut job = common();
    let own = [
        ("id", id()),
        ("kind", json!({"type": "string", "enum": ["import", "bulk", "export"]})),
        ("type", json!({"type": ["string", "null"]})),
        (
            "own",
            json!({"type": "boolean", "description": "True for a job of the caller, false for one of another user."}),
        ),
        ("created", json!({"type": "string", "format": "date-time"})),
        ("expires", json!({"type": "string", "format": "date-time"})),
    ];
    own.into_iter().for_each(|(name, schema)| job[name] = schema);
    let mut job = whole(job);
    let optional = [
        (
            "dryRun",
            json!({"type": "boolean", "description": "True if an import was only tried: its file stays for the run."}),
        ),
        (
            "resumable",
            json!({"type": "boolean", "description": "True if an import stopped, and can go on behind the rows that it wrote."}),
        ),
        (
            "action",
            json!({"type": "string", "enum": ["patch", "delete", "tag"], "description": "The change of a bulk write."}),
        ),
    ];
    optional.into_iter().for_each(|(name, schema)| job["properties"][name] = schema);
    let mut done = common();
    done["import"] = json!({"type": ["integer", "null"], "format": "int64"});
    let mut column = whole(json!({
        "name": text(), "property": {"type": ["string", "null"]}, "sure": {"type": "boolean"},
        "samples": {"type": "array", "items": schema("ImportValue")},
    }));
    column["properties"]["numbers"] = json!({
        "type": "object", "required": ["decimal", "sample"],
        "description": "Numbers of CSV, or in texts of a workbook, with signs between thousands or before decimals, if the column has some.",
        "properties": {
            "decimal": {"type": ["string", "null"], "description": "The sign before decimals; null if they do not show it."},
            "sample": text(),
        },
    });
    column["properties"]["days"] = json!({
        "type": "object", "required": ["dates", "sample"],
        "description": "Days with slashes in CSV, or in texts of a workbook, if the column has some.",
        "properties": {
            "dates": {"type": ["string", "null"], "description": "dmy or mdy; null if they do not show it."},
            "sample": text(),
        },
    });
    let row = json!({"type": "object", "additionalProperties": schema("ImportValue")});
    let preview = whole(json!({
        "import": id(), "format": text(), "total": count(),
        "columns": {"type": "array", "items": schema("ImportColumn")},
        "rows": {"type": "array", "maxItems": 20, "items": schema("ImportRow")},
    }));
    let value =
        json!({"type": ["string", "number", "boolean", "null"], "description": "A value, cut where it is long."});
    let mut run = json!({"type": "object", "additionalProperties": false, "properties": super::imports::run_members()});
    run["properties"]["resume"] = json!({
        "type": "boolean", "default": false,
        "description": "True goes on behind the rows that a stopped import wrote, as it was asked for; keepGoing alone may be beside it.",
    });
    let page = whole(json!({
        "items": {"type": "array", "items": schema("Job")}, "next": {"type": ["integer", "null"], "format": "int64"},
    }));
    [
        ("Job", job),
        ("JobPage", page),
        ("JobProblem", problem),
        ("JobError", error),
        ("JobResult", result),
        ("ImportColumn", column),
        ("ImportRow", row),
        ("ImportValue", value),
        ("ImportPreview", preview),
        ("ImportDone", whole(done)),
        ("ImportRun", run),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

/// An object that has all of these members.
fn whole(properties: Value) -> Value {
    let names: Vec<String> = properties.as_object().into_iter().flat_map(|object| object.keys().cloned()).collect();
    json!({"type": "object", "required": names, "properties": properties})
}
