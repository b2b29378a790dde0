//! Sessions: how they begin, whom they show what, and how they end.

use crate::pages::visitor::Visitor;
use serde_json::json;
use spec::spec;
use testing::Server;

#[spec]
async fn a_session_begins_with_a_new_token_and_shows_its_user(server: Server) {
    let login = server.login("editor").await;
    let mut visitor = Visitor::new(&server);
    assert_eq!(visitor.get("/account").await.is(303).header("location"), "./sign-in?next=account");
    visitor.get("/sign-in").await.is(200);
    let before = visitor.token();
    let reply = visitor.submit("sign-in", &[("user", &login.user), ("password", &login.password)]).await.is(303);
    assert_eq!(reply.header("location"), "./");
    let cookies: Vec<_> = reply.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 1);
    let cookie = cookies[0].to_str().unwrap();
    assert!(cookie.starts_with("__Host-plinth-acme=") && cookie.ends_with("; Path=/; Secure; HttpOnly; SameSite=Lax"));
    assert_ne!(visitor.token(), before);
    visitor.get("/account").await.is(200).says("Edgar").says("editor@acme.test");
    assert_eq!(visitor.get("/sign-in").await.is(303).header("location"), "./");
    // What the browser had before leads nowhere.
    let mut old = visitor.clone();
    old.cookies.insert("__Host-plinth-acme".to_owned(), before);
    old.get("/account").await.is(303);
}

#[spec]
async fn whoever_is_active_may_sign_in_and_nobody_else(server: Server) {
    // A guest may not use the REST API.
    let guest = server.login("guest").await;
    server.client().post_form("auth", &[("user", &guest.user), ("password", &guest.password)]).await.is(401);
    Visitor::signed_in(&server, "guest").await.get("/account").await.is(200).says("Gus").says("You have no API keys.");
    let reader = server.login("reader").await;
    let mut pages = Vec::new();
    server.set_user("reader", json!({"login_expired": true})).await;
    for (user, password) in [
        (guest.user.as_str(), "a wrong password"),
        ("nobody@acme.test", "a wrong password"),
        (reader.user.as_str(), reader.password.as_str()),
    ] {
        let page = Visitor::new(&server).sign_in(user, password).await.is(403);
        // But for the name that was typed and the proof, the pages are the same.
        let proof = page.text.split("name=\"proof\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        pages.push(page.text.replace(&proof, "").replace(&user.replace('/', "&#x2f;"), ""));
    }
    assert!(pages.windows(2).all(|pair| pair[0] == pair[1]), "{pages:?}");
}

#[spec]
async fn failed_tries_count_together_with_those_of_the_api(server: Server) {
    let login = server.login("editor").await;
    for _ in 0..3 {
        Visitor::new(&server).sign_in(&login.user, "a wrong password").await.is(403);
    }
    for _ in 0..2 {
        let form = [("user", login.user.as_str()), ("password", "a wrong password")];
        server.client().post_form("auth", &form).await.is(401);
    }
    let reply = Visitor::new(&server).sign_in(&login.user, &login.password).await.is(429);
    assert!(!reply.header("retry-after").is_empty());
    reply.says("Too many failed attempts. Try again in 15 minutes.").lacks(&login.password);
    server.clock().advance(901);
    Visitor::new(&server).sign_in(&login.user, &login.password).await.is(303);
}

#[spec]
async fn a_session_ends_when_it_is_not_used_and_after_a_day(server: Server) {
    let mut visitor = Visitor::signed_in(&server, "editor").await;
    server.clock().advance(2 * 3600 - 1);
    visitor.get("/account").await.is(200);
    // It was used just now: the two hours begin anew.
    server.clock().advance(2 * 3600 - 1);
    visitor.get("/account").await.is(200);
    server.clock().advance(2 * 3600);
    visitor.get("/account").await.is(303);
    let mut visitor = Visitor::signed_in(&server, "editor").await;
    for _ in 0..23 {
        server.clock().advance(3600);
        visitor.get("/account").await.is(200);
    }
    server.clock().advance(3600);
    visitor.get("/account").await.is(303);
}

#[spec]
async fn signing_out_ends_the_session_on_the_server(server: Server) {
    let node = server.node().await;
    let mut visitor = Visitor::signed_in(&server, "editor").await;
    let mut thief = Visitor::new(&node);
    thief.cookies = visitor.cookies.clone();
    visitor.get("/account").await.is(200);
    thief.get("/account").await.is(200);
    assert_eq!(visitor.submit("sign-out", &[]).await.is(303).header("location"), "./sign-in?signed-out");
    assert!(!visitor.cookies.contains_key("__Host-plinth-acme"));
    visitor.get("/sign-in?signed-out").await.is(200).says("You are signed out.");
    thief.get("/account").await.is(303);
}

#[spec]
async fn what_changes_who_may_sign_in_ends_sessions(server: Server) {
    let admin = server.admin();
    for (name, change) in [
        ("editor", json!({"login_expired": true})),
        ("reader", json!({"password": "another long password"})),
        ("guest", json!({"valid_to": "2026-11-21T00:00:00Z"})),
    ] {
        let mut visitor = Visitor::signed_in(&server, name).await;
        visitor.get("/account").await.is(200);
        server.set_user(name, change).await;
        visitor.get("/account").await.is(303);
        // A user who is let in again does not find the session.
        server.set_user(name, json!({"login_expired": false, "valid_to": null})).await;
        visitor.get("/account").await.is(303);
    }
    let mut visitor = Visitor::signed_in(&server, "editor").await;
    server.set_user("editor", json!({"user_id": "moved@acme.test"})).await;
    visitor.get("/account").await.is(303);
    let mut visitor = Visitor::signed_in(&server, "both").await;
    server.set_user("both", json!({"user_name": "Bob"})).await;
    visitor.get("/account").await.is(200).says("Bob");
    admin.delete(&format!("collection/user/{}", server.user("both").await)).await.is(204);
    visitor.get("/account").await.is(303);
}

#[spec]
async fn a_change_of_roles_changes_the_token(server: Server) {
    let mut visitor = Visitor::signed_in(&server, "editor").await;
    let before = visitor.clone();
    visitor.get("/account").await.is(200);
    assert_eq!(visitor.token(), before.token());
    server.set_user("editor", json!({"roles": ["editor", "reader"]})).await;
    visitor.get("/account").await.is(200);
    assert_ne!(visitor.token(), before.token());
    visitor.get("/account").await.is(200);
    before.clone().get("/account").await.is(303);
    // It is the same session.
    visitor.get("/account").await.lacks("Sign out everywhere else");
}

#[spec]
async fn a_user_sees_and_ends_the_own_sessions_and_no_others(server: Server) {
    let mut here = Visitor::signed_in(&server, "editor").await;
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let login = server.login("editor").await;
    // A new password ends what was there.
    here.get("/account").await.is(303);
    here.sign_in(&login.user, &login.password).await.is(303);
    let mut there = Visitor::new(&server).with("user-agent", firefox);
    there.sign_in(&login.user, &login.password).await.is(303);
    let mut stranger = Visitor::signed_in(&server, "reader").await;
    let page = here.get("/account").await.is(200).says("Firefox · Linux").says("This browser");
    assert_eq!(page.text.matches("action=\"./end-session\"").count(), 2);
    let sessions = page.text.split("id=\"sessions\"").nth(1).unwrap();
    let id = sessions.split("name=\"id\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    stranger.get("/account").await.is(200).lacks("Firefox");
    here.submit("end-session", &[("id", &id)]).await.is(303);
    assert_eq!(here.submit("end-session", &[("id", &id)]).await.is(303).header("location"), "./account?session-gone");
    there.get("/account").await.is(303);
    here.get("/account?session-ended").await.is(200).says("That browser is signed out.");
    let mut third = Visitor::new(&server);
    third.sign_in(&login.user, &login.password).await.is(303);
    third.get("/account").await.is(200);
    third.submit("end-session", &[("id", "x")]).await.is(400);
    third.get("/account").await.is(200);
    third.submit("end-session", &[("id", "others")]).await.is(303);
    here.get("/account").await.is(303);
    third.get("/account").await.is(200);
    stranger.get("/account").await.is(200);
}

#[spec]
async fn a_session_of_somebody_else_cannot_be_ended(server: Server) {
    let mut owner = Visitor::signed_in(&server, "editor").await;
    let login = server.login("reader").await;
    let mut stranger = Visitor::new(&server);
    stranger.sign_in(&login.user, &login.password).await.is(303);
    let mut second = Visitor::new(&server);
    second.sign_in(&login.user, &login.password).await.is(303);
    stranger.get("/account").await.is(200);
    // Sessions are numbered in order: these are all that there are, and the own one comes last but one.
    for id in (0..20).rev() {
        let location = stranger.submit("end-session", &[("id", &id.to_string())]).await.is(303);
        if location.header("location") == "./sign-in?next=account" {
            break;
        }
    }
    second.get("/account").await.is(303);
    owner.get("/account").await.is(200);
}

#[spec]
async fn a_user_revokes_own_keys_alone(server: Server) {
    let login = server.login("editor").await;
    let key = server.key("editor").await;
    let foreign = server.key("reader").await;
    let id = |text: &str| text.split('_').nth(1).unwrap().to_owned();
    let mut visitor = Visitor::new(&server);
    visitor.sign_in(&login.user, &login.password).await.is(303);
    let page = visitor.get("/account").await.is(200).says("Key made at the command line").says("Never");
    assert_eq!(page.text.matches("action=\"./revoke-key\"").count(), 2, "that of the fixture, and this");
    let page = page.lacks(&key);
    assert!(page.text.contains(&format!("name=\"id\" value=\"{}\"", id(&key))));
    let works = async |key: &str| server.client().with("key", key).get("auth").await.at("/status") == "valid";
    let reply = visitor.submit("revoke-key", &[("id", &id(&foreign))]).await.is(303);
    assert_eq!(reply.header("location"), "./account?key-gone");
    assert!(works(&foreign).await && works(&key).await);
    let reply = visitor.submit("revoke-key", &[("id", &id(&key))]).await.is(303);
    assert_eq!(reply.header("location"), "./account?key-revoked");
    assert!(works(&foreign).await && !works(&key).await);
    visitor.get("/account?key-revoked").await.is(200).says("The key is revoked.");
}

#[spec]
async fn cookies_are_not_read_below_api(server: Server) {
    let mut visitor = Visitor::signed_in(&server, "admin").await;
    visitor.get("/account").await.is(200);
    for path in ["collection/article", "app/user.current", "app/backend.version"] {
        visitor.request("GET", path).send().await.is(403);
    }
    assert_eq!(visitor.request("GET", "auth").send().await.at("/status"), "invalid");
    visitor.cookies.insert("__Host-plinth-language".to_owned(), "cs".to_owned());
    let reply = visitor.request("GET", "auth").send().await;
    assert_eq!(reply.header("set-cookie"), "");
}

#[spec]
async fn a_session_of_one_tenant_is_none_of_another(server: Server) {
    let other = server.tenant("other").await;
    let visitor = Visitor::signed_in(&server, "editor").await;
    let mut elsewhere = Visitor::new(&other);
    elsewhere.cookies.insert("__Host-plinth-other".to_owned(), visitor.token());
    elsewhere.get("/account").await.is(303);
    // A name that is there twice is none.
    let twice = format!("__Host-plinth-acme={}; __Host-plinth-acme={}", visitor.token(), visitor.token());
    server.client().request("GET", "/account").header("cookie", &twice).send().await.is(303);
    let once = format!("__Host-plinth-acme={}", visitor.token());
    server.client().request("GET", "/account").header("cookie", &once).send().await.is(200);
}

#[spec]
async fn sessions_and_what_is_done_in_them_are_in_the_audit_log(server: Server) {
    let key = server.key("editor").await;
    let id: i64 = key.split('_').nth(1).unwrap().parse().unwrap();
    let mut visitor = Visitor::signed_in(&server, "editor").await;
    visitor.get("/account").await.is(200);
    visitor.submit("revoke-key", &[("id", &id.to_string())]).await.is(303);
    visitor.submit("sign-out", &[]).await.is(303);
    Visitor::signed_in(&server, "editor").await;
    server.set_user("editor", json!({"login_expired": true})).await;
    let log = server.admin().get("/api/ext/v1/audit?event=session.begun,session.ended,key.revoked&limit=10").await;
    let editor = server.user("editor").await;
    let admin = server.user("admin").await;
    let rows = log.is(200).at("/items");
    let rows = rows.as_array().unwrap();
    let told: Vec<_> =
        rows.iter().rev().map(|row| (row["event"].as_str().unwrap(), &row["via"], &row["actorId"])).collect();
    let (page, api, editor, admin) = (json!("page"), json!("api"), json!(editor), json!(admin));
    let expected = [
        ("session.begun", &page, &editor),
        ("key.revoked", &page, &editor),
        ("session.ended", &page, &editor),
        ("session.begun", &page, &editor),
        ("session.ended", &api, &admin),
    ];
    assert_eq!(told, expected);
    assert!(rows.iter().all(|row| row["subjectId"] == editor && row["address"] == "127.0.0.1"), "{rows:?}");
}
