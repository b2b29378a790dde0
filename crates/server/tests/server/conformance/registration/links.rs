//! The addresses in messages, whatever the request says of hosts.

use super::{Account, ann, open};
use serde_json::json;
use spec::spec;
use testing::Engine;

#[spec("A059", "D-38", "R-198")]
async fn a_mailed_link_has_the_configured_base(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let evil = "evil.example";
    let mut clients = vec![];
    for (name, value) in [
        ("x-forwarded-host", evil),
        ("x-forwarded-proto", "gopher"),
        ("x-forwarded-prefix", "/evil"),
        ("forwarded", "host=evil.example;proto=http"),
        ("origin", "https://evil.example"),
        ("referer", "https://evil.example/"),
        ("x-original-url", "https://evil.example/"),
    ] {
        clients.push(clerk.with(name, value));
    }
    // The host itself leads to the tenant by the path alone.
    let by_path = clerk.with("host", evil);
    for (number, client) in clients.iter().chain([&by_path]).enumerate() {
        let path = |command: &str| match number == clients.len() {
            true => format!("/t/acme/api/v1/app/{command}"),
            false => format!("/api/v1/app/{command}"),
        };
        let body = ann(json!({"user_id": format!("u{number}@example.com"), "phone": "+420601234567",
            "verify_account": {"mail_link": {}, "sms_code": {"send_link": true}}}));
        let answer = client.post(&path("user.register"), body).await.is(200).json();
        let account = Account {
            id: answer["object"]["id"].as_i64().unwrap(),
            challenge: answer["challenge"].as_str().unwrap().to_owned(),
            key: None,
        };
        server.deliver().await;
        if number == 0 {
            let body = json!({"userId": account.id, "challengeId": account.challenge});
            client.post(&path("user.retrychallenge"), body).await.is(200);
        }
        client.post(&path("user.resetpassword"), json!({"user_id": "clerk@acme.test"})).await.is(200);
        server.clock().advance(61);
    }
    // An absolute-form target names a host, too: it leads nowhere but to where Host leads.
    let body = r#"{"user_id":"clerk@acme.test"}"#;
    let request = format!(
        "POST http://{evil}/t/acme/api/v1/app/user.resetpassword HTTP/1.1\r\nHost: acme.test\r\nkey: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        server.key("clerk").await,
        body.len()
    );
    let answer = clerk.raw(request.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    server.deliver().await;
    server.deliver().await;
    let mails = server.mails();
    assert!(mails.len() >= clients.len() + 3, "{}", mails.len());
    for mail in &mails {
        assert!(
            !mail.raw.contains("evil") && !mail.text.contains("evil") && !mail.html.contains("evil"),
            "{}",
            mail.raw
        );
        assert_eq!(mail.links.len(), 1);
        let path = mail.links[0].strip_prefix("https://acme.example/app/").unwrap();
        assert!(path.starts_with("api/v1/app/user.challenge?") || path.starts_with("reset?token="), "{path}");
    }
    for text in server.texts() {
        assert!(text.links[0].starts_with("https://acme.example/app/api/v1/app/user.challenge?"), "{text:?}");
    }
}
