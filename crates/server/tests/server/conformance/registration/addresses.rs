//! Addresses and names that are made to be taken for others.

use super::{Account, TENANT, ann, open};
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;
use testing::{Engine, Server};

#[spec("A050")]
async fn nothing_that_is_given_reaches_the_head_of_a_mail(engine: Engine) {
    let (server, clerk) = open(engine).await;
    for address in ["a@x.cz\r\nBcc: all@x.cz", "a@x.cz\nBcc: all@x.cz", "a@x.cz\0", "a@x.cz, all@x.cz", "A <a@x.cz>"] {
        clerk.post("app/user.register", ann(json!({"user_id": address}))).await.is(400).says("user_id");
    }
    for name in
        ["Ann\r\nBcc: all@x.cz", "Ann\u{2028}Bob", "\u{202e}nnA", "\u{2066}Ann", &"n".repeat(201), &"n".repeat(10_000)]
    {
        clerk.post("app/user.register", ann(json!({"user_name": name}))).await.is(400).says("user_name");
        let title = json!({"verify_account": {"mail_link": {}, "title": name}});
        clerk.post("app/user.register", ann(title)).await.is(400).says("title");
    }
    server.deliver().await;
    assert_eq!(server.mails().len(), 0);
    let name = "<script>alert('Ann')</script> & \"Bob\" {{ tenant }} %code%";
    let own = json!({"user_name": name, "verify_account": {"mail_link": {}, "title": name}});
    Account::register(&clerk, ann(own)).await;
    server.deliver().await;
    let mail = server.mails().remove(0);
    assert!(mail.text.contains(name), "{}", mail.text);
    assert!(!mail.html.contains("<script") && mail.html.contains("&lt;script"), "{}", mail.html);
    assert_eq!(mail.to, ["ann@example.com"]);
    let head = mail.raw.split("\r\n\r\n").next().unwrap();
    assert!(
        !head.contains("<script") || head.lines().all(|line| line.starts_with(' ') || line.contains(": ")),
        "{head}"
    );
    let longest = "n".repeat(200);
    let body = json!({"user_id": "long@example.com", "user_name": longest});
    clerk.post("app/user.register", body).await.is(200);
}

#[spec("A051", "R-176", "R-169")]
async fn a_domain_is_the_one_that_mail_goes_to(engine: Engine) {
    let tenant = TENANT.replace("registration: {", "registration: {allowedDomains: [allowed.cz], ");
    let mut files = super::OPEN;
    files[0].1 = &tenant;
    let server = Server::with(engine, &files).await;
    let clerk = server.client().with("key", &server.key("clerk").await);
    for (address, status) in [
        ("a@allowed.cz.evil.com", 403),
        ("a@evil.com@allowed.cz", 400),
        ("a@ALLOWED.cz.", 400),
        ("\"a b\"@allowed.cz", 400),
        ("a@[127.0.0.1]", 400),
        ("a@xn--llowed-bta.cz", 403),
        ("a@\u{e4}llowed.cz", 400),
        ("a@sub.allowed.cz", 403),
        ("a@notallowed.cz", 403),
        ("a@allowed", 400),
        ("a%evil.com@allowed.cz", 200),
        ("a@ALLOWED.cz", 200),
    ] {
        clerk.post("app/user.register", ann(json!({"user_id": address}))).await.is(status);
    }
    server.deliver().await;
    let to: Vec<String> = server.mails().into_iter().flat_map(|mail| mail.to).collect();
    assert_eq!(to, ["a%evil.com@allowed.cz", "a@allowed.cz"]);
}

/// Whatever looks like an address that is there is another one, or none; mail goes to stored addresses alone.
#[spec("A052")]
async fn nobody_gets_the_mail_of_somebody_who_looks_alike(engine: Engine) {
    let (server, clerk) = open(engine).await;
    Account::register(&clerk, ann(json!({"user_id": "mike@example.com"}))).await;
    let active = json!({"user_id": "admin@example.com", "user_name": "A", "password": "correct horse battery"});
    server.admin().create("user", active).await;
    server.deliver().await;
    let before = server.mails().len();
    for address in [
        "m\u{ed}ke@example.com",
        "m\u{131}ke@example.com",
        "M\u{130}KE@example.com",
        "mi\u{212a}e@example.com",
        "\u{ff4d}ike@example.com",
        "mike@\u{ff45}xample.com",
        "adm\u{131}n@example.com",
        "ADM\u{130}N@example.com",
        "admi\u{ff4e}@example.com",
        "\u{e1}dmin@example.com",
        "admin@example.com\u{301}",
        "admin@ex\u{e1}mple.com",
    ] {
        let retried = clerk.post("app/user.retrychallenge", json!({"userEmail": address})).await;
        let reset = clerk.post("app/user.resetpassword", json!({"user_id": address})).await;
        assert!([200, 400].contains(&retried.status) && [200, 400].contains(&reset.status), "{address}");
    }
    server.clock().advance(3_600);
    server.deliver().await;
    server.deliver().await;
    assert_eq!(server.mails().len(), before, "nobody gets a mail");
    // The addresses themselves do, in any case of their letters.
    let message = clerk.post("app/user.retrychallenge", json!({"userEmail": "MIKE@example.com"})).await.is(200);
    assert_ne!(message.at("/message"), Json::Null);
    clerk.post("app/user.resetpassword", json!({"user_id": "Admin@Example.com"})).await.is(200);
    server.deliver().await;
    server.deliver().await;
    let to: BTreeSet<String> = server.mails()[before..].iter().flat_map(|mail| mail.to.clone()).collect();
    assert_eq!(to.into_iter().collect::<Vec<_>>(), ["admin@example.com", "mike@example.com"]);
}
