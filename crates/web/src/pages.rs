//! Pages for people in browsers: signing in and out, the own keys and sessions, what mailed links lead to.
//!
//! They are made on the server out of the templates and texts in `pages/`, and need no script. A page lies one step
//! below its tenant's place, `/` or `/t/<tenant>/`, and all its links are relative: so they hold behind any proxy.

mod assets;
mod error;
mod forms;
pub(crate) mod home;
mod language;
pub(crate) mod reset;
pub(crate) mod sign_in;
pub(crate) mod templates;
pub(crate) mod verification;
mod view;

pub(crate) use error::{framed, missing, wanted};
pub(crate) use language::Language;
pub(crate) use view::root;

use crate::app::App;
use crate::browser_session::BrowserSession;
use crate::console;
use crate::routes::route::{DirectRequest, PageHandler};
use crate::target::Target;
use edge::{Answer, Problem, Reply, Request, Trace};
use http::StatusCode;
use http::header::{self, HeaderValue};
use model::types::Model;
use std::sync::Arc;
use tenant::Tenant;
use view::PageView;

/// A request for a page, whose tenant and browser are known.
pub(crate) struct PageRequest<'a> {
    tenant: Arc<Tenant>,
    model: Arc<Model>,
    view: PageView<'a>,
    browser_session: BrowserSession,
    http: Request,
}

/// Answers a request for a page. What goes wrong is a page too.
pub(crate) async fn answer(
    app: &App,
    target: Target<'_>,
    handler: PageHandler,
    request: Request,
    trace: &mut Trace,
) -> Reply {
    let mut view = PageView::of(&app.pages, &request);
    let found = async {
        let tenant = tenant(app, target.tenant, &request, trace).await?;
        let model = tenant.model().await?;
        view.enter(&tenant, &model.settings);
        let browser_session = BrowserSession::of(&tenant, &request.headers, request.client).await?;
        view.visited_by(&browser_session);
        Ok((tenant, model, browser_session))
    };
    match found.await {
        Ok((tenant, model, browser_session)) => {
            let mut page = PageRequest { tenant, model, view, browser_session, http: request };
            let reply = handler(&mut page).await;
            Ok(reply.map_or_else(|problem| page.view.problem(problem), |answer| page.view.dress(answer)))
        }
        Err(problem) => Ok(view.problem(problem)),
    }
}

/// GET of the home page: the console. Where an address leads to several tenants, it asks which.
pub(crate) async fn home_page(request: DirectRequest<'_>) -> Reply {
    let (app, http) = (request.app, &request.http);
    if request.target.tenant.is_none() && app.platform.is_ambiguous(http.host()).await {
        return Ok(choose(app, &PageView::of(&app.pages, http), http).await);
    }
    console::page(request).await
}

/// GET of the home page's address without its slash.
pub(crate) async fn redirect_home(request: DirectRequest<'_>) -> Reply {
    let name = request.target.tenant.unwrap_or_default();
    Ok(redirect(StatusCode::PERMANENT_REDIRECT, &format!("{name}/")))
}

/// GET of a file that pages need.
pub(crate) async fn asset(request: DirectRequest<'_>) -> Reply {
    request.app.pages.asset(request.target.values[0]).ok_or_else(Problem::not_found)
}

/// The page of an address that leads to none of several tenants: it asks for the name of one, and leads there.
async fn choose(app: &App, view: &PageView<'_>, request: &Request) -> Answer {
    let named = request.uri.query().and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("tenant=")));
    match named.map(chosen) {
        Some(Some(name)) if app.platform.has_tenant(name).await => see(&format!("/t/{name}/")),
        named => {
            let status = if named.is_some() { StatusCode::NOT_FOUND } else { StatusCode::OK };
            view.dress(view.page(status, "choose.html", minijinja::context! { unknown => named.is_some() }))
        }
    }
}

/// The tenant that the form of [`choose`] names, as far as a tenant may have that name.
fn chosen(name: &str) -> Option<&str> {
    let name = name.trim_matches('+');
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (!name.is_empty() && name.len() <= 40 && name.bytes().all(plain)).then_some(name)
}

/// Answers the mailed link of user.challenge (D-33), which lies below `/api/`: no cookie is read.
pub(crate) async fn link(request: DirectRequest<'_>) -> Reply {
    let DirectRequest { app, target, http, trace } = request;
    trace.page = true;
    let mut view = PageView::of(&app.pages, &http);
    let found = async {
        let tenant = tenant(app, target.tenant, &http, trace).await?;
        let model = tenant.model().await?;
        view.enter(&tenant, &model.settings);
        verification::link(&tenant, &view, &model.settings, &http).await
    };
    let found = found.await;
    Ok(found.unwrap_or_else(|problem| view.problem(problem)))
}

/// The tenant of a request; the request counts for its address.
pub(crate) async fn tenant(
    app: &App,
    name: Option<&str>,
    request: &Request,
    trace: &mut Trace,
) -> Result<Arc<Tenant>, Problem> {
    let tenant = app.platform.tenant(request.host(), name, request.client).await?;
    trace.tenant = Some(Arc::clone(&tenant));
    tenant.admit_keyless(request.client).await?;
    Ok(tenant)
}

/// Leads elsewhere.
fn redirect(status: StatusCode, location: &str) -> Answer {
    let answer = Answer { status, ..Answer::empty() };
    match HeaderValue::try_from(location) {
        Ok(location) => answer.with(header::LOCATION, location),
        Err(_) => Answer { status: StatusCode::INTERNAL_SERVER_ERROR, ..answer },
    }
}

/// After a form: the browser gets the page anew.
pub(crate) fn see(location: &str) -> Answer {
    redirect(StatusCode::SEE_OTHER, location)
}
