//! Automations: what administrators see of them, and hooks.

use super::pages;
use super::parameters::of_query;
use super::responses::{body, operation, schema};
use automation::State;
use serde_json::{Map, Value, json};

/// The schemas of automations and runs.
pub(super) fn schemas() -> Map<String, Value> {
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
            "trigger": {"type": ["object", "null"], "description": "What it began with, where one run is asked for."},
            "log": {"type": "array", "items": {"type": "object"}, "description": "What became of each step, likewise."},
        },
    });
    Map::from_iter([("Automation".to_owned(), automation), ("AutomationRun".to_owned(), run)])
}

fn state() -> Value {
    json!({"enum": State::ALL.map(State::name)})
}

pub(crate) fn overview() -> Value {
    let all = json!({
        "type": "object", "required": ["items"],
        "properties": {"items": {"type": "array", "items": schema("Automation")}},
    });
    let summary = "The automations, and what they wait for. Needs the permission admin.";
    operation("automation.list", summary, &[("200", body("All of them.", &all, &[]))], &["403", "404", "503"])
}

pub(crate) fn enable() -> Value {
    switch("automation.enable", "Switch an automation on again. Needs the permission admin.")
}

pub(crate) fn disable() -> Value {
    let mut disable = switch("automation.disable", "Switch an automation off. Needs the permission admin.");
    disable["requestBody"] = json!({"content": {"application/json": {"schema": {
        "type": "object", "additionalProperties": false,
        "properties": {"reason": {"type": "string", "maxLength": 1000, "description": "Why, for people."}},
    }}}});
    disable
}

fn switch(id: &str, summary: &str) -> Value {
    let switched = json!({
        "type": "object", "required": ["automation", "enabled"],
        "properties": {"automation": {"type": "string"}, "enabled": {"type": "boolean"}},
    });
    let answers = [("200", body("How it is now.", &switched, &[]))];
    operation(id, summary, &answers, &["400", "403", "404", "413", "415", "503"])
}

pub(crate) fn runs() -> Value {
    let answers = [("200", body("A page, newest first.", &pages::page(&schema("AutomationRun")), &[]))];
    let summary = "Runs of automations, and what became of them. Needs the permission admin.";
    let mut runs = operation("automation.runs", summary, &answers, &["403", "404", "503"]);
    let own = [
        of_query("automation", "Runs of this automation alone.", json!({"type": "string"})),
        of_query("state", "Runs in this state alone.", state()),
    ];
    runs["parameters"] = pages::parameters(own, 25, 1_000);
    runs
}

pub(crate) fn run() -> Value {
    let answers = [("200", body("The run.", &schema("AutomationRun"), &[]))];
    operation("automation.run", "One run. Needs the permission admin.", &answers, &["403", "404", "503"])
}

pub(crate) fn retry() -> Value {
    let answers = [("200", body("The run, which is due now.", &schema("AutomationRun"), &[]))];
    let summary = "Have a run that failed go on where it stood. Needs the permission admin.";
    let mut retry =
        operation("automation.retry", summary, &answers, &["400", "403", "404", "409", "413", "415", "503"]);
    retry["parameters"] = json!([{
        "name": "fromStart", "in": "query", "schema": {"type": "boolean", "default": false},
        "description": "Whether all steps are done, those too that were done before.",
    }]);
    retry
}

pub(crate) fn hook() -> Value {
    let begun = json!({
        "type": "object", "required": ["run"], "properties": {"run": {"type": "integer"}},
    });
    let answers = [("202", body("The number of the run that was begun.", &begun, &[]))];
    let summary = "Begin a run of the automation that waits for the hook. It takes no key but a signature.";
    let mut hook = operation("hook", summary, &answers, &["403", "404", "409", "413", "415", "503"]);
    hook["parameters"] = json!([{
        "name": "X-Signature", "in": "header", "required": true, "schema": {"type": "string"},
        "description": "t=<seconds since 1970>,v1=<hex of HMAC-SHA256 of the seconds, a full stop and the body>",
    }]);
    hook["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": {}}}});
    hook
}
