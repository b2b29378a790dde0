//! The account of a request that was answered, and figures of all connections.

use super::request::{RequestId, Trace};
use http::StatusCode;
use metrics::{Counter, Gauge};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// A request that was answered.
pub struct FinishedExchange<'e> {
    /// The method; `-` for one that the API does not know, which is a client's free text.
    pub method: &'static str,
    /// The notes of the handler.
    pub trace: &'e Trace,
    /// The status of the answer.
    pub status: StatusCode,
    /// The code of the problem, where the answer is one.
    pub code: Option<&'static str>,
    /// Bytes of the answer's body.
    pub bytes: u64,
    /// The time at which its head had come.
    pub began: Instant,
    /// The time from the end of the head to the answer.
    pub took: Duration,
    /// The id of the request.
    pub id: RequestId,
    /// The sender's address.
    pub client: IpAddr,
}

/// Figures of all connections of a server.
#[derive(Debug, Default)]
pub struct HttpFigures {
    /// Connections that are open.
    pub connections: Gauge,
    /// Requests that wait for their answers.
    pub in_flight: Gauge,
    /// Connections that were closed at once, since their address had too many.
    pub refused_connections: Counter,
    /// Connections without a PROXY header of a trusted proxy, where each needs one.
    pub refused_proxy_headers: Counter,
    /// Connections that could not be encrypted.
    pub refused_handshakes: Counter,
    /// Connections that were closed in the middle of a request or an answer, since it took too long.
    pub timeouts: Counter,
    /// Answers that refused a request late, since its tenant had too many of them.
    pub slowed: Counter,
    /// Requests whose handling panicked.
    pub panics: Counter,
}
