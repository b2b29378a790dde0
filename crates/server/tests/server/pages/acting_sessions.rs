//! The session as the key of an administrator who acts as a user sees it: the user's rights, and nothing of the browser.

use super::visitor::Visitor;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Server};

const SESSION: &str = "/api/ext/v1/session";
const ROLE: &str = "role: worker\nsystem: [restApi, notifications]\ntypes:\n  note: {show: true}\n";

/// The client of an administrator who acts as the user of a role, and the key.
async fn acting(server: &Server) -> (Client, Json) {
    server.role("worker", ROLE).await;
    server.set_user("worker", json!({"timezone": "America/New_York"})).await;
    let key = server.admin().post("/api/ext/v1/login-as", json!({"user": "worker@acme.test"})).await.is(200);
    let key = key.at("/authToken");
    (server.client().with("key", key["keyString"].as_str().unwrap()), key)
}

#[spec("E-160")]
async fn the_key_of_who_acts_tells_the_user_and_who_acts(server: Server) {
    let (acting, _) = acting(&server).await;
    let (id, by) = (server.user("worker").await, server.user("admin").await);
    let message = json!({"title": "Hello", "recipients": [{"userId": id}]});
    server.admin().post("/api/ext/v1/notifications", message).await.is(201);
    let reply = acting.get(SESSION).await.is(200);
    assert_eq!(reply.header("cache-control"), "no-store");
    let told = reply.json();
    assert_eq!((&told["user"]["id"], &told["user"]["login"]), (&json!(id), &json!("worker@acme.test")));
    assert_eq!(
        (&told["user"]["roles"], &told["user"]["permissions"]),
        (&json!(["worker"]), &json!(["restApi", "notifications"]))
    );
    assert_eq!((&told["actor"]["id"], &told["actor"]["login"]), (&json!(by), &json!("admin@acme.test")));
    assert_eq!((&told["zone"], &told["unread"]), (&json!("America/New_York"), &json!(1)));
    assert_eq!((&told["tenant"]["name"], &told["proof"]), (&json!("acme"), &Json::Null));
    // The version of the description is that of this key's rights.
    assert_eq!(told["schema"], acting.get("/api/ext/v1/model").await.is(200).header("plinth-schema"));
    // It ends with the key, and reading it is no change for the audit log.
    let moment = |text: &Json| text.as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let listed = server.admin().get("/api/ext/v1/login-as").await.is(200).at("/items/0/validTo");
    assert_eq!(moment(&told["ends"]), moment(&listed));
    let changed = server.admin().get("/api/ext/v1/audit?event=loginAs.changed").await.is(200);
    assert_eq!(changed.at("/items"), json!([]));
    // Rights that change are told at once.
    server.change(&[("roles/worker.yaml", "role: worker\nsystem: [restApi]\n")]).await;
    let told = acting.get(SESSION).await.is(200).json();
    assert_eq!((&told["user"]["permissions"], &told["unread"]), (&json!(["restApi"]), &json!(0)));
    server.change(&[("roles/worker.yaml", "role: worker\nsystem: [profile]\n")]).await;
    acting.get(SESSION).await.is(403);
}

#[spec("E-160", "D-4")]
async fn the_key_of_who_acts_gains_nothing(server: Server) {
    let (acting, key) = acting(&server).await;
    // Beside the cookie of the administrator it is the user's all the same, without the session's proof.
    let login = server.login("admin").await;
    let mut visitor = Visitor::new(&server);
    visitor.sign_in(&login.user, &login.password).await.is(303);
    let own = visitor.get(SESSION).await.is(200).json();
    assert!(own["proof"].is_string() && own["actor"].is_null(), "{own}");
    let text = key["keyString"].as_str().unwrap();
    let both = visitor.request("GET", SESSION).header("key", text).send().await.is(200);
    assert_eq!((both.at("/user/login"), both.at("/proof")), (json!("worker@acme.test"), Json::Null));
    both.lacks(own["proof"].as_str().unwrap());
    // The session's own proof still asks for the session.
    let proven = visitor.request("GET", SESSION).header("x-plinth-proof", own["proof"].as_str().unwrap());
    assert_eq!(proven.send().await.is(200).at("/user/login"), "admin@acme.test");
    // It begins, ends and lists no sessions.
    acting.get(&format!("{SESSION}/list")).await.is(403);
    acting.get("/api/ext/v1/key").await.is(403);
    // Other keys have no session, and one that does not work is refused beside a cookie, too.
    server.admin().get(SESSION).await.is(403).says("key_invalid");
    server.reader().get(SESSION).await.is(403).says("key_invalid");
    visitor.request("GET", SESSION).header("key", "plk_1_x").send().await.is(403);
    acting.get(&format!("{SESSION}?user=1")).await.is(400);
    // Its end is that of the session.
    server.admin().delete(&format!("/api/ext/v1/login-as/{}", key["id"])).await.is(204);
    acting.get(SESSION).await.is(403).says("key_invalid");
    visitor.request("GET", SESSION).header("key", text).send().await.is(403);
    visitor.get(SESSION).await.is(200);
}
