//! An operation does and tells what the same request by itself does and tells.

use super::{send, send_each};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const OWNER: &str = r#"
role: editor
system: [restApi]
types:
  article:
    show: {where: "{=views < 10}", fields: ["*", "-cost"]}
    create: {fields: [name, code, views], check: "{=views < 5}", preset: {status: live}}
    edit: {where: "{=views < 8}", fields: [name, code, views], check: "{=views < 8}"}
  note: {show: true, create: true, delete: {where: "{=text == 'mine'}"}}
"#;

/// A request, and the operation that stands for it.
struct Twin {
    method: &'static str,
    path: String,
    body: Json,
    operation: Json,
}

fn twin(method: &'static str, below: &str, body: Json) -> Twin {
    let mut parts = below.split('/');
    let (of, item) = (parts.next().unwrap(), parts.next());
    let word = match method {
        "POST" => "create",
        "PUT" => "replace",
        "PATCH" => "patch",
        "DELETE" => "delete",
        _ => "get",
    };
    let mut operation = json!({"op": word, "type": of});
    item.into_iter().for_each(|item| operation["item"] = item.into());
    if !body.is_null() {
        operation["set"] = body.clone();
    }
    Twin { method, path: format!("/api/ext/v1/collection/{below}"), body, operation }
}

async fn alone(client: &Client, twin: &Twin) -> testing::Reply {
    let request = client.request(twin.method, &twin.path);
    if twin.body.is_null() { request.send().await } else { request.json(&twin.body).send().await }
}

#[spec("E-055", "D-3")]
async fn refusals_are_those_of_the_requests_by_themselves(engine: Engine) {
    let server = Server::with(engine, &[("roles/editor.yaml", OWNER)]).await;
    let (admin, editor, reader) = (server.admin(), server.editor(), server.reader());
    for (name, code, views) in [("seen", "S", 1), ("fixed", "F", 9), ("hidden", "H", 50)] {
        admin.create("article", json!({"name": name, "code": code, "views": views, "cost": 3})).await;
    }
    admin.create("note", json!({"text": "yours", "article": 3})).await;
    let twins = [
        twin("POST", "article", json!({"name": "n", "views": 7})),
        twin("POST", "article", json!({"name": "n", "cost": 1})),
        twin("POST", "article", json!({"name": "n", "status": "live"})),
        twin("POST", "article", json!({"name": "n", "kost": 1})),
        twin("POST", "article", json!({"name": "n", "code": "H"})),
        twin("POST", "article", json!({"name": "n", "code": "S"})),
        twin("POST", "article", json!({"views": 1})),
        twin("POST", "person", json!({"name": "n"})),
        twin("POST", "nothing", json!({"name": "n"})),
        twin("POST", "note", json!({"text": "x", "article": 3})),
        twin("POST", "note", json!({"text": "x", "article": 99})),
        twin("PATCH", "article/1", json!({"views": 9})),
        twin("PATCH", "article/1", json!({"code": "H"})),
        twin("PATCH", "article/1", json!({"cost": 1})),
        twin("PATCH", "article/1", json!({"cost+=": 1})),
        twin("PATCH", "article/2", json!({"name": "x"})),
        twin("PATCH", "article/3", json!({"name": "x"})),
        twin("PATCH", "article/99", json!({"name": "x"})),
        twin("PATCH", "article/01", json!({"name": "x"})),
        twin("PUT", "article/3", json!({"name": "x"})),
        twin("PUT", "article/2", json!({"name": "x"})),
        twin("PUT", "article/1", json!({"code": "x"})),
        twin("DELETE", "article/2", Json::Null),
        twin("DELETE", "article/3", Json::Null),
        twin("DELETE", "note/1", Json::Null),
        twin("DELETE", "note/99", Json::Null),
        twin("GET", "article/3", Json::Null),
        twin("GET", "article/99", Json::Null),
        twin("GET", "person/1", Json::Null),
    ];
    for (who, client) in [("editor", &editor), ("reader", &reader)] {
        for twin in &twins {
            let alone = alone(client, twin).await;
            let told = format!("{who}: {} {} {}", twin.method, twin.path, twin.body);
            assert!(alone.status >= 400 || who == "reader", "{told}: {}", alone.text);
            if alone.status < 400 {
                continue;
            }
            let whole = send(client, json!([twin.operation])).await;
            assert_eq!(whole.status, alone.status, "{told}: {}", whole.text);
            let each = send_each(client, json!([twin.operation])).await.is(200);
            assert_eq!(each.at("/results/0/status"), alone.status, "{told}");
            for (member, inner) in [("/code", "/results/0/error/code"), ("/detail", "/results/0/error/detail")] {
                assert_eq!(whole.at(member), alone.at(member), "{told}");
                assert_eq!(each.at(inner), alone.at(member), "{told}");
            }
            let properties = |errors: Json| -> Vec<[Json; 3]> {
                let of = |error: &Json| ["property", "code", "message"].map(|name| error[name].clone());
                errors.as_array().unwrap().iter().map(of).filter(|error| error[0] != "").collect()
            };
            assert_eq!(properties(whole.at("/errors")), properties(alone.at("/errors")), "{told}");
            assert_eq!(properties(each.at("/results/0/error/errors")), properties(alone.at("/errors")), "{told}");
        }
    }
}

#[spec("E-055")]
async fn grants_presets_and_fields_are_those_of_single_writes(engine: Engine) {
    let server = Server::with(engine, &[("roles/editor.yaml", OWNER)]).await;
    let (admin, editor) = (server.admin(), server.editor());
    let set = json!({"name": "a", "views": 1});
    let alone = editor.post("/api/ext/v1/collection/article", set.clone()).await.is(201).json();
    let batch = send(
        &editor,
        json!([
            {"as": "a", "op": "create", "type": "article", "set": set},
            {"op": "patch", "type": "article", "item": {"$ref": "a"}, "set": {"views": 2}},
            {"op": "get", "type": "article", "item": {"$ref": "a"}},
        ]),
    )
    .await
    .is(200);
    let mut data = batch.at("/results/0/data");
    for name in ["id", "uuid", "number"] {
        data[name] = alone[name].clone();
    }
    assert_eq!(data, alone);
    assert_eq!((batch.at("/results/2/data/views"), batch.at("/results/2/data/status")), (json!(2), json!("live")));
    batch.lacks("cost");
    // Rights on a row are asked of it as it is then: once it is out of reach, it is.
    let id = admin.create("article", json!({"name": "b", "views": 7})).await["id"].clone();
    let path = json!([
        {"op": "patch", "type": "article", "item": id, "set": {"name": "c"}},
        {"op": "patch", "type": "article", "item": id, "set": {"views+=": 1}},
    ]);
    let reply = send(&editor, path).await.is(403);
    assert_eq!((reply.at("/operation"), reply.at("/code")), (json!(1), json!("check_failed")));
    assert_eq!(admin.get(&format!("collection/article/{id}")).await.at("/name"), "b");
}

const PARTS: &str = "role: editor\nsystem: [restApi]\ntypes:\n  article:\n    show:\n\
    \x20     - {where: \"{=views == 1}\", fields: [name]}\n      - {where: \"{=views == 2}\"}\n    edit: true\n";

#[spec("E-055")]
async fn a_field_that_a_row_does_not_show_is_written_nowhere(engine: Engine) {
    let server = Server::with(engine, &[("roles/editor.yaml", PARTS)]).await;
    let (admin, editor) = (server.admin(), server.editor());
    let part = admin.create("article", json!({"name": "part", "views": 1, "status": "live"})).await;
    let whole = admin.create("article", json!({"name": "whole", "views": 2, "status": "live"})).await;
    let operations = |field: &str| {
        json!([
            {"as": "a", "op": "get", "type": "article", "item": part["id"]},
            {"op": "patch", "type": "article", "item": whole["id"], "set": {"status": {"$ref": format!("a.{field}")}}},
        ])
    };
    let refused = send(&editor, operations("status")).await.is(400);
    assert_eq!((refused.at("/operation"), refused.at("/code")), (json!(1), json!("reference_failed")));
    refused.says("It refers to \\\"status\\\", which the resource does not show.");
    assert_eq!(admin.get(&format!("collection/article/{}", whole["id"])).await.at("/status"), "live");
}

#[spec("E-055")]
async fn a_field_whose_condition_does_not_hold_is_null(engine: Engine) {
    let grade =
        "name: grade\nproperties:\n  mode: {kind: pString}\n  mark: {kind: pInteger, condition: \"{=mode == 'on'}\"}\n";
    let server = Server::with(engine, &[("types/grade.yaml", grade)]).await;
    let admin = server.admin();
    admin.create("grade", json!({"mode": "off"})).await;
    admin.create("grade", json!({"mode": "on", "mark": 5})).await;
    let operations = json!([
        {"as": "a", "op": "get", "type": "grade", "item": 1},
        {"op": "patch", "type": "grade", "item": 2, "set": {"mark": {"$ref": "a.mark"}}},
    ]);
    send(&admin, operations).await.is(200);
    assert_eq!(admin.get("collection/grade/2").await.at("/mark"), Json::Null);
}
