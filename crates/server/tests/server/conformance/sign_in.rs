//! Signing in and out: who gets a key, who is refused, who is throttled.

use accounts::users;
use serde_json::json;
use spec::spec;
use testing::Server;
use tokio::task::JoinSet;

#[spec("R-096", "R-102", "R-255", "R-270", "A002")]
async fn every_failed_sign_in_is_one_answer(server: Server) {
    let (editor, guest) = (server.login("editor").await, server.login("guest").await);
    let blocked = server.login("reader").await;
    server.set_user("reader", json!({"login_expired": true})).await;
    let mut bodies = Vec::new();
    for (user, password) in [
        (editor.user.as_str(), "wrong password"),
        ("nobody@acme.test", "wrong password"),
        (guest.user.as_str(), guest.password.as_str()),
        (guest.user.as_str(), "wrong password"),
        (blocked.user.as_str(), blocked.password.as_str()),
        ("both@acme.test", "a user without a password"),
    ] {
        let reply = server.client().post_form("auth", &[("user", user), ("password", password)]).await.is(401);
        assert!(reply.at("/message").is_string());
        bodies.push((reply.text.clone(), reply.headers.keys().cloned().collect::<Vec<_>>()));
    }
    assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]), "{bodies:?}");
}

#[spec("R-102", "R-274", "A004", "A006")]
async fn wrong_passwords_are_throttled(server: Server) {
    let login = server.login("editor").await;
    let client = server.client();
    let tries = ["editor@acme.test", "EDITOR@acme.test", "Editor@ACME.test", " editor@acme.test ", "editor@acme.test"];
    for user in tries {
        client.post_form("auth", &[("user", user), ("password", "wrong password")]).await.is(401);
    }
    let right = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let reply = client.post_form("auth", &right).await.is(429);
    let seconds: i64 = reply.header("retry-after").parse().unwrap();
    assert!((1..=900).contains(&seconds), "{seconds}");
    // What the client says about its address changes nothing.
    for name in ["x-forwarded-for", "x-real-ip", "forwarded"] {
        client.with(name, "203.0.113.7").post_form("auth", &right).await.is(429);
    }
    client.post_form("Auth", &right).await.is(404);
    client.post_form("auth/", &right).await.is(404);
    client.post_form("//api/v1/auth", &right).await.is(404);
    server.clock().advance(seconds - 2);
    client.post_form("auth", &right).await.is(429);
    server.clock().advance(900);
    client.post_form("auth", &right).await.is(200);
}

#[spec("R-102", "A004")]
async fn right_passwords_at_once_are_no_failures(server: Server) {
    let login = server.login("editor").await;
    let answers = async |password: &str| {
        let mut tries = JoinSet::new();
        for _ in 0..12 {
            let (client, user, password) = (server.client(), login.user.clone(), password.to_owned());
            tries.spawn(
                async move { client.post_form("auth", &[("user", &user), ("password", &password)]).await.status },
            );
        }
        let mut answers = tries.join_all().await;
        answers.sort_unstable();
        answers
    };
    assert_eq!(answers(&login.password).await, [200; 12]);
    // Wrong ones are as many as ever, however many come at once.
    assert_eq!(answers("wrong password").await, [[401; 5].as_slice(), &[429; 7]].concat());
}

#[spec("A007")]
async fn an_address_is_throttled_over_all_users(server: Server) {
    for number in 0..20 {
        let user = format!("user{number}@acme.test");
        server.client().post_form("auth", &[("user", &user), ("password", "wrong password")]).await.is(401);
    }
    let form = [("user", "another@acme.test"), ("password", "wrong password")];
    server.client().post_form("auth", &form).await.is(429);
    server.client().with("x-forwarded-for", "203.0.113.7").post_form("auth", &form).await.is(429);
}

#[spec("D-14", "R-102")]
async fn sign_in_follows_the_state_of_the_user(server: Server) {
    let login = server.login("editor").await;
    let form = [("user", login.user.as_str()), ("password", login.password.as_str())];
    for (state, status) in [
        (json!({"login_expired": true}), 401),
        (json!({"login_expired": false}), 200),
        (json!({"valid_from": "9999-01-01T00:00:00Z"}), 401),
        (json!({"valid_from": null}), 200),
        (json!({"valid_to": "2026-11-20T12:00:00Z"}), 401),
        (json!({"valid_to": null}), 200),
        (json!({"roles": ["guest"]}), 401),
        (json!({"roles": ["editor"]}), 200),
    ] {
        server.set_user("editor", state.clone()).await;
        let reply = server.client().post_form("auth", &form).await;
        assert_eq!(reply.status, status, "{state}: {}", reply.text);
    }
}

#[spec("R-072", "R-105")]
async fn deauth_takes_ordinary_fields_too(server: Server) {
    let client = server.client();
    for kind in ["form", "parts"] {
        let key = server.key("reader").await;
        let request = client.request("POST", "deauth");
        let request = match kind {
            "form" => request.form(&[("key", &key)]),
            _ => {
                let part = format!("--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n{key}\r\n--b--\r\n");
                request.body("multipart/form-data; boundary=b", part)
            }
        };
        request.send().await.is(200);
        assert_eq!(client.with("key", &key).get("auth").await.at("/status"), "invalid");
    }
    let key = server.key("reader").await;
    client.post("deauth", json!({"key": key})).await.is(415);
    client.post_form(&format!("deauth?key={key}"), &[("key", &key)]).await.is(400).lacks(&key);
    for fields in [&[("key", "")][..], &[("key", &key), ("key", &key)], &[("key", &key), ("all", "1")]] {
        client.post_form("deauth", fields).await.is(400);
    }
    assert_eq!(client.with("key", &key).get("auth").await.at("/status"), "valid");
}

#[spec("R-096", "R-102")]
async fn keys_of_sign_ins_end_after_the_days_of_the_tenant(engine: testing::Engine) {
    const DAY: i64 = 24 * 60 * 60;
    let tenant = |days: &str| format!("tenant: acme\nhosts: [acme.test]\ntimezone: Europe/Prague\napi: {{{days}}}\n");
    let server = testing::Server::with(engine, &[("tenant.yaml", &tenant("signInKeyDays: 2"))]).await;
    let login = server.login("editor").await;
    let user = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let key = async |more: &[(&str, &str)]| {
        let made = server.client().post_form("auth", &[&user, more].concat()).await.is(200);
        made.at("/authToken/keyString").as_str().unwrap().to_owned()
    };
    let status = async |key: &str| server.client().with("key", key).get("auth").await.at("/status");
    let (usual, own) = (key(&[]).await, key(&[("valid", "2026-12-01")]).await);
    server.clock().advance(2 * DAY - 1);
    assert_eq!([status(&usual).await, status(&own).await], ["valid", "valid"]);
    server.clock().advance(1);
    assert_eq!([status(&usual).await, status(&own).await], ["invalid", "valid"]);
    // What was made before stays as it is; without the setting, keys do not end.
    let before = key(&[]).await;
    server.change(&[("tenant.yaml", &tenant("signInKeyDays: 30"))]).await;
    let longer = key(&[]).await;
    server.change(&[("tenant.yaml", &tenant(""))]).await;
    let endless = key(&[]).await;
    server.clock().advance(2 * DAY);
    assert_eq!([status(&before).await, status(&longer).await], ["invalid", "valid"]);
    server.clock().set("2090-01-01T00:00:00Z");
    assert_eq!([status(&longer).await, status(&endless).await], ["invalid", "valid"]);
}

#[spec("R-096", "R-102", "D-8")]
async fn a_right_password_without_room_for_a_key_is_no_failed_try(server: Server) {
    let login = server.login("editor").await;
    // With the one that the test has already.
    let fill = |tx: &mut database::Tx<'_>, call: &context::request_context::RequestContext| {
        (0..99).map(|_| users::create_key(tx, call, "editor@acme.test", None).map(|key| key.id)).collect()
    };
    let keys: Vec<i64> = server.elevated(fill).await.unwrap();
    let form = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let sign_in = async || server.client().post_form("auth", &form).await;
    // More often than wrong passwords are taken: of a login five, of an address twenty.
    for _ in 0..25 {
        assert_eq!(sign_in().await.is(409).header("x-error-code"), "keys_full");
    }
    let revoked = keys[0];
    server.elevated(move |tx, call| accounts::keys::revoke(tx, call, revoked)).await.unwrap();
    let mut made = Vec::new();
    // The first takes the room, and the next ones that of the key of a sign-in before them.
    for _ in 0..3 {
        server.clock().advance(60);
        made.push(sign_in().await.is(200).at("/authToken/keyString").as_str().unwrap().to_owned());
    }
    let mut states = Vec::new();
    for key in &made {
        states.push(server.client().with("key", key).get("auth").await.at("/status"));
    }
    assert_eq!(states, ["invalid", "invalid", "valid"]);
    server.editor().get("collection/article").await.is(204);
}
