//! What all pages have: languages, headers, errors that are pages.

use crate::pages::visitor::Visitor;
use spec::spec;
use testing::Server;

#[spec]
async fn pages_run_nothing_and_load_nothing_from_elsewhere(server: Server) {
    let mut visitor = Visitor::new(&server);
    let page = visitor.get("/sign-in").await.is(200);
    let policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
    assert_eq!(page.header("content-security-policy"), policy);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    let page = page.lacks("<script").lacks("style=").lacks("http://").lacks("https://");
    let style = page.text.split("href=\".").find(|rest| rest.starts_with("/assets/style-")).unwrap();
    let style = style.split('"').next().unwrap();
    let sheet = visitor.get(style).await.is(200);
    assert_eq!(sheet.header("content-type"), "text/css; charset=utf-8");
    assert_eq!(sheet.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(sheet.header("set-cookie"), "");
    sheet.lacks("url(").lacks("@import");
    visitor.get("/assets/style-0000000000000000.css").await.is(404);
    // Pages of other origins do not read ours.
    let reply = visitor.with("origin", "https://evil.test").get("/sign-in").await.is(200);
    assert_eq!(reply.header("access-control-allow-origin"), "");
}

#[spec]
async fn the_language_is_asked_for_remembered_accepted_or_the_tenants(server: Server) {
    let mut visitor = Visitor::new(&server);
    visitor.get("/sign-in").await.says("<html lang=\"en\">").says("Sign in");
    visitor
        .with("accept-language", "cs-CZ, en;q=0.5")
        .get("/sign-in")
        .await
        .says("<html lang=\"cs\">")
        .says("Přihlásit se");
    visitor.get("/sign-in?lang=cs").await.says("<html lang=\"cs\">");
    let mut english = visitor.with("accept-language", "en");
    english.get("/sign-in").await.says("<html lang=\"cs\">").says("href=\"?lang=en\"");
    english.get("/sign-in?lang=en").await.says("<html lang=\"en\">");
    english.get("/sign-in?lang=xx").await.says("<html lang=\"en\">");
    server.change(&[("tenant.yaml", "tenant: acme\nhosts: [acme.test]\nlocale: cs\n")]).await;
    Visitor::new(&server).get("/sign-in").await.says("<html lang=\"cs\">");
}

#[spec]
async fn what_goes_wrong_on_pages_is_a_page(server: Server) {
    let mut visitor = Visitor::new(&server);
    for (path, status, text) in [
        ("/nowhere", 404, "This page does not exist"),
        ("/t/acme/nowhere/at/all", 404, "href=\"../../\""),
        ("/t/other/", 404, "This page does not exist"),
        ("/sign-out", 405, "This page cannot be opened directly · ACME"),
    ] {
        let reply = visitor.with("accept", "text/html").get(path).await.is(status).says(text).says("<main");
        assert_eq!(reply.header("content-type"), "text/html; charset=utf-8", "{path}");
    }
    visitor
        .with("accept", "text/html")
        .with("accept-language", "cs")
        .get("/nowhere")
        .await
        .is(404)
        .says("Tato stránka neexistuje");
    assert_eq!(visitor.get("/sign-out").await.header("allow"), "POST, OPTIONS");
    // Programs get JSON, and the API has no pages.
    visitor.get("/nowhere").await.is(404).says("{\"message\"");
    visitor.with("accept", "text/html").get("/api/v1/nowhere").await.is(404).says("{\"message\"");
}

#[spec]
async fn pages_answer_head_and_lie_below_the_tenants_path_too(server: Server) {
    let visitor = Visitor::new(&server);
    let other = server.tenant("other").await;
    let bare = visitor.with("host", "127.0.0.1");
    for (path, status, location) in [
        ("/t/acme", 308, "acme/"),
        ("/t/acme/", 200, ""),
        ("/t/acme/account", 303, "./sign-in?next=account"),
        ("/t/acme/order/5/show", 303, "../../c/order/5"),
        ("/t/acme/sign-in", 200, ""),
        ("/t/other/sign-in", 200, ""),
        ("/t/acme/sign-in/", 404, ""),
    ] {
        for method in ["GET", "HEAD"] {
            let reply = bare.request(method, path).send().await.is(status);
            assert_eq!(reply.header("location"), location, "{path}");
            assert!(method == "GET" || reply.text.is_empty(), "{path}");
        }
    }
    let cookie = |reply: &testing::Reply| reply.header("set-cookie").split('=').next().unwrap().to_owned();
    assert_eq!(cookie(&bare.request("GET", "/t/other/account").send().await), "__Host-plinth-other");
    assert_eq!(cookie(&other.client().get("/account").await), "__Host-plinth-other");
    assert_eq!(cookie(&visitor.request("GET", "/account").send().await), "__Host-plinth-acme");
}
