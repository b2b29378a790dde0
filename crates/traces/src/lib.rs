//! Traces of requests and runs: the choice of those that are kept, their spans, and what waits for a collector.
//!
//! While a request is answered, its jobs and calls are only noted. Whether they are kept is decided at its end, and what
//! is kept is written by the task that sends it. Nothing here sends anything.

mod call;
mod message;
mod parent;
mod queue;
mod rate;
mod start;
mod tracer;
mod work;

#[cfg(test)]
mod tests;

pub use call::{FollowedWork, NotedCall, OpenCall, begin_call, current, followed};
pub use parent::TraceParent;
pub use queue::SpanQueue;
pub use start::TraceStart;
pub use tracer::{SpanCounts, TraceOptions, Tracer};
pub use work::{AttributeValue, SpanKind, TracedWork};
