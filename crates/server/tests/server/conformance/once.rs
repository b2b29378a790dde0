//! Writes that happen once, by `Idempotency-Key`.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server};
use tokio::task::JoinSet;

const ARTICLES: &str = "/api/ext/v1/collection/article";
const BATCH: &str = "/api/ext/v1/batch";

fn named(client: &Client, name: &str) -> Client {
    client.with("idempotency-key", name)
}

/// Answers to the same request twice: the second is a repetition of the first.
async fn twice(client: &Client, name: &str, method: &str, path: &str, body: Option<Json>) -> [Reply; 2] {
    let client = named(client, name);
    let send = async || {
        let request = client.request(method, path);
        match &body {
            Some(body) => request.json(body).send().await,
            None => request.send().await,
        }
    };
    let replies = [send().await, send().await];
    assert!(replies[0].status < 300, "{method} {path}: {}", replies[0].text);
    assert_eq!(replies[0].header("idempotency-replayed"), "");
    assert_eq!(replies[1].header("idempotency-replayed"), "true", "{method} {path}: {}", replies[1].text);
    assert_eq!(replies[0].status, replies[1].status, "{method} {path}");
    for name in ["etag", "location"] {
        assert_eq!(replies[0].header(name), replies[1].header(name), "{method} {path}");
    }
    replies
}

#[spec("E-056")]
async fn each_write_below_the_extended_address_takes_a_name(server: Server) {
    let admin = server.admin();
    let [first, second] = twice(&admin, "create", "POST", ARTICLES, Some(json!({"name": "a", "code": "A"}))).await;
    assert_eq!(first.text, second.text);
    let path = first.header("location").to_owned();
    let body = Some(json!({"_add": {"views": 1}}));
    let [first, second] = twice(&admin, "\"patch\"", "PATCH", &path, body).await;
    assert_eq!((first.at("/views"), second.at("/views")), (json!(1), json!(1)));
    twice(&admin, "replace", "PUT", &path, Some(json!({"name": "b", "code": "A"}))).await;
    let by = format!("{ARTICLES}/by/code/B");
    twice(&admin, "upsert", "PUT", &by, Some(json!({"set": {"name": "by"}}))).await;
    let items = json!({"key": "code", "items": [{"set": {"code": "C", "name": "c"}}]});
    let [first, second] = twice(&admin, "upserts", "POST", &format!("{ARTICLES}/upsert"), Some(items)).await;
    assert_eq!(first.text, second.text);
    let operations = json!({"atomic": false, "operations": [
        {"op": "create", "type": "article", "set": {"name": "x", "code": "X"}},
        {"op": "create", "type": "article", "set": {"name": "y", "code": "X"}},
        {"op": "get", "type": "article", "item": 1},
    ]});
    let [first, second] = twice(&admin, "batch", "POST", BATCH, Some(operations)).await;
    assert_eq!(first.json(), second.json());
    twice(&admin, "delete", "DELETE", &path, None).await;
    let tags = "/api/ext/v1/collection/tags";
    let [tag, again] = twice(&admin, "tag", "POST", tags, Some(json!({"name": "t"}))).await;
    assert_eq!(tag.text, again.text);
    let tag = tag.header("location").to_owned();
    twice(&admin, "tag-patch", "PATCH", &tag, Some(json!({"name": "u"}))).await;
    twice(&admin, "tag-delete", "DELETE", &tag, None).await;
    let user = server.user("admin").await;
    let message = json!({"recipients": [{"userId": user}], "type": "note", "title": "Hello"});
    let [first, second] = twice(&admin, "message", "POST", "/api/ext/v1/notifications", Some(message)).await;
    assert_eq!(first.json(), second.json());
    assert_eq!(admin.get(ARTICLES).await.at("/stats/total"), 3);
    // An answer with a key is told once.
    let login = json!({"user": server.user("reader").await});
    named(&admin, "login").post("/api/ext/v1/login-as", login).await.is(400).says("told once");
    // The contract knows no such header.
    let contract = named(&admin, "create").at_contract();
    contract.post("collection/article", json!({"name": "d"})).await.is(201);
}

#[spec("E-056")]
async fn a_repetition_tells_what_may_be_read_now(engine: Engine) {
    let server = Server::with(engine, &[("roles/editor.yaml", EDITOR)]).await;
    let (admin, editor) = (server.admin(), server.editor());
    let create = async || named(&editor, "k").post(ARTICLES, json!({"name": "a", "views": 1})).await.is(201);
    let first = create().await;
    let path = first.header("location").to_owned();
    admin.patch(&path, json!({"views": 2})).await.is(200);
    let second = create().await;
    assert_eq!((second.at("/id"), second.at("/views")), (first.at("/id"), json!(2)));
    assert_eq!(second.header("etag"), editor.get(&path).await.is(200).header("etag"));
    // Out of sight, or gone: what it is known by is all.
    let ids = json!({"id": first.at("/id"), "uuid": first.at("/uuid")});
    admin.patch(&path, json!({"views": 90})).await.is(200);
    assert_eq!((create().await.json(), create().await.header("etag")), (ids.clone(), ""));
    admin.delete(&path).await.is(204);
    assert_eq!(create().await.json(), ids);
    let batch = json!({"operations": [{"op": "create", "type": "article", "set": {"name": "b", "views": 1}}]});
    let first = named(&editor, "b").post(BATCH, batch.clone()).await.is(200);
    admin.patch(&format!("{ARTICLES}/{}", first.at("/results/0/id")), json!({"views": 90})).await.is(200);
    let second = named(&editor, "b").post(BATCH, batch.clone()).await.is(200);
    assert_eq!((second.at("/results/0/status"), second.at("/results/0/data")), (json!(201), Json::Null));
    assert_eq!(second.at("/results/0/id"), first.at("/results/0/id"));
    let brief = named(&editor, "b").with("prefer", "return=minimal").post(BATCH, batch).await.is(200);
    assert_eq!(brief.header("idempotency-replayed"), "true");
}

const EDITOR: &str =
    "role: editor\nsystem: [restApi]\ntypes:\n  article: {show: {where: '{=views < 10}'}, create: true, edit: true}\n";

#[spec("E-057")]
async fn a_name_is_of_one_request_of_one_user(server: Server) {
    let (admin, editor) = (server.admin(), server.editor());
    let one = named(&admin, "one");
    let made = one.post(ARTICLES, json!({"name": "a"})).await.is(201);
    let path = made.header("location").to_owned();
    for reply in [
        one.post(ARTICLES, json!({"name": "b"})).await,
        one.post("/api/ext/v1/collection/note", json!({"name": "a"})).await,
        one.patch(&path, json!({"name": "a"})).await,
        one.delete(&path).await,
    ] {
        reply.is(422).says("idempotency_key_reused");
    }
    one.with("if-match", made.header("etag")).post(ARTICLES, json!({"name": "a"})).await.is(422);
    // Another user has names of its own.
    let other = named(&editor, "one").patch(&path, json!({"name": "c"})).await.is(200);
    assert_eq!(other.header("idempotency-replayed"), "");
    for name in ["", "\"\"", "\u{e9}", &"x".repeat(256)] {
        named(&admin, name).post(ARTICLES, json!({"name": "d"})).await.is(400).says("idempotency_key_invalid");
    }
    one.with("idempotency-key", "two").post(ARTICLES, json!({"name": "a"})).await.is(400);
    assert_eq!(admin.get(ARTICLES).await.at("/stats/total"), 1);
}

#[spec("E-057")]
async fn a_failure_is_not_kept(server: Server) {
    let admin = server.admin();
    let taken = admin.post(ARTICLES, json!({"name": "a", "code": "A"})).await.is(201);
    let one = named(&admin, "one");
    one.post(ARTICLES, json!({"name": "b", "code": "A"})).await.is(409).says("unique");
    admin.delete(taken.header("location")).await.is(204);
    let made = one.post(ARTICLES, json!({"name": "b", "code": "A"})).await.is(201);
    assert_eq!(made.header("idempotency-replayed"), "");
    let two = named(&admin, "two");
    let batch = json!({"operations": [{"op": "create", "type": "article", "set": {"name": "c", "code": "A"}}]});
    two.post(BATCH, batch.clone()).await.is(409);
    admin.delete(made.header("location")).await.is(204);
    two.post(BATCH, batch).await.is(200);
}

#[spec("E-057")]
async fn a_name_is_kept_for_a_day(server: Server) {
    let admin = server.admin();
    let one = named(&admin, "one");
    let first = one.post(ARTICLES, json!({"name": "a"})).await.is(201).at("/id");
    server.clock().advance(24 * 3_600 - 1);
    assert_eq!(one.post(ARTICLES, json!({"name": "a"})).await.is(201).at("/id"), first);
    let rows = async || {
        server
            .look(|tx, _| {
                let mut sql = tx.sql();
                sql.push("SELECT count(*) FROM ").table(&model::table_names::IDEMPOTENCY);
                let mut count = 0;
                tx.query(&sql, &mut |row| {
                    count = row.integer(0)?;
                    Ok(())
                })?;
                Ok(count)
            })
            .await
    };
    named(&admin, "two").post(ARTICLES, json!({"name": "b"})).await.is(201);
    server.clock().advance(1);
    // Before it is swept, a name that is over is free.
    let later = one.post(ARTICLES, json!({"name": "other"})).await.is(201);
    assert_ne!(later.at("/id"), first);
    assert_eq!(rows().await, 2);
    server.clock().advance(24 * 3_600 - 1);
    server.sweep().await;
    assert_eq!(rows().await, 1);
    server.clock().advance(3_600 + 1);
    server.sweep().await;
    assert_eq!(rows().await, 0);
}

/// The body may hold a password: what is stored of it says nothing without the tenant's key.
#[spec("E-057")]
async fn nothing_of_a_body_is_stored(server: Server) {
    let admin = server.admin();
    let id = server.user("editor").await;
    let path = format!("/api/ext/v1/collection/user/{id}");
    let [first, second] =
        twice(&admin, "p", "PATCH", &path, Some(json!({"password": "correct horse battery staple"}))).await;
    assert_eq!(first.text, second.text);
    let stored = server
        .look(|tx, _| {
            let mut sql = tx.sql();
            sql.push("SELECT content FROM ").table(&model::table_names::IDEMPOTENCY);
            let mut content = String::new();
            tx.query(&sql, &mut |row| {
                content = row.text(0)?.to_owned();
                Ok(())
            })?;
            Ok(content)
        })
        .await;
    assert!(!stored.contains("horse") && stored.len() < 200, "{stored}");
}

#[spec("E-057", "E-055")]
async fn one_name_from_32_clients_at_once_makes_one_resource(server: Server) {
    let admin = server.admin();
    let nodes = [server.clone(), server.node().await];
    let batch = json!({"operations": [
        {"as": "a", "op": "create", "type": "article", "set": {"name": "a", "views": 1}},
        {"op": "create", "type": "note", "set": {"article": {"$ref": "a"}}},
    ]});
    let mut tasks = JoinSet::new();
    for number in 0..32 {
        let client = named(&nodes[number % 2].admin(), "same");
        let batch = batch.clone();
        tasks.spawn(async move { client.post(BATCH, batch).await });
    }
    let mut ids = Vec::new();
    while let Some(reply) = tasks.join_next().await {
        let reply = reply.unwrap();
        match reply.status {
            200 => ids.push(reply.at("/results/0/id")),
            _ => _ = reply.is(409).says("idempotency_running"),
        }
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
    assert_eq!(admin.get(ARTICLES).await.at("/stats/total"), 1);
    assert_eq!(admin.get("/api/ext/v1/collection/note").await.at("/stats/total"), 1);
    let again = named(&admin, "same").post(BATCH, batch).await.is(200);
    assert_eq!((again.header("idempotency-replayed"), again.at("/results/0/id")), ("true", ids[0].clone()));
}
