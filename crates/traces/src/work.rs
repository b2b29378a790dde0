//! Requests and runs that ended and are kept. Nothing in them is a value of a client: no key, address, parameter or
//! record.

use crate::call::NotedCall;
use crate::parent::TraceParent;
use crate::start::TraceStart;
use database::RequestJobs;
use jiff::Timestamp;
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// About the bytes of a span in a message, without its texts.
const SPAN: usize = 400;
/// About the bytes of an attribute in a message, without its key and value.
const ATTRIBUTE: usize = 40;

/// The part of a span in a call: its number in OTLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// Within this process.
    Internal = 1,
    /// A request to this process.
    Server = 2,
    /// A request of this process.
    Client = 3,
    /// Work that something else ordered before.
    Consumer = 5,
}

/// A value of an attribute.
#[derive(Clone, Debug)]
pub enum AttributeValue<'v> {
    /// A text; an empty one is left out.
    Text(Cow<'v, str>),
    /// A number.
    Number(i64),
}

/// A request or a run that ended. Its spans are written by the task that sends them.
#[derive(Debug)]
pub struct TracedWork {
    /// Its beginning.
    pub start: TraceStart,
    /// The two words of its span's name; an empty one is left out.
    pub name: [Cow<'static, str>; 2],
    /// The kind of its span.
    pub kind: SpanKind,
    /// The time at which it began.
    pub began: Instant,
    /// The time for which it took.
    pub took: Duration,
    /// The time at which it ended, by the clock of the process.
    pub ended: Timestamp,
    /// True if it failed.
    pub failed: bool,
    /// Attributes of its span.
    pub attributes: Vec<(&'static str, AttributeValue<'static>)>,
    /// The time at which it was admitted, if it had to be.
    pub admitted: Option<Instant>,
    /// Its jobs.
    pub jobs: RequestJobs,
    /// Its calls.
    pub calls: Vec<NotedCall>,
    /// The request that caused it.
    pub cause: Option<TraceParent>,
}

impl TracedWork {
    /// Returns the number of its spans.
    pub fn spans(&self) -> u64 {
        let own = 1 + usize::from(self.admitted.is_some());
        // Statements of jobs beyond those that are kept have no spans.
        let statements: usize = self.jobs.timeline.iter().map(|job| job.long).sum();
        let statements = statements.min(self.jobs.statements.len());
        (own + self.jobs.timeline.len() + statements + self.calls.len()) as u64
    }

    /// Returns about the bytes of its spans in a message. It holds fewer in memory.
    pub(crate) fn bytes(&self) -> usize {
        let attribute = |(key, value): &(&str, AttributeValue<'_>)| match value {
            AttributeValue::Text(text) => ATTRIBUTE + key.len() + text.len(),
            AttributeValue::Number(_) => ATTRIBUTE + key.len(),
        };
        let attributes: usize = self.attributes.iter().map(attribute).sum();
        let names = self.name.iter().map(|word| word.len());
        let texts = self.jobs.statements.iter().map(|statement| statement.text.len());
        let texts: usize = names.chain(texts).sum();
        SPAN * usize::try_from(self.spans()).unwrap_or(usize::MAX / SPAN) + attributes + texts
    }

    /// The time of an instant, in nanoseconds since 1970.
    pub(crate) fn nanos(&self, instant: Instant) -> u64 {
        let end = self.began + self.took;
        let before = end.saturating_duration_since(instant).as_nanos();
        let after = instant.saturating_duration_since(end).as_nanos();
        let time = self.ended.as_nanosecond() - before.cast_signed() + after.cast_signed();
        u64::try_from(time).unwrap_or(0)
    }
}
