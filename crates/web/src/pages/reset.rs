//! A new password: by the mailed link, and the way to ask for one.

use super::sign_in::with_cookie;
use super::view::PageView;
use super::{PageRequest, forms, redirect};
use crate::browser_session;
use accounts::registration;
use accounts::registration::{Reset, ResetLink};
use edge::{Answer, Problem, Reply};
use http::StatusCode;
use minijinja::{Value, context};
use model::error::ErrorKind;
use model::redirect::RedirectUrl;
use model::types::TenantSettings;
use serde_json::{Map, json};

/// The error that an integration is told of a link that is good for nothing.
const DEAD: &str = "link_invalid";

/// GET reset: the form, or what became of the link.
pub(crate) async fn show(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, view, .. } = page;
    let link = registration::reset_link(tenant, view.asked("token")?, view.asked("redirect").ok()).await?;
    if !link.usable {
        return Ok(dead(view, link.redirect.as_ref()));
    }
    view.targets = link.redirect.iter().map(RedirectUrl::origin).collect();
    Ok(form(view, StatusCode::OK, &link, None))
}

/// POST reset.
pub(crate) async fn set(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, view, browser_session, http, .. } = page;
    let given = forms::read(http, browser_session, "reset", &["user", "password", "again"]).await?;
    let token = view.asked("token")?.to_owned();
    let link = registration::reset_link(tenant, &token, view.asked("redirect").ok()).await?;
    view.targets = link.redirect.iter().map(RedirectUrl::origin).collect();
    let password = given.get("password").unwrap_or_default();
    if link.usable && given.get("again") != Some(password) {
        return Ok(form(view, StatusCode::BAD_REQUEST, &link, Some("passwords-differ")));
    }
    match registration::reset_with(tenant, &token, password.to_owned(), http.client).await {
        Ok(_) => {}
        Err(error) if error.code == "password_weak" => {
            return Ok(form(view, StatusCode::BAD_REQUEST, &link, Some("password-weak")));
        }
        Err(error) if error.kind == ErrorKind::Invalid => return Ok(dead(view, link.redirect.as_ref())),
        Err(error) => return Err(error.into()),
    }
    // All sessions of that user are over, and anyone else who uses this browser stays signed in.
    let others = browser_session.visit.as_ref().is_some_and(|visit| link.login.as_ref() != Some(&visit.login));
    if !others {
        view.left();
    }
    let answer = match &link.redirect {
        Some(target) => redirect(StatusCode::FOUND, &target.success()),
        None => said(view, "reset-done", Some(("sign-in", "sign-in"))),
    };
    if others { Ok(answer) } else { with_cookie(answer, browser_session::forget(tenant.name())) }
}

/// GET forgot, where the tenant lets passwords be reset.
pub(crate) async fn ask(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { model, view, .. } = page;
    allowed(&model.settings)?;
    Ok(view.page(StatusCode::OK, "forgot.html", context! {}))
}

/// POST forgot. It is the same page whatever there is (D-37).
pub(crate) async fn send(page: &mut PageRequest<'_>) -> Reply {
    let PageRequest { tenant, model, view, browser_session, http } = page;
    allowed(&model.settings)?;
    let given = forms::read(http, browser_session, "forgot", &["user"]).await?;
    let email = given.get("user").unwrap_or_default().trim().to_owned();
    let members = Map::from_iter([("user_id".to_owned(), json!(email))]);
    let Ok(reset) = Reset::parse(&members) else {
        let own = context! { problem => view.text("email-invalid"), email => email };
        return Ok(view.page(StatusCode::BAD_REQUEST, "forgot.html", own));
    };
    registration::ask_reset(tenant, reset, http.client).await?;
    Ok(said(view, "forgot-done", Some(("sign-in", "sign-in-back"))))
}

fn allowed(settings: &TenantSettings) -> Result<(), Problem> {
    if settings.api.allow_api_password_reset { Ok(()) } else { Err(Problem::not_found()) }
}

fn form(view: &PageView<'_>, status: StatusCode, link: &ResetLink, problem: Option<&str>) -> Answer {
    let problem = problem.map(|problem| view.text(problem));
    view.page(status, "reset.html", context! { problem => problem, login => link.login.as_deref() })
}

/// The end of a link that is good for nothing.
fn dead(view: &PageView<'_>, target: Option<&RedirectUrl>) -> Answer {
    match target {
        Some(target) => redirect(StatusCode::FOUND, &target.failure(DEAD)),
        None => said(view, "reset-dead", view.resets.then_some(("forgot", "forgot-again"))),
    }
}

/// A page that says something, with a link: its page, and its text.
fn said(view: &PageView<'_>, name: &str, link: Option<(&str, &str)>) -> Answer {
    let text = |part: &str| view.text(&format!("{name}-{part}"));
    let link = link.map(|(page, name)| {
        context! { href => Value::from_safe_string(format!("{}{page}", view.root)), text => view.text(name) }
    });
    view.message(StatusCode::OK, &text("title"), &[text("text")], link)
}
