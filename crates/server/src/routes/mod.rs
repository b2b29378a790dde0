//! From a request to its route: the path is decoded, the method judged, the tenant and the key found.

mod audit;
mod auth;
mod automations;
mod canvases;
mod collections;
mod commands;
mod describe;
mod explain;
mod failure;
mod files;
mod health;
mod login_as;
mod notifications;
mod outbox;
mod queries;
mod read_log;
mod registration;
mod tags;
mod upload;

use crate::http::path::Path;
use crate::http::{Answer, Handler, METHODS, Problem, Reply, Request, Trace, body, caller, options};
use crate::openapi::Documents;
use crate::pages::{self, Pages};
use crate::router::{Page, Route, Target};
use crate::settings::Settings;
use collections::Change;
use context::key_text::KeyText;
use http::StatusCode;
use platform::tenants::Platform;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tenant::Tenant;
use tenant::limits::Admitted;

/// The state that all requests of a process share.
pub struct App {
    /// The settings that hold.
    pub settings: Settings,
    /// The tenants.
    pub platform: Arc<Platform>,
    pub(crate) pages: Pages,
    documents: Documents,
    draining: AtomicBool,
}

impl App {
    /// An application that is ready to serve the platform's tenants.
    pub fn new(settings: Settings, platform: Arc<Platform>) -> Self {
        App { settings, platform, pages: Pages::new(), documents: Documents::new(), draining: AtomicBool::new(false) }
    }
}

impl Handler for App {
    async fn answer<'a>(&'a self, request: Request, trace: &'a mut Trace) -> Reply {
        let uri = request.uri.clone();
        let path = Path::decode(uri.path());
        let segments = path.as_ref().and_then(Path::segments);
        let found = segments.as_ref().and_then(|segments| Target::find(segments.as_slice()));
        match found.or_else(|| Page::home(uri.path())) {
            Some(target) => {
                trace.route = target.route.pattern();
                tenant::at(uri.path(), dispatch(self, target, request, trace)).await
            }
            None if pages::wanted(&request) => Ok(pages::missing(self, &request, trace).await),
            None if METHODS.split(", ").any(|method| method == request.method.as_str()) => Err(Problem::not_found()),
            None => Err(Problem::method_not_allowed(METHODS)),
        }
    }

    fn drain(&self) {
        self.draining.store(true, Relaxed);
    }
}

async fn dispatch(app: &App, target: Target<'_>, request: Request, trace: &mut Trace) -> Reply {
    let route = target.route;
    if let Route::Page(page) = route {
        return pages::answer(app, target, page, request, trace).await;
    }
    let method = request.method.as_str();
    if route == Route::Command("user.challenge") && matches!(method, "GET" | "HEAD") {
        return pages::link(app, target, request, trace).await;
    }
    if method == "SEARCH"
        && matches!(route, Route::Item(..) | Route::GetBy(..) | Route::Tag(_) | Route::Notification(_))
    {
        return Err(Problem::invalid("search_not_here", "SEARCH lists a collection; it takes no item and no get-by."));
    }
    if route == Route::Relation && method != "OPTIONS" {
        return Err(Problem::not_implemented("OPTIONS"));
    }
    if !route.allows(method) {
        return Err(Problem::method_not_allowed(route.allow()));
    }
    match route {
        _ if method == "OPTIONS" => return Ok(options(route.allow())),
        Route::Healthz => return Ok(Answer::json(r#"{"status":"ok"}"#)),
        Route::Readyz => return health::ready(&app.platform, app.draining.load(Relaxed)).await,
        _ => {}
    }
    let tenant = app.platform.tenant(request.host(), target.tenant, request.client).await?;
    trace.tenant = Some(tenant.name().to_owned());
    let key = if route.takes_key(method) { caller::key(&request.headers) } else { None };
    let admitted = tenant.admit(request.client, key).await?;
    // A hook has no key either, but others send it what they have.
    let is_keyed = matches!(admitted, Admitted::Keyed) || matches!(route, Route::Hook(_));
    let limits = &app.settings.limits;
    let limit = if is_keyed { limits.body_bytes } else { limits.body_bytes.min(limits.keyless_body_bytes) };
    let reply = serve(app, &tenant, target, request, limit).await;
    match (reply, admitted) {
        // A key that does not work is all that its sender is told, however large the body is.
        (Err(problem), Admitted::Refused(error)) if problem.status == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(error.into())
        }
        (reply, _) => reply,
    }
}

async fn serve(app: &App, tenant: &Served, target: Target<'_>, request: Request, limit: usize) -> Reply {
    let method = request.method.clone();
    let mut request = request;
    if matches!(method.as_str(), "GET" | "HEAD") {
        body::refuse(&mut request).await?;
    }
    match (method.as_str(), target.route) {
        ("POST", Route::Auth) => auth::create(tenant, request).await,
        (_, Route::Auth) => auth::validate(tenant, &request).await,
        (_, Route::Deauth) => auth::revoke(tenant, request).await,
        (_, Route::OpenApi) => describe::openapi(tenant, target.tenant, &request, &app.documents).await,
        ("POST", Route::Collection(name)) => collections::create(tenant, name, request, limit).await,
        (_, Route::Collection(name)) => collections::list(tenant, name, request, limit).await,
        ("PUT", Route::Item(name, item)) => {
            collections::change(tenant, Change::Replace, name, item, request, limit).await
        }
        ("PATCH", Route::Item(name, item)) => {
            collections::change(tenant, Change::Patch, name, item, request, limit).await
        }
        ("DELETE", Route::Item(name, item)) => collections::delete(tenant, name, item, &request).await,
        (_, Route::Item(name, item)) => collections::get(tenant, name, item, &request).await,
        (_, Route::GetBy(name, property, value)) => collections::get_by(tenant, name, property, value, &request).await,
        ("PATCH", Route::Notification(item)) => notifications::patch(tenant, item, request, limit).await,
        (_, Route::Notification(item)) => notifications::get(tenant, item, &request).await,
        (_, Route::Notifications) => notifications::list(tenant, &request).await,
        (_, Route::ReadLog) => read_log::list(tenant, &request).await,
        (_, Route::Outbox) => outbox::list(tenant, &request).await,
        (_, Route::OutboxRow(id)) => outbox::get(tenant, id, &request).await,
        (_, Route::OutboxRetry(id)) => outbox::retry(tenant, id, request, limit).await,
        ("POST", Route::LoginAs) => login_as::begin(tenant, request, limit).await,
        (_, Route::LoginAs) => login_as::list(tenant, &request).await,
        (_, Route::LoginAsKey(id)) => login_as::end(tenant, id, &request).await,
        (_, Route::Automations) => automations::overview(tenant, &request).await,
        (_, Route::AutomationSwitch(name, on)) => automations::switch(tenant, (name, on), request, limit).await,
        (_, Route::Runs) => automations::runs(tenant, &request).await,
        (_, Route::Run(id)) => automations::run(tenant, id, &request).await,
        (_, Route::RunRetry(id)) => automations::retry(tenant, id, request, limit).await,
        (_, Route::Hook(name)) => automations::hook(tenant, name, request).await,
        (_, Route::Query(name)) => queries::run(tenant, name, request, limit).await,
        (_, Route::Canvas(name)) => canvases::show(tenant, name, request, limit).await,
        (_, Route::Audit) => audit::list(tenant, &request).await,
        (_, Route::Explain) => explain::explain(tenant, request, limit).await,
        (_, Route::Send) => notifications::send(tenant, request, limit).await,
        ("POST", Route::Tags) => tags::create(tenant, request, limit).await,
        (_, Route::Tags) => tags::list(tenant, request, limit).await,
        ("PUT", Route::Tag(item)) => tags::change(tenant, Change::Replace, item, request, limit).await,
        ("PATCH", Route::Tag(item)) => tags::change(tenant, Change::Patch, item, request, limit).await,
        ("DELETE", Route::Tag(item)) => tags::delete(tenant, item, &request).await,
        (_, Route::Tag(item)) => tags::get(tenant, item, &request).await,
        (_, Route::Upload(name, property)) => {
            upload::receive(tenant, (name, property), request, &app.settings.limits).await
        }
        (_, Route::FileLink(token, name)) => files::linked(tenant, token, name, &request).await,
        (_, Route::File(path)) => files::named(tenant, path, &request).await,
        (_, Route::Command(name)) => commands::call(tenant, name, request, limit).await,
        _ => Err(Problem::not_found()),
    }
}

/// The key of an authenticated request. All that cannot be one is 403 (D-7), without a look-up.
fn key(request: &Request) -> Result<KeyText, Problem> {
    Ok(KeyText::parse(caller::key(&request.headers).unwrap_or(""))?.sent_from(request.client))
}

/// A tenant, as routes pass it on.
type Served = Arc<Tenant>;
