//! Automations: what administrators see of them, and hooks.

use super::literal::json;
use super::pages;
use super::parameters::of_query;
use super::responses::{body, operation, schema};
use automation::State;
use serde_json::{Map, Value};

/// The schemas of automations and runs.
pub fn schemas() -> Map<String, Value> {
    let (text, whole) = (json!({"type": ["string", "null"]}), json!({"type": ["integer", "null"]}));
    let moment = json!({"type": ["string", "null"], "format": "date-time"});
    let automation = json!({
        "type": "object",
        "required": [
            "automation", "title", "description", "event", "schedule", "hook", "rate", "next", "enabled", "reason",
        ],
        "properties": {
            "automation": {"type": "string"}, "title": {"type": "string"}, "description": {"type": "string"},
            "event": text, "schedule": text, "hook": text, "rate": {"type": "integer"}, "next": moment,
            "enabled": {"type": "boolean"}, "reason": text,
        },
    });
    let run = json!({
        "type": "object",
        "required": [
            "id", "automation", "event", "typeId", "objectId", "actor", "depth", "state", "tries", "due", "created",
            "begun", "ended", "position", "steps", "error",
        ],
        "properties": {
            "id": {"type": "integer"}, "automation": {"type": "string"}, "event": {"type": "string"}, "typeId": whole,
            "objectId": whole, "actor": whole, "depth": {"type": "integer"}, "state": state(),
            "tries": {"type": "integer"}, "due": moment, "created": moment, "begun": moment, "ended": moment,
            "position": text, "steps": {"type": "integer"}, "error": text,
            "trigger": {"type": ["object", "null"], "description": "The trigger; only in a request for one run."},
            "log": {"type": "array", "items": {"type": "object"}, "description": "The result of each step; only in a request for one run."},
        },
    });
    Map::from_iter([("Automation".to_owned(), automation), ("AutomationRun".to_owned(), run)])
}

fn state() -> Value {
    json!({"enum": State::ALL.map(State::name)})
}

/// Describes the list of automations.
pub fn overview() -> Value {
    let all = json!({
        "type": "object", "required": ["items"],
        "properties": {"items": {"type": "array", "items": schema("Automation")}},
    });
    let summary = "List automations with their triggers. Needs the permission admin.";
    operation("automation.list", summary, &[("200", body("All of them.", &all, &[]))], &["403", "404", "503"])
}

/// Describes switching an automation on.
pub fn enable() -> Value {
    switch("automation.enable", "Enable an automation. Needs the permission admin.")
}

/// Describes switching an automation off.
pub fn disable() -> Value {
    let mut disable = switch("automation.disable", "Disable an automation. Needs the permission admin.");
    disable["requestBody"] = json!({"content": {"application/json": {"schema": {
        "type": "object", "additionalProperties": false,
        "properties": {"reason": {"type": "string", "maxLength": 1000, "description": "The reason, for people."}},
    }}}});
    disable
}

fn switch(id: &str, summary: &str) -> Value {
    let switched = json!({
        "type": "object", "required": ["automation", "enabled"],
        "properties": {"automation": {"type": "string"}, "enabled": {"type": "boolean"}},
    });
    let answers = [("200", body("Its new state.", &switched, &[]))];
    operation(id, summary, &answers, &["400", "403", "404", "413", "415", "503"])
}

/// Describes the runs of automations.
pub fn runs() -> Value {
    let answers = [("200", body("A page, newest first.", &pages::page(&schema("AutomationRun")), &[]))];
    let summary = "List runs of automations. Needs the permission admin.";
    let mut runs = operation("automation.runs", summary, &answers, &["403", "404", "503"]);
    let own = [
        of_query("automation", "Only runs of this automation.", json!({"type": "string"})),
        of_query("state", "Only runs in this state.", state()),
    ];
    runs["parameters"] = pages::parameters(own, 25, 1_000);
    runs
}

/// Describes one run of an automation.
pub fn run() -> Value {
    let answers = [("200", body("The run.", &schema("AutomationRun"), &[]))];
    operation("automation.run", "Read a run. Needs the permission admin.", &answers, &["403", "404", "503"])
}

/// Describes another try of a run.
pub fn retry() -> Value {
    let answers = [("200", body("The run, which is due now.", &schema("AutomationRun"), &[]))];
    let summary = "Continue a failed run at its current step. Needs the permission admin.";
    let mut retry =
        operation("automation.retry", summary, &answers, &["400", "403", "404", "409", "413", "415", "503"]);
    retry["parameters"] = json!([{
        "name": "fromStart", "in": "query", "schema": {"type": "boolean", "default": false},
        "description": "True runs all steps, also the completed ones.",
    }]);
    retry
}

/// Describes a webhook that starts an automation.
pub fn hook() -> Value {
    let begun = json!({
        "type": "object", "required": ["run"], "properties": {"run": {"type": "integer"}},
    });
    let answers = [("202", body("The number of the new run.", &begun, &[]))];
    let summary = "Start a run of the hook's automation. Needs a signature instead of a key.";
    let mut hook = operation("hook", summary, &answers, &["403", "404", "409", "413", "415", "503"]);
    hook["parameters"] = json!([{
        "name": "X-Signature", "in": "header", "required": true, "schema": {"type": "string"},
        "description": "t=<seconds since 1970>,v1=<hex of HMAC-SHA256 of the seconds, a full stop and the body>",
    }]);
    hook["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": {}}}});
    hook
}
