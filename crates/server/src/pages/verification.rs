//! The web flow of user.challenge (D-33): the mailed link, the page that asks for a click first, the page for codes.

use super::sign_in::with_cookie;
use super::view::View;
use super::visitor::{self, Visitor, browser};
use super::{forms, redirect};
use crate::http::{Answer, Problem, Reply, Request};
use http::header::HeaderMap;
use http::{Method, StatusCode};
use minijinja::{Value, context};
use platform::registration::{Outcome, Proof, Verified};
use platform::sessions::{Browser, SessionToken};
use platform::tenants::Tenant;
use platform::types::{MailLink, TenantSettings};
use std::sync::Arc;

/// What a link has in its query. Whatever else there is, mail programs and their like have added.
const MEMBERS: [&str; 4] = ["userId", "challengeId", "method", "secret"];

/// GET user.challenge: the mailed link. HEAD, a browser that looks ahead, and a tenant that wishes it get no more than
/// the way to the page that asks first.
pub(super) async fn link(tenant: &Arc<Tenant>, view: &View<'_>, settings: &TenantSettings, request: &Request) -> Reply {
    let members = members(view, &MEMBERS);
    let proof = Proof::of_query(&members)?;
    let asks = settings.registration.mail_link == MailLink::ConfirmPage;
    if asks || request.method == Method::HEAD || looks_ahead(&request.headers) {
        return Ok(redirect(StatusCode::FOUND, &format!("{}confirm?{}", view.home(), view.query_of(&members))));
    }
    let outcome = tenant.verify(proof, request.client).await?;
    settle(tenant, view, outcome, browser(request.client, &request.headers), None).await
}

/// GET confirm. Whether the link is any good shows when its button is pressed.
pub(super) async fn ask(tenant: &Arc<Tenant>, view: &mut View<'_>) -> Reply {
    let members = members(view, &MEMBERS);
    Proof::of_query(&members)?;
    lead_to_targets(tenant, view, &members).await?;
    Ok(view.page(StatusCode::OK, "confirm.html", context! {}))
}

/// POST confirm.
pub(super) async fn confirm(tenant: &Arc<Tenant>, view: &View<'_>, visitor: &Visitor, mut request: Request) -> Reply {
    forms::read(&mut request, visitor, "confirm", &[]).await?;
    let proof = Proof::of_query(&members(view, &MEMBERS))?;
    let outcome = tenant.verify(proof, request.client).await?;
    let before = Some(visitor.token.clone());
    settle(tenant, view, outcome, browser(request.client, &request.headers), before).await
}

/// GET verify: the page for a code that was sent.
pub(super) async fn show_code(tenant: &Arc<Tenant>, view: &mut View<'_>) -> Reply {
    code_page(tenant, view, None).await
}

/// POST verify.
pub(super) async fn take_code(
    tenant: &Arc<Tenant>,
    view: &mut View<'_>,
    visitor: &Visitor,
    mut request: Request,
) -> Reply {
    let form = forms::read(&mut request, visitor, "verify", &["secret"]).await?;
    let mut members = members(view, &MEMBERS[..3]);
    // People copy codes with the space around them.
    members.push(("secret".to_owned(), form.get("secret").unwrap_or_default().trim().to_owned()));
    let outcome = match Proof::of_query(&members) {
        Ok(proof) => tenant.verify(proof, request.client).await?,
        Err(error) if error.problems.iter().any(|problem| problem.property == "secret") => Outcome::Failed,
        Err(error) => return Err(error.into()),
    };
    if outcome == Outcome::Failed {
        let problem = view.text("code-wrong");
        return code_page(tenant, view, Some(problem)).await;
    }
    let before = Some(visitor.token.clone());
    settle(tenant, view, outcome, browser(request.client, &request.headers), before).await
}

async fn code_page(tenant: &Arc<Tenant>, view: &mut View<'_>, problem: Option<String>) -> Reply {
    let members = members(view, &MEMBERS[..3]);
    let mut whole = members.clone();
    whole.push(("secret".to_owned(), "?".to_owned()));
    Proof::of_query(&whole)?;
    lead_to_targets(tenant, view, &members).await?;
    let text_message = members.iter().any(|(name, value)| name == "method" && value == "sms_code");
    Ok(view.page(StatusCode::OK, "verify.html", context! { problem => problem, text_message => text_message }))
}

/// What a verification leads to: the address that was configured, home in a session of its own, or a page that explains.
async fn settle(
    tenant: &Arc<Tenant>,
    view: &View<'_>,
    outcome: Outcome,
    browser: Browser,
    before: Option<SessionToken>,
) -> Reply {
    let name = match outcome {
        Outcome::Verified(Verified { redirect: Some(target), .. }) => return Ok(redirect(StatusCode::FOUND, &target)),
        Outcome::Verified(Verified { user, sign_in: true, .. }) => {
            match tenant.begin_session(user, browser, before).await? {
                Some(token) => {
                    let answer = redirect(StatusCode::FOUND, view.home());
                    return with_cookie(answer, visitor::keep(tenant.name(), &token));
                }
                None => "verified",
            }
        }
        Outcome::Verified(Verified { completed: true, .. }) => "verified",
        Outcome::Verified(_) => "verified-part",
        Outcome::AlreadyDone => "verified-before",
        Outcome::Failed => "verify-failed",
    };
    Ok(page(view, name))
}

/// A page that says what became of it. The contract has no error for it, and neither have pages.
fn page(view: &View<'_>, name: &str) -> Answer {
    let text = |part: &str| view.text(&format!("{name}-{part}"));
    let href = Value::from_safe_string(format!("{}sign-in", view.root));
    let link = matches!(name, "verified" | "verified-before").then(|| {
        context! { href => href, text => view.text("sign-in") }
    });
    view.message(StatusCode::OK, &text("title"), &[text("text")], link)
}

/// Lets the page's form lead to what is configured for the challenge, which browsers forbid otherwise.
async fn lead_to_targets(
    tenant: &Arc<Tenant>,
    view: &mut View<'_>,
    members: &[(String, String)],
) -> Result<(), Problem> {
    let member = |name: &str| members.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
    if let (Some(Ok(user)), Some(challenge)) = (member("userId").map(str::parse), member("challengeId")) {
        view.targets = tenant.verification_targets(user, challenge).await?;
    }
    Ok(())
}

fn members(view: &View<'_>, names: &[&str]) -> Vec<(String, String)> {
    view.query.iter().filter(|(name, _)| names.contains(&name.as_str())).cloned().collect()
}

/// Whether a browser fetches what its user may open next, or what a page embeds: nobody followed the link. Whoever sends
/// none of these headers may have.
fn looks_ahead(headers: &HeaderMap) -> bool {
    let said = |name: &str| headers.get(name).and_then(|said| said.to_str().ok()).map(str::to_ascii_lowercase);
    let ahead = ["sec-purpose", "purpose", "x-purpose", "x-moz"]
        .into_iter()
        .filter_map(said)
        .any(|purpose| ["prefetch", "prerender", "preview"].iter().any(|word| purpose.contains(word)));
    let embedded = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")]
        .into_iter()
        .any(|(name, followed)| said(name).is_some_and(|said| said != followed));
    ahead || embedded
}
