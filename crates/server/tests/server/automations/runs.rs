//! What tests see of runs.

use automation::{Ran, RunRequest};
use serde_json::Value as Json;
use testing::Server;

/// All that was due ended.
pub(crate) fn done(count: usize) -> Ran {
    Ran { done: count, ..Ran::default() }
}

/// All runs with their records, in the order of their making.
pub(crate) async fn runs(server: &Server) -> Vec<Json> {
    let read = server.elevated(|tx, context| {
        let page = automation::list(tx, context, &RunRequest { limit: 1_000, ..RunRequest::default() })?;
        let ids = page.items.iter().rev().filter_map(|run| run["id"].as_i64());
        ids.map(|id| automation::get(tx, context, id)).collect::<model::error::Result<Vec<Json>>>()
    });
    read.await.unwrap()
}

/// The automations and events of all runs, in the order of their making.
pub(crate) async fn caused(server: &Server) -> Vec<String> {
    let text = |run: &Json, name: &str| run[name].as_str().unwrap_or_default().to_owned();
    runs(server).await.iter().map(|run| format!("{} by {}", text(run, "automation"), text(run, "event"))).collect()
}

/// How many runs have not ended.
pub(crate) async fn waiting(server: &Server) -> usize {
    let open = |run: &&Json| ["waiting", "running"].contains(&run["state"].as_str().unwrap_or_default());
    runs(server).await.iter().filter(open).count()
}
