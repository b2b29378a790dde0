//! Remembered answers to lists by tags follow every change of the tags, on each node.

use super::tags::tag;
use serde_json::{Value, json};
use spec::spec;
use testing::{Client, Server};

/// The list by a tag, asked on both nodes and twice, so that one of the answers may be a remembered one.
async fn names(clients: &[Client; 2], parameters: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for client in clients.iter().chain(clients) {
        let reply = client.get(&format!("collection/article?showFields=name&{parameters}")).await;
        found.push(reply.column("name"));
    }
    assert!(found.iter().all(|names| *names == found[0]), "{parameters} {found:?}");
    found.swap_remove(0)
}

#[spec("D-28", "D-3")]
async fn a_list_by_tags_is_never_stale(server: Server) {
    let node = server.node().await;
    let (admin, there) = (server.admin(), node.admin());
    let admins = [admin.clone(), there.clone()];
    let readers = [server.reader(), node.reader()];
    let above = tag(&admin, json!({"name": "above"})).await;
    let below = tag(&admin, json!({"name": "below"})).await;
    let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
    let by_above = format!("tags={above}&includeTagDescendants=1");
    let (by_below, by_name) = (format!("tags={below}"), format!("tags={below}&orderBy=name"));
    let give = async |client: &Client, operation: &str| {
        let body = json!({"type": "article", "item": id, "operation": operation, "tags": [below]});
        client.post("app/tags.assign", body).await.is(200);
    };
    let check = async |clients: &[Client; 2], one: bool, tree: bool| {
        let expected = |there: bool| if there { vec![json!("A")] } else { Vec::new() };
        assert_eq!(names(clients, &by_below).await, expected(one));
        assert_eq!(names(clients, &by_name).await, expected(one));
        assert_eq!(names(clients, &by_above).await, expected(tree));
    };
    check(&admins, false, false).await;
    give(&there, "add").await;
    check(&admins, true, false).await;
    let path = format!("collection/tags/{below}");
    admin.patch(&path, json!({"parent": above})).await.is(200);
    check(&admins, true, true).await;
    check(&readers, true, true).await;
    // What becomes private is gone for others, at once and everywhere.
    there.patch(&path, json!({"private": true})).await.is(200);
    check(&admins, true, true).await;
    check(&readers, false, false).await;
    admin.patch(&path, json!({"private": false, "parent": null})).await.is(200);
    check(&readers, true, false).await;
    give(&admin, "remove").await;
    check(&readers, false, false).await;
    give(&admin, "replace").await;
    check(&readers, true, false).await;
    there.delete(&path).await.is(204);
    check(&readers, false, false).await;
    check(&admins, false, false).await;
}
