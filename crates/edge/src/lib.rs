//! HTTP at the edge: connections, requests and answers, without a word of what is served.

mod accept;
mod admin;
pub mod answer;
pub mod body;
mod budget;
pub mod caller;
mod connection;
mod cors;
pub mod etag;
mod exchange;
mod failure;
pub mod form;
mod framed_stream;
mod head;
#[cfg(test)]
mod head_fuzzing;
mod in_process;
mod inherited;
pub mod json;
mod ledger;
mod listener;
pub mod multipart;
pub mod outgoing;
pub mod packing;
pub mod path;
mod prefer;
mod proxy_header;
pub mod query_string;
pub mod range;
pub mod request;
mod sender;
mod socket;
pub mod stream;
mod timeouts;
mod tls;
mod write_answer;

pub use accept::run;
pub use admin::{AdminAnswer, AdminListener, AdminRequest, run_admin};
pub use answer::{Answer, Problem, Reply};
pub use caller::{Network, trace_parent};
pub use connection::options;
pub use cors::{METHODS, is_extended};
pub use exchange::{FinishedExchange, HttpFigures};
pub use in_process::ask;
pub use inherited::{InheritedSockets, SocketRefusal};
pub use ledger::MemoryLimits;
pub use listener::PublicListener;
pub use outgoing::Outgoing;
pub use prefer::Preferences;
pub use request::{Request, Trace};
pub use timeouts::Timeouts;
pub use tls::{ServerTls, TlsFiles, TlsRefusal};
pub use write_answer::WriteAnswer;

use http::HeaderMap;
use std::future::Future;
use std::hash::RandomState;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;
use tenant::limits::RefusalPause;
use traces::TraceStart;

/// A handler that answers requests.
pub trait Handler: Send + Sync + 'static {
    /// Answers one.
    fn answer<'a>(
        &'a self,
        request: Request,
        trace: &'a mut Trace,
    ) -> impl Future<Output = Reply> + Send + use<'a, Self>;

    /// Begins the trace of a request with these headers, where traces are made.
    fn traced(&self, _: &HeaderMap) -> Option<TraceStart> {
        None
    }

    /// The server is about to stop.
    fn drain(&self) {}

    /// A request was answered. The body may be on its way still.
    fn finished(&self, _: &FinishedExchange<'_>) {}

    /// Counts an answer that refuses a request, and returns its way.
    fn refused(&self, _: &Trace) -> RefusalPause {
        RefusalPause::None
    }

    /// The figures that the connections count in.
    fn figures(&self) -> Arc<HttpFigures> {
        Arc::default()
    }
}

/// The limits of what a client may take of the server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The time for which things may take.
    pub timeouts: Timeouts,
    /// Connections at a time.
    pub connections: usize,
    /// Connections of one address at a time; trusted proxies have no such limit.
    pub connections_per_address: usize,
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// Fields of a request's head.
    pub head_fields: usize,
    /// Bytes of a URL.
    pub url_bytes: usize,
    /// Bytes of bodies and answers in flight.
    pub memory: MemoryLimits,
    /// Bytes of answers in flight that lie in files.
    pub spool: MemoryLimits,
    /// Bytes that are still read of a body that was refused, so that its client sees the answer.
    pub refused_body_bytes: u64,
    /// The proxies whose forwarded addresses are believed.
    pub trusted_proxies: Vec<Network>,
    /// Each connection begins with a PROXY header of a trusted proxy.
    pub proxy_protocol: bool,
    /// From being not ready to accepting no more.
    pub shutdown_notice: Duration,
    /// The time for which a connection without a request stays open once the server is about to stop.
    pub shutdown_idle: Duration,
    /// From accepting no more to the end.
    pub shutdown: Duration,
}

impl Limits {
    fn bounds(&self) -> head::Bounds {
        head::Bounds { bytes: self.head_bytes, fields: self.head_fields, target: self.url_bytes }
    }
}

/// The parts that all connections share.
struct Edge<H> {
    limits: Limits,
    /// The certificates of the listener; none without TLS.
    tls: Option<Arc<ServerTls>>,
    handler: Arc<H>,
    budget: Arc<budget::MemoryBudget>,
    /// Set once the server is about to stop: each answer is the last of its connection.
    leaving: AtomicBool,
    /// The hash that makes an id of a request's number, so that ids do not tell how many requests lie between two.
    request_ids: RandomState,
    requests: AtomicU64,
    figures: Arc<HttpFigures>,
}

impl<H: Handler> Edge<H> {
    fn new(limits: Limits, tls: Option<Arc<ServerTls>>, handler: Arc<H>) -> Self {
        Edge {
            budget: Arc::new(budget::MemoryBudget::new(limits.memory, limits.spool)),
            figures: handler.figures(),
            limits,
            tls,
            handler,
            leaving: AtomicBool::new(false),
            request_ids: RandomState::new(),
            requests: AtomicU64::new(0),
        }
    }
}
