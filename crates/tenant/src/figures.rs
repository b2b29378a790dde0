//! Figures of one tenant on this node: requests, and what they took.

use metrics::Counter;
use std::sync::atomic::AtomicU64;

/// Figures of one tenant. They outlive a tenant that is closed and opened again.
#[derive(Debug, Default)]
pub struct TenantFigures {
    /// Requests that were answered.
    pub requests: Counter,
    /// Nanoseconds for which jobs of requests waited for a thread or a connection.
    pub waited: Counter,
    /// Nanoseconds for which jobs of requests ran.
    pub ran: Counter,
    /// Nanoseconds of processor time of jobs of requests.
    pub cpu: Counter,
    /// Bytes of answers.
    pub sent: Counter,
    /// Bytes of its store at the last measurement; 0 before that.
    pub size: AtomicU64,
    /// The number of its requests at that measurement.
    pub measured: AtomicU64,
}
