//! What commands change is seen by the servers that run.

use crate::automations::crashes::{AFTER, PLINTH, until};
use crate::automations::runs::runs;
use serde_json::json;
use spec::spec;
use std::time::Duration;
use testing::{Engine, Server};

const PATH: &str = "automations/one.yaml";
const FILE: &str = "automation: one\non: {event: article.created}\ndo:\n  - create: {type: note, set: {text: done}}\n";

async fn command(server: &Server, arguments: &[&str]) {
    let (succeeded, printed) = server.command(PLINTH, arguments).await;
    assert!(succeeded, "{arguments:?}: {printed}");
}

/// Lets time go on until the workers have looked wherever something was put, and look no more.
async fn rounds(server: &Server) {
    for _ in 0..3 {
        server.clock().advance(61);
        tokio::time::sleep(Duration::from_millis(1_500)).await;
    }
}

async fn ends(server: &Server) {
    server.clock().advance(61);
    until("the run", async || runs(server).await[0]["state"] == "done").await;
}

#[spec]
async fn a_run_that_a_command_has_go_on_is_found_in_the_next_round(engine: Engine) {
    let server = Server::with(engine, &[(PATH, FILE)]).await;
    // Commands have the system's clock: what they have due now is due then.
    server.clock().set(AFTER);
    server.admin().create("article", json!({"name": "One"})).await;
    server.remove(&[PATH]).await;
    assert_eq!(server.run_automations().await.failed, 1);
    server.change(&[(PATH, FILE)]).await;
    let _working = server.work();
    rounds(&server).await;
    command(&server, &["automation", "retry", "1"]).await;
    ends(&server).await;
}

#[spec]
async fn runs_of_an_automation_that_a_command_switches_on_are_found_in_the_next_round(engine: Engine) {
    let server = Server::with(engine, &[(PATH, FILE)]).await;
    server.clock().set(AFTER);
    server.admin().create("article", json!({"name": "One"})).await;
    command(&server, &["automation", "disable", "one"]).await;
    let _working = server.work();
    rounds(&server).await;
    assert_eq!(runs(&server).await[0]["state"], "waiting");
    command(&server, &["automation", "enable", "one"]).await;
    ends(&server).await;
}
