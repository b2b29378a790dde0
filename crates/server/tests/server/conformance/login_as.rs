//! Administrators who act as a user: what the key may, how long, and who sees it.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Server};

const PATH: &str = "/api/ext/v1/login-as";

const WORKER: &str = "role: worker\nsystem: [restApi, profile]\ntypes:\n  note: {show: true, edit: true}\n";
const SHADOW: &str = "id: 61\nname: shadow\nproperties:\n  name: {id: 620, kind: pString}\n  \
                      acted: {id: 621, kind: pCalculated, calculate: \"{=isLoginAs()}\"}\n";

async fn begun(admin: &Client, user: Json) -> Json {
    admin.post(PATH, json!({"user": user})).await.is(200).at("/authToken")
}

fn with(server: &Server, key: &Json) -> Client {
    server.client().with("key", key["keyString"].as_str().unwrap())
}

#[spec("R-422", "D-4")]
async fn an_administrator_acts_as_a_user_and_everybody_can_see_it(server: Server) {
    let role =
        "role: worker\nsystem: [restApi, profile]\ntypes:\n  note: {show: true, edit: true}\n  shadow: {show: true}\n";
    server.change(&[("types/shadow.yaml", SHADOW)]).await;
    let worker = server.role("worker", role).await;
    let (admin, id, by) = (server.admin(), server.user("worker").await, server.user("admin").await);
    admin.create("shadow", json!({"name": "a"})).await;
    let key = begun(&admin, json!("worker@acme.test")).await;
    assert_eq!((&key["userId"], &key["permissions"]), (&json!(id), &json!(["*"])));
    let acting = with(&server, &key);
    assert_eq!(acting.get("app/user.current").await.is(200).at("/id"), json!(id));
    acting.get("collection/article").await.is(403);
    // Asked in turn, so that neither's answer is the other's out of the cache.
    for _ in 0..2 {
        let shadow = "collection/shadow?showFields=acted";
        assert_eq!(acting.get(shadow).await.is(200).at("/data/0/acted"), json!(true));
        assert_eq!(worker.get(shadow).await.is(200).at("/data/0/acted"), json!(false));
        assert_eq!(acting.get("collection/shadow/1?showFields=acted").await.is(200).at("/acted"), json!(true));
    }

    let made = acting.post("collection/note", json!({"text": "A"})).await.is(201).json();
    let note = format!("collection/note/{}", made["id"]);
    acting.patch(&note, json!({"text": "B"})).await.is(200);
    let shown = admin.get(&format!("{note}?showFields=createdBy,updatedBy")).await.is(200).json();
    assert_eq!((&shown["createdBy"], &shown["updatedBy"]), (&json!(id), &json!(id)));
    acting.delete(&note).await.is(204);
    let log = admin.get("/api/ext/v1/audit?event=loginAs.begun,loginAs.changed").await.is(200).at("/items");
    let told = |item: &Json| json!([item["event"], item["subjectId"], item["actorId"], item["keyId"], item["details"]]);
    let told: Vec<Json> = log.as_array().unwrap().iter().rev().map(told).collect();
    let changed = |action: &str| {
        let details = json!({"type": "note", "id": made["id"], "action": action, "loginAs": by});
        json!(["loginAs.changed", id, id, key["id"], details])
    };
    assert_eq!(told[0].as_array().unwrap()[..3], [json!("loginAs.begun"), json!(id), json!(by)]);
    assert_eq!(told[0][4], json!({"key": key["id"]}));
    assert_eq!(told[1..], [changed("create"), changed("edit"), changed("delete")]);

    let listed = admin.get(PATH).await.is(200).at("/items");
    let listed: Vec<Json> =
        listed.as_array().unwrap().iter().map(|item| json!([item["id"], item["user"], item["acting"]])).collect();
    assert_eq!(listed, [json!([key["id"], "worker@acme.test", "admin@acme.test"])]);
}

#[spec]
async fn such_a_key_ends_after_an_hour_and_when_it_is_revoked_or_made_anew(server: Server) {
    server.role("worker", WORKER).await;
    let (admin, id) = (server.admin(), server.user("worker").await);
    let first = begun(&admin, json!(id)).await;
    let second = begun(&admin, json!(id)).await;
    with(&server, &first).get("collection/note").await.is(403);
    with(&server, &second).get("collection/note").await.is(204);
    admin.delete(&format!("{PATH}/{}", second["id"])).await.is(204);
    with(&server, &second).get("collection/note").await.is(403);
    admin.delete(&format!("{PATH}/{}", second["id"])).await.is(404);
    let third = begun(&admin, json!(id)).await;
    server.clock().advance(3_599);
    with(&server, &third).get("collection/note").await.is(204);
    server.clock().advance(1);
    with(&server, &third).get("collection/note").await.is(403);
    assert_eq!(admin.get(PATH).await.is(200).at("/items"), json!([]));
    let fourth = begun(&admin, json!(id)).await;
    server.client().post_form("deauth", &[("key", fourth["keyString"].as_str().unwrap())]).await.is(200);
    with(&server, &fourth).get("collection/note").await.is(403);
    // Only keys of this kind are ended here.
    let own = server.key("worker").await;
    let other = server.client().with("key", &own);
    let ids: Vec<i64> = (1..20).collect();
    for id in ids {
        let reply = admin.delete(&format!("{PATH}/{id}")).await;
        assert_eq!(reply.status, 404, "key {id}");
    }
    other.get("collection/note").await.is(204);
}

#[spec("D-4", "D-9")]
async fn nobody_gains_rights_by_it(server: Server) {
    let worker = server.role("worker", WORKER).await;
    server.role("second", "role: second\nsystem: [restApi, admin]\n").await;
    server.role("silent", "role: silent\nsystem: [profile]\n").await;
    let (admin, id) = (server.admin(), server.user("worker").await);
    // Who is no administrator, in any way.
    for client in [&server.editor(), &server.reader(), &worker] {
        client.post(PATH, json!({"user": id})).await.is(403);
        client.get(PATH).await.is(403);
        client.delete(&format!("{PATH}/1")).await.is(403);
    }
    server.client().post(PATH, json!({"user": id})).await.is(403);
    // Not as an administrator, not as oneself, not as who may not use the API, may not sign in, or is not there.
    for refused in ["second@acme.test", "admin@acme.test", "silent@acme.test"] {
        admin.post(PATH, json!({"user": refused})).await.is(403);
    }
    for absent in [json!("absent@acme.test"), json!(999_999), json!(-1)] {
        admin.post(PATH, json!({"user": absent})).await.is(404);
    }
    server.set_user("reader", json!({"login_expired": true})).await;
    admin.post(PATH, json!({"user": "reader@acme.test"})).await.is(404);
    for body in [json!({}), json!({"user": null}), json!({"user": [id]}), json!({"user": 1.5}), json!({"user": ""})] {
        admin.post(PATH, body).await.is(400);
    }
    admin.post(PATH, json!({"user": id, "permissions": ["*"], "valid": "9999-12-31"})).await.is(400);
    admin.post(&format!("{PATH}?user={id}"), json!({"user": id})).await.is(400);
    // Not with such a key, which is no administrator's.
    let key = begun(&admin, json!(id)).await;
    let acting = with(&server, &key);
    acting.post(PATH, json!({"user": server.user("editor").await})).await.is(403);
    acting.get("/api/ext/v1/audit").await.is(403);
    // With a scoped key of an administrator neither.
    let login = server.login("admin").await;
    let form = [("user", login.user.as_str()), ("password", &login.password), ("permissions", "collection:*:show")];
    let scoped = server.client().post_form("auth", &form).await.is(200).at("/authToken");
    with(&server, &scoped).post(PATH, json!({"user": id})).await.is(403);
}

#[spec("D-7")]
async fn such_a_key_dies_with_the_rights_that_it_rests_on(server: Server) {
    server.role("worker", WORKER).await;
    server.role("second", "role: second\nsystem: [restApi, admin]\ntypes:\n  \"*\": {show: true}\n").await;
    let second = server.client().with("key", &server.key("second").await);
    let id = server.user("worker").await;
    let key = begun(&second, json!(id)).await;
    let acting = with(&server, &key);
    acting.get("collection/note").await.is(204);
    // The user becomes an administrator, and is none again.
    server.set_user("worker", json!({"roles": ["worker", "admin"]})).await;
    acting.get("collection/note").await.is(403);
    server.set_user("worker", json!({"roles": ["worker"]})).await;
    acting.get("collection/note").await.is(204);
    // The administrator may not sign in for a while.
    server.set_user("second", json!({"login_expired": true})).await;
    acting.get("collection/note").await.is(403);
    server.set_user("second", json!({"login_expired": false})).await;
    acting.get("collection/note").await.is(204);
    // The user may not.
    server.set_user("worker", json!({"login_expired": true})).await;
    acting.get("collection/note").await.is(403);
    server.set_user("worker", json!({"login_expired": false})).await;
    // The administrator is none any more; then is not there any more.
    server.set_user("second", json!({"roles": ["worker"]})).await;
    acting.get("collection/note").await.is(403);
    server.set_user("second", json!({"roles": ["second"]})).await;
    acting.get("collection/note").await.is(204);
    let gone = server.user("second").await;
    server.admin().delete(&format!("collection/user/{gone}")).await.is(204);
    acting.get("collection/note").await.is(403);
}

#[spec]
async fn changes_that_are_no_resources_are_told_of_by_their_path(server: Server) {
    let role = "role: worker\nsystem: [restApi, manageTags]\ntypes:\n  note: {show: true, edit: true}\n";
    server.role("worker", role).await;
    let (admin, by) = (server.admin(), server.user("admin").await);
    let key = begun(&admin, json!("worker@acme.test")).await;
    let acting = with(&server, &key);
    acting.post("collection/tags", json!({"name": "red"})).await.is(201);
    acting.post("collection/tags", json!({"name": 5})).await.is(400);
    let log = admin.get("/api/ext/v1/audit?event=loginAs.changed").await.is(200).at("/items");
    let details: Vec<&Json> = log.as_array().unwrap().iter().map(|item| &item["details"]).collect();
    assert_eq!(details, [&json!({"path": "/api/v1/collection/tags", "loginAs": by})]);
}

/// On another node, too.
#[spec]
async fn another_node_knows_at_once(server: Server) {
    server.role("worker", WORKER).await;
    let (other, id) = (server.node().await, server.user("worker").await);
    let key = begun(&server.admin(), json!(id)).await;
    with(&other, &key).get("collection/note").await.is(204);
    server.admin().delete(&format!("{PATH}/{}", key["id"])).await.is(204);
    with(&other, &key).get("collection/note").await.is(403);
}
