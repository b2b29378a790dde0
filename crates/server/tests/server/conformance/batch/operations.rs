//! The effects of operations, and their results.

use super::{BATCH, results, send, send_each};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

#[spec("E-050")]
async fn operations_are_carried_out_in_their_order(server: Server) {
    let admin = server.admin();
    let old = admin.create("article", json!({"name": "old", "code": "O", "views": 1})).await;
    let gone = admin.create("article", json!({"name": "gone"})).await;
    let tag = admin.post("collection/tags", json!({"name": "new"})).await.is(201).at("/id");
    let reply = send(
        &admin,
        json!([
            {"op": "create", "type": "article", "set": {"name": "a", "views": 2}},
            {"op": "patch", "type": "article", "item": old["id"], "set": {"views+=": 2, "name": "first"}},
            {"op": "patch", "type": "10", "item": old["uuid"], "set": {"_add": {"views": 4}}},
            {"op": "get", "type": "article", "item": old["uuid"], "showFields": ["views", "version"]},
            {"op": "replace", "type": "article", "item": old["id"], "set": {"name": "second"}},
            {"op": "delete", "type": "article", "item": gone["uuid"]},
            {"op": "upsert", "type": "article", "key": "code", "set": {"code": "U", "name": "u"}},
            {"op": "upsert", "type": "article", "key": "code", "set": {"code": "U", "views": 9}, "create": {"name": "v"}},
            {"op": "tag", "type": "article", "item": old["id"], "operation": "add", "tags": [tag]},
        ]),
    )
    .await
    .is(200);
    assert_eq!(results(&reply, "status"), [201, 200, 200, 200, 200, 204, 201, 200, 200]);
    let new = admin.get(&format!("collection/article/{}", reply.at("/results/0/id"))).await.is(200);
    assert_eq!(
        (new.json(), new.header("etag")),
        (reply.at("/results/0/data"), reply.at("/results/0/etag").as_str().unwrap())
    );
    assert_eq!(reply.at("/results/0/uuid"), new.at("/uuid"));
    assert_eq!(reply.at("/results/3/data"), json!({"id": old["id"], "views": 7, "version": 3}));
    assert_eq!(reply.at("/results/3/id"), old["id"]);
    assert_eq!((reply.at("/results/4/data/name"), reply.at("/results/4/data/code")), (json!("second"), json!(null)));
    assert_eq!(reply.at("/results/6/id"), reply.at("/results/7/id"));
    assert_eq!((reply.at("/results/7/data/name"), reply.at("/results/7/data/views")), (json!("u"), json!(9)));
    assert_eq!(reply.at("/results/8/data/tags"), json!([tag]));
    admin.get(&format!("collection/article/{}", gone["id"])).await.is(404);
    assert_eq!(admin.get("collection/article").await.at("/stats/total"), 3);
    // Nothing to do is done.
    assert_eq!(send(&admin, json!([])).await.is(200).json(), json!({"results": []}));
}

#[spec("E-050")]
async fn an_answer_may_be_short(server: Server) {
    let admin = server.admin();
    let operations = json!([{"op": "create", "type": "article", "set": {"name": "a"}}]);
    let reply = admin.post(BATCH, json!({"operations": operations, "return": "minimal"})).await.is(200);
    let members: Vec<String> = reply.at("/results/0").as_object().unwrap().keys().cloned().collect();
    assert_eq!(members, ["status", "id", "uuid", "etag"]);
    let preferred = admin.with("prefer", "return=minimal").post(BATCH, json!({"operations": operations})).await.is(200);
    assert_eq!(preferred.header("preference-applied"), "return=minimal");
    assert_eq!(preferred.at("/results/0/data"), Json::Null);
}

#[spec("E-052")]
async fn the_first_failure_undoes_all(server: Server) {
    let admin = server.admin();
    let row = admin.create("article", json!({"name": "a", "views": 1})).await;
    let reply = send(
        &admin,
        json!([
            {"op": "patch", "type": "article", "item": row["id"], "set": {"views+=": 1}},
            {"op": "create", "type": "article", "set": {"name": "b", "views": "many", "nothing": 1}},
            {"op": "create", "type": "article", "set": {}},
        ]),
    )
    .await
    .is(400);
    assert_eq!(reply.header("content-type"), "application/problem+json");
    assert_eq!((reply.at("/operation"), reply.at("/status")), (json!(1), json!(400)));
    let errors = reply.at("/errors");
    let places: Vec<&str> = errors.as_array().unwrap().iter().filter_map(|error| error["pointer"].as_str()).collect();
    assert_eq!(places, ["/operations/1/set/views", "/operations/1/set/nothing"]);
    assert_eq!((&errors[1]["code"], &errors[1]["property"]), (&json!("property_unknown"), &json!("nothing")));
    assert_eq!(admin.get(&format!("collection/article/{}", row["id"])).await.json(), row);
    assert_eq!(admin.get("collection/article").await.at("/stats/total"), 1);
}

#[spec("E-052")]
async fn all_mistakes_are_told_where_that_is_wanted(server: Server) {
    let admin = server.admin();
    let row = admin.create("article", json!({"name": "a", "code": "A"})).await;
    let operations = json!([
        {"op": "create", "type": "article", "set": {"name": "fine"}},
        {"as": "b", "op": "create", "type": "article", "set": {"name": ""}},
        {"op": "create", "type": "note", "set": {"text": "x", "article": {"$ref": "b"}}},
        {"op": "create", "type": "article", "set": {"name": "c", "code": "A"}},
        {"op": "patch", "type": "article", "item": 999, "set": {"name": "d"}},
        {"op": "patch", "type": "article", "item": row["id"], "ifMatch": "\"00\"", "set": {"name": "e"}},
        {"op": "patch", "type": "nothing", "item": 1, "set": {"name": "f"}},
        {"op": "patch", "type": "article", "item": row["id"], "set": {"_add": {"views": "x"}, "status": "none"}},
        {"op": "get", "type": "article", "item": row["id"], "showFields": ["nothing"]},
    ]);
    let reply = admin.post(BATCH, json!({"operations": operations, "validate": "all"})).await.is(400);
    assert_eq!(reply.at("/operation"), 1);
    let told: Vec<String> = reply
        .at("/errors")
        .as_array()
        .unwrap()
        .iter()
        .map(|error| format!("{} {}", error["pointer"].as_str().unwrap(), error["code"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            "/operations/1/set/name required",
            "/operations/3/set/code unique",
            "/operations/4/item item_missing",
            "/operations/5/ifMatch resource_changed",
            "/operations/6/type collection_missing",
            "/operations/7/set/_add/views not_integer",
            "/operations/7/set/status not_option",
            "/operations/8 property_unknown",
        ],
    );
    assert_eq!(admin.get("collection/article").await.at("/stats/total"), 1);
    let fine = json!({"operations": [{"op": "create", "type": "article", "set": {"name": "fine"}}], "validate": "all"});
    admin.post(BATCH, fine).await.is(200);
    assert_eq!(admin.get("collection/article").await.at("/stats/total"), 2);
}

#[spec("E-053")]
async fn each_operation_may_be_kept_or_undone_alone(server: Server) {
    let admin = server.admin();
    let reply = send_each(
        &admin,
        json!([
            {"as": "a", "op": "create", "type": "article", "set": {"name": "a", "code": "A"}},
            {"as": "b", "op": "create", "type": "article", "set": {"name": "b", "code": "A"}},
            {"op": "create", "type": "note", "set": {"text": "of a", "article": {"$ref": "a"}}},
            {"as": "n", "op": "create", "type": "note", "set": {"text": "of b", "article": {"$ref": "b"}}},
            {"op": "patch", "type": "note", "item": {"$ref": "n"}, "set": {"text": "c"}},
            {"op": "delete", "type": "article", "item": 999},
        ]),
    )
    .await
    .is(200);
    assert_eq!(results(&reply, "status"), [201, 409, 201, 400, 400, 404]);
    let codes: Vec<Json> = results(&reply, "error").iter().map(|error| error["code"].clone()).collect();
    assert_eq!(
        codes,
        [
            json!(null),
            json!("unique"),
            json!(null),
            json!("reference_failed"),
            json!("reference_failed"),
            json!("item_missing")
        ]
    );
    assert_eq!(reply.at("/results/1/error/errors/0/pointer"), "/operations/1/set/code");
    assert_eq!(reply.at("/results/3/error/errors/0/pointer"), "/operations/3/set/article");
    assert_eq!(admin.get("collection/article").await.at("/stats/total"), 1);
    assert_eq!(admin.get("collection/note").await.at("/data/0/text"), "of a");
    assert_eq!(admin.get("collection/note").await.at("/stats/total"), 1);
}

#[spec("E-055")]
async fn numbers_keep_their_digits(server: Server) {
    let admin = server.admin();
    let text = r#"{"operations": [
        {"op": "create", "type": "article", "set": {"name": "a", "price": 1234567890.12}},
        {"op": "create", "type": "article", "set": {"name": "b", "price": 1.125000000000000000001}},
        {"op": "create", "type": "article", "set": {"name": "c", "meta": {"n": 1.125000000000000000001}}}
    ], "atomic": false}"#;
    let reply = admin.request("POST", BATCH).body("application/json", text).send().await.is(200);
    assert_eq!(results(&reply, "status")[0], 201);
    for (number, property) in [(1, "price"), (2, "meta")] {
        let set = if number == 1 {
            r#"{"name": "b", "price": 1.125000000000000000001}"#
        } else {
            r#"{"name": "c", "meta": {"n": 1.125000000000000000001}}"#
        };
        let alone = admin.request("POST", "/api/ext/v1/collection/article").body("application/json", set).send().await;
        assert_eq!(reply.at(&format!("/results/{number}/status")), alone.status, "{property}");
        assert_eq!(reply.at(&format!("/results/{number}/error/detail")), alone.at("/detail"), "{property}");
    }
    assert!(reply.text.contains("1234567890.12"), "{}", reply.text);
}

#[spec("E-055")]
async fn events_and_audit_are_those_of_single_writes(engine: Engine) {
    let automation = "automation: on_created\non:\n  event: article.created\ndo:\n  - create: {type: note, set: {text: \"{=name}\"}}\n";
    let server = Server::with(engine, &[("automations/created.yaml", automation)]).await;
    let admin = server.admin();
    let made = json!([
        {"op": "create", "type": "article", "set": {"name": "a", "code": "A"}},
        {"op": "create", "type": "article", "set": {"name": "b", "code": "A"}},
        {"op": "create", "type": "article", "set": {"name": "c"}},
    ]);
    send(&admin, made.clone()).await.is(409);
    let _ = server.run_automations().await;
    admin.get("/api/ext/v1/collection/note").await.is(200).says("\"total\":0");
    send_each(&admin, made).await.is(200);
    let _ = server.run_automations().await;
    let mut texts = admin.get("collection/note").await.is(200).column("text");
    texts.sort_by_key(Json::to_string);
    assert_eq!(texts, ["a", "c"]);
    // An operation that was undone is not in the audit log.
    let before = audited(&server).await;
    let user = json!({"name": "Eve", "user_name": "eve@acme.test"});
    let accounts = json!([
        {"op": "create", "type": "user", "set": user},
        {"op": "create", "type": "user", "set": {"nothing": 1}},
    ]);
    let each = send_each(&admin, accounts.clone()).await.is(200);
    let made = results(&each, "status").iter().filter(|status| **status == 201).count();
    let after = audited(&server).await;
    assert_eq!(after - before, made, "{}", each.text);
}

/// The number of rows of the audit log.
async fn audited(server: &Server) -> usize {
    server.admin().get("/api/ext/v1/audit?limit=100").await.is(200).at("/items").as_array().unwrap().len()
}

#[spec("E-054")]
async fn passwords_are_hashed_and_few(server: Server) {
    let admin = server.admin();
    let id = server.user("editor").await;
    let set = |password: &str| json!({"op": "patch", "type": "user", "item": id, "set": {"password": password}});
    let reply = send(&admin, json!([set("correct horse battery staple")])).await.is(200);
    reply.lacks("correct horse");
    send(&admin, json!([set("short")])).await.is(400).says("/operations/0/set/password");
    let many: Vec<Json> = (0..11).map(|_| set("correct horse battery staple")).collect();
    send(&admin, json!(many)).await.is(400).says("passwords_too_many");
    // Nobody else gets that far.
    send(&server.editor(), json!([set("correct horse battery staple")])).await.is(403).says("/operations/0");
}
