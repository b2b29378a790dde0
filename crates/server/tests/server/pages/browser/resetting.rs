//! A new password, by keyboard alone.

use super::in_each_language;
use super::signing_in::sign_in;
use crate::pages::accounts::Accounts;

#[test]
fn people_choose_a_new_password_and_sign_in_with_it() {
    const NEW: &str = "several words that nobody guesses";
    in_each_language("a new password", async |browser, server, words| {
        let accounts = Accounts::of(server.clone(), "direct").await;
        let login = server.login("editor").await;
        browser.open(&accounts.reset(&login.user, None).await).await;
        browser.titled(if words.tag == "en" { "Choose a new password" } else { "Zvolte si nové heslo" }).await;
        browser.fill("#password", NEW).await;
        browser.fill("#again", "another one than that").await;
        browser.enter("main button").await;
        browser.says(if words.tag == "en" { "are not the same" } else { "se neshodují" }).await;
        browser.fill("#password", NEW).await;
        browser.fill("#again", NEW).await;
        browser.enter("main button").await;
        browser.says(if words.tag == "en" { "Your password is changed" } else { "Vaše heslo je změněno" }).await;
        browser.enter("main a.button").await;
        browser.titled(words.sign_in).await;
        sign_in(browser, &login.user, NEW).await;
        browser.says("Edgar").await;
    });
}

#[test]
fn an_integration_gets_its_users_back() {
    const NEW: &str = "several words that nobody guesses";
    in_each_language("a new password for an integration", async |browser, server, _| {
        let accounts = Accounts::of(server.clone(), "direct").await;
        let login = server.login("editor").await;
        let there = format!("http://localhost:{}/healthz", server.client().address().port());
        browser.open(&accounts.reset(&login.user, Some(&there)).await).await;
        browser.fill("#password", NEW).await;
        browser.fill("#again", NEW).await;
        browser.enter("main button").await;
        browser.says("\"status\"").await;
        assert_eq!(browser.address().await, format!("{there}?status=success"));
    });
}
