//! Mailed links and codes, by keyboard alone.

use super::in_each_language;
use crate::pages::accounts::Accounts;
use serde_json::json;

#[test]
fn a_mailed_link_leads_home() {
    in_each_language("the mailed link", async |browser, server, words| {
        let accounts = Accounts::of(server.clone(), "direct").await;
        accounts.register(json!({"mail_link": {}})).await;
        browser.open(&accounts.link()).await;
        browser.titled(words.start).await;
        browser.open("/account").await;
        browser.says("ann@example.com").await;
        assert_eq!(browser.language().await, words.tag);
        // The link is opened again, from the mail.
        browser.open(&accounts.link()).await;
        browser.titled(if words.tag == "en" { "Already confirmed" } else { "Už je potvrzeno" }).await;
    });
}

#[test]
fn a_click_confirms_where_the_tenant_asks_for_one() {
    in_each_language("the confirming click", async |browser, server, words| {
        let accounts = Accounts::of(server.clone(), "confirmPage").await;
        accounts.register(json!({"mail_link": {}})).await;
        browser.open(&accounts.link()).await;
        browser.titled(if words.tag == "en" { "Confirm your address" } else { "Potvrďte svou adresu" }).await;
        browser.enter("main button").await;
        browser.titled(words.start).await;
        browser.open("/account").await;
        browser.says("Ann").await;
    });
}

#[test]
fn a_page_says_what_is_still_to_do_and_leads_there() {
    in_each_language("what is still to do", async |browser, server, words| {
        let accounts = Accounts::of(server.clone(), "confirmPage").await;
        let own = json!({"title": "Access to the shop", "mail_link": {}, "sms_code": {}});
        accounts.register(own).await;
        browser.open(&accounts.link()).await;
        browser.says("Access to the shop").await;
        browser.enter("main button").await;
        browser.says(if words.tag == "en" { "These steps are left:" } else { "Zbývá:" }).await;
        browser.says("Access to the shop").await;
        browser.enter(".todo a").await;
        browser.titled(if words.tag == "en" { "Enter your code" } else { "Zadejte kód" }).await;
        browser.fill("#secret", &accounts.text_code()).await;
        browser.enter("main button").await;
        browser.titled(words.start).await;
    });
}

#[test]
fn a_code_is_typed_and_leads_to_the_integration() {
    in_each_language("the code", async |browser, server, words| {
        let accounts = Accounts::of(server.clone(), "direct").await;
        // Another origin than 127.0.0.1, and the same server.
        let there = format!("http://localhost:{}/healthz", server.client().address().port());
        let ann = accounts.register(json!({"mail_code": {}, "redirect_url": there})).await;
        browser.open(&ann.page("mail_code")).await;
        browser.titled(if words.tag == "en" { "Enter your code" } else { "Zadejte kód" }).await;
        browser.fill("#secret", "wrong").await;
        browser.enter("main button").await;
        browser.says(if words.tag == "en" { "The code is wrong" } else { "Kód není správný" }).await;
        browser.fill("#secret", &accounts.code()).await;
        browser.space("main button").await;
        browser.says("\"status\"").await;
        assert_eq!(browser.address().await, format!("{there}?status=success"));
    });
}
