//! user.resetpassword: the same answer for all, and a link for those who may have one.

use super::{Account, TENANT, ann, open, parameter};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const MESSAGE: &str = "Password reset initiated. E-mail sent to the user.";
const PASSWORD: &str = "correct horse battery";

async fn ask(clerk: &Client, user: &str) -> testing::Reply {
    clerk.post("app/user.resetpassword", json!({"user_id": user})).await
}

/// Does what was put off, and sends what comes of it.
async fn deliver(server: &Server) -> usize {
    server.deliver().await;
    server.deliver().await;
    server.mails().len()
}

#[spec("A066", "R-232", "R-251", "R-256", "R-166")]
async fn permission_and_setting_open_it(engine: Engine) {
    let (server, clerk) = open(engine).await;
    server.reader().post("app/user.resetpassword", json!({"user_id": "reader@acme.test"})).await.is(403);
    server.client().post("app/user.resetpassword", json!({"user_id": "reader@acme.test"})).await.is(403);
    let registrar =
        server.role("registrar", "role: registrar\nsystem: [restApi, apiUserRegistration]\ntypes: {}\n").await;
    ask(&registrar, "reader@acme.test").await.is(403).says("apiUserPasswordReset");
    ask(&clerk, "reader@acme.test").await.is(200);
    server
        .change(&[("tenant.yaml", &TENANT.replace("allowApiPasswordReset: true", "allowApiPasswordReset: false"))])
        .await;
    for client in [&clerk, &server.admin()] {
        ask(client, "reader@acme.test").await.is(403);
        client.post("app/user.resetpassword", json!({"redirect_url": "//evil"})).await.is(403);
    }
    assert_eq!(deliver(&server).await, 1, "only the one that was allowed");
}

#[spec("R-233", "D-37", "R-236", "R-237", "R-290")]
async fn the_answer_is_one_whoever_is_named(engine: Engine) {
    let (server, clerk) = open(engine).await;
    Account::register(&clerk, ann(json!({}))).await;
    let blocked = json!({"user_id": "blocked@example.com", "user_name": "B", "login_expired": true});
    server.admin().create("user", blocked).await;
    let before = deliver(&server).await;
    // Existing, again within a minute, missing, pending, blocked.
    let users = [
        "reader@acme.test",
        "reader@acme.test",
        "nobody@example.com",
        "nobody@example.com",
        "ann@example.com",
        "blocked@example.com",
    ];
    let mut answers = Vec::new();
    for user in users {
        let reply = ask(&clerk, user).await.is(200);
        let mut headers: Vec<(String, usize)> =
            reply.headers.iter().map(|(name, value)| (name.to_string(), value.len())).collect();
        headers.sort();
        answers.push((headers, reply.text));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(answers[0].1, json!({"message": MESSAGE}).to_string());
    assert_eq!(deliver(&server).await, before + 1);
    assert_eq!(server.mails().last().unwrap().to, ["reader@acme.test"]);
    // What is malformed is so before anybody is looked up.
    for user in users {
        let body = json!({"user_id": user, "redirect_url": "//evil.example"});
        let refused = clerk.post("app/user.resetpassword", body).await.is(400).says("redirect_url");
        assert_eq!(
            refused.text,
            clerk
                .post("app/user.resetpassword", json!({"user_id": "x@example.com", "redirect_url": "//evil.example"}))
                .await
                .text
        );
    }
    for body in [
        json!({}),
        json!({"user_id": ""}),
        json!({"user_id": 5}),
        json!({"user_id": "ann"}),
        json!({"user_id": "a@b.cz", "x": 1}),
    ] {
        clerk.post("app/user.resetpassword", body).await.is(400);
    }
    // Five an hour, and one a minute.
    for minute in 1..10 {
        server.clock().advance(60);
        ask(&clerk, "READER@acme.test").await.is(200);
        ask(&clerk, "reader@acme.test").await.is(200);
        assert_eq!(deliver(&server).await, before + 1 + minute.min(4), "{minute}");
    }
    server.clock().advance(3_600);
    ask(&clerk, "reader@acme.test").await.is(200);
    assert_eq!(deliver(&server).await, before + 6);
}

/// The newest link is good once, for an hour; a new password ends keys, but for the operator's.
#[spec("R-232", "D-37")]
async fn a_link_sets_one_password(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let login = server.login("reader").await;
    let form = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let made = server.client().post_form("auth", &form).await.is(200);
    let signed_in = server.client().with("key", made.at("/authToken/keyString").as_str().unwrap());
    let mut tokens = Vec::new();
    for _ in 0..3 {
        ask(&clerk, "reader@acme.test").await.is(200);
        deliver(&server).await;
        tokens.push(parameter(&server.mails().last().unwrap().links[0], "token").unwrap());
        server.clock().advance(60);
    }
    assert!(tokens.iter().all(|token| token.len() == 43), "256 bits: {tokens:?}");
    let refused = |outcome: model::error::Result<i64>| outcome.unwrap_err().code;
    assert_eq!(refused(server.reset_with("nothing", PASSWORD).await), "reset_unusable");
    // Of several the newest alone. A password that is refused costs nothing.
    assert_eq!(refused(server.reset_with(&tokens[0], PASSWORD).await), "reset_unusable");
    assert_eq!(refused(server.reset_with(&tokens[2], "short").await), "password_weak");
    signed_in.get("collection/article").await.is(204);
    let reset = server.reset_with(&tokens[2], PASSWORD).await.unwrap();
    assert_eq!(reset, server.user("reader").await);
    for token in &tokens {
        assert_eq!(refused(server.reset_with(token, "another long password").await), "reset_unusable");
    }
    signed_in.get("collection/article").await.is(403);
    server.reader().get("collection/article").await.is(204);
    server.client().post_form("auth", &form).await.is(401);
    server.client().post_form("auth", &[("user", login.user.as_str()), ("password", PASSWORD)]).await.is(200);
    // An hour, to the second.
    for (seconds, usable) in [(3_599, true), (3_600, false)] {
        server.clock().advance(3_600);
        ask(&clerk, "editor@acme.test").await.is(200);
        deliver(&server).await;
        let token = parameter(&server.mails().last().unwrap().links[0], "token").unwrap();
        server.clock().advance(seconds);
        assert_eq!(server.reset_link(&token, None).await.unwrap().usable, usable);
        assert_eq!(server.reset_with(&token, PASSWORD).await.is_ok(), usable);
    }
}

/// Of many who use one link at once, one sets a password.
#[spec]
async fn a_link_is_used_once_whoever_comes_together(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let node = server.node().await;
    ask(&clerk, "reader@acme.test").await.is(200);
    deliver(&server).await;
    let token = parameter(&server.mails()[0].links[0], "token").unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (server, token) = (if number % 2 == 0 { server.clone() } else { node.clone() }, token.clone());
        tasks.spawn(async move { server.reset_with(&token, &format!("long password {number}")).await.is_ok() });
    }
    assert_eq!(tasks.join_all().await.into_iter().filter(|done| *done).count(), 1);
}

/// The redirect travels in the link, sealed for this link alone.
#[spec("R-234", "R-235")]
async fn the_redirect_is_sealed_into_the_link(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let mut links = Vec::new();
    for user in ["reader@acme.test", "editor@acme.test"] {
        let body = json!({"user_id": user, "redirect_url": "https://app.example/login?a=b"});
        clerk.post("app/user.resetpassword", body).await.is(200);
        deliver(&server).await;
        let link = server.mails().last().unwrap().links[0].clone();
        assert!(link.starts_with("https://acme.example/app/reset?token="), "{link}");
        assert!(!link.contains("app.example") && !link.contains("login"), "{link}");
        links.push((parameter(&link, "token").unwrap(), parameter(&link, "redirect").unwrap()));
    }
    let [(token, sealed), (other, foreign)] = [&links[0], &links[1]];
    let redirect = server.reset_link(token, Some(sealed)).await.unwrap().redirect.unwrap();
    assert_eq!(redirect.success(), "https://app.example/login?a=b&status=success");
    assert_eq!(redirect.failure("expired"), "https://app.example/login?a=b&status=error&reason=expired");
    let mut damaged = sealed.clone();
    damaged.replace_range(40..41, if &sealed[40..41] == "A" { "B" } else { "A" });
    for (token, redirect) in [(token, foreign), (other, sealed), (token, &damaged), (token, &"x".to_owned())] {
        let found = server.reset_link(token, Some(redirect)).await.unwrap();
        assert_eq!((found.usable, found.redirect), (true, None), "the page is there, without a redirect");
    }
    let nothing = server.reset_link("nothing", Some(sealed)).await.unwrap();
    assert_eq!((nothing.usable, nothing.redirect), (false, None));
}

/// The tenant may keep keys through a reset.
#[spec]
async fn keys_are_kept_where_the_tenant_says_so(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let keeping = TENANT.replace("allowApiPasswordReset: true", "allowApiPasswordReset: true, resetRevokesKeys: false");
    server.change(&[("tenant.yaml", &keeping)]).await;
    let login = server.login("reader").await;
    let form = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let made = server.client().post_form("auth", &form).await.is(200);
    let signed_in = server.client().with("key", made.at("/authToken/keyString").as_str().unwrap());
    ask(&clerk, "reader@acme.test").await.is(200);
    deliver(&server).await;
    let token = parameter(&server.mails()[0].links[0], "token").unwrap();
    server.reset_with(&token, PASSWORD).await.unwrap();
    assert_ne!(signed_in.get("auth").await.at("/status"), Json::from("invalid"));
}

/// Mails go out for registrations, retries and resets, and for nothing else that happens to accounts.
#[spec("R-262")]
async fn nothing_else_sends_a_message(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let sent = async |expected: usize| {
        assert_eq!((deliver(&server).await, server.texts().len()), (expected, 0));
    };
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    sent(1).await;
    account.retry(&clerk).await.is(200);
    sent(2).await;
    let code = super::secret(&server, "mail_code").await;
    account.prove(&server.client(), "mail_code", "x").await.is(200);
    account.prove(&server.client(), "mail_code", &code).await.is(200);
    let second = Account::register(&clerk, ann(json!({"user_id": "b@example.com", "verify_account": {}}))).await;
    clerk.post("app/user.cancelregistration", json!({"userId": second.id})).await.is(200);
    server.login("reader").await;
    let path = format!("collection/user/{}", account.id);
    server.admin().patch(&path, json!({"password": PASSWORD, "roles": ["guest"], "login_expired": true})).await.is(200);
    server.admin().request("DELETE", &path).send().await.is(204);
    server.admin().create("user", json!({"user_id": "c@example.com", "user_name": "C"})).await;
    sent(2).await;
    ask(&clerk, "reader@acme.test").await.is(200);
    sent(3).await;
    let token = parameter(&server.mails()[2].links[0], "token").unwrap();
    server.reset_with(&token, PASSWORD).await.unwrap();
    sent(3).await;
}
