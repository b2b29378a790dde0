//! The session of a browser in the place of a key: for scripts of our own pages, and for nobody else.

use crate::pages::visitor::Visitor;
use serde_json::{Value, json};
use spec::spec;
use testing::{Login, Reply, Request, Server};

const SESSION: &str = "/api/ext/v1/session";
const LIST: &str = "/api/ext/v1/collection/user?perPage=1";

/// A script of our own pages, in the browser of a visitor.
struct Script {
    visitor: Visitor,
    session: Value,
}

impl Script {
    async fn of(server: &Server, name: &str) -> Self {
        Self::signed_in(server, &server.login(name).await).await
    }

    async fn signed_in(server: &Server, login: &Login) -> Self {
        let mut visitor = Visitor::new(server);
        visitor.sign_in(&login.user, &login.password).await.is(303);
        let session = visitor.get(SESSION).await.is(200).json();
        Script { visitor, session }
    }

    fn proof(&self) -> &str {
        self.session["proof"].as_str().unwrap()
    }

    fn request(&self, method: &str, path: &str) -> Request {
        self.visitor.request(method, path).header("x-plinth-proof", self.proof())
    }

    async fn get(&self, path: &str) -> Reply {
        self.request("GET", path).send().await
    }
}

#[spec("E-136")]
async fn a_session_with_its_proof_stands_for_a_key(server: Server) {
    let script = Script::of(&server, "admin").await;
    let session = &script.session;
    assert_eq!(session["user"]["login"], json!("admin@acme.test"));
    assert_eq!(session["tenant"]["name"], json!("acme"));
    assert!(session["user"]["permissions"].as_array().unwrap().contains(&json!("admin")));
    let reply = script.get(LIST).await.is(200);
    assert!(!reply.header("etag").is_empty());
    assert!(reply.header("vary").contains("X-Plinth-Proof"));
    assert_eq!(script.get("/api/v1/auth").await.is(200).at("/status"), "valid");
    // The audit log has it as a page's, and no list of keys has its key.
    let made = script.request("POST", "/api/ext/v1/key").json(&json!({"description": "mine"})).send().await.is(201);
    let audit = script.get("/api/ext/v1/audit?limit=1").await.is(200);
    assert_eq!((audit.at("/items/0/event"), audit.at("/items/0/via")), (json!("key.created"), json!("page")));
    let keys = script.get("/api/ext/v1/key").await.is(200).json();
    let own = keys["data"].as_array().unwrap().iter().find(|key| key["id"] == made.at("/id")).unwrap();
    assert_eq!(own["description"], json!("mine"));
    assert!(keys["data"].as_array().unwrap().iter().all(|key| key["description"] != json!("Session in a browser")));
}

#[spec("E-136")]
async fn without_cookie_proof_or_own_page_no_session_is_used(server: Server) {
    let login = server.login("admin").await;
    let script = Script::signed_in(&server, &login).await;
    let proof = script.proof().to_owned();
    let refused = |reply: Reply| assert_eq!(reply.is(403).at("/code"), json!("key_invalid"));
    // The cookie alone, the proof alone, and proofs that are wrong.
    refused(script.visitor.request("GET", LIST).send().await);
    refused(server.client().request("GET", LIST).header("x-plinth-proof", &proof).send().await);
    let (key, mac) = proof.split_once('.').unwrap();
    let other = Script::of(&server, "editor").await;
    let other_key = other.proof().split_once('.').unwrap().0.to_owned();
    for wrong in [format!("{}.{mac}", other_key), format!("{key}."), "x".to_owned(), other.proof().to_owned()] {
        refused(script.visitor.request("GET", LIST).header("x-plinth-proof", &wrong).send().await);
    }
    for (name, value) in
        [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "https://evil.test")]
    {
        refused(script.request("GET", LIST).header(name, value).send().await);
        refused(script.visitor.request("GET", SESSION).header(name, value).send().await);
        let body = json!({"user": login.user, "password": login.password});
        refused(script.visitor.request("POST", SESSION).json(&body).header(name, value).send().await);
    }
    script.request("GET", LIST).header("sec-fetch-site", "same-origin").send().await.is(200);
    // A key that is given decides, whatever the session is.
    script.request("GET", LIST).header("key", "plk_1_x").send().await.is(403);
    // A second tenant on the host does not know the session.
    let second = server.tenant("second").await;
    let name = script.visitor.token();
    let cookie = format!("__Host-plinth-second={name}");
    let reply = second.client().request("GET", LIST).header("cookie", &cookie).header("x-plinth-proof", &proof);
    refused(reply.send().await);
}

#[spec("E-136")]
async fn a_session_ends_for_the_api_where_it_ends_for_pages(server: Server) {
    let script = Script::of(&server, "admin").await;
    // Requests of the API do not make it last, its own question does.
    for _ in 0..3 {
        server.clock().advance(3600);
        script.get(LIST).await.is(200);
        script.visitor.request("GET", SESSION).send().await.is(200);
    }
    server.clock().advance(2 * 3600 - 1);
    script.get(LIST).await.is(200);
    server.clock().advance(1);
    script.get(LIST).await.is(403);
    script.visitor.request("GET", SESSION).send().await.is(403);
    // After a day it ends, however much it is used.
    let script = Script::of(&server, "admin").await;
    for _ in 0..23 {
        server.clock().advance(3600);
        script.visitor.request("GET", SESSION).send().await.is(200);
    }
    script.get(LIST).await.is(200);
    server.clock().advance(3600);
    script.get(LIST).await.is(403);
    // Signing out ends it at once, and so does another browser.
    let login = server.login("editor").await;
    let script = Script::signed_in(&server, &login).await;
    let other = Script::signed_in(&server, &login).await;
    let list = script.get("/api/ext/v1/session/list").await.is(200).json();
    let sessions = list["data"].as_array().unwrap();
    assert_eq!(sessions.iter().filter(|session| session["current"] == json!(true)).count(), 1);
    let stranger = Script::of(&server, "reader").await;
    let foreign = sessions.iter().find(|session| session["current"] == json!(false)).unwrap()["id"].clone();
    stranger.request("DELETE", &format!("/api/ext/v1/session/{foreign}")).send().await.is(404);
    other.get("/api/v1/app/backend.version").await.is(200);
    script.request("DELETE", &format!("/api/ext/v1/session/{foreign}")).send().await.is(204);
    other.get("/api/v1/app/backend.version").await.is(403);
    let ended = script.request("DELETE", SESSION).send().await.is(204);
    assert!(ended.header("set-cookie").contains("Max-Age=0"));
    script.get("/api/v1/app/backend.version").await.is(403);
}

#[spec("E-136")]
async fn changed_roles_give_the_session_another_proof(server: Server) {
    let mut script = Script::of(&server, "editor").await;
    let before = script.proof().to_owned();
    server.set_user("editor", json!({"roles": ["reader"]})).await;
    // The rights are those of now, by the old proof, too.
    script.get("/api/v1/app/backend.version").await.is(200);
    let session = script.visitor.get(SESSION).await.is(200).json();
    assert_eq!(session["user"]["roles"], json!(["reader"]));
    assert_ne!(session["proof"], json!(before));
    script.session = session;
    script.get("/api/v1/app/backend.version").await.is(200);
    script.visitor.request("GET", "/api/v1/app/backend.version").header("x-plinth-proof", &before).send().await.is(403);
    server.set_user("editor", json!({"login_expired": true})).await;
    script.get("/api/v1/app/backend.version").await.is(403);
}

#[spec("E-137")]
async fn scripts_sign_in_and_users_without_the_api_do_not(server: Server) {
    let login = server.login("admin").await;
    let mut visitor = Visitor::new(&server);
    let wrong = json!({"user": login.user, "password": "a wrong password"});
    let reply = visitor.request("POST", SESSION).json(&wrong).send().await.is(401);
    assert!(reply.headers.get("set-cookie").is_none());
    for body in [
        json!({}),
        json!({"user": login.user}),
        json!({"user": 1, "password": "x"}),
        json!({"user": "a", "password": "b", "c": 1}),
    ] {
        visitor.request("POST", SESSION).json(&body).send().await.is(400);
    }
    let right = json!({"user": login.user, "password": login.password});
    let reply = visitor.request("POST", SESSION).json(&right).send().await.is(200);
    let cookie = reply.header("set-cookie").to_owned();
    assert!(cookie.starts_with("__Host-plinth-acme=") && cookie.ends_with("; Path=/; Secure; HttpOnly; SameSite=Lax"));
    let value = cookie.split(';').next().unwrap().split_once('=').unwrap().1.to_owned();
    visitor.cookies.insert("__Host-plinth-acme".to_owned(), value);
    let proof = reply.at("/proof");
    visitor.request("GET", LIST).header("x-plinth-proof", proof.as_str().unwrap()).send().await.is(200);
    // Who may not use the API has the account page alone.
    let mut guest = Visitor::signed_in(&server, "guest").await;
    assert_eq!(guest.get(SESSION).await.is(403).at("/code"), json!("rest_api_missing"));
    guest.get("/account").await.is(200);
    // The browser of such a user is signed in, for that page.
    let login = server.login("guest").await;
    let mut guest = Visitor::new(&server);
    let right = json!({"user": login.user, "password": login.password});
    let refused = guest.request("POST", SESSION).json(&right).send().await.is(403);
    let cookie = refused.header("set-cookie").split(';').next().unwrap().split_once('=').unwrap().1.to_owned();
    guest.cookies.insert("__Host-plinth-acme".to_owned(), cookie);
    guest.get("/account").await.is(200);
}

#[spec("E-136")]
async fn a_session_that_loses_its_key_or_the_api_leads_in_no_circle(server: Server) {
    let script = Script::of(&server, "editor").await;
    let id = script.proof().split_once('.').unwrap().0.to_owned();
    let revoked: i64 = id.parse().unwrap();
    server
        .operate(move |tenant| {
            tenant.write_as_administrator(move |tx, context| accounts::keys::revoke(tx, context, revoked))
        })
        .await;
    script.visitor.request("GET", SESSION).send().await.is(403);
    // The page asks for the password, and does not lead back.
    script.visitor.request("GET", "/sign-in").send().await.is(200);
    // A new token comes with a refusal, too.
    let mut script = Script::of(&server, "editor").await;
    server.set_user("editor", json!({"roles": []})).await;
    script.visitor.get(SESSION).await.is(403);
    script.visitor.get("/account").await.is(200);
}

#[spec("E-138")]
async fn only_a_session_makes_keys(server: Server) {
    let script = Script::of(&server, "editor").await;
    let body = json!({"description": "script", "scopes": ["app:backend.version"], "validTo": "2090-01-01"});
    let made = script.request("POST", "/api/ext/v1/key").json(&body).send().await.is(201);
    let (id, key) = (made.at("/id"), made.at("/key"));
    let client = server.client().with("key", key.as_str().unwrap());
    client.get("app/backend.version").await.is(200);
    // A key makes no keys, and sees none, whatever it may else.
    let strong = server.client().with("key", &server.key("admin").await);
    for (method, path) in [
        ("GET", "/api/ext/v1/key"),
        ("POST", "/api/ext/v1/key"),
        ("GET", "/api/ext/v1/session/list"),
        ("DELETE", SESSION),
    ] {
        let reply = strong.request(method, path).send().await.is(403);
        assert_eq!(reply.at("/code"), json!("session_needed"), "{path}");
    }
    for wrong in
        [json!({"scopes": "x"}), json!({"scopes": ["no:such"]}), json!({"validTo": "yesterday"}), json!({"other": 1})]
    {
        script.request("POST", "/api/ext/v1/key").json(&wrong).send().await.is(400);
    }
    let stranger = Script::of(&server, "reader").await;
    stranger.request("DELETE", &format!("/api/ext/v1/key/{id}")).send().await.is(404);
    script.request("DELETE", &format!("/api/ext/v1/key/{id}")).send().await.is(204);
    client.get("app/backend.version").await.is(403);
}
