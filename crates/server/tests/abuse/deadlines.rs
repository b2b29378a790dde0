//! The work of a request ends with the request.

use crate::{LIMIT, alone};
use platform::tenants::Settings;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use testing::{Engine, Server};
use tokio::task::JoinSet;

const ROWS: u64 = 150_000;
/// The time of a request.
const TIME: (&str, &str) = ("limits.request_time", "1s");

/// A search that takes longer than a statement may: it would hold its thread or connection for five seconds.
#[test]
fn what_a_request_asked_for_ends_with_it() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "deadlines", |engine: Engine| async move {
            let server = Server::settled(engine, Settings::default(), vec![TIME], &[]).await;
            server.fill_notes(ROWS).await;
            let filter =
                |number| json!({"property": "text", "type": "contains", "param": format!("no{number}"), "fold": true});
            let any: Vec<Value> = (0..99).map(filter).collect();
            let body = json!({"filters": [{"property": "*", "type": "or", "param": any}], "orderBy": "-text"});
            let head = format!(
                "SEARCH /api/v1/collection/note HTTP/1.1\r\nhost: acme.test\r\nkey: {}\r\ncontent-type: application/json\r\n",
                server.key("admin").await
            );
            let request = format!("{head}content-length: {}\r\n\r\n{body}", body.to_string().len());
            let mut waits = Vec::new();
            // The machine may have other work in one round, and hardly in all.
            while waits.len() < 4 && waits.iter().all(|wait| *wait >= Duration::from_secs(3)) {
                let mut searches = JoinSet::new();
                // More than there are threads and connections.
                for _ in 0..8 {
                    let (client, request) = (server.client(), request.clone());
                    searches.spawn(async move { client.raw(request.as_bytes()).await });
                }
                let answers = searches.join_all().await;
                assert!(answers.iter().all(String::is_empty), "{engine:?}: they were answered: {answers:?}");
                // Another one each time, so that no answer is remembered.
                let nothing = format!("nothing {}", waits.len());
                let begun = Instant::now();
                let list = json!({"filters": [{"property": "text", "type": "eq", "param": nothing}]});
                server.admin().search("collection/note", list).await.is(204);
                waits.push(begun.elapsed());
            }
            assert!(waits.iter().any(|wait| *wait < Duration::from_secs(3)), "{engine:?}: it waited {waits:?}");
        });
    }
}
