//! Batches: several operations in one transaction.

mod limits;
mod operations;
mod races;
mod references;
mod rights;

use serde_json::{Value as Json, json};
use testing::{Client, Reply};

const BATCH: &str = "/api/ext/v1/batch";

/// Sends operations as an atomic batch.
async fn send(client: &Client, operations: Json) -> Reply {
    client.post(BATCH, json!({"operations": operations})).await
}

/// Sends operations of which each is kept or undone alone.
async fn send_each(client: &Client, operations: Json) -> Reply {
    client.post(BATCH, json!({"operations": operations, "atomic": false})).await
}

/// A member of each result.
fn results(reply: &Reply, name: &str) -> Vec<Json> {
    reply.at("/results").as_array().unwrap().iter().map(|result| result[name].clone()).collect()
}
