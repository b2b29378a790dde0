//! Figures of one tenant on this node: requests, and what they took.

use metrics::Counter;

/// Figures of one tenant. They outlive a tenant that is closed and opened again.
#[derive(Debug, Default)]
pub struct TenantFigures {
    /// Requests that were answered.
    pub requests: Counter,
    /// Nanoseconds for which jobs of requests waited for a thread or a connection.
    pub waited: Counter,
    /// Nanoseconds for which jobs of requests ran.
    pub ran: Counter,
    /// Bytes of answers.
    pub sent: Counter,
}
