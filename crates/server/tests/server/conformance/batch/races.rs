//! Batches beside each other, and beside single writes.

use super::{BATCH, send};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Reply, Server};
use tokio::task::JoinSet;

async fn all(mut tasks: JoinSet<Reply>) -> Vec<Reply> {
    let mut replies = Vec::new();
    while let Some(reply) = tasks.join_next().await {
        replies.push(reply.unwrap());
    }
    replies
}

async fn articles(admin: &Client, count: usize) -> Vec<Json> {
    let creates: Vec<Json> =
        (0..count).map(|_| json!({"op": "create", "type": "article", "set": {"name": "a", "views": 0}})).collect();
    super::results(&send(admin, json!(creates)).await.is(200), "id")
}

/// Each batch adds to all rows, in an order of its own, while single writes add to the same rows.
#[spec("E-055")]
async fn no_update_is_lost_between_batches_and_single_writes(server: Server) {
    let admin = server.admin();
    let ids = articles(&admin, 6).await;
    let mut tasks = JoinSet::new();
    for round in 0..24 {
        let mut order = ids.clone();
        order.rotate_left(round % 6);
        if round % 2 == 1 {
            order.reverse();
        }
        let patches: Vec<Json> = order
            .iter()
            .map(|id| json!({"op": "patch", "type": "article", "item": id, "set": {"views+=": 1}}))
            .collect();
        let client = admin.clone();
        tasks.spawn(async move { client.post(BATCH, json!({"operations": patches, "atomic": round % 3 > 0})).await });
        let (client, path) = (admin.clone(), format!("collection/article/{}", order[0]));
        tasks.spawn(async move { client.patch(&path, json!({"views+=": 1})).await });
    }
    for reply in all(tasks).await {
        reply.is(200).lacks("\"error\"");
    }
    let views = admin.get("collection/article").await.is(200).column("views");
    let sum: i64 = views.iter().filter_map(Json::as_i64).sum();
    assert_eq!(sum, 24 * 6 + 24);
}

/// Readers see all of a batch or nothing, and one that fails leaves nothing.
#[spec("E-055", "E-052")]
async fn nothing_is_half_written(server: Server) {
    let admin = server.admin();
    let mut tasks = JoinSet::new();
    for round in 0..16 {
        let client = admin.clone();
        // All of them want one code. Its owner is the one that wins.
        let code =
            |place: usize| if round % 2 == 0 && place == 4 { "only".to_owned() } else { format!("{round}-{place}") };
        let creates: Vec<Json> = (0..5)
            .map(|place| json!({"op": "create", "type": "article", "set": {"name": format!("{round}"), "code": code(place)}}))
            .collect();
        tasks.spawn(async move { send(&client, json!(creates)).await });
    }
    let watcher = admin.clone();
    let watching = tokio::spawn(async move {
        for _ in 0..20 {
            let total = watcher.get("/api/ext/v1/collection/article?perPage=1").await.is(200).at("/stats/total");
            assert_eq!(total.as_i64().unwrap() % 5, 0, "{total}");
        }
    });
    let replies = all(tasks).await;
    watching.await.unwrap();
    let count = |status: u16| replies.iter().filter(|reply| reply.status == status).count();
    assert_eq!((count(200), count(409)), (9, 7), "{:?}", replies.iter().map(|reply| reply.status).collect::<Vec<_>>());
    let page = admin.get("/api/ext/v1/collection/article?perPage=100").await.is(200);
    assert_eq!((page.at("/stats/total"), page.column("id").len()), (json!(45), 45));
}
