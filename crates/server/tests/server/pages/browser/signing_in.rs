//! Signing in and out, and what the home page is for, by keyboard alone.

use super::{Browser, in_each_language};

#[test]
fn people_sign_in_and_out_by_keyboard() {
    in_each_language("signing in", async |browser, server, words| {
        let login = server.login("editor").await;
        browser.open("/account").await;
        browser.titled(words.sign_in).await;
        assert_eq!(browser.language().await, words.tag);
        // The first field has the focus without a key.
        assert!(browser.focused("#user").await);
        sign_in(browser, &login.user, "a wrong password").await;
        browser.says(words.failed).await;
        assert!(browser.focused("#password").await, "what was typed is kept; only the password is to be typed again");
        browser.fill("#password", &login.password).await;
        browser.space("main button").await;
        browser.titled(words.account).await;
        browser.says("Edgar").await;
        browser.enter("header button").await;
        browser.says(words.signed_out).await;
        browser.open("/account").await;
        browser.titled(words.sign_in).await;
    });
}

#[test]
fn people_change_the_language_and_it_is_kept() {
    in_each_language("languages", async |browser, server, words| {
        let login = server.login("editor").await;
        let other = if words.tag == "en" { "cs" } else { "en" };
        browser.open("/sign-in?next=account").await;
        browser.enter(&format!("footer a[lang={other}]")).await;
        browser.says(if other == "cs" { "Přihlásit se" } else { "Sign in" }).await;
        assert_eq!(browser.language().await, other);
        sign_in(browser, &login.user, &login.password).await;
        browser.says("Edgar").await;
        assert_eq!(browser.language().await, other);
        browser.open("/account").await;
        assert_eq!(browser.language().await, other);
    });
}

#[test]
fn people_revoke_keys_and_end_sessions_by_keyboard() {
    in_each_language("the home page", async |browser, server, words| {
        let login = server.login("editor").await;
        let key = server.key("editor").await;
        let mut elsewhere = crate::pages::visitor::Visitor::new(server);
        elsewhere.sign_in(&login.user, &login.password).await.is(303);
        browser.open("/account").await;
        browser.titled(words.sign_in).await;
        sign_in(browser, &login.user, &login.password).await;
        browser.titled(words.account).await;
        // The page's content is one step from its start.
        browser.enter(".skip").await;
        assert!(browser.address().await.ends_with("#main"));
        let id = key.split('_').nth(1).unwrap();
        let card = format!(".cards li:has(input[name=id][value=\"{id}\"])");
        browser.enter(&format!("{card} summary")).await;
        browser.enter(&format!("{card} button.danger")).await;
        browser.says(if words.tag == "en" { "The key is revoked." } else { "Klíč je zrušen." }).await;
        assert_eq!(server.client().with("key", &key).get("auth").await.at("/status"), "invalid");
        elsewhere.get("/account").await.is(200);
        browser.enter("li form[action$=end-session] button").await;
        let ended = if words.tag == "en" { "That browser is signed out." } else { "Ten prohlížeč je odhlášen." };
        browser.says(ended).await;
        elsewhere.get("/account").await.is(303);
    });
}

/// Fills in the form for signing in, and sends it with Enter.
pub(crate) async fn sign_in(browser: &Browser, user: &str, password: &str) {
    browser.fill("#user", user).await;
    browser.fill("#password", password).await;
    browser.press('\u{e007}').await;
}
