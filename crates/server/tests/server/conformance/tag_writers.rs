//! Many who write tags at once: the tree stays a tree, and nothing refers to what is gone.

use super::tags::tag;
use serde_json::{Value, json};
use spec::spec;
use testing::{Client, Server};
use tokio::task::JoinSet;

/// Sends all at once; gives the statuses, sorted.
async fn at_once(client: &Client, requests: Vec<(&'static str, String, Value)>) -> Vec<u16> {
    let mut tasks = JoinSet::new();
    for (method, path, body) in requests {
        let client = client.clone();
        tasks.spawn(async move { client.request(method, &path).json(&body).send().await.status });
    }
    let mut statuses = tasks.join_all().await;
    statuses.sort_unstable();
    statuses
}

fn assignment(item: &Value, operation: &str, tags: &[&str]) -> (&'static str, String, Value) {
    let body = json!({"type": "article", "item": item, "operation": operation, "tags": tags});
    ("POST", "app/tags.assign".to_owned(), body)
}

#[spec("R-147", "D-24")]
async fn a_name_is_given_once(server: Server) {
    let requests = (0..20).map(|_| ("POST", "collection/tags".to_owned(), json!({"name": "A", "code": "a"}))).collect();
    let statuses = at_once(&server.admin(), requests).await;
    assert_eq!((statuses[0], &statuses[1..]), (201, &[409; 19][..]));
}

#[spec("R-147", "D-24")]
async fn two_moves_make_no_ring(server: Server) {
    let admin = server.admin();
    for round in 0..10 {
        let (a, b) = (
            tag(&admin, json!({"name": format!("a{round}")})).await,
            tag(&admin, json!({"name": format!("b{round}")})).await,
        );
        let under = |tag: &str, parent: &str| ("PATCH", format!("collection/tags/{tag}"), json!({"parent": parent}));
        assert_eq!(at_once(&admin, vec![under(&a, &b), under(&b, &a)]).await, [200, 400]);
    }
}

#[spec("R-242", "D-24")]
async fn parallel_assignments_lose_nothing(server: Server) {
    let admin = server.admin();
    let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
    let mut tags = Vec::new();
    for number in 0..30 {
        tags.push(tag(&admin, json!({"name": number.to_string(), "order": number})).await);
    }
    // Each twice: whoever comes second finds it there.
    let requests = tags.iter().chain(&tags).map(|tag| assignment(&id, "add", &[tag])).collect();
    assert_eq!(at_once(&admin, requests).await, [200; 60]);
    let path = format!("app/tags.object?type=article&item={id}");
    assert_eq!(admin.get(&path).await.is(200).at("/tags"), json!(tags));
    let removals = tags[..20].iter().map(|tag| assignment(&id, "remove", &[tag])).collect();
    assert_eq!(at_once(&admin, removals).await, [200; 20]);
    assert_eq!(admin.get(&path).await.is(200).at("/tags"), json!(tags[20..]));
}

#[spec("D-24", "D-25")]
async fn nothing_refers_to_what_a_parallel_deletion_took(server: Server) {
    let admin = server.admin();
    let stays = tag(&admin, json!({"name": "stays"})).await;
    for round in 0..10 {
        let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
        let goes = tag(&admin, json!({"name": format!("goes {round}")})).await;
        let mut requests: Vec<_> = (0..4).map(|_| assignment(&id, "add", &[&stays, &goes])).collect();
        let gone = if round % 2 == 0 { format!("collection/tags/{goes}") } else { format!("collection/article/{id}") };
        requests.insert(2, ("DELETE", gone, json!({})));
        let statuses = at_once(&admin, requests).await;
        assert!(statuses.iter().all(|status| [200, 204, 404].contains(status)), "{statuses:?}");
        if round % 2 == 0 {
            let tags = admin.get(&format!("app/tags.object?type=article&item={id}")).await.is(200).at("/tags");
            assert!(tags == json!([]) || tags == json!([stays]), "{tags}");
            admin.delete(&format!("collection/article/{id}")).await.is(204);
        }
        // What is counted is there.
        let rows = admin.get("collection/tags?showFields=usage,name").await.is(200).at("/data");
        assert!(rows.as_array().unwrap().iter().all(|row| row["usage"] == 0), "{rows}");
    }
}
