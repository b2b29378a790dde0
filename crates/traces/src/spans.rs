//! Spans of OTLP in JSON. Nothing in them is a value of a client: no key, address, parameter or record.

use crate::call::NotedCall;
use crate::parent::TraceParent;
use crate::queue::EncodedTrace;
use crate::start::{TraceStart, mixed};
use database::{NotedJob, NotedStatement, RequestJobs};
use jiff::Timestamp;
use serde_json::Value as Json;
use std::fmt::{Arguments, Write as _};
use std::time::{Duration, Instant};

/// The bytes of a span, as a rule.
const USUAL: usize = 512;

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
        let json = String::with_capacity(usize::try_from(self.spans()).unwrap_or_default() * USUAL);
        let mut writer = SpanWriter { work: self, json, spans: 0 };
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

    /// Writes a span. It is on the path of requests, so there is no tree of JSON.
    fn write(&mut self, span: &SpanDraft<'_>) {
        let (trace, start, end) = (self.work.start.trace, self.nanos(span.began), self.nanos(span.began + span.took));
        let json = &mut self.json;
        if self.spans > 0 {
            json.push(',');
        }
        push(json, format_args!("{{\"traceId\":\"{trace:032x}\",\"spanId\":\"{:016x}\"", span.id));
        if let Some(parent) = span.parent {
            push(json, format_args!(",\"parentSpanId\":\"{parent:016x}\""));
        }
        json.push_str(",\"name\":");
        push_text(json, span.name);
        push(json, format_args!(",\"kind\":{}", span.kind as u8));
        push(json, format_args!(",\"startTimeUnixNano\":\"{start}\",\"endTimeUnixNano\":\"{end}\",\"attributes\":"));
        push_attributes(json, span.attributes);
        if span.failed {
            json.push_str(",\"status\":{\"code\":2}");
        }
        if let (0, Some(cause)) = (self.spans, self.work.cause) {
            let TraceParent { trace, span, .. } = cause;
            push(json, format_args!(",\"links\":[{{\"traceId\":\"{trace:032x}\",\"spanId\":\"{span:016x}\"}}]"));
        }
        json.push('}');
        self.spans += 1;
    }

    /// The time of an instant, in nanoseconds since 1970.
    fn nanos(&self, instant: Instant) -> u64 {
        let end = self.work.began + self.work.took;
        let before = end.saturating_duration_since(instant).as_nanos();
        let after = instant.saturating_duration_since(end).as_nanos();
        let nanos = self.work.ended.as_nanosecond() - before.cast_signed() + after.cast_signed();
        u64::try_from(nanos).unwrap_or_default()
    }
}

fn push(json: &mut String, part: Arguments<'_>) {
    // A string takes all that is written to it.
    let _ = json.write_fmt(part);
}

/// Adds a text with its quotes. Few have something to escape.
fn push_text(json: &mut String, text: &str) {
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        json.push('"');
        json.push_str(text);
        json.push('"');
    } else {
        json.push_str(&Json::from(text).to_string());
    }
}

fn push_attributes(json: &mut String, attributes: &[(&'static str, AttributeValue<'_>)]) {
    json.push('[');
    let empty = json.len();
    for (key, value) in attributes {
        if matches!(value, AttributeValue::Text("")) {
            continue;
        }
        if json.len() > empty {
            json.push(',');
        }
        push(json, format_args!("{{\"key\":\"{key}\",\"value\":{{"));
        match value {
            AttributeValue::Text(text) => {
                json.push_str("\"stringValue\":");
                push_text(json, text);
            }
            // Numbers of 64 bits are texts in the JSON of protocol buffers.
            AttributeValue::Number(number) => push(json, format_args!("\"intValue\":\"{number}\"")),
        }
        json.push_str("}}");
    }
    json.push(']');
}

/// Returns the beginning of a message to the collector, up to its spans.
pub(crate) fn resource(service: &str, version: &str, instance: &str) -> String {
    let mut json = String::from("{\"resourceSpans\":[{\"resource\":{\"attributes\":");
    push_attributes(
        &mut json,
        &[
            ("service.name", AttributeValue::Text(service)),
            ("service.version", AttributeValue::Text(version)),
            ("service.instance.id", AttributeValue::Text(instance)),
        ],
    );
    json.push_str("},\"scopeSpans\":[{\"scope\":{\"name\":\"plinth\",\"version\":");
    push_text(&mut json, version);
    json.push_str("},\"spans\":[");
    json
}

#[cfg(test)]
mod tests {
    use super::{AttributeValue, push_attributes, resource};
    use serde_json::{Value as Json, json};

    #[test]
    fn attributes_are_the_json_of_protocol_buffers_whatever_they_hold() {
        let texts = ["SELECT \"a\" FROM b\nWHERE c = '\\'", "\u{7}\u{1f}\u{2028}", "Žluťoučký kůň", "plain"];
        for text in texts {
            let mut written = String::new();
            let (gone, number) = (AttributeValue::Text(""), AttributeValue::Number(i64::MIN));
            push_attributes(
                &mut written,
                &[("a", gone), ("b", AttributeValue::Text(text)), ("c", gone), ("d", number)],
            );
            let text = json!({"key": "b", "value": {"stringValue": text}});
            let number = json!({"key": "d", "value": {"intValue": i64::MIN.to_string()}});
            assert_eq!(serde_json::from_str::<Json>(&written).unwrap(), json!([text, number]));
        }
        let whole = resource("a \"service\"", "1", "b") + "]}]}]}";
        let read: Json = serde_json::from_str(&whole).unwrap();
        assert_eq!(read["resourceSpans"][0]["resource"]["attributes"][0]["value"]["stringValue"], "a \"service\"");
    }
}
