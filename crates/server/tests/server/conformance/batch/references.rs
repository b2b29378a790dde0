//! References to earlier results.

use super::{results, send};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Server;

#[spec("E-051")]
async fn a_reference_is_an_id_or_a_field(server: Server) {
    let admin = server.admin();
    let person = admin.create("person", json!({"name": "Ann", "salary": 5})).await;
    let reply = send(
        &admin,
        json!([
            {"as": "a", "op": "create", "type": "article", "set": {"name": "a", "author": person["id"], "views": 3}},
            {"as": "b", "op": "create", "type": "person", "set": {"name": {"$ref": "a.name"}, "chief": {"$ref": "a.author"}}},
            {"op": "create", "type": "note", "set": {"text": {"$ref": "a.number"}, "article": {"$ref": "a"}}},
            {"op": "patch", "type": "article", "item": {"$ref": "a"}, "set": {"readers": [person["id"], {"$ref": "b"}], "views+=": {"$ref": "a.views"}}},
            {"op": "patch", "type": "person", "item": {"$ref": "a.author"}, "set": {"salary+=": 1}},
            {"op": "get", "type": "article", "item": {"$ref": "a.uuid"}},
            {"op": "patch", "type": "article", "item": {"$ref": "a"}, "set": {"_addMissing": {"readers": [{"$ref": "b"}]}}},
        ]),
    )
    .await
    .is(200);
    assert_eq!(reply.at("/results/1/data/name"), "a");
    assert_eq!(reply.at("/results/1/data/chief"), person["id"]);
    assert_eq!(reply.at("/results/2/data/text"), reply.at("/results/0/data/number"));
    assert_eq!(reply.at("/results/2/data/article"), reply.at("/results/0/id"));
    let readers = json!([person["id"], reply.at("/results/1/id")]);
    assert_eq!((reply.at("/results/3/data/readers"), reply.at("/results/3/data/views")), (readers, json!(6)));
    assert_eq!(reply.at("/results/4/data/salary"), 6);
    assert_eq!(reply.at("/results/5/id"), reply.at("/results/0/id"));
}

#[spec("E-051")]
async fn later_and_unknown_results_are_refused_before_anything_runs(server: Server) {
    let admin = server.admin();
    let reply = send(
        &admin,
        json!([
            {"op": "create", "type": "article", "set": {"nothing": 1}},
            {"as": "a", "op": "create", "type": "note", "set": {"article": {"$ref": "b"}}},
            {"as": "b", "op": "create", "type": "article", "set": {"name": {"$ref": "a"}, "author": {"$ref": "c"}}},
            {"as": "d", "op": "patch", "type": "article", "item": {"$ref": "d"}, "set": {"readers": [1, {"$ref": "b."}]}},
        ]),
    )
    .await
    .is(400);
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
            "/operations/1/set/article reference_later",
            "/operations/2/set/author reference_unknown",
            "/operations/3/item reference_later",
            "/operations/3/set/readers/1 reference_invalid",
        ],
    );
    admin.get("/api/ext/v1/collection/note").await.is(200).says("\"total\":0");
    for (operations, code) in [
        (
            json!([{"as": "a", "op": "get", "type": "article", "item": 1}, {"as": "a", "op": "get", "type": "article", "item": 1}]),
            "alias_twice",
        ),
        (json!([{"as": "a.b", "op": "get", "type": "article", "item": 1}]), "alias_invalid"),
        (json!([{"as": "a", "op": "delete", "type": "article", "item": 1}]), "member_unknown"),
        (json!([{"op": "get", "type": "article", "item": {"$ref": 1}}]), "item_invalid"),
        (json!([{"op": "move", "type": "article", "item": 1}]), "word_unknown"),
        (json!([{"op": "patch", "type": "article", "item": 1}]), "required"),
        (json!([{"op": "get", "type": "article", "item": 1, "set": {}}]), "member_unknown"),
        (json!([1]), "not_object"),
        (json!({"a": 1}), "not_array"),
    ] {
        let reply = send(&admin, operations.clone()).await.is(400);
        assert_eq!(reply.at("/code"), code, "{operations}");
    }
}

/// A document may hold anything, and what looks like a reference stays as it is in one.
#[spec("E-051")]
async fn documents_have_no_references(server: Server) {
    let admin = server.admin();
    let schema = json!({"$ref": "#/components/schemas/Ticket"});
    let operations = json!([
        {"op": "create", "type": "article", "set": {"name": "a", "meta": schema}},
        {"op": "create", "type": "article", "set": {"name": "b", "meta": [schema, 1]}},
    ]);
    let reply = send(&admin, operations).await.is(200);
    let metas: Vec<Json> = results(&reply, "data").iter().map(|data| data["meta"].clone()).collect();
    assert_eq!(metas, [schema.clone(), json!([schema, 1])]);
}

/// A reference reads what the caller reads: neither more, nor told otherwise.
#[spec("E-051", "E-055")]
async fn a_field_is_one_that_the_caller_reads(server: Server) {
    let (admin, editor) = (server.admin(), server.editor());
    let row = admin.create("article", json!({"name": "a", "cost": 7, "views": 2})).await;
    let patch = |field: &str| {
        json!([
            {"as": "a", "op": "patch", "type": "article", "item": row["id"], "set": {"name": "b"}},
            {"op": "patch", "type": "article", "item": row["id"], "set": {"views": {"$ref": format!("a.{field}")}}},
        ])
    };
    send(&editor, patch("views")).await.is(200);
    let hidden = send(&editor, patch("cost")).await.is(400);
    let nothing = send(&editor, patch("kost")).await.is(400);
    assert_eq!(hidden.at("/detail"), nothing.at("/detail").as_str().unwrap().replace("kost", "cost"));
    assert_eq!(hidden.at("/errors/0/pointer"), "/operations/1/set/views");
    let alone = editor.get(&format!("/api/ext/v1/collection/article/{}?showFields=cost", row["id"])).await.is(400);
    assert_eq!((hidden.at("/detail"), hidden.at("/code")), (alone.at("/detail"), alone.at("/code")));
}
