//! Secrets: what is no secret, whose they are, and how long they live.

use super::{Account, failed, open, secret};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Engine;

#[spec("A032", "R-214")]
async fn what_is_no_secret_is_refused(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let client = server.client();
    let right = secret(&server, "mail_code").await;
    let body = |name: &str, value: Json| {
        let mut body = json!({
            "userId": account.id, "challengeId": account.challenge, "method": "mail_code", "secret": right,
        });
        body[name] = value;
        body
    };
    for value in [
        json!([right]),
        json!({"$ne": ""}),
        json!(right.parse::<i64>().unwrap()),
        Json::Null,
        json!("1".repeat(60_000)),
        json!(true),
        json!(""),
    ] {
        client.post("app/user.challenge", body("secret", value)).await.is(400).says("secret");
    }
    client.post("app/user.challenge", body("secret", json!("1".repeat(1_000_000)))).await.is(413);
    for value in [json!(account.id.to_string()), json!(1.5), json!([account.id]), json!(u64::MAX), Json::Null] {
        client.post("app/user.challenge", body("userId", value)).await.is(400).says("userId");
        server.clock().advance(60);
    }
    for value in [json!([account.challenge]), json!({}), json!(1), Json::Null, json!("c".repeat(1_000))] {
        client.post("app/user.challenge", body("challengeId", value)).await.is(400).says("challengeId");
    }
    for value in [json!("mail"), json!("MAIL_CODE"), json!(["mail_code"]), Json::Null] {
        client.post("app/user.challenge", body("method", value)).await.is(400).says("method");
    }
    client.post("app/user.challenge", body("key", json!("x"))).await.is(400).says("key");
    server.clock().advance(60);
    // What is refused costs no try: the secret is as good as before.
    let done = account.prove(&client, "mail_code", &right).await.is(200).json();
    assert_eq!(done, json!({"methodDone": true, "challengeCompleted": true}));
}

#[spec("D-32", "R-217")]
async fn who_is_wrong_about_anything_gets_one_answer(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let other = Account::register(&clerk, json!({"user_id": "bob@example.com", "user_name": "B"})).await;
    let right = secret(&server, "mail_code").await;
    let client = server.client();
    let foreign = format!("ch_{}", "a".repeat(26));
    for (id, challenge, method, secret) in [
        (account.id + 1_000, account.challenge.as_str(), "mail_code", right.as_str()),
        (-1, &account.challenge, "mail_code", &right),
        (other.id, &account.challenge, "mail_code", &right),
        (account.id, &other.challenge, "mail_code", &right),
        (account.id, &foreign, "mail_code", &right),
        (account.id, "nothing of ours\u{1}\0", "mail_code", &right),
        (account.id, &account.challenge, "sms_code", &right),
        (account.id, &account.challenge, "mail_link", &right),
        (account.id, &account.challenge, "mail_code", "000000x"),
        (account.id, &account.challenge, "mail_code", "\0"),
    ] {
        let body = json!({"userId": id, "challengeId": challenge, "method": method, "secret": secret});
        let reply = client.post("app/user.challenge", body).await.is(200);
        assert_eq!(reply.json(), failed(), "{id} {challenge:?} {method} {secret:?}");
    }
    // A key makes no difference, be it one or not.
    assert_eq!(account.prove(&client.with("key", "plk_nothing"), "mail_code", "1").await.is(200).json(), failed());
    assert_eq!(account.prove(&clerk, "mail_code", &right).await.is(200).at("/challengeCompleted"), true);
}

#[spec("A034", "R-043")]
async fn a_secret_is_good_for_its_own_method(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}, "sms_code": {}})).await;
    let (mail, sms) = (secret(&server, "mail_code").await, secret(&server, "sms_code").await);
    assert_ne!(mail, sms);
    let client = server.client();
    for _ in 0..5 {
        assert_eq!(account.prove(&client, "mail_code", &sms).await.is(200).json(), failed());
    }
    // The tries were those of mail_code, which has none left; those of sms_code are all there.
    assert_eq!(account.prove(&client, "mail_code", &mail).await.is(200).json(), failed());
    for _ in 0..4 {
        assert_eq!(account.prove(&client, "sms_code", "x").await.is(200).json(), failed());
    }
    assert_eq!(account.prove(&client, "sms_code", &sms).await.is(200).at("/methodDone"), true);
}

#[spec("A036", "R-043", "R-066", "R-186", "R-190", "R-194")]
async fn a_secret_dies_to_the_second_and_its_method_stays_outstanding(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let methods =
        json!({"mail_link": {}, "mail_code": {"validity": "+10 minutes"}, "sms_code": {"validity": "+2 days"}});
    let account = Account::verified_by(&clerk, methods).await;
    let client = server.client();
    for (method, seconds) in [("mail_code", 600), ("mail_link", 86_400), ("sms_code", 172_800)] {
        let first = secret(&server, method).await;
        server.clock().set("2026-11-20T12:00:00Z");
        for late in [seconds, seconds + 1] {
            server.clock().set("2026-11-20T12:00:00Z");
            server.clock().advance(late);
            assert_eq!(account.prove(&client, method, &first).await.is(200).json(), failed(), "{method} {late}");
        }
        server.clock().set("2026-11-20T12:00:00Z");
        server.clock().advance(seconds - 1);
        assert_eq!(account.prove(&client, method, &first).await.is(200).at("/methodDone"), true, "{method}");
    }
}

/// What expired is renewed by a retry, for as long again as was asked for.
#[spec("R-066", "R-221")]
async fn a_retry_renews_what_expired_and_what_was_used_up(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {"validity": "+10 minutes"}})).await;
    let (client, first) = (server.client(), secret(&server, "mail_code").await);
    server.clock().advance(600);
    assert_eq!(account.prove(&client, "mail_code", &first).await.is(200).json(), failed());
    account.retry(&clerk).await.is(200);
    let second = secret(&server, "mail_code").await;
    for _ in 0..5 {
        assert_eq!(account.prove(&client, "mail_code", "x").await.is(200).json(), failed());
    }
    assert_eq!(account.prove(&client, "mail_code", &second).await.is(200).json(), failed());
    server.clock().advance(60);
    account.retry(&clerk).await.is(200);
    let third = secret(&server, "mail_code").await;
    server.clock().advance(599);
    assert_eq!(account.prove(&client, "mail_code", &second).await.is(200).json(), failed());
    assert_eq!(account.prove(&client, "mail_code", &third).await.is(200).at("/challengeCompleted"), true);
}

#[spec("R-188", "R-189", "R-192", "R-193", "R-195", "R-196")]
async fn codes_have_the_shape_that_was_asked_for(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let sms = json!({
        "length": 8, "charlist": "0-9A-F", "send_link": true, "message": "%tenant%|%code%|%link%|%validity%|%other%",
    });
    let account = Account::verified_by(&clerk, json!({"mail_code": {}, "sms_code": sms})).await;
    let mail = secret(&server, "mail_code").await;
    assert!(mail.len() == 6 && mail.bytes().all(|byte| byte.is_ascii_digit()));
    let text = server.texts().remove(0).text;
    let parts: Vec<&str> = text.split('|').collect();
    assert_eq!((parts.len(), parts[0], parts[4]), (5, "ACME", "%other%"), "{text}");
    let code = parts[1];
    assert!(code.len() == 8 && code.bytes().all(|byte| b"0123456789ABCDEF".contains(&byte)), "{code}");
    assert!(parts[2].starts_with("https://acme.example/app/api/v1/app/user.challenge?"), "{text}");
    assert_eq!(super::parameter(parts[2], "secret").as_deref(), Some(code));
    assert_eq!(super::parameter(parts[2], "method").as_deref(), Some("sms_code"));
    assert!(!parts[3].is_empty());
    assert_eq!(account.prove(&server.client(), "sms_code", code).await.is(200).at("/methodDone"), true);
    // Without send_link there is no link, and the text is the tenant's language's own.
    let body = json!({
        "user_id": "bob@example.com", "user_name": "Bob", "phone": "+420601234568", "verify_account": {"sms_code": {}},
    });
    Account::register(&clerk, body).await;
    let code = secret(&server, "sms_code").await;
    let text = &server.texts()[1].text;
    assert!(text.contains("ACME") && text.contains(&code) && !text.contains("http") && !text.contains('%'), "{text}");
}
