//! What leaves the platform: mails and SMS of accounts, and nothing else.

use super::{ann, open};
use serde_json::json;
use spec::spec;
use testing::{Engine, Server};

/// How many mails and SMS have left so far.
async fn sent(server: &Server) -> [usize; 2] {
    server.deliver().await;
    server.deliver().await;
    [server.mails().len(), server.texts().len()]
}

#[spec("R-262")]
async fn only_accounts_have_messages_sent(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let admin = server.admin();
    // What integrations might expect to be told of: resources, users, rights, keys, notifications, sign-ins.
    let note = admin.create("note", json!({"text": "A"})).await;
    let path = format!("collection/note/{}", note["id"]);
    admin.patch(&path, json!({"text": "B"})).await.is(200);
    admin.delete(&path).await.is(204);
    let bob = json!({"user_id": "bob@example.com", "user_name": "Bob", "phone": "+420601234567", "roles": ["reader"]});
    let bob = admin.create("user", bob).await["id"].clone();
    admin.patch(&format!("collection/user/{bob}"), json!({"password": "a long password"})).await.is(200);
    admin.patch(&format!("collection/user/{bob}"), json!({"user_id": "rob@example.com"})).await.is(200);
    let form = [("user", "rob@example.com"), ("password", "a long password")];
    let key = server.client().post_form("auth", &form).await.is(200).at("/authToken/keyString");
    server.client().post_form("deauth", &[("key", key.as_str().unwrap())]).await.is(200);
    server.client().post_form("auth", &[("user", "rob@example.com"), ("password", "not that one")]).await.is(401);
    let notification = json!({"recipients": [{"userId": bob}], "title": "Hello"});
    admin.post("/api/ext/v1/notifications", notification).await.is(201);
    let silent = ann(json!({"user_id": "cid@example.com", "verify_account": {}}));
    let cid = clerk.post("app/user.register", silent).await.is(200).at("/object/id");
    clerk.post("app/user.cancelregistration", json!({"userId": cid})).await.is(200);
    admin.delete(&format!("collection/user/{bob}")).await.is(204);
    assert_eq!(sent(&server).await, [0, 0]);

    let methods =
        json!({"phone": "+420601234567", "verify_account": {"mail_link": {}, "mail_code": {}, "sms_code": {}}});
    let answer = clerk.post("app/user.register", ann(methods)).await.is(200).json();
    assert_eq!(sent(&server).await, [2, 1]);
    let retry = json!({"userId": answer["object"]["id"], "challengeId": answer["challenge"]});
    clerk.post("app/user.retrychallenge", retry).await.is(200);
    assert_eq!(sent(&server).await, [4, 2]);
    clerk.post("app/user.resetpassword", json!({"user_id": "editor@acme.test"})).await.is(200);
    assert_eq!(sent(&server).await, [5, 2]);
    let cancellation = json!({"userId": answer["object"]["id"]});
    clerk.post("app/user.cancelregistration", cancellation).await.is(200);
    assert_eq!(sent(&server).await, [5, 2]);
}

/// There is no catalogue of events: no path of the contract leads to one, and the description has no webhooks. (What
/// `hook/{name}` takes are calls of others to us.)
#[spec("R-261")]
async fn there_are_no_events_to_subscribe_to(server: Server) {
    let document = server.admin().get("/api/ext/v1/openapi.json?profile=contract").await.is(200).json();
    assert!(document.get("webhooks").is_none());
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    let of_events = |path: &&&String| path.contains("event") || path.contains("webhook") || path.contains("subscri");
    assert_eq!(paths.iter().filter(of_events).count(), 0, "{paths:?}");
    for path in ["events", "webhooks", "app/event.list", "app/webhook.create", "app/user.subscribe"] {
        server.admin().get(path).await.is(404);
        server.admin().post(path, json!({})).await.is(404);
    }
}
