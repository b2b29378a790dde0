//! The line of each request, and the statements of slow ones.

use super::Watched;
use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;
use tokio::task::block_in_place;

/// Stops a server; returns the lines of its log that have this target.
fn lines(watched: Watched, target: &str) -> Vec<Json> {
    let (_, log) = block_in_place(|| watched.server.stop());
    let lines = log.lines().map(|line| serde_json::from_str::<Json>(line).unwrap_or_else(|_| panic!("{line}")));
    lines.filter(|line| line["target"] == target).collect()
}

#[spec]
async fn each_request_has_a_line(plinth: Plinth) {
    let watched = Watched::start(plinth, &[("PLINTH_LOG_SLOW", "0s")]);
    let made = json!({"code": 877_001_309, "name": "a-name-of-a-thing", "state": "new"});
    let reply = watched.client.post("collection/thing?probe=a-parameter", made.clone()).await;
    let id = reply.headers["x-request-id"].to_str().unwrap().to_owned();
    watched.client.post("collection/thing", made).await;
    watched.client.get("/healthz").await.is(200);
    let page = watched.client.get("/c/thing").await.is(200).bytes;
    let page = String::from_utf8_lossy(&page);
    let script = page.split('"').find(|part| part.contains("console/console-") && part.ends_with(".js")).unwrap();
    watched.client.get(&format!("/{}", script.trim_start_matches(['.', '/']))).await.is(200);
    watched.client.get("/console/none.js").await.is(404);
    let lines = lines(watched, "request");
    // Files of the console are told where they fail.
    let of_console = lines.iter().filter(|line| line["route"] == "/console/{name}");
    assert_eq!(of_console.map(|line| &line["status"]).collect::<Vec<_>>(), [404], "{lines:?}");
    let line = lines.iter().find(|line| line["id"] == id.as_str()).unwrap();
    assert_eq!(line["status"], reply.status);
    assert_eq!(line["bytes"], reply.bytes.len());
    assert_eq!((&line["method"], &line["tenant"]), (&json!("POST"), &json!("acme")));
    assert_eq!(line["route"], "/api/v1/collection/{collection}");
    assert_eq!(line["address"], "127.0.0.0");
    assert!(line["timestamp"].is_string(), "{line}");
    let written = lines.iter().find(|line| line["status"] == 201).unwrap();
    assert!(written["database_ms"].as_f64().unwrap() > 0.0, "{written}");
    assert!(written["ms"].as_f64().unwrap() >= written["database_ms"].as_f64().unwrap(), "{written}");
    assert!(written["key"].as_i64().is_some_and(|key| key > 0), "{written}");
    let text = format!("{lines:?}");
    for secret in ["a-parameter", "a-name-of-a-thing", "877001309", "plk_"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let health = lines.iter().find(|line| line["route"] == "/healthz").unwrap();
    assert!(health.get("key").is_none() && health["tenant"] == "", "{health}");
}

#[spec]
async fn lines_can_be_left_out_and_addresses_too(plinth: Plinth) {
    let watched = Watched::start(plinth, &[("PLINTH_LOG_ACCESS", "false"), ("PLINTH_LOG_SLOW", "0s")]);
    watched.client.get("collection/thing").await;
    let Watched { plinth, server, .. } = watched;
    let (_, log) = block_in_place(|| server.stop());
    assert!(!log.contains("\"target\":\"request\""), "{log}");
    for (setting, expected) in [("none", None), ("full", Some("127.0.0.1"))] {
        let server = block_in_place(|| plinth.start_with("serve", &[("PLINTH_LOG_ADDRESS", setting)]));
        server.client().get("/healthz").await.is(200);
        let (_, log) = block_in_place(|| server.stop());
        let line = log.lines().find(|line| line.contains("\"target\":\"request\"")).unwrap();
        let line: Json = serde_json::from_str(line).unwrap();
        assert_eq!(line.get("address").and_then(Json::as_str), expected, "{line}");
    }
}

/// These lines are written past the subscriber, by its word.
#[spec]
async fn the_level_decides_by_target_and_field(plinth: Plinth) {
    for (level, is_written) in [
        ("info", true),
        ("warn", false),
        ("warn,request=info", true),
        ("info,request=off", false),
        ("info,request[{tenant}]=off", false),
        ("info,request[{nope}]=off", true),
    ] {
        let server = block_in_place(|| plinth.start_with("serve", &[("PLINTH_LOG_LEVEL", level)]));
        server.client().get("/healthz").await.is(200);
        let (_, log) = block_in_place(|| server.stop());
        assert_eq!(log.contains("\"target\":\"request\""), is_written, "{level}: {log}");
    }
}

#[spec]
async fn slow_requests_tell_their_statements_without_values(plinth: Plinth) {
    let engine = if plinth.postgres.is_some() { "postgres" } else { "sqlite" };
    // Every request is slow, and a sorted list of all things takes a millisecond.
    let watched = Watched::start(plinth, &[("PLINTH_LOG_SLOW", "1ms"), ("PLINTH_LOG_ACCESS", "false")]);
    let things = watched.plinth.path("things.csv").display().to_string();
    block_in_place(|| watched.plinth.run(&["import", "thing", &things]).done());
    let mut ids = Vec::new();
    let filters = json!([{"property": "name", "type": "contains", "param": "hing a-value"}]).to_string();
    for page in 1..=30 {
        let page = page.to_string();
        for parameters in [vec![("orderBy", "-name"), ("page", &page)], vec![("filters", &filters)]] {
            let reply = watched.client.query("collection/thing", &parameters).await;
            assert!(reply.status < 300, "{:?}", reply.bytes);
            ids.push(reply.headers["x-request-id"].to_str().unwrap().to_owned());
        }
        // One plan is told in a second.
        tokio::time::sleep(std::time::Duration::from_millis(60)).await;
    }
    let lines = lines(watched, "slow");
    let slow = lines.iter().find(|line| ids.iter().any(|id| line["id"] == id.as_str())).unwrap();
    assert!(slow["ms"].as_f64().unwrap() >= 1.0 && slow["jobs"].as_i64().unwrap() >= 1, "{slow}");
    let statement = lines.iter().find(|line| line["statement"].is_string()).unwrap_or_else(|| panic!("{lines:?}"));
    assert!(statement["ms"].as_f64().unwrap() >= 1.0 && statement["rows"].is_u64(), "{statement}");
    let scan = if engine == "postgres" { "Scan on " } else { "SCAN " };
    let plans: Vec<_> = lines.iter().filter(|line| line["plan"].is_string()).collect();
    assert!(plans.iter().any(|line| line["plan"].as_str().unwrap().contains(scan)), "{lines:?}");
    // Each is told once: there are not more of them than of statements.
    let told: std::collections::BTreeSet<_> = plans.iter().map(|line| line["statement"].as_str().unwrap()).collect();
    assert_eq!(told.len(), plans.len(), "{plans:?}");
    let text = format!("{lines:?}");
    assert!(!text.contains("a-value"), "{text}");
}
