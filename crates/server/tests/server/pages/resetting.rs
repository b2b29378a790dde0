//! New passwords: by a mailed link, and the page that asks for one.

use crate::pages::accounts::{Accounts, path};
use crate::pages::visitor::Visitor;
use spec::spec;

const NEW: &str = "several words that nobody guesses";

#[spec("A026", "D-37")]
async fn a_new_password_ends_what_the_old_one_made(accounts: Accounts) {
    let server = &accounts.server;
    let login = server.login("editor").await;
    let form = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let key = server.client().post_form("auth", &form).await.is(200).at("/authToken/keyString");
    let key = server.client().with("key", key.as_str().unwrap());
    let mut session = Visitor::new(server);
    session.sign_in(&login.user, &login.password).await.is(303);
    let first = path(&accounts.reset(&login.user, None).await);
    server.clock().advance(61);
    let second = path(&accounts.reset(&login.user, None).await);
    assert_ne!(first, second);
    session.get("/account").await.is(200);

    let mut visitor = Visitor::new(server);
    visitor.get(&second).await.is(200).says("Choose a new password").says("value=\"editor@acme.test\" readonly");
    visitor.request("HEAD", &second).send().await.is(200);
    let submit = async |visitor: &mut Visitor, one: &str, other: &str| {
        visitor.submit("reset", &[("password", one), ("again", other)]).await
    };
    submit(&mut visitor, NEW, "something else").await.is(400).says("The two passwords are not the same.").lacks(NEW);
    submit(&mut visitor, "short", "short").await.is(400).says("too short");
    submit(&mut visitor, "password123", "password123").await.is(400).says("most common");
    assert_eq!(key.get("auth").await.at("/status"), "valid");
    let done = submit(&mut visitor, NEW, NEW).await.is(200).says("Your password is changed");
    assert!(done.header("set-cookie").contains("Max-Age=0"));
    done.says("href=\"./sign-in\"").lacks("Sign out");

    assert_eq!(key.get("auth").await.at("/status"), "invalid");
    session.get("/account").await.is(303);
    for link in [&first, &second] {
        visitor.get(link).await.is(200).says("This link does not work any more").says("href=\"./forgot\"");
    }
    Visitor::new(server).sign_in(&login.user, &login.password).await.is(403);
    Visitor::new(server).sign_in(&login.user, NEW).await.is(303);
}

#[spec]
async fn whoever_asks_on_the_page_is_written_down_and_held_up(accounts: Accounts) {
    let server = &accounts.server;
    let login = server.login("editor").await;
    let mut visitor = Visitor::new(server);
    for _ in 0..20 {
        visitor.get("/forgot").await.is(200);
        visitor.submit("forgot", &[("user", &login.user)]).await.is(200);
    }
    visitor.get("/forgot").await.is(200);
    visitor.submit("forgot", &[("user", &login.user)]).await.is(429).says("Too many requests");
    server.clock().advance(60);
    visitor.get("/forgot").await.is(200);
    visitor.submit("forgot", &[("user", &login.user)]).await.is(200);
    server.deliver().await;
    let event = server.admin().get("/api/ext/v1/audit?limit=1").await.is(200).at("/items/0");
    assert_eq!([&event["event"], &event["via"], &event["address"]], ["reset.asked", "page", "127.0.0.1"]);
}

#[spec]
async fn whoever_else_uses_the_browser_stays_signed_in(accounts: Accounts) {
    let server = &accounts.server;
    let login = server.login("editor").await;
    let link = path(&accounts.reset(&login.user, None).await);
    let mut visitor = Visitor::signed_in(server, "reader").await;
    visitor.get(&link).await.is(200);
    let done = visitor.submit("reset", &[("password", NEW), ("again", NEW)]).await.is(200);
    assert_eq!(done.header("set-cookie"), "");
    done.says("Your password is changed").says("Sign out");
    visitor.get("/account").await.is(200);
}

#[spec("R-234")]
async fn an_integration_is_told_how_it_went(accounts: Accounts) {
    let login = accounts.server.login("editor").await;
    let link = path(&accounts.reset(&login.user, Some("https://app.test/x?y=1")).await);
    assert!(!link.contains("app.test"));
    let mut visitor = Visitor::new(&accounts.server);
    let form = visitor.get(&link).await.is(200);
    assert!(form.header("content-security-policy").ends_with("form-action 'self' https://app.test"));
    let done = visitor.submit("reset", &[("password", NEW), ("again", NEW)]).await.is(302);
    assert_eq!(done.header("location"), "https://app.test/x?y=1&status=success");
    let again = visitor.get(&link).await.is(302);
    assert_eq!(again.header("location"), "https://app.test/x?y=1&status=error&reason=link_invalid");
}

#[spec]
async fn a_redirect_that_was_tampered_with_is_none(accounts: Accounts) {
    let login = accounts.server.login("editor").await;
    let other = path(&accounts.reset(&login.user, Some("https://other.test/")).await);
    accounts.server.clock().advance(61);
    let link = path(&accounts.reset(&login.user, Some("https://app.test/")).await);
    let sealed = |link: &str| link.split("redirect=").nth(1).unwrap().to_owned();
    let own = sealed(&link);
    let last = if own.ends_with('A') { "B" } else { "A" };
    let changed = format!("{}{last}", &own[..own.len() - 1]);
    for redirect in [changed.as_str(), &sealed(&other), "aHR0cHM6Ly9ldmlsLnRlc3Qv", "%20", "https://evil.test"] {
        let mut visitor = Visitor::new(&accounts.server);
        let form = visitor.get(&link.replace(&own, redirect)).await.is(200).says("Choose a new password");
        assert!(form.header("content-security-policy").ends_with("form-action 'self'"), "{redirect}");
    }
    let mut visitor = Visitor::new(&accounts.server);
    visitor.get(&link.replace(&own, &changed)).await.is(200);
    visitor.submit("reset", &[("password", NEW), ("again", NEW)]).await.is(200).says("Your password is changed");
}

#[spec]
async fn a_link_is_good_for_an_hour_and_its_browser(accounts: Accounts) {
    let login = accounts.server.login("editor").await;
    let link = path(&accounts.reset(&login.user, None).await);
    let mut visitor = Visitor::new(&accounts.server);
    visitor.get(&link).await.is(200);
    visitor.request("POST", &link).form(&[("password", NEW), ("again", NEW)]).send().await.is(403);
    accounts.server.clock().advance(3_600);
    visitor.submit("reset", &[("password", NEW), ("again", NEW)]).await.is(200).says("does not work any more");
    visitor.get(&link).await.is(200).says("does not work any more");
    visitor.get("/reset?token=x").await.is(200).says("does not work any more");
    visitor.get("/reset").await.is(400).says("This address is not right");
    Visitor::new(&accounts.server).sign_in(&login.user, &login.password).await.is(303);
}

#[spec]
async fn whoever_forgot_a_password_gets_one_page_whatever_there_is(accounts: Accounts) {
    let login = accounts.server.login("editor").await;
    let before = accounts.server.mails().len();
    let mut pages = Vec::new();
    for email in [login.user.as_str(), "nobody@acme.test"] {
        let mut visitor = Visitor::new(&accounts.server);
        visitor.get("/sign-in").await.is(200).says("href=\"./forgot\"");
        visitor.get("/forgot").await.is(200).says("Enter your e-mail address for signing in.");
        visitor.submit("forgot", &[("user", "no address")]).await.is(400).says("This is not an e-mail address.");
        pages.push(
            visitor
                .submit("forgot", &[("user", email)])
                .await
                .is(200)
                .says("If this e-mail address has an account")
                .says("href=\"./sign-in\"")
                .text,
        );
    }
    assert_eq!(pages[0], pages[1]);
    accounts.server.deliver().await;
    accounts.server.deliver().await;
    assert_eq!(accounts.server.mails().len(), before + 1);
    Visitor::new(&accounts.server).get(&path(&accounts.link())).await.is(200).says("Choose a new password");
    // Where passwords are not reset, there is no such page.
    accounts.server.change(&[("tenant.yaml", "tenant: acme\nhosts: [acme.test]\n")]).await;
    let mut visitor = Visitor::new(&accounts.server);
    visitor.get("/forgot").await.is(404).says("This page does not exist");
    visitor.get("/sign-in").await.is(200).lacks("forgot");
    assert!(accounts.clerk().get("auth").await.at("/status") == "valid");
}
