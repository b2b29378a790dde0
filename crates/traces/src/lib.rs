//! Traces of requests and runs: the choice of those that are kept, their spans, and what waits for a collector.
//!
//! While a request is answered, its jobs and calls are only noted. Whether they are kept is decided at its end. Nothing
//! here sends anything.

mod call;
mod parent;
mod queue;
mod rate;
mod spans;
mod start;
mod tracer;

pub use call::{FollowedWork, NotedCall, OpenCall, begin_call, current, followed};
pub use parent::TraceParent;
pub use queue::{EncodedTrace, SpanQueue};
pub use spans::{AttributeValue, SpanKind, TracedWork};
pub use start::TraceStart;
pub use tracer::{SpanCounts, TraceOptions, Tracer};
