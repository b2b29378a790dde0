//! Pages for people in browsers: signing in and out, the own keys and sessions, what mailed links lead to.
//!
//! They are made on the server out of the templates and texts in `pages/`, and need no script. A page lies one step
//! below its tenant's place, `/` or `/t/<tenant>/`, and all its links are relative: so they hold behind any proxy.

mod assets;
mod error;
mod forms;
mod home;
mod language;
mod reset;
mod sign_in;
mod verification;
mod view;
mod visitor;

pub(crate) use assets::Asset;
pub(crate) use error::{missing, wanted};

use crate::http::{Answer, Problem, Reply, Request, Trace, options};
use crate::router::{Page, Route, Target};
use crate::routes::App;
use http::StatusCode;
use http::header::{self, HeaderValue};
use language::Languages;
use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use std::sync::Arc;
use tenant::Tenant;
use view::View;
use visitor::Visitor;

/// Templates, texts and files of the pages, read once.
pub(crate) struct Pages {
    templates: Environment<'static>,
    languages: Languages,
    style: Asset,
    icon: Asset,
}

impl Pages {
    pub(crate) fn new() -> Self {
        let mut templates = Environment::new();
        templates.set_syntax(
            SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().expect("no letters are set"),
        );
        for (name, text) in [
            ("choose.html", include_str!("../pages/choose.html")),
            ("confirm.html", include_str!("../pages/confirm.html")),
            ("forgot.html", include_str!("../pages/forgot.html")),
            ("frame.html", include_str!("../pages/frame.html")),
            ("home.html", include_str!("../pages/home.html")),
            ("message.html", include_str!("../pages/message.html")),
            ("reset.html", include_str!("../pages/reset.html")),
            ("sign-in.html", include_str!("../pages/sign-in.html")),
            ("verify.html", include_str!("../pages/verify.html")),
        ] {
            templates.add_template(name, text).expect("the templates are read by the tests");
        }
        Pages {
            templates,
            languages: Languages::new(),
            style: Asset::new("style", "css", include_str!("../pages/style.css")),
            icon: Asset::new("icon", "svg", include_str!("../pages/icon.svg")),
        }
    }
}

/// Answers a request for a page. What goes wrong is a page too.
pub(crate) async fn answer(
    app: &App,
    target: Target<'_>,
    page: Page<'_>,
    request: Request,
    trace: &mut Trace,
) -> Reply {
    trace.page = true;
    if let Page::Asset(name) = page {
        return app.pages.asset(name).ok_or_else(Problem::not_found);
    }
    let allow = target.route.allow();
    if request.method.as_str() == "OPTIONS" {
        return Ok(options(allow));
    }
    if !target.route.allows(request.method.as_str()) {
        return Ok(error::framed(app, &request, trace, Problem::method_not_allowed(allow)).await);
    }
    let mut view = View::of(&app.pages, &request);
    if page == Page::Bare {
        let name = target.tenant.unwrap_or_default();
        return Ok(redirect(StatusCode::PERMANENT_REDIRECT, &format!("{name}/")));
    }
    if page == Page::Home && target.tenant.is_none() && app.platform.is_ambiguous(request.host()).await {
        return Ok(choose(app, &view, &request).await);
    }
    let found = serve(app, &mut view, target, page, request, trace).await;
    Ok(found.unwrap_or_else(|problem| view.problem(problem)))
}

/// The page of an address that leads to none of several tenants: it asks for the name of one, and leads there.
async fn choose(app: &App, view: &View<'_>, request: &Request) -> Answer {
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

async fn serve<'a>(
    app: &'a App,
    view: &mut View<'a>,
    target: Target<'_>,
    page: Page<'_>,
    request: Request,
    trace: &mut Trace,
) -> Reply {
    let tenant = tenant(app, target, &request, trace).await?;
    let model = tenant.model().await?;
    view.enter(&tenant, &model.settings);
    let visitor = Visitor::of(&tenant, &request.headers, request.client).await?;
    view.visited_by(&visitor);
    let answer = match (request.method.as_str(), page) {
        ("POST", Page::SignIn) => sign_in::sign_in(&tenant, view, &visitor, request).await,
        (_, Page::SignIn) => sign_in::show(view, &visitor, &request),
        ("POST", Page::Confirm) => verification::confirm(&tenant, view, &visitor, request).await,
        (_, Page::Confirm) => verification::ask(&tenant, view).await,
        ("POST", Page::Verify) => verification::take_code(&tenant, view, &visitor, request).await,
        (_, Page::Verify) => verification::show_code(&tenant, view).await,
        ("POST", Page::Reset) => reset::set(&tenant, view, &visitor, request).await,
        (_, Page::Reset) => reset::show(&tenant, view).await,
        ("POST", Page::Forgot) => reset::send(&tenant, view, &model.settings, &visitor, request).await,
        (_, Page::Forgot) => reset::ask(view, &model.settings),
        (_, Page::SignOut) => sign_in::sign_out(&tenant, view, &visitor, request).await,
        (_, Page::RevokeKey) => home::revoke_key(&tenant, &visitor, request).await,
        (_, Page::EndSession) => home::end_session(&tenant, &visitor, request).await,
        (_, Page::Home) => home::show(&tenant, view, &visitor, &request).await,
        (_, Page::Bare | Page::Asset(_)) => Err(Problem::not_found()),
    };
    answer.map(|answer| view.dress(answer))
}

/// Answers the mailed link of user.challenge (D-33), which lies below `/api/`: no cookie is read.
pub(crate) async fn link(app: &App, target: Target<'_>, request: Request, trace: &mut Trace) -> Reply {
    trace.page = true;
    let mut view = View::of(&app.pages, &request);
    let found = async {
        let tenant = tenant(app, target, &request, trace).await?;
        let model = tenant.model().await?;
        view.enter(&tenant, &model.settings);
        verification::link(&tenant, &view, &model.settings, &request).await
    };
    let found = found.await;
    Ok(found.unwrap_or_else(|problem| view.problem(problem)))
}

/// The tenant of a request; the request counts for its address.
async fn tenant(app: &App, target: Target<'_>, request: &Request, trace: &mut Trace) -> Result<Arc<Tenant>, Problem> {
    let tenant = app.platform.tenant(request.host(), target.tenant, request.client).await?;
    trace.tenant = Some(tenant.name().to_owned());
    tenant.admit(request.client, None).await?;
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
fn see(location: &str) -> Answer {
    redirect(StatusCode::SEE_OTHER, location)
}

impl Page<'_> {
    /// The methods that the page takes.
    pub(crate) fn allow(self) -> &'static str {
        match self {
            Page::SignOut | Page::RevokeKey | Page::EndSession => "POST, OPTIONS",
            Page::SignIn | Page::Confirm | Page::Verify | Page::Reset | Page::Forgot => "GET, HEAD, POST, OPTIONS",
            Page::Home | Page::Bare | Page::Asset(_) => "GET, HEAD, OPTIONS",
        }
    }

    /// Returns the pattern of the page for logs.
    pub(crate) fn pattern(self) -> &'static str {
        match self {
            Page::Home | Page::Bare => "/",
            Page::SignIn => "/sign-in",
            Page::SignOut => "/sign-out",
            Page::Confirm => "/confirm",
            Page::Verify => "/verify",
            Page::Reset => "/reset",
            Page::Forgot => "/forgot",
            Page::RevokeKey => "/revoke-key",
            Page::EndSession => "/end-session",
            Page::Asset(_) => "/assets/{name}",
        }
    }
}

impl<'p> Page<'p> {
    /// The page that segments below the tenant's place address.
    pub(crate) fn find(segments: &[&'p str]) -> Option<Self> {
        Some(match *segments {
            ["sign-in"] => Page::SignIn,
            ["sign-out"] => Page::SignOut,
            ["confirm"] => Page::Confirm,
            ["verify"] => Page::Verify,
            ["reset"] => Page::Reset,
            ["forgot"] => Page::Forgot,
            ["revoke-key"] => Page::RevokeKey,
            ["end-session"] => Page::EndSession,
            ["assets", name] => Page::Asset(name),
            _ => return None,
        })
    }

    /// The home page, whose path alone may end in a slash: `/` and `/t/<tenant>/`.
    pub(crate) fn home(path: &'p str) -> Option<Target<'p>> {
        let tenant = match path {
            "/" => None,
            _ => Some(path.strip_prefix("/t/")?.strip_suffix('/')?),
        };
        let plain =
            |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        tenant.is_none_or(plain).then_some(Target { route: Route::Page(Page::Home), tenant })
    }
}
