//! The bounds of a batch.

use super::{BATCH, send};
use platform::tenants::Settings;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

fn creates(count: usize) -> Vec<Json> {
    (0..count).map(|number| json!({"op": "create", "type": "note", "set": {"text": format!("{number}")}})).collect()
}

#[spec("E-054")]
async fn a_thousand_operations_are_the_most(server: Server) {
    let admin = server.admin();
    let minimal = |operations: Vec<Json>| json!({"operations": operations, "return": "minimal"});
    for count in [1_001, 10_000] {
        admin.post(BATCH, minimal(creates(count))).await.is(400).says("batch_too_large");
    }
    let text = "x".repeat(5 << 20);
    let large = json!([{"op": "create", "type": "article", "set": {"name": "a", "body": text}}]);
    send(&admin, large).await.is(413).says("body_too_large");
    admin.get("/api/ext/v1/collection/note").await.is(200).says("\"total\":0");
}

/// A server whose batches may take no time, or whose answers may have few bytes.
async fn bounded(engine: Engine, name: &'static str, value: &'static str) -> Server {
    let settings = Settings { address_rate: None, ..Settings::default() };
    Server::settled(engine, settings, vec![(name, value)], &[]).await
}

#[spec("E-054")]
async fn a_batch_that_takes_too_long_is_undone(engine: Engine) {
    let server = bounded(engine, "limits.batch_time", "1ms").await;
    let admin = server.admin();
    for atomic in [true, false] {
        let body = json!({"operations": creates(400), "atomic": atomic});
        admin.post(BATCH, body).await.is(413).says("batch_too_long");
    }
    admin.get("/api/ext/v1/collection/note").await.is(200).says("\"total\":0");
}

#[spec("E-054")]
async fn an_answer_that_is_too_large_undoes_its_batch(engine: Engine) {
    let server = bounded(engine, "limits.batch_answer_bytes", "1000").await;
    let admin = server.admin();
    let row = admin.create("article", json!({"name": "a", "body": "x".repeat(2_000)})).await;
    let get = json!({"op": "get", "type": "article", "item": row["id"]});
    let create = json!({"op": "create", "type": "note", "set": {"text": "n"}});
    send(&admin, json!([create, get, get])).await.is(413).says("batch_answer_too_large");
    admin.get("/api/ext/v1/collection/note").await.is(200).says("\"total\":0");
    admin.post(BATCH, json!({"operations": [create, get, get], "return": "minimal"})).await.is(200);
}
