//! The view of operators on a process: its metrics, its log, a line in it for each request, and advice out of it.

mod access_line;
pub mod advice;
mod auth_failures;
mod collector;
mod database_page;
pub mod logs;
mod metrics_sample;
mod page;
mod plan_log;
mod process;
mod request_log;
mod request_trace;
mod route_counts;
mod tenant_ranks;
mod trace_export;

pub use collector::{Collector, CollectorAnswer};
pub use metrics_sample::MetricsSample;
pub use request_log::RequestLog;
pub use request_trace::keep_trace;
pub use trace_export::TraceExport;

use auth_failures::AuthFailures;
use edge::{FinishedExchange, HttpFigures, ServerTls};
use http::StatusCode;
use jiff::Timestamp;
use metrics::{Counter, Histogram};
use route_counts::RouteCounts;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tenant_ranks::TenantRanks;

/// The figures of a process that serves.
pub struct Monitor {
    /// The figures of its connections.
    pub http: Arc<HttpFigures>,
    started: Timestamp,
    /// There once the server serves.
    routes: OnceLock<RouteCounts>,
    /// Times of requests that were served, refused, and that failed.
    times: [Histogram; 3],
    rate: Counter,
    overload: Counter,
    timeout: Counter,
    auth: AuthFailures,
    ranks: TenantRanks,
    /// There once a server with certificates listens.
    certificates: OnceLock<Arc<ServerTls>>,
    /// The folder of the data, once a server serves.
    folder: OnceLock<PathBuf>,
}

impl Monitor {
    /// The figures of a process that starts now.
    pub fn new(started: Timestamp) -> Self {
        Monitor {
            http: Arc::default(),
            started,
            routes: OnceLock::new(),
            times: Default::default(),
            rate: Counter::default(),
            overload: Counter::default(),
            timeout: Counter::default(),
            auth: AuthFailures::default(),
            ranks: TenantRanks::default(),
            certificates: OnceLock::new(),
            folder: OnceLock::new(),
        }
    }

    /// Begins to count requests of operations with these labels.
    pub fn begin(&self, operations: Vec<String>) {
        self.routes.get_or_init(|| RouteCounts::new(operations));
    }

    /// Begins to tell when these certificates end.
    pub fn watch_certificates(&self, tls: Arc<ServerTls>) {
        self.certificates.get_or_init(|| tls);
    }

    /// Begins to tell the room on the disk of a folder.
    pub fn watch_folder(&self, folder: PathBuf) {
        self.folder.get_or_init(|| folder);
    }

    /// Counts a request that was answered.
    pub fn note(&self, exchange: &FinishedExchange<'_>) {
        let FinishedExchange { status, code, trace, .. } = exchange;
        if let Some(routes) = self.routes.get() {
            routes.note(trace.operation, *status);
        }
        let class = match status.as_u16() {
            500.. => 2,
            400.. => 1,
            _ => 0,
        };
        self.times[class].observe(exchange.took);
        match (*status, *code) {
            (StatusCode::TOO_MANY_REQUESTS, _) => self.rate.increment(),
            (StatusCode::SERVICE_UNAVAILABLE, Some("timeout")) => self.timeout.increment(),
            (StatusCode::SERVICE_UNAVAILABLE, _) => self.overload.increment(),
            _ => {}
        }
        if status.is_client_error() {
            self.auth.note(exchange);
        }
        if let Some(tenant) = &trace.tenant {
            let figures = tenant.figures();
            figures.requests.increment();
            figures.waited.add_time(trace.jobs.waited);
            figures.ran.add_time(trace.jobs.ran);
            figures.cpu.add_time(trace.jobs.cpu);
            figures.sent.add(exchange.bytes);
        }
    }
}
