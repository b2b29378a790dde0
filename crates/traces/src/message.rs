//! Messages to a collector: spans of OTLP in JSON, written without values in between.

use crate::call::NotedCall;
use crate::start::{TraceStart, mixed};
use crate::work::{AttributeValue, SpanKind, TracedWork};
use database::{NotedJob, NotedStatement};
use std::io::Write;
use std::time::{Duration, Instant};

/// The end of a message, behind its spans.
const END: &[u8] = b"]}]}]}";

/// The parts that all messages of a process have.
#[derive(Debug)]
pub(crate) struct MessageFrame {
    /// The beginning of a message, up to its spans.
    head: Vec<u8>,
    /// The engine of the database, as the conventions name it.
    engine: &'static str,
}

/// An attribute.
type Attribute<'a> = (&'static str, AttributeValue<'a>);

/// A span that is to be written.
struct SpanDraft<'s> {
    id: u64,
    parent: Option<u64>,
    name: [&'s str; 2],
    kind: SpanKind,
    began: Instant,
    took: Duration,
    failed: bool,
    attributes: &'s [Attribute<'s>],
}

/// The spans of a request or a run as they are written.
struct SpanWriter<'w> {
    work: &'w TracedWork,
    engine: &'static str,
    message: &'w mut Vec<u8>,
    /// The number of those that were written.
    spans: u64,
}

impl MessageFrame {
    /// The frame of messages of a service. `instance` is the number of the process.
    pub(crate) fn new(service: &str, version: &str, instance: u64, engine: &'static str) -> Self {
        let mut id = Vec::new();
        write_id(&mut id, instance.into(), 16);
        let mut head = b"{\"resourceSpans\":[{\"resource\":{\"attributes\":".to_vec();
        let attributes = [
            ("service.name", AttributeValue::Text(service.into())),
            ("service.version", AttributeValue::Text(version.into())),
            ("service.instance.id", AttributeValue::Text(String::from_utf8_lossy(&id))),
        ];
        write_attributes(&mut head, &attributes);
        head.extend_from_slice(b"},\"scopeSpans\":[{\"scope\":{\"name\":\"plinth\",\"version\":");
        write_text(&mut head, version);
        head.extend_from_slice(b"},\"spans\":[");
        MessageFrame { head, engine }
    }

    /// Returns a message with the spans of these requests and runs.
    pub(crate) fn message(&self, batch: &[TracedWork]) -> Vec<u8> {
        let spans: usize = batch.iter().map(TracedWork::bytes).sum();
        let mut message = Vec::with_capacity(self.head.len() + spans + spans / 4 + END.len());
        message.extend_from_slice(&self.head);
        for (place, work) in batch.iter().enumerate() {
            if place > 0 {
                message.push(b',');
            }
            SpanWriter { work, engine: self.engine, message: &mut message, spans: 0 }.all();
        }
        message.extend_from_slice(END);
        message
    }
}

impl SpanWriter<'_> {
    fn all(&mut self) {
        let work = self.work;
        let TraceStart { root, parent, .. } = work.start;
        let (began, took, failed) = (work.began, work.took, work.failed);
        let name = [&*work.name[0], &*work.name[1]];
        let (kind, attributes) = (work.kind, &*work.attributes);
        self.write(&SpanDraft { id: root, parent, name, kind, began, took, failed, attributes });
        if let Some(admitted) = work.admitted {
            self.write(&SpanDraft {
                id: self.next_id(),
                parent: Some(root),
                name: ["admission", ""],
                kind: SpanKind::Internal,
                began,
                took: admitted.saturating_duration_since(began),
                failed: false,
                attributes: &[],
            });
        }
        let mut statements = work.jobs.statements.iter();
        for job in &work.jobs.timeline {
            let id = self.job(job);
            for statement in statements.by_ref().take(job.long) {
                self.statement(statement, id);
            }
        }
        work.calls.iter().for_each(|call| self.call(call));
    }

    /// The id of the next span. Those of calls are counted downwards.
    fn next_id(&self) -> u64 {
        mixed(self.work.start.root.wrapping_add(self.spans)).max(1)
    }

    /// Writes a job; returns its id. The time for which it waited is its own, too: it begins when it was handed over.
    fn job(&mut self, job: &NotedJob) -> u64 {
        let id = self.next_id();
        let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        self.write(&SpanDraft {
            id,
            parent: Some(self.work.start.root),
            name: ["database", job.kind.word()],
            kind: SpanKind::Internal,
            began: job.since,
            took: job.waited + job.ran,
            failed: false,
            attributes: &[
                ("db.system.name", AttributeValue::Text(self.engine.into())),
                ("plinth.job.kind", AttributeValue::Text(job.kind.word().into())),
                ("plinth.job.wait_us", AttributeValue::Number(micros(job.waited))),
                ("plinth.job.statements", AttributeValue::Number(job.quick.into())),
            ],
        });
        id
    }

    fn statement(&mut self, statement: &NotedStatement, job: u64) {
        let NotedStatement { text, began, took, rows, .. } = statement;
        let mut words = text.split(|letter: char| !letter.is_ascii_alphabetic());
        let word = words.find(|word| !word.is_empty()).unwrap_or("statement");
        self.write(&SpanDraft {
            id: self.next_id(),
            parent: Some(job),
            name: [word, ""],
            kind: SpanKind::Client,
            began: *began,
            took: *took,
            failed: false,
            attributes: &[
                ("db.system.name", AttributeValue::Text(self.engine.into())),
                ("db.query.text", AttributeValue::Text(text.into())),
                ("db.response.returned_rows", AttributeValue::Number(i64::try_from(*rows).unwrap_or(i64::MAX))),
            ],
        });
    }

    fn call(&mut self, call: &NotedCall) {
        let status = call.status.map(|status| AttributeValue::Number(status.into()));
        self.write(&SpanDraft {
            id: call.span,
            parent: Some(self.work.start.root),
            name: ["call", call.purpose],
            kind: SpanKind::Client,
            began: call.began,
            took: call.took,
            failed: call.failed,
            attributes: &[
                ("plinth.call.purpose", AttributeValue::Text(call.purpose.into())),
                ("http.response.status_code", status.unwrap_or_else(|| AttributeValue::Text("".into()))),
            ],
        });
    }

    fn write(&mut self, span: &SpanDraft<'_>) {
        let (work, message) = (self.work, &mut *self.message);
        if self.spans > 0 {
            message.push(b',');
        }
        message.extend_from_slice(b"{\"traceId\":\"");
        write_id(message, work.start.trace, 32);
        message.extend_from_slice(b"\",\"spanId\":\"");
        write_id(message, span.id.into(), 16);
        if let Some(parent) = span.parent {
            message.extend_from_slice(b"\",\"parentSpanId\":\"");
            write_id(message, parent.into(), 16);
        }
        message.extend_from_slice(b"\",\"name\":");
        match span.name {
            [name, ""] | ["", name] => write_text(message, name),
            [first, second] => write_text(message, &format!("{first} {second}")),
        }
        let (kind, began, ended) = (span.kind as u8, work.nanos(span.began), work.nanos(span.began + span.took));
        let times = write!(
            message,
            ",\"kind\":{kind},\"startTimeUnixNano\":\"{began}\",\"endTimeUnixNano\":\"{ended}\",\"attributes\":"
        );
        times.expect(GROWS);
        write_attributes(message, span.attributes);
        if span.failed {
            message.extend_from_slice(b",\"status\":{\"code\":2}");
        }
        if let (0, Some(cause)) = (self.spans, work.cause) {
            message.extend_from_slice(b",\"links\":[{\"traceId\":\"");
            write_id(message, cause.trace, 32);
            message.extend_from_slice(b"\",\"spanId\":\"");
            write_id(message, cause.span.into(), 16);
            message.extend_from_slice(b"\"}]");
        }
        message.push(b'}');
        self.spans += 1;
    }
}

const GROWS: &str = "a vector takes what is written";

fn write_attributes(message: &mut Vec<u8>, attributes: &[Attribute<'_>]) {
    message.push(b'[');
    let written =
        attributes.iter().filter(|(_, value)| !matches!(value, AttributeValue::Text(text) if text.is_empty()));
    for (place, (key, value)) in written.enumerate() {
        if place > 0 {
            message.push(b',');
        }
        message.extend_from_slice(b"{\"key\":\"");
        // Keys are names of this program, and need no escapes.
        message.extend_from_slice(key.as_bytes());
        match value {
            AttributeValue::Text(text) => {
                message.extend_from_slice(b"\",\"value\":{\"stringValue\":");
                write_text(message, text);
            }
            // Numbers of 64 bits are texts in the JSON of protocol buffers.
            AttributeValue::Number(number) => {
                write!(message, "\",\"value\":{{\"intValue\":\"{number}\"").expect(GROWS);
            }
        }
        message.extend_from_slice(b"}}");
    }
    message.push(b']');
}

fn write_text(message: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(message, text).expect(GROWS);
}

/// Writes an id of so many hexadecimal digits.
fn write_id(message: &mut Vec<u8>, id: u128, digits: u32) {
    message.extend((0..digits).rev().map(|place| b"0123456789abcdef"[(id >> (4 * place)) as usize & 15]));
}
