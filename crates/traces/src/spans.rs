//! Spans of OTLP in JSON. Nothing in them is a value of a client: no key, address, parameter or record.

use crate::call::NotedCall;
use crate::parent::TraceParent;
use crate::queue::EncodedTrace;
use crate::start::{TraceStart, mixed};
use database::{NotedJob, NotedStatement, RequestJobs};
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

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
#[derive(Clone, Copy, Debug)]
pub enum AttributeValue<'v> {
    /// A text; an empty one is left out.
    Text(&'v str),
    /// A number.
    Number(i64),
}

/// A request or a run that ended.
pub struct TracedWork<'w> {
    /// Its beginning.
    pub start: TraceStart,
    /// The name of its span.
    pub name: &'w str,
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
    pub attributes: &'w [(&'static str, AttributeValue<'w>)],
    /// The time at which it was admitted, if it had to be.
    pub admitted: Option<Instant>,
    /// Its jobs.
    pub jobs: &'w RequestJobs,
    /// Its calls.
    pub calls: &'w [NotedCall],
    /// The request that caused it.
    pub cause: Option<TraceParent>,
}

/// A span that is to be written.
struct SpanDraft<'s> {
    id: u64,
    parent: Option<u64>,
    name: &'s str,
    kind: SpanKind,
    began: Instant,
    took: Duration,
    failed: bool,
    attributes: &'s [(&'static str, AttributeValue<'s>)],
}

/// The spans of a trace as they are written.
struct SpanWriter<'w> {
    work: &'w TracedWork<'w>,
    json: String,
    spans: u64,
}

impl TracedWork<'_> {
    /// Returns the number of its spans.
    pub(crate) fn spans(&self) -> u64 {
        let own = 1 + usize::from(self.admitted.is_some());
        (own + self.jobs.timeline.len() + self.jobs.statements.len() + self.calls.len()) as u64
    }

    /// Returns its spans.
    pub(crate) fn encode(&self, engine: &str) -> EncodedTrace {
        let mut writer = SpanWriter { work: self, json: String::new(), spans: 0 };
        let TraceStart { root, parent, .. } = self.start;
        let (began, took, failed) = (self.began, self.took, self.failed);
        writer.write(&SpanDraft {
            id: root,
            parent,
            name: self.name,
            kind: self.kind,
            began,
            took,
            failed,
            attributes: self.attributes,
        });
        if let Some(admitted) = self.admitted {
            let id = writer.next_id();
            let took = admitted.saturating_duration_since(began);
            let (name, kind) = ("admission", SpanKind::Internal);
            writer.write(&SpanDraft {
                id,
                parent: Some(root),
                name,
                kind,
                began,
                took,
                failed: false,
                attributes: &[],
            });
        }
        let mut statements = self.jobs.statements.iter();
        for job in &self.jobs.timeline {
            let id = writer.job(job, engine);
            for statement in statements.by_ref().take(job.long) {
                writer.statement(statement, id, engine);
            }
        }
        self.calls.iter().for_each(|call| writer.call(call));
        EncodedTrace { json: writer.json, spans: writer.spans }
    }
}

impl SpanWriter<'_> {
    /// The id of the next span. Those of calls are counted downwards.
    fn next_id(&self) -> u64 {
        mixed(self.work.start.root.wrapping_add(self.spans)).max(1)
    }

    /// Writes a job; returns its id. The time for which it waited is its own, too: it begins when it was handed over.
    fn job(&mut self, job: &NotedJob, engine: &str) -> u64 {
        let id = self.next_id();
        let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        self.write(&SpanDraft {
            id,
            parent: Some(self.work.start.root),
            name: &format!("database {}", job.kind.word()),
            kind: SpanKind::Internal,
            began: job.since,
            took: job.waited + job.ran,
            failed: false,
            attributes: &[
                ("db.system.name", AttributeValue::Text(engine)),
                ("plinth.job.kind", AttributeValue::Text(job.kind.word())),
                ("plinth.job.wait_us", AttributeValue::Number(micros(job.waited))),
                ("plinth.job.statements", AttributeValue::Number(job.quick.into())),
            ],
        });
        id
    }

    fn statement(&mut self, statement: &NotedStatement, job: u64, engine: &str) {
        let NotedStatement { text, began, took, rows, .. } = statement;
        let id = self.next_id();
        let word = text.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        self.write(&SpanDraft {
            id,
            parent: Some(job),
            name: if word.is_empty() { "statement" } else { word },
            kind: SpanKind::Client,
            began: *began,
            took: *took,
            failed: false,
            attributes: &[
                ("db.system.name", AttributeValue::Text(engine)),
                ("db.query.text", AttributeValue::Text(text)),
                ("db.response.returned_rows", AttributeValue::Number(i64::try_from(*rows).unwrap_or(i64::MAX))),
            ],
        });
    }

    fn call(&mut self, call: &NotedCall) {
        let mut attributes = vec![("plinth.call.purpose", AttributeValue::Text(call.purpose))];
        attributes
            .extend(call.status.map(|status| ("http.response.status_code", AttributeValue::Number(i64::from(status)))));
        self.write(&SpanDraft {
            id: call.span,
            parent: Some(self.work.start.root),
            name: &format!("call {}", call.purpose),
            kind: SpanKind::Client,
            began: call.began,
            took: call.took,
            failed: call.failed,
            attributes: &attributes,
        });
    }

    fn write(&mut self, span: &SpanDraft<'_>) {
        let mut json = json!({
            "traceId": format!("{:032x}", self.work.start.trace),
            "spanId": format!("{:016x}", span.id),
            "name": span.name,
            "kind": span.kind as u8,
            "startTimeUnixNano": self.nanos(span.began).to_string(),
            "endTimeUnixNano": self.nanos(span.began + span.took).to_string(),
            "attributes": attributes(span.attributes),
        });
        if let Some(parent) = span.parent {
            json["parentSpanId"] = format!("{parent:016x}").into();
        }
        if span.failed {
            json["status"] = json!({"code": 2});
        }
        if let (0, Some(cause)) = (self.spans, self.work.cause) {
            let (trace, span) = (format!("{:032x}", cause.trace), format!("{:016x}", cause.span));
            json["links"] = json!([{"traceId": trace, "spanId": span}]);
        }
        if self.spans > 0 {
            self.json.push(',');
        }
        self.json.push_str(&json.to_string());
        self.spans += 1;
    }

    /// The time of an instant, in nanoseconds since 1970.
    fn nanos(&self, instant: Instant) -> i128 {
        let end = self.work.began + self.work.took;
        let before = end.saturating_duration_since(instant).as_nanos();
        let after = instant.saturating_duration_since(end).as_nanos();
        (self.work.ended.as_nanosecond() - before.cast_signed() + after.cast_signed()).max(0)
    }
}

fn attributes(attributes: &[(&'static str, AttributeValue<'_>)]) -> Json {
    let written = attributes.iter().filter_map(|(key, value)| match value {
        AttributeValue::Text("") => None,
        AttributeValue::Text(text) => Some(json!({"key": key, "value": {"stringValue": text}})),
        // Numbers of 64 bits are texts in the JSON of protocol buffers.
        AttributeValue::Number(number) => Some(json!({"key": key, "value": {"intValue": number.to_string()}})),
    });
    written.collect()
}

/// Returns the beginning of a message to the collector, up to its spans.
pub(crate) fn resource(service: &str, version: &str, instance: &str) -> String {
    let attributes = attributes(&[
        ("service.name", AttributeValue::Text(service)),
        ("service.version", AttributeValue::Text(version)),
        ("service.instance.id", AttributeValue::Text(instance)),
    ]);
    let scope = json!({"name": "plinth", "version": version});
    format!(
        "{{\"resourceSpans\":[{{\"resource\":{{\"attributes\":{attributes}}},\"scopeSpans\":[{{\"scope\":{scope},\"spans\":["
    )
}
