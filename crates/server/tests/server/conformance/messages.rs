//! What is said of an expression that failed, to those who may not read what it is about.

use expression::Program;
use expression::catalogue::{self, Availability};
use expression::scope::{AvailableProviders, ResourceShape, Scope, ValueKind, ValueType};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write;
use std::sync::Arc;
use testing::{Client, Engine, Server};

pub(crate) const MARK: &str = "topsecret-4711";

pub(crate) const CLERK: &str = "role: clerk\nsystem: [restApi]\ntypes:\n  case: {show: {fields: [\"*\", \"-hidden\"]}, edit: {fields: [\"*\", \"-hidden\"]}}\n";

/// The type as far as its expressions name it.
#[derive(Debug)]
struct Case;

impl ResourceShape for Case {
    fn name(&self) -> &str {
        "case"
    }
    fn property(&self, name: &str) -> Option<ValueType> {
        (name == "hidden").then(|| ValueKind::Any.into())
    }
    fn names(&self) -> Vec<Arc<str>> {
        vec![Arc::from("hidden")]
    }
}

/// Calls of functions with what is not shown, wherever they take something, as far as such a text is taken at all.
pub(crate) fn calls() -> Vec<String> {
    let known = catalogue::all().filter(|function| function.availability == Availability::Always);
    // What differs each time is no part of a type's rules.
    let known = known.filter(|function| !["random", "randomFromList", "setVar"].contains(&function.name));
    let mut calls: Vec<String> = known
        .flat_map(|function| {
            (1..=function.parameters.len().max(1)).flat_map(move |count| {
                let all = vec!["hidden"; count].join(", ");
                let first = std::iter::once("hidden").chain(std::iter::repeat_n("1", count - 1)).collect::<Vec<_>>();
                [format!("{}({all})", function.name), format!("{}({})", function.name, first.join(", "))]
            })
        })
        .collect();
    calls.extend(["hidden + 1", "hidden - hidden", "5 % hidden", "hidden * 2", "hidden / 2"].map(str::to_owned));
    let scope = Scope::of(AvailableProviders::default().with(Availability::Context)).with_context(Some(Arc::new(Case)));
    calls.retain(|call| Program::expression(call, &scope).is_ok());
    calls.dedup();
    calls
}

/// The type whose properties make something of the hidden one, as far as such a text is taken: a place for each.
async fn server(engine: Engine, place: &str) -> (Server, Client, usize) {
    const TYPE: &str = "id: 90\nname: case\ntitle: Case\nproperties:\n  hidden: {id: 900, kind: pJson}\n";
    let mut text = TYPE.to_owned();
    let calls = calls();
    for (index, call) in calls.iter().enumerate() {
        let place = place.replace("CALL", call);
        let _ = writeln!(text, "  p{index}: {{id: {}, {place}}}", 1_000 + index);
    }
    let server = Server::with(engine, &[("types/case.yaml", &text)]).await;
    let clerk = server.role("clerk", CLERK).await;
    (server, clerk, calls.len())
}

#[spec("D-3", "D-20")]
async fn what_is_calculated_to_be_shown_tells_nothing_where_it_fails(engine: Engine) {
    let (server, clerk, count) = server(engine, "kind: pCalculated, calculate: \"{=[1, CALL] and null}\"").await;
    server.admin().create("case", json!({"hidden": MARK})).await;
    let row = clerk.get("collection/case/1?wrapFields=*").await.is(200).json();
    let errors = |row: &Json| -> Vec<String> {
        (0..count).filter_map(|index| Some(row[format!("p{index}")]["error"].as_str()?.to_owned())).collect()
    };
    let told = errors(&row);
    assert!(told.len() > 10, "{told:?}");
    assert!(told.iter().all(|error| !error.contains(MARK) && !error.contains("topsecret")), "{told:?}");
    assert!(told.iter().any(|error| error.contains("not a date")), "{told:?}");
}

#[spec("D-3", "R-133")]
async fn rules_that_fail_tell_nothing(engine: Engine) {
    let (server, clerk, count) =
        server(engine, "kind: pString, validate: [{rule: \"{=[CALL] != [1]}\", message: Wrong}]").await;
    server.admin().create("case", json!({"hidden": MARK})).await;
    let mut refused = 0;
    for index in 0..count {
        let told = clerk.patch("collection/case/1", json!({format!("p{index}"): "x"})).await;
        assert!([200, 400].contains(&told.status), "{}", told.text);
        assert!(!told.text.contains("topsecret"), "{}", told.text);
        refused += usize::from(told.status == 400);
    }
    assert!(refused > 10, "{refused}");
}

/// In each further place that an answer may come from.
#[spec("D-3", "R-133", "A126")]
async fn no_place_tells_of_what_it_failed_for(engine: Engine) {
    let within = |made: &str| format!("\"{{=if(note == 'x', {made}, null)}}\"");
    let options = "options: [a, b, topsecret-4712]";
    for (name, open) in [
        ("required", format!("kind: pString, required: {}", within("formatDate(hidden, 'Y') != ''"))),
        ("compared", format!("kind: pString, required: {}", within("compareDates(hidden, '<')"))),
        ("default", format!("kind: pEnum, {options}, default: {}", within("hidden"))),
        ("option", format!("kind: pEnum, {options}, calculate: {}", within("hidden"))),
        (
            "archived",
            format!("kind: pEnum, options: {{a: {{}}, {MARK}: {{archived: true}}}}, calculate: {}", within("hidden")),
        ),
        ("group", format!("kind: pGroup, calculate: {}", within("'blu' ~ trim('')"))),
        ("length", format!("kind: pString, maxLength: 3, calculate: {}", within("hidden"))),
        (
            "number",
            format!("kind: pInteger, calculate: {}", within("jsonDecode('[\\\"' ~ (hidden ?? '') ~ '\\\"]')[0]")),
        ),
        ("json", format!("kind: pInteger, calculate: {}", within("jsonDecode(hidden ?? '')"))),
        ("date", format!("kind: pDate, calculate: {}", within("hidden"))),
        ("type", format!("kind: pString, required: {}", within("resource(hidden, 1) != null"))),
    ] {
        let types = format!(
            "id: 90\nname: case\ntitle: Case\nproperties:\n  hidden: {{id: 900, kind: pText, default: {MARK}}}\n  \
             note: {{id: 904, kind: pString}}\n  open: {{id: 905, {open}}}\n"
        );
        let server = Server::with(engine, &[("types/case.yaml", &types)]).await;
        let clerk = server.role("clerk", CLERK).await;
        clerk.post("collection/case", json!({"note": "y"})).await.is(201);
        let written = [
            clerk.post("collection/case", json!({"note": "x"})).await,
            clerk.patch("collection/case/1", json!({"note": "x"})).await,
        ];
        for told in written.iter().filter(|told| told.status != 200) {
            assert_eq!(told.status, 400, "{name}: {}", told.text);
            let told = told.text.replace("must be one of a, b, topsecret-4712", "");
            assert!(!told.contains("topsecret") && !told.contains("blue") && !told.contains("14"), "{name}: {told}");
        }
        assert_eq!(written[0].status, 400, "{name}: {}", written[0].text);
    }
}

#[spec("D-3", "A126")]
async fn runs_of_automations_tell_nothing(engine: Engine) {
    let automation = "automation: one\non: {event: case.created}\ndo:\n  - set: {x: \"{=formatDate(hidden, 'Y')}\"}\n";
    let types = "id: 90\nname: case\ntitle: Case\nproperties:\n  hidden: {id: 900, kind: pText}\n";
    let files = [("automations/one.yaml", automation), ("types/case.yaml", types)];
    let server = Server::with(engine, &files).await;
    server.admin().create("case", json!({"hidden": MARK})).await;
    server.run_automations().await;
    let runs = server.admin().get("/api/ext/v1/automation-run").await.is(200);
    runs.says("not a date").lacks("topsecret");
}
