//! The web flow of user.challenge (D-33): the mailed link, the page that asks for a click first, the page for codes.

use super::sign_in::with_cookie;
use super::view::PageView;
use super::{PageRequest, forms, redirect};
use crate::browser_session::{self, browser};
use accounts::registration;
use accounts::registration::{ChallengePage, Outcome, Proof, VerifiedAccount};
use accounts::sessions;
use accounts::sessions::{Browser, SessionToken};
use edge::{Answer, Problem, Reply, Request};
use http::header::HeaderMap;
use http::{Method, StatusCode};
use messages::outbox;
use minijinja::{Value, context};
use model::types::{MailLink, TenantSettings};
use std::sync::Arc;
use tenant::Tenant;

/// The members of a link's query. Whatever else there is, mail programs and their like have added.
const MEMBERS: [&str; 4] = ["userId", "challengeId", "method", "secret"];

/// GET user.challenge: the mailed link. HEAD, a browser that looks ahead, and a tenant that wishes it get no more than
/// the way to the page that asks first.
pub(super) async fn link(
    tenant: &Arc<Tenant>,
    view: &PageView<'_>,
    settings: &TenantSettings,
    request: &Request,
) -> Reply {
    let members = members(view, &MEMBERS);
    let proof = Proof::of_query(&members)?;
    let asks = settings.registration.mail_link == MailLink::ConfirmPage;
    if asks || request.method == Method::HEAD || looks_ahead(&request.headers) {
        return Ok(redirect(StatusCode::FOUND, &format!("{}confirm?{}", view.home(), view.query_of(&members))));
    }
    let outcome = registration::verify(tenant, proof, request.client).await?;
    settle(tenant, view, outcome, &members, browser(request.client, &request.headers), None).await
}

/// GET confirm. Whether the link is any good shows when its button is pressed.
pub(crate) async fn ask(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, view, .. } = page;
    let members = members(view, &MEMBERS);
    let method = Proof::of_query(&members)?.method();
    let challenge = challenge(tenant, &members).await?;
    let subject = subject(view, &challenge);
    view.targets = challenge.targets.into_iter().collect();
    let number = method == outbox::Method::SmsCode;
    Ok(view.page(StatusCode::OK, "confirm.html", context! { subject => subject, number => number }))
}

/// POST confirm.
pub(crate) async fn confirm(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, view, browser_session, http, .. } = page;
    forms::read(http, browser_session, "confirm", &[]).await?;
    let members = members(view, &MEMBERS);
    let proof = Proof::of_query(&members)?;
    let outcome = registration::verify(tenant, proof, http.client).await?;
    let before = Some(browser_session.token.clone());
    settle(tenant, view, outcome, &members, browser(http.client, &http.headers), before).await
}

/// GET verify: the page for a code that was sent.
pub(crate) async fn show_code(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, view, .. } = page;
    code_page(tenant, view, None).await
}

/// POST verify.
pub(crate) async fn take_code(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, view, browser_session, http, .. } = page;
    let form = forms::read(http, browser_session, "verify", &["secret"]).await?;
    let mut members = members(view, &MEMBERS[..3]);
    // People copy codes with the space around them.
    members.push(("secret".to_owned(), form.get("secret").unwrap_or_default().trim().to_owned()));
    let outcome = match Proof::of_query(&members) {
        Ok(proof) => registration::verify(tenant, proof, http.client).await?,
        Err(error) if error.problems.iter().any(|problem| problem.property == "secret") => Outcome::Failed,
        Err(error) => return Err(error.into()),
    };
    if outcome == Outcome::Failed {
        let problem = view.text("code-wrong");
        return code_page(tenant, view, Some(problem)).await;
    }
    let before = Some(browser_session.token.clone());
    settle(tenant, view, outcome, &members, browser(http.client, &http.headers), before).await
}

async fn code_page(tenant: &Arc<Tenant>, view: &mut PageView<'_>, problem: Option<String>) -> Reply {
    let members = members(view, &MEMBERS[..3]);
    let mut whole = members.clone();
    whole.push(("secret".to_owned(), "?".to_owned()));
    Proof::of_query(&whole)?;
    let challenge = challenge(tenant, &members).await?;
    let subject = subject(view, &challenge);
    view.targets = challenge.targets.into_iter().collect();
    let text_message = members.iter().any(|(name, value)| name == "method" && value == "sms_code");
    let own = context! { subject => subject, problem => problem, text_message => text_message };
    Ok(view.page(StatusCode::OK, "verify.html", own))
}

/// Answers a verification: with the address that was configured, home in a session of its own, or a page that explains.
async fn settle(
    tenant: &Arc<Tenant>,
    view: &PageView<'_>,
    outcome: Outcome,
    members: &[(String, String)],
    browser: Browser,
    before: Option<SessionToken>,
) -> Reply {
    let verified = matches!(outcome, Outcome::Verified(_));
    let name = match outcome {
        Outcome::Verified(VerifiedAccount { redirect: Some(target), .. }) => {
            return Ok(redirect(StatusCode::FOUND, &target));
        }
        Outcome::Verified(VerifiedAccount { user, sign_in: true, .. }) => {
            match sessions::begin_session(tenant, user, browser, before).await? {
                Some(token) => {
                    let answer = redirect(StatusCode::FOUND, view.home());
                    return with_cookie(answer, browser_session::keep(tenant.name(), &token));
                }
                None => "verified",
            }
        }
        Outcome::Verified(VerifiedAccount { completed: true, .. }) => "verified",
        Outcome::Verified(_) => "verified-part",
        Outcome::AlreadyDone => "verified-before",
        Outcome::Failed => "verify-failed",
    };
    // Without the secret nothing is told of the challenge.
    let challenge = if verified { challenge(tenant, members).await? } else { ChallengePage::default() };
    let subject = if verified { Some(subject(view, &challenge)) } else { None };
    let todo = challenge.outstanding.iter().map(|method| outstanding(view, members, *method));
    Ok(page(view, name, subject, todo.collect()))
}

/// Returns what is still to do for a method, and where, if a page takes it.
fn outstanding(view: &PageView<'_>, members: &[(String, String)], method: outbox::Method) -> Value {
    let (text, code) = match method {
        outbox::Method::MailLink => ("todo-mail-link", false),
        outbox::Method::MailCode => ("todo-mail-code", true),
        outbox::Method::SmsCode => ("todo-sms-code", true),
    };
    let mut query =
        members.iter().filter(|(name, _)| MEMBERS[..2].contains(&name.as_str())).cloned().collect::<Vec<_>>();
    query.push(("method".to_owned(), method.name().to_owned()));
    let href = code.then(|| Value::from_safe_string(format!("{}verify?{}", view.root, view.query_of(&query))));
    context! { text => view.text(text), href => href }
}

/// A page that says what became of it. The contract has no error for it, and neither have pages.
fn page(view: &PageView<'_>, name: &str, subject: Option<String>, todo: Vec<Value>) -> Answer {
    let text = |part: &str| view.text(&format!("{name}-{part}"));
    let href = Value::from_safe_string(format!("{}sign-in", view.root));
    let link = matches!(name, "verified" | "verified-before").then(|| {
        context! { href => href, text => view.text("sign-in") }
    });
    let own = context! {
        title => text("title"), paragraphs => [text("text")], link => link, subject => subject, todo => todo,
    };
    view.page(StatusCode::OK, "message.html", own)
}

/// Returns what pages show of the challenge that a query names.
async fn challenge(tenant: &Arc<Tenant>, members: &[(String, String)]) -> Result<ChallengePage, Problem> {
    let member = |name: &str| members.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
    match (member("userId").map(str::parse), member("challengeId")) {
        (Some(Ok(user)), Some(challenge)) => Ok(registration::challenge_page(tenant, user, challenge).await?),
        _ => Ok(ChallengePage::default()),
    }
}

/// The title of a challenge.
fn subject(view: &PageView<'_>, challenge: &ChallengePage) -> String {
    challenge.title.clone().unwrap_or_else(|| view.text("verification"))
}

fn members(view: &PageView<'_>, names: &[&str]) -> Vec<(String, String)> {
    view.query.iter().filter(|(name, _)| names.contains(&name.as_str())).cloned().collect()
}

/// Returns true if a browser fetches what its user may open next, or what a page embeds: nobody followed the link.
/// A browser that sends none of these headers may have.
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
