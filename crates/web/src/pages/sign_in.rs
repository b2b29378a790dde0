//! Signing in and out.

use super::view::PageView;
use super::{PageRequest, forms, see};
use crate::browser_session;
use accounts::sessions;
use accounts::sessions::PageSignIn;
use edge::{Answer, Problem, Reply};
use fluent_bundle::FluentArgs;
use http::StatusCode;
use http::header::{self, HeaderValue};
use minijinja::context;
use model::error::{Error, ErrorKind};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// The characters that are encoded in an address of our own; its own encodings stay.
const OWN: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}').add(b'|').add(b'^');

/// The parameter with the page to show after signing in.
const NEXT: &str = "next";
/// The most bytes of it.
const LONGEST_NEXT: usize = 4_096;

/// GET sign-in. A user who is signed in already is led on.
pub(crate) async fn show(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { view, browser_session, http, .. } = page;
    if browser_session.visit.is_some() {
        return Ok(see(&onward(view)));
    }
    let note = http.uri.query().is_some_and(|query| query.starts_with("signed-out")).then_some("signed-out");
    Ok(sign_in_page(view, StatusCode::OK, context! { note => note }))
}

/// POST sign-in.
pub(crate) async fn sign_in(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, view, browser_session, http, .. } = page;
    let form = forms::read(http, browser_session, "sign-in", &["user", "password"]).await?;
    let login = form.get("user").unwrap_or_default().to_owned();
    let browser = browser_session::browser(http.client, &http.headers);
    let password = form.get("password").unwrap_or_default().to_owned();
    let input = PageSignIn { login: login.clone(), password, browser, before: Some(browser_session.token.clone()) };
    match sessions::sign_in_to_pages(tenant, input).await {
        Ok(token) => with_cookie(see(&onward(view)), browser_session::keep(tenant.name(), &token)),
        Err(error) => refused(view, &login, error),
    }
}

/// POST sign-out. It works without a session, too.
pub(crate) async fn sign_out(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, browser_session, http, .. } = page;
    forms::read(http, browser_session, "sign-out", &[]).await?;
    if let Some(visit) = &browser_session.visit {
        let (owner, id) = (visit.session.owner, visit.session.id);
        sessions::write_visit(tenant, visit, move |tx, context| sessions::end(tx, context, owner, id)).await?;
    }
    with_cookie(see("./sign-in?signed-out"), browser_session::forget(tenant.name()))
}

/// The address of the page to show after signing in: the home page, or one of our own that the parameter names.
fn onward(view: &PageView<'_>) -> String {
    let next = view.query.iter().find(|(name, _)| name == NEXT).map(|(_, next)| next.as_str());
    match next.filter(|next| is_own_path(next)) {
        Some(next) => format!("./{}", utf8_percent_encode(next, OWN)),
        None => "./".to_owned(),
    }
}

/// Returns true if a text is a path below the tenant's place, which no browser reads as another address.
fn is_own_path(next: &str) -> bool {
    let path = next.split(['?', '#']).next().unwrap_or_default();
    // Browsers read an encoded full stop as one.
    let path = path.replace("%2e", ".").replace("%2E", ".");
    let steps = path.split('/').all(|step| step != ".." && step != ".");
    let plain = !next.contains('\\') && !next.chars().any(char::is_control);
    !path.starts_with('/') && !path.contains(':') && steps && plain && next.len() <= LONGEST_NEXT
}

/// The form again, with the reason and what was typed.
fn refused(view: &PageView<'_>, login: &str, error: Error) -> Reply {
    let (status, problem) = match error.kind {
        ErrorKind::Unauthenticated => (StatusCode::FORBIDDEN, view.text("sign-in-failed")),
        ErrorKind::Invalid => (StatusCode::BAD_REQUEST, view.text("sign-in-empty")),
        ErrorKind::TooMany { retry_after, .. } if error.code == "sign_in_throttled" => {
            let mut values = FluentArgs::new();
            values.set("minutes", retry_after.div_ceil(60));
            (StatusCode::TOO_MANY_REQUESTS, view.language.text_with("sign-in-throttled", &values))
        }
        _ => return Err(error.into()),
    };
    let answer = sign_in_page(view, status, context! { problem => problem, login => login });
    Ok(match error.kind {
        ErrorKind::TooMany { retry_after, .. } => answer.with(header::RETRY_AFTER, HeaderValue::from(retry_after)),
        _ => answer,
    })
}

fn sign_in_page(view: &PageView<'_>, status: StatusCode, own: minijinja::Value) -> Answer {
    view.page(status, "sign-in.html", context! { forgot => view.resets, ..own })
}

pub(super) fn with_cookie(mut answer: Answer, cookie: Option<HeaderValue>) -> Reply {
    answer.headers.append(header::SET_COOKIE, cookie.ok_or_else(Problem::failed)?);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::is_own_path;

    #[test]
    fn only_paths_below_the_place_follow_a_sign_in() {
        for own in ["", "account", "c/city?f=%5B%5D&at=5", "c/city/5#x", "c/a?u=http://b/..", "inbox"] {
            assert!(is_own_path(own), "{own}");
        }
        let long = "a".repeat(5_000);
        for foreign in [
            "/a",
            "//evil.test",
            "https:evil.test",
            "javascript:alert(1)",
            "../t/other/",
            "%2e%2e/t/b",
            "c/.%2E/x",
            "%2e./x",
            "c/../../x",
            "a\\b",
            "a\nb",
            &long,
        ] {
            assert!(!is_own_path(foreign), "{foreign}");
        }
    }
}
