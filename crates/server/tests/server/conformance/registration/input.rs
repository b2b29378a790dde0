//! What user.register refuses, field by field: nothing is made, and nothing is sent.

use super::{OPEN, ann, open};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

/// Posts a body that is refused, and checks what the message names.
async fn refused(clerk: &Client, status: u16, body: Json, named: &str) {
    clerk.post("app/user.register", body).await.is(status).says(named);
}

/// Checks that nobody was registered and nothing sent.
async fn nothing_happened(server: &Server) {
    server.deliver().await;
    assert!(server.mails().is_empty() && server.texts().is_empty(), "nothing is sent");
    let filters = r#"[{"property":"user_id","type":"endsWith","param":"@example.com"}]"#;
    server.admin().query("collection/user", &[("filters", filters)]).await.is(204);
}

#[spec("R-169", "R-170", "R-175", "R-277", "R-071", "D-2")]
async fn what_is_missing_or_wrong_is_named(engine: Engine) {
    let (server, clerk) = open(engine).await;
    refused(&clerk, 400, json!({"user_name": "Ann"}), "user_id").await;
    refused(&clerk, 400, json!({"user_id": "ann@example.com"}), "user_name").await;
    for name in [Json::Null, json!(""), json!("  "), json!(5)] {
        refused(&clerk, 400, ann(json!({"user_name": name})), "user_name").await;
    }
    for id in [Json::Null, json!(""), json!("ann"), json!(5), json!(["ann@example.com"])] {
        refused(&clerk, 400, ann(json!({"user_id": id})), "user_id").await;
    }
    for (own, named) in [
        (json!({"password": 1_234_567_890}), "password"),
        (json!({"password": "short"}), "password"),
        (json!({"phone": 420_601_234_567_i64}), "phone"),
        (json!({"verify_account": true}), "verify_account"),
        (json!({"verify_account": []}), "verify_account"),
        (json!({"verify_account": {"mail": {}}}), "verify_account.mail"),
        (json!({"verify_account": {"mail_link": true}}), "verify_account.mail_link"),
        (json!({"verify_account": {"title": ["a"]}}), "verify_account.title"),
        (json!({"verify_account": {"mail_code": {"length": 2}}}), "verify_account.mail_code.length"),
        (json!({"verify_account": {"mail_code": {"charlist": "0"}}}), "verify_account.mail_code.charlist"),
        (json!({"verify_account": {"sms_code": {}}}), "phone"),
        (json!({"locale": "cs"}), "locale"),
    ] {
        refused(&clerk, 400, ann(own), named).await;
    }
    clerk.request("POST", "app/user.register").form(&[("user_id", "ann@example.com")]).send().await.is(415);
    clerk.post("app/user.register", json!(["user_id"])).await.is(400);
    nothing_happened(&server).await;
}

#[spec("A053")]
async fn roles_groups_and_state_are_not_smuggled_in(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let other = server.tenant("other").await;
    refused(&clerk, 403, ann(json!({"roles": ["admin"]})), "admin").await;
    refused(&clerk, 400, ann(json!({"roles": "admin"})), "roles").await;
    refused(&clerk, 400, ann(json!({"roles": {"0": "admin"}})), "roles").await;
    refused(&clerk, 400, ann(json!({"roles": [["admin"]]})), "roles").await;
    refused(&clerk, 400, ann(json!({"user_group": ["blue"]})), "user_group").await;
    refused(&clerk, 400, ann(json!({"user_group": {"0": "blue"}})), "user_group").await;
    refused(&clerk, 403, ann(json!({"user_group": "blue"})), "blue").await;
    // Roles and groups are known by name; those of another tenant are as unknown as any.
    other.role("auditor", "role: auditor\nsystem: [restApi, admin]\ntypes: {}\n").await;
    refused(&clerk, 403, ann(json!({"roles": ["auditor"]})), "auditor").await;
    refused(&clerk, 403, ann(json!({"user_group": "auditor"})), "auditor").await;
    for (name, value) in [
        ("login_expired", json!(0)),
        ("valid_from", json!("2020-01-01")),
        ("valid_to", json!("2030-01-01")),
        ("id", json!(1)),
        ("uuid", json!("0199aaaa-0000-7000-8000-000000000000")),
        ("permissions", json!(["*"])),
        ("__proto__", json!({})),
    ] {
        refused(&clerk, 400, ann(json!({name: value})), name).await;
    }
    nothing_happened(&server).await;
}

#[spec("A055", "R-174", "R-277")]
async fn only_numbers_of_the_world_get_texts_and_not_many(engine: Engine) {
    let (server, clerk) = open(engine).await;
    for phone in [
        "+19005550100",
        "+1234567890123456789012345678901234567890",
        "+420601234567;ext=1",
        "420601234567",
        "+0420601234567",
        "+420 601 234 567\r\n",
        "+",
    ] {
        let own = json!({"phone": phone, "verify_account": {"sms_code": {}}});
        refused(&clerk, 400, ann(own), "phone").await;
    }
    nothing_happened(&server).await;
    let register = async |number: usize, phone: &str| {
        let mut body = ann(json!({"phone": phone, "verify_account": {"sms_code": {}}}));
        body["user_id"] = json!(format!("u{number}@example.org"));
        clerk.post("app/user.register", body).await
    };
    for number in 0..20 {
        let phone = ["+420601234567", "+420 601 234 567", "+420-601-234-567"][number % 3];
        let reply = register(number, phone).await;
        if number < 10 {
            reply.is(200);
        } else {
            let reply = reply.is(429);
            assert!(reply.header("retry-after").parse::<u32>().unwrap() > 3_600);
        }
    }
    let filters = r#"[{"property":"user_id","type":"endsWith","param":"@example.org"}]"#;
    let made = server.admin().query("collection/user", &[("filters", filters)]).await.is(200);
    assert_eq!(made.at("/stats/total"), 10, "who was refused was not created");
    register(20, "+420601234568").await.is(200);
    server.clock().advance(86_400);
    register(21, "+420601234567").await.is(200);
}

#[spec("A061", "R-186", "R-190", "R-194")]
async fn secrets_live_from_a_minute_to_thirty_days(engine: Engine) {
    let (server, clerk) = open(engine).await;
    for validity in
        ["-1 day", "+100 years", "+1 day; DROP", "first monday", "+0 minutes", "+59 seconds", "+31 days", ""]
    {
        for method in ["mail_link", "mail_code", "sms_code"] {
            let own = json!({"phone": "+420601234567", "verify_account": {method: {"validity": validity}}});
            refused(&clerk, 400, ann(own), &format!("verify_account.{method}.validity")).await;
        }
    }
    nothing_happened(&server).await;
}

#[spec("A056", "R-180", "R-185", "R-237", "R-290", "R-277", "D-38")]
async fn only_absolute_addresses_of_the_web_are_redirected_to(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let long = format!("https://example.com/{}", "a".repeat(3_000));
    let addresses = [
        "javascript:alert(1)",
        "data:text/html,x",
        "//evil.example",
        "https:evil.example",
        "http://u@evil.example",
        "http://u:p@evil.example",
        "http:\\\\evil.example",
        "\thttps://x.example",
        "https://x.example/\r\nSet-Cookie: a=b",
        &long,
        "/done",
        "ftp://x.example",
        "",
    ];
    for address in addresses {
        let of_challenge = json!({"mail_link": {}, "redirect_url": address});
        let own = json!({"verify_account": of_challenge});
        refused(&clerk, 400, ann(own), "verify_account.redirect_url").await;
        for method in ["mail_link", "mail_code", "sms_code"] {
            let own = json!({"phone": "+420601234567", "verify_account": {method: {"redirect_url": address}}});
            refused(&clerk, 400, ann(own), &format!("verify_account.{method}.redirect_url")).await;
        }
        let body = json!({"user_id": "clerk@acme.test", "redirect_url": address});
        clerk.post("app/user.resetpassword", body).await.is(400).says("redirect_url");
    }
    nothing_happened(&server).await;
}

/// A configuration that cannot be sent by is refused before anybody is made, whatever else is right.
#[spec("R-277")]
async fn a_text_without_a_number_makes_no_user(engine: Engine) {
    let server = Server::with(engine, &OPEN).await;
    let clerk = server.client().with("key", &server.key("clerk").await);
    let methods = json!({"mail_link": {}, "mail_code": {}, "sms_code": {}});
    refused(&clerk, 400, ann(json!({"verify_account": methods})), "phone").await;
    nothing_happened(&server).await;
    clerk.post("app/user.register", ann(json!({"phone": "+420601234567", "verify_account": methods}))).await.is(200);
}
