//! What is said of expressions that failed, in canvases, named queries, records of runs, and the log of a process.

use crate::conformance::messages::{CLERK, MARK, calls};
use automation::RunRequest;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write;
use std::time::Duration;
use testing::{Client, Engine, Server};

const TYPE: &str = "id: 90\nname: case\ntitle: Case\nproperties:\n  hidden: {id: 900, kind: pJson}\n  \
                    open: {id: 901, kind: pString}\n";
const QUERY: (&str, &str) = ("queries/cases.yaml", "query: cases\ntype: case\norderBy: id\n");
/// The items of a canvas of these tests.
const ITEMS: usize = 20;

/// An automation for each call: a run ends at the first step that fails.
fn automations() -> Vec<(String, String)> {
    let automation = |(index, call): (usize, String)| {
        let text = format!(
            "automation: a{index}\non: {{event: case.updated}}\ndo:\n  - set: {{x: \"{{=[1, {call}] and null}}\"}}\n"
        );
        (format!("automations/a{index}.yaml"), text)
    };
    calls().into_iter().enumerate().map(automation).collect()
}

async fn with(engine: Engine, more: &[(String, String)]) -> (Server, Client) {
    let more = more.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let files: Vec<_> = [("types/case.yaml", TYPE), QUERY].into_iter().chain(more).collect();
    let server = Server::with(engine, &files).await;
    let clerk = server.role("clerk", CLERK).await;
    (server, clerk)
}

/// The signs of a run: an attempt, a failure, and its message.
struct Record {
    tried: bool,
    failed: bool,
    said: String,
}

async fn records(server: &Server) -> Vec<Record> {
    let read = server.elevated(|tx, context| {
        let page = automation::list(tx, context, &RunRequest { limit: 1_000, ..RunRequest::default() })?;
        let ids = page.items.iter().filter_map(|run| run["id"].as_i64());
        ids.map(|id| automation::get(tx, context, id)).collect::<model::error::Result<Vec<Json>>>()
    });
    let record = |run: &Json| {
        let steps = run["log"].as_array().unwrap();
        let failed = !run["error"].is_null() || steps.iter().any(|step| !step["error"].is_null());
        let waits = ["waiting", "running"].contains(&run["state"].as_str().unwrap());
        Record { tried: failed || !waits, failed, said: json!([run["error"], run["log"]]).to_string() }
    };
    read.await.unwrap().iter().map(record).collect()
}

#[spec("D-3", "D-20")]
async fn canvases_and_queries_tell_nothing(engine: Engine) {
    let mut canvases = Vec::new();
    for (number, calls) in calls().chunks(ITEMS).enumerate() {
        let mut text = format!("canvas: c{number}\nitems:\n");
        for call in calls {
            let call = call.replace("hidden", "dataQueryFetchObject().hidden");
            let _ = writeln!(text, "  - {{kind: number, query: cases, value: \"{{=[1, {call}] and null}}\"}}");
        }
        canvases.push((format!("canvases/c{number}.yaml"), text));
    }
    let (server, clerk) = with(engine, &canvases).await;
    let admin = server.admin();
    admin.create("case", json!({"hidden": MARK})).await;
    let mut told = Vec::new();
    for number in 0..canvases.len() {
        let path = format!("/api/ext/v1/canvas/c{number}");
        clerk.get(&path).await.is(200).lacks("topsecret");
        // Readers of the value are not told either: a message may be passed on.
        let items = admin.get(&path).await.is(200).at("/items");
        told.extend(items.as_array().unwrap().iter().filter(|item| !item["error"].is_null()).map(Json::to_string));
    }
    assert!(told.len() > 10, "{told:?}");
    assert!(told.iter().all(|error| !error.contains("topsecret")), "{told:?}");
    assert!(told.iter().any(|error| error.contains("not a date")), "{told:?}");
    clerk.get("/api/ext/v1/query/cases").await.is(200).lacks("topsecret");
}

#[spec("D-3", "A126")]
async fn records_of_runs_tell_nothing_whatever_failed(engine: Engine) {
    let (server, _) = with(engine, &automations()).await;
    server.admin().create("case", json!({})).await;
    server.admin().patch("collection/case/1", json!({"hidden": MARK})).await.is(200);
    server.run_automations().await;
    let records = records(&server).await;
    assert_eq!(records.len(), calls().len());
    let failed: Vec<&str> = records.iter().filter(|run| run.failed).map(|run| run.said.as_str()).collect();
    assert!(failed.len() > 10, "{failed:?}");
    assert!(failed.iter().any(|said| said.contains("not a date")), "{failed:?}");
    assert!(records.iter().all(|run| !run.said.contains("topsecret")), "{failed:?}");
}

#[spec("D-3", "A088", "A126")]
async fn the_log_of_a_process_tells_nothing(engine: Engine) {
    let (server, _) = with(engine, &automations()).await;
    let settings: &'static [(&str, &str)] = &[("PLINTH_LOG_LEVEL", "debug"), ("PLINTH_LOG_ALIKE", "1000")];
    let process = server.process(env!("CARGO_BIN_EXE_plinth"), settings).await;
    let client = process.client().with("host", "acme.test").with("key", &server.key("admin").await);
    client.create("case", json!({})).await;
    client.patch("collection/case/1", json!({"hidden": MARK})).await.is(200);
    while !records(&server).await.iter().all(|run| run.tried) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (_, log) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(log.lines().count() > 10, "{log}");
    assert!(!log.contains("topsecret"), "{log}");
}
