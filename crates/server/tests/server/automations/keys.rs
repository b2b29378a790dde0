//! Nodes whose key files differ: what is sealed is refused, and nothing of it is lost.

use crate::automations::crashes::{AFTER, PLINTH, create, notes, until};
use crate::automations::http::{SECRET, asking};
use crate::automations::runs::{done, runs};
use serde_json::json;
use spec::spec;
use testing::{Engine, Process};

/// A node that was left out of a rotation of the master key.
fn foreign(process: &Process) -> bool {
    process.logged().contains("the master key (security.key_file or security.key) is not this tenant's")
}

#[spec]
async fn a_node_with_another_key_refuses_what_is_sealed_and_loses_nothing(engine: Engine) {
    let steps = "  - set: {kept: 1}\n  - create: {type: note, set: {text: \"{=name}\"}}\n";
    let server = asking(engine, "http://localhost", steps, true).await;
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own.key");
    std::fs::copy(server.data_folder().join("plinth.key"), &own).unwrap();
    let key_file: &'static str = own.display().to_string().leak();
    let settings: &'static [(&str, &str)] =
        vec![("PLINTH_SECURITY_KEY_FILE", key_file), ("PLINTH_DATA_POLL_INTERVAL", "1s")].leak();
    let process = server.process(PLINTH, settings).await;
    let (ended, printed) = server.command(PLINTH, &["secret", "rotate"]).await;
    assert!(ended, "{printed}");
    create(&server, 3).await;
    until("a word of it in the log", async || foreign(&process)).await;
    until("the worker", async || process.logged().contains("the worker for Runs failed")).await;

    let client = process.client().with("host", "acme.test").with("key", &server.key("admin").await);
    assert_eq!(client.get("collection/article").await.is(200).at("/stats/total"), 3, "it reads");
    client.create("person", json!({"name": "Ann"})).await;
    client.post("collection/article", json!({"name": "x"})).await.is(500).lacks("key");
    assert_eq!(client.get("collection/article").await.is(200).at("/stats/total"), 3, "an event is not left out");
    let (_, log) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(!log.contains(SECRET), "{log}");

    let waiting = runs(&server).await;
    assert!(waiting.iter().all(|run| run["state"] == "waiting" && run["tries"] == 0), "{waiting:?}");
    server.clock().set(AFTER);
    assert_eq!(server.run_automations().await, done(3));
    assert_eq!(notes(&server).await.len(), 3);
}
