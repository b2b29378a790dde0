//! Two nodes over one database: what one acknowledges, the other knows.

use serde_json::json;
use spec::spec;
use testing::Server;

#[spec("D-27")]
async fn a_read_on_one_node_sees_every_write_on_the_other(server: Server) {
    let node = server.node().await;
    let (here, there) = (server.admin(), node.admin());
    let path = format!("collection/article/{}", here.create("article", json!({"name": "A", "views": 0})).await["id"]);
    let mut tag = there.get(&path).await.is(200).header("etag").to_owned();
    for number in 1..=50 {
        let (writer, reader) = if number % 2 == 0 { (&here, &there) } else { (&there, &here) };
        writer.patch(&path, json!({"views+=": 1})).await.is(200);
        let reply = reader.with("if-none-match", &tag).get(&path).await.is(200);
        assert_eq!(reply.at("/views"), number);
        assert_ne!(reply.header("etag"), tag);
        tag = reply.header("etag").to_owned();
        // The tag is the same on every node.
        assert_eq!(writer.get(&path).await.header("etag"), tag);
    }
    assert_eq!(there.get("collection/article").await.at("/stats/total"), 1);
}

#[spec("A017", "R-069", "R-246", "D-10")]
async fn a_revocation_holds_on_every_node_at_once(server: Server) {
    let node = server.node().await;
    server.admin().create("article", json!({"name": "A"})).await;
    let key = server.key("reader").await;
    let there = node.client().with("key", &key);
    there.get("collection/article").await.is(200);
    server.client().post_form("deauth", &[("key", &key)]).await.is(200);
    there.get("collection/article").await.is(403);
    assert_eq!(there.get("auth").await.at("/status"), "invalid");
    // The same for a role that is taken away, and for a sign-in that is blocked.
    let (here, there) = (server.reader(), node.reader());
    for (state, status) in
        [(json!({"roles": ["guest"]}), 403), (json!({"roles": ["reader"]}), 200), (json!({"login_expired": true}), 403)]
    {
        here.get("collection/article").await;
        there.get("collection/article").await;
        server.set_user("reader", state).await;
        there.get("collection/article").await.is(status);
        here.get("collection/article").await.is(status);
    }
}

#[spec("D-15", "R-033")]
async fn a_new_configuration_holds_on_every_node_at_once(server: Server) {
    let node = server.node().await;
    let there = node.admin();
    there.get("collection/article").await.is(204);
    let clerk =
        server.role("clerk", "role: clerk\nsystem: [restApi]\ntypes: {article: {show: {fields: [name]}}}\n").await;
    clerk.get("collection/article").await.is(204);
    let key = node.key("clerk").await;
    there.create("article", json!({"name": "A"})).await;
    let row = node.client().with("key", &key).get("collection/article").await.is(200).at("/data/0");
    assert_eq!(row.as_object().unwrap().len(), 3, "{row}");
}

#[spec("D-23", "A075", "D-24", "R-273")]
async fn parallel_writes_on_two_nodes_lose_and_double_nothing(server: Server) {
    let node = server.node().await;
    let path = format!(
        "collection/article/{}",
        server.admin().create("article", json!({"name": "A", "views": 0})).await["id"]
    );
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..100 {
        let client = if number % 2 == 0 { server.admin() } else { node.admin() };
        let path = path.clone();
        tasks.spawn(async move {
            client.patch(&path, json!({"views+=": 1})).await.is(200);
            let code = format!("c{}", number / 4);
            client.post("collection/country", json!({"name": "C", "code": code})).await.status
        });
    }
    let statuses = tasks.join_all().await;
    assert!(statuses.iter().all(|status| [201, 409].contains(status)), "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 25);
    assert_eq!(node.admin().get(&path).await.at("/views"), 100);
    assert_eq!(server.admin().get("collection/country").await.at("/stats/total"), 25);
}
