//! From a request to its route: the path is decoded, the method judged, the caller found.

mod failure;
mod health;

use crate::http::path::Path;
use crate::http::{Answer, Handler, METHODS, Problem, Reply, Request, Trace, options};
use crate::router::{Route, Target};
use crate::settings::Settings;
use platform::tenants::Platform;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What all requests of a process share.
pub struct App {
    /// The settings that hold.
    pub settings: Settings,
    /// The tenants.
    pub platform: Arc<Platform>,
    draining: AtomicBool,
}

impl App {
    /// An application that is ready to serve.
    pub fn new(settings: Settings, platform: Arc<Platform>) -> Self {
        App { settings, platform, draining: AtomicBool::new(false) }
    }
}

impl Handler for App {
    async fn answer<'a>(&'a self, request: Request, trace: &'a mut Trace) -> Reply {
        let uri = request.uri.clone();
        let is_known = METHODS.split(", ").any(|method| method == request.method.as_str());
        let path = Path::decode(uri.path());
        let segments = path.as_ref().and_then(Path::segments);
        let target = segments.as_ref().and_then(|segments| Target::find(segments.as_slice()));
        match target {
            None if is_known => Err(Problem::not_found()),
            None => Err(Problem::method_not_allowed(METHODS)),
            Some(target) => {
                trace.route = target.route.pattern();
                dispatch(self, target, request).await
            }
        }
    }

    fn drain(&self) {
        self.draining.store(true, Relaxed);
    }
}

async fn dispatch(app: &App, target: Target<'_>, request: Request) -> Reply {
    let route = target.route;
    let method = request.method.as_str();
    if method == "SEARCH" && matches!(route, Route::Item(..) | Route::GetBy(..)) {
        return Err(Problem::invalid("search_not_here", "SEARCH lists a collection; it takes no item and no get-by."));
    }
    if !route.allows(method) {
        return Err(Problem::method_not_allowed(route.allow()));
    }
    if method == "OPTIONS" {
        return Ok(options(route.allow()));
    }
    match route {
        Route::Healthz => Ok(Answer::json(r#"{"status":"ok"}"#)),
        Route::Readyz => health::ready(app.draining.load(Relaxed)).await,
        Route::Relation => Err(Problem::not_implemented("OPTIONS")),
        _ => Err(Problem::not_found()),
    }
}
