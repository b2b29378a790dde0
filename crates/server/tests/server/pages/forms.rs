//! Forms: taken from our own pages, made for this browser, and from nobody else.

use crate::pages::visitor::Visitor;
use spec::spec;
use testing::Server;

#[spec]
async fn a_form_needs_the_proof_that_was_made_for_its_browser_and_itself(server: Server) {
    let login = server.login("editor").await;
    let right = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let (mut visitor, mut other) = (Visitor::new(&server), Visitor::new(&server));
    visitor.get("/sign-in").await.is(200);
    other.get("/sign-in").await.is(200);
    let (own, foreign) = (visitor.proof("sign-in"), other.proof("sign-in"));
    assert_ne!(own, foreign);
    let refused = "This form can no longer be used";
    for proof in [Some(foreign.as_str()), Some(""), Some("x"), None] {
        let mut form = right.to_vec();
        form.extend(proof.map(|proof| ("proof", proof)));
        visitor.request("POST", "/sign-in").form(&form).send().await.is(403).says(refused);
    }
    // Without its cookie, the form is nobody's.
    let mut form = right.to_vec();
    form.push(("proof", own.as_str()));
    server.client().request("POST", "/sign-in").form(&form).send().await.is(403).says(refused);
    visitor.submit("sign-in", &right).await.is(303);
    // The proof of one form is none for another, and none for another session.
    visitor.get("/account").await.is(200);
    let (out, revoke) = (visitor.proof("sign-out"), visitor.proof("revoke-key"));
    visitor.request("POST", "/sign-out").form(&[("proof", &revoke)]).send().await.is(403);
    visitor.request("POST", "/end-session").form(&[("proof", &out), ("id", "others")]).send().await.is(403);
    other.sign_in(&login.user, &login.password).await.is(303);
    other.request("POST", "/sign-out").form(&[("proof", &out)]).send().await.is(403);
    visitor.get("/account").await.is(200);
}

#[spec]
async fn a_form_from_another_site_is_refused_with_its_proof_even(server: Server) {
    let mut visitor = Visitor::signed_in(&server, "editor").await;
    visitor.get("/account").await.is(200);
    let proof = visitor.proof("sign-out");
    let form = [("proof", proof.as_str())];
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
        ("origin", "https://evil.test"),
        ("origin", "https://acme.test.evil.test"),
    ] {
        let reply = visitor.request("POST", "/sign-out").header(name, value).form(&form).send().await;
        reply.is(403).says("This form came from another site");
    }
    visitor.get("/account").await.is(200);
    let reply = visitor.request("POST", "/sign-out").header("sec-fetch-site", "same-origin").form(&form).send().await;
    assert_eq!(reply.is(303).header("location"), "./sign-in?signed-out");
}

#[spec]
async fn what_people_type_is_shown_as_text(server: Server) {
    let mut visitor = Visitor::new(&server);
    let name = "\"><script>alert(1)</script>&#x27;";
    let page = visitor.sign_in(name, "a wrong password").await.is(403);
    page.lacks("<script").says("value=\"&quot;&gt;&lt;script&gt;");
    visitor.get("/sign-in?%22%3E%3Cscript%3E=1&lang=en").await.lacks("<script>");
    for fields in [&[][..], &[("user", "")], &[("user", "a"), ("password", "")]] {
        visitor.get("/sign-in").await.is(200);
        visitor.submit("sign-in", fields).await.is(400).says("Enter your name and your password.");
    }
    visitor.get("/sign-in").await.is(200);
    visitor.submit("sign-in", &[("user", "a"), ("next", "https://evil.test")]).await.is(400);
}
