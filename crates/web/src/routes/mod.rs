//! From a request to its answer: the path is decoded, its route found, and the route's handler called.

mod audit;
mod auth;
mod automations;
mod batch;
mod bulk;
mod canvases;
mod challenge;
mod collections;
mod commands;
mod describe;
mod explain;
mod exports;
mod files;
mod health;
mod imports;
mod jobs;
mod login_as;
mod model_description;
mod notifications;
mod once;
mod outbox;
mod own_keys;
mod queries;
mod read_log;
mod refusals;
mod registration;
pub(crate) mod request;
pub(crate) mod route;
mod sessions;
mod settings;
pub(crate) mod table;
mod tags;
#[cfg(test)]
mod tests;
mod upload;
mod upserts;
mod views;

use crate::app::App;
use crate::browser_session;
use crate::pages;
use crate::router;
use crate::target::Target;
use context::caller_key::CallerKey;
use context::key_text::KEY_REFUSED;
use database::with_request_jobs;
use describe::SCHEMA;
use edge::path::Path;
use edge::{
    FinishedExchange, Handler, HttpFigures, METHODS, Problem, Reply, Request, Trace, body, is_extended, options,
    trace_parent,
};
use http::{HeaderMap, Method, StatusCode};
use request::TenantRequest;
use route::{DirectRequest, Profile, RouteHandler, TenantHandler};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use tenant::limits::{Admitted, RefusalPause};
use traces::{FollowedWork, TraceStart, followed};

impl Handler for App {
    async fn answer<'a>(&'a self, request: Request, trace: &'a mut Trace) -> Reply {
        let uri = request.uri.clone();
        let path = Path::decode(uri.path());
        let segments = path.as_ref().and_then(Path::segments);
        let found = segments.as_ref().and_then(|segments| router::find(segments.as_slice()));
        // A path without a route is refused in the form of those beside it.
        trace.problem_details = found.is_none() && is_extended(uri.path()) && router::is_beside_extended(uri.path());
        match found.or_else(|| router::home(uri.path())) {
            Some(target) => {
                trace.route = target.endpoint.logged;
                let start = trace.start;
                let (reply, work) = {
                    let dispatched = pin!(dispatch(self, target, request, &mut *trace));
                    let answer = pin!(tenant::at(uri.path(), dispatched));
                    match start {
                        None => {
                            let (reply, jobs) = with_request_jobs(answer).await;
                            (reply, FollowedWork { jobs, calls: Vec::new() })
                        }
                        Some(start) => followed(start, answer).await,
                    }
                };
                (trace.jobs, trace.calls) = (work.jobs, work.calls);
                reply
            }
            None if pages::wanted(&request) => Ok(pages::missing(self, &request, trace).await),
            None if METHODS.split(", ").any(|method| method == request.method.as_str()) => Err(Problem::not_found()),
            None => Err(Problem::method_not_allowed(METHODS)),
        }
    }

    fn traced(&self, headers: &HeaderMap) -> Option<TraceStart> {
        self.platform.workers.tracer.get().map(|tracer| tracer.begin(trace_parent(headers)))
    }

    fn drain(&self) {
        self.draining.store(true, Relaxed);
    }

    fn finished(&self, exchange: &FinishedExchange<'_>) {
        self.monitor.note(exchange);
        self.request_log.write(exchange);
        if let Some(tracer) = self.platform.workers.tracer.get() {
            monitoring::keep_trace(tracer, exchange, self.platform.environment().clock.as_ref());
        }
    }

    fn refused(&self, trace: &Trace) -> RefusalPause {
        let now = Instant::now();
        match &trace.tenant {
            Some(tenant) => tenant.refuse(now),
            None => self.platform.refuse_stray(now),
        }
    }

    fn figures(&self) -> Arc<HttpFigures> {
        self.monitor.begin(router::operation_labels());
        Arc::clone(&self.monitor.http)
    }
}

/// Calls the handler that the route table has for the method.
async fn dispatch(app: &App, target: Target<'_>, request: Request, trace: &mut Trace) -> Reply {
    let endpoint = target.endpoint;
    trace.page = endpoint.route.is_page();
    trace.problem_details = endpoint.route.profile == Profile::Extended;
    let place = endpoint.route.place_of(request.method.as_str());
    trace.operation = place.map(|place| endpoint.first_operation + place);
    let Some(operation) = place.map(|place| &endpoint.route.operations[place]) else {
        let problem = Problem::method_not_allowed(&endpoint.allow);
        return match request.method {
            Method::OPTIONS => Ok(options(&endpoint.allow)),
            _ if trace.page => Ok(pages::framed(app, &request, trace, problem).await),
            _ => Err(problem),
        };
    };
    match &operation.handler {
        RouteHandler::Process(handler) => handler(app).await,
        RouteHandler::Direct(handler) => handler(DirectRequest { app, target, http: request, trace }).await,
        RouteHandler::Tenant(handler) => serve(app, target, handler, request, trace).await,
        RouteHandler::Page(handler) => pages::answer(app, target, *handler, request, trace).await,
    }
}

/// Finds the tenant, has it admit the request, and calls the handler.
async fn serve(app: &App, target: Target<'_>, handler: &TenantHandler, mut http: Request, trace: &mut Trace) -> Reply {
    let (tenant, charge) = app.platform.tenant_and_charge(http.host(), target.tenant, http.client).await?;
    trace.tenant = Some(Arc::clone(&tenant));
    if let Err(error) = browser_session::adopt_key(tenant.name(), &mut http) {
        tenant.admit_keyless(http.client).await?;
        return Err(error.into());
    }
    let admitted = match handler {
        TenantHandler::Keyless(_) => tenant.admit_keyless(http.client).await?,
        TenantHandler::Open(_) if http.is_keyless() => tenant.admit_public(http.client).await?,
        _ => tenant.admit(http.client, http.key(), charge).await?,
    };
    let now = Instant::now();
    // Strangers slow nobody.
    if matches!(admitted, Admitted::Keyed) {
        tenant.note_request(now);
    }
    trace.admitted = trace.start.map(|_| now);
    let limits = &app.settings.limits;
    let body_limit = match admitted {
        Admitted::Keyed => limits.body_bytes,
        _ => limits.body_bytes.min(limits.keyless_body_bytes),
    };
    let (prefix, values, route) = (target.tenant, target.values, target.endpoint.route);
    let described = is_extended(http.uri.path());
    let request = TenantRequest { app, tenant, prefix, values, route, http, body_limit };
    match (call(handler, request, described, trace).await, admitted) {
        // A key that does not work is all that its sender is told, however large the body is.
        (Err(problem), Admitted::Refused(error)) if problem.status == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(error.into())
        }
        (reply, _) => reply,
    }
}

/// Calls the handler. `described` says whether the answer has the version of the API's description.
async fn call(handler: &TenantHandler, mut request: TenantRequest<'_>, described: bool, trace: &mut Trace) -> Reply {
    if matches!(request.http.method, Method::GET | Method::HEAD) {
        body::refuse(&mut request.http).await?;
    }
    let (handler, opens) = match handler {
        TenantHandler::Keyless(handler) | TenantHandler::OptionalKey(handler) => return handler(request).await,
        TenantHandler::Open(handler) => (handler, true),
        TenantHandler::Keyed(handler) => (handler, false),
    };
    let caller = match opens && request.http.is_keyless() {
        true => CallerKey::public(),
        // All that cannot be a key is 403 (D-7), without a look-up.
        false => CallerKey::parse(request.http.key().unwrap_or(""))?,
    };
    let caller = caller.sent_from(request.http.client);
    let tenant = described.then(|| Arc::clone(&request.tenant));
    let reply = handler(request, caller).await;
    let is_refused = matches!(&reply, Err(problem) if problem.code == KEY_REFUSED);
    trace.key = caller.id().filter(|_| !is_refused);
    let version = tenant.filter(|_| !is_refused).and_then(|tenant| describe::version(&tenant, &caller));
    match (reply, version) {
        (Ok(answer), Some(version)) => Ok(answer.with(SCHEMA, version)),
        (Err(problem), Some(version)) => Err(problem.with(SCHEMA, version)),
        (reply, None) => reply,
    }
}
