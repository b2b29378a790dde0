//! The web flow of user.challenge: what mailed links and codes lead to.

use crate::pages::accounts::{Accounts, path};
use crate::pages::visitor::Visitor;
use serde_json::json;
use spec::spec;

#[spec("D-33", "R-059", "R-198", "R-206")]
async fn the_mailed_link_verifies_signs_in_and_leads_home(accounts: Accounts) {
    let ann = accounts.register(json!({"mail_link": {}})).await;
    let link = path(&accounts.link());
    let mut visitor = Visitor::new(&accounts.server);
    assert_eq!(visitor.get(&link).await.is(302).header("location"), "/t/acme/");
    visitor.get("/t/acme/account").await.is(200).says("Ann").says("ann@example.com");
    // Who comes later finds it done, and no session.
    let mut later = Visitor::new(&accounts.server);
    let page = later.get(&link).await.is(200).says("Already confirmed").says("href=\"../../../sign-in\"");
    assert_eq!((page.header("set-cookie"), page.header("location")), ("", ""));
    page.lacks("?lang=");
    let active = accounts.server.admin().get(&format!("collection/user/{}", ann.user)).await;
    assert_eq!(active.at("/login_expired"), false);
}

#[spec("D-33", "R-203", "R-205", "A058")]
async fn a_redirect_is_followed_once_and_without_a_session(accounts: Accounts) {
    let ann = accounts.register(json!({"mail_link": {"redirect_url": "https://app.test/done?x=1"}})).await;
    let link = path(&accounts.link());
    let client = accounts.server.client();
    let wrong = link.replace("secret=", "secret=x");
    let secret = link.split("secret=").nth(1).unwrap().to_owned();
    let proof = |secret: &str| json!({"userId": ann.user, "challengeId": ann.challenge, "method": "mail_link", "secret": secret});
    let failed = client.get(&wrong).await.is(200).says("This link does not work").lacks("app.test");
    assert_eq!((failed.header("location"), failed.header("set-cookie")), ("", ""));
    client.post("app/user.challenge", proof("x")).await.is(200).lacks("redirect");
    let done = client.get(&link).await.is(302);
    assert_eq!(done.header("location"), "https://app.test/done?x=1&status=success");
    assert_eq!(done.header("set-cookie"), "");
    let again = client.get(&link).await.is(200).says("Already confirmed").lacks("app.test");
    assert_eq!((again.header("location"), again.header("set-cookie")), ("", ""));
    client.post("app/user.challenge", proof(&secret)).await.is(200).says("Method already done.").lacks("redirect");
}

#[spec]
async fn a_redirect_without_a_query_gets_one(accounts: Accounts) {
    accounts
        .register(json!({"mail_link": {"redirect_url": "https://app.test/"}, "redirect_url": "https://whole.test"}))
        .await;
    let done = accounts.server.client().get(&path(&accounts.link())).await.is(302);
    assert_eq!(done.header("location"), "https://whole.test?status=success");
}

#[spec]
async fn a_method_that_is_not_the_last_leads_to_a_page_that_says_so(accounts: Accounts) {
    let ann = accounts.register(json!({"mail_link": {}, "sms_code": {}, "redirect_url": "https://app.test/"})).await;
    let mut visitor = Visitor::new(&accounts.server);
    let page = visitor.get(&path(&accounts.link())).await.is(200).says("These steps are left:");
    assert_eq!(page.header("set-cookie"), "");
    page.says("Enter the code from the text message")
        .lacks("the e-mail that we sent")
        .says("User account verification");
    let form = visitor.get(&ann.page("sms_code")).await.is(200).says("Code from the text message");
    // Browsers hold the policy of a form's page against what it leads to in the end.
    assert!(form.header("content-security-policy").ends_with("form-action 'self' https://app.test"));
    let done = visitor.submit("verify", &[("secret", &accounts.text_code())]).await.is(302);
    assert_eq!(done.header("location"), "https://app.test/?status=success");
    visitor.get("/account").await.is(303);
}

#[spec("R-179", "R-195", "D-33")]
async fn pages_show_what_the_verification_is_about(accounts: Accounts) {
    accounts.set_default_mode().await;
    let own =
        json!({"title": "Access to <Shop> & Co.", "mail_link": {}, "mail_code": {}, "sms_code": {"send_link": true}});
    let ann = accounts.register(own).await;
    let title = "Access to &lt;Shop&gt; &amp; Co.";
    let mut visitor = Visitor::new(&accounts.server);
    visitor.get(&ann.page("mail_code")).await.is(200).says(title);
    // Without a word of the tenant, neither link verifies when it is opened: robots open those of text messages, too.
    let text = accounts.server.texts().last().unwrap().links[0].clone();
    let page = visitor.get(&path(&text)).await.is(302).header("location").to_owned();
    visitor.get(&page).await.is(200).says(title).says("Confirm your phone number");
    let part = visitor.submit("confirm", &[]).await.is(200).says(title).says("These steps are left:");
    part.says("Open the link in the e-mail").says("Enter the code from the e-mail").lacks("code from the text");
    let mails = accounts.server.mails();
    let link =
        mails.iter().flat_map(|mail| &mail.links).find(|link| link.contains("method=mail_link")).unwrap().clone();
    let page = visitor.get(&path(&link)).await.is(302).header("location").to_owned();
    visitor.get(&page).await.is(200).says(title).says("Confirm your address");
    visitor.submit("confirm", &[]).await.is(200).says("Enter the code from the e-mail").lacks("Open the link");
    // What was not proved tells nothing.
    visitor.get(&page.replace("secret=", "secret=x")).await.is(200);
    visitor.submit("confirm", &[]).await.is(200).says("Already confirmed").lacks(title);
}

#[spec("D-33")]
async fn looking_ahead_verifies_nothing(accounts: Accounts) {
    accounts.register(json!({"mail_link": {}})).await;
    let link = path(&accounts.link());
    let client = accounts.server.client();
    let ahead = [
        ("sec-purpose", "prefetch;prerender"),
        ("purpose", "prefetch"),
        ("x-moz", "prefetch"),
        ("x-purpose", "preview"),
        ("sec-fetch-dest", "image"),
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-mode", "no-cors"),
    ];
    let mut looks = vec![client.request("HEAD", &link)];
    looks.extend(ahead.map(|(name, value)| client.request("GET", &link).header(name, value)));
    for look in looks {
        let reply = look.send().await.is(302);
        assert!(reply.header("location").starts_with("/t/acme/confirm?userId="), "{}", reply.header("location"));
        assert_eq!(reply.header("set-cookie"), "");
    }
    let followed =
        client.request("GET", &link).header("sec-fetch-mode", "navigate").header("sec-fetch-dest", "document");
    assert_eq!(followed.send().await.is(302).header("location"), "/t/acme/");
}

#[spec("D-33", "A037")]
async fn a_scanner_changes_nothing_where_a_click_is_asked_for(accounts: Accounts) {
    accounts.set_mode("confirmPage").await;
    let ann = accounts.register(json!({"mail_link": {}})).await;
    let link = path(&accounts.link());
    accounts.server.client().request("HEAD", &link).send().await.is(302);
    let mut scanner = Visitor::new(&accounts.server);
    let page = scanner.get(&link).await.is(302).header("location").to_owned();
    scanner.get(&page).await.is(200).says("Confirm your address");
    scanner.request("HEAD", &page).send().await.is(200);
    scanner.get("/account").await.is(303);
    let pending = accounts.server.admin().get(&format!("collection/user/{}", ann.user)).await;
    assert_eq!(pending.at("/login_expired"), true);
    let mut visitor = Visitor::new(&accounts.server);
    let page = visitor.get(&link).await.is(302).header("location").to_owned();
    let form = visitor.get(&page).await.is(200).says("Press the button");
    assert!(form.header("content-security-policy").ends_with("form-action 'self'"));
    // The button is the browser's whose page it is.
    scanner.request("POST", &page).form(&[("proof", &visitor.proof("confirm"))]).send().await.is(403);
    assert_eq!(visitor.submit("confirm", &[]).await.is(302).header("location"), "/");
    visitor.get("/account").await.is(200).says("Ann");
    scanner.get("/account").await.is(303);
}

#[spec]
async fn a_code_is_entered_on_a_page(accounts: Accounts) {
    let ann = accounts.register(json!({"mail_code": {}})).await;
    let mut visitor = Visitor::new(&accounts.server);
    visitor.get(&ann.page("mail_code")).await.is(200).says("Code from the e-mail").says("?userId=");
    for wrong in ["000000x", "", &"9".repeat(300)] {
        visitor.submit("verify", &[("secret", wrong)]).await.is(200).says("The code is wrong or too old.");
    }
    visitor.request("POST", &ann.page("mail_code")).form(&[("secret", &accounts.code())]).send().await.is(403);
    let code = format!(" {} ", accounts.code());
    let done = visitor.submit("verify", &[("secret", &code)]).await.is(302);
    assert_eq!(done.header("location"), "/");
    visitor.get("/account").await.is(200).says("Ann");
    let mut later = Visitor::new(&accounts.server);
    later.get(&ann.page("mail_code")).await.is(200);
    later.submit("verify", &[("secret", &accounts.code())]).await.is(200).says("Already confirmed");
}

#[spec]
async fn a_link_that_is_cut_or_made_up_gets_a_page(accounts: Accounts) {
    let ann = accounts.register(json!({"mail_link": {}})).await;
    let link = path(&accounts.link());
    let client = accounts.server.client();
    for (cut, status, text) in [
        (link.split("&secret").next().unwrap().to_owned(), 400, "This address is not right"),
        (link.replace("mail_link", "carrier_pigeon"), 400, "This address is not right"),
        (link.replace(&format!("userId={}", ann.user), "userId=x"), 400, "This address is not right"),
        (link.replace(&ann.challenge, "ch_x"), 200, "This link does not work"),
        (link.replace(&format!("userId={}", ann.user), "userId=1"), 200, "This link does not work"),
    ] {
        let page = client.get(&cut).await.is(status).says(text).says("<html lang=\"en\">");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    }
    client.get("/verify").await.is(400).says("This address is not right");
    client.get("/confirm?userId=1").await.is(400).says("This address is not right");
    // What mail programs add does not matter.
    client.get(&format!("{link}&utm_source=mail&lang=cs")).await.is(302);
}

#[spec]
async fn too_many_tries_of_an_address_get_a_page(accounts: Accounts) {
    accounts.register(json!({"mail_link": {}})).await;
    let wrong = path(&accounts.link()).replace("secret=", "secret=x");
    let client = accounts.server.client();
    for _ in 0..20 {
        client.get(&wrong).await.is(200);
    }
    let page = client.get(&wrong).await.is(429).says("Too many requests");
    assert!(!page.header("retry-after").is_empty());
}
