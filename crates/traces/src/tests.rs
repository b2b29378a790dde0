//! Requests and runs as messages to a collector.

use crate::message::MessageFrame;
use crate::work::{AttributeValue, SpanKind, TracedWork};
use crate::{NotedCall, TraceParent, TraceStart};
use database::{JobKind, NotedJob, NotedStatement, RequestJobs};
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

/// Text with all that JSON escapes, and with what it does not.
const TEXT: &str = "SELECT \"a\\b\"\n\t\u{1}\u{7f} 'é😀</script>'";

/// A second of work that ended a second after 1970 began, and has a name.
pub(crate) fn work(name: &'static str) -> TracedWork {
    TracedWork {
        start: TraceStart { trace: 0xabc, root: 7, parent: None, sampled: true },
        name: [name.into(), "".into()],
        kind: SpanKind::Server,
        began: Instant::now(),
        took: Duration::from_millis(400),
        ended: Timestamp::from_second(1).unwrap(),
        failed: false,
        attributes: Vec::new(),
        admitted: None,
        jobs: RequestJobs::default(),
        calls: Vec::new(),
        cause: None,
    }
}

/// Returns the message of a batch, and its spans.
fn written(batch: &[TracedWork]) -> (Json, Vec<Json>) {
    let frame = MessageFrame::new("shop \"a\"", "1.2", 0x1f, "sqlite");
    let message = frame.message(batch);
    let message: Json = serde_json::from_slice(&message).unwrap();
    let spans = message["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone();
    (message, spans)
}

/// Returns attributes as the protocol has them.
fn attributes(pairs: &[(&str, Json)]) -> Json {
    let attribute = |(key, value): &(&str, Json)| match value {
        Json::String(text) => json!({"key": key, "value": {"stringValue": text}}),
        number => json!({"key": key, "value": {"intValue": number.to_string()}}),
    };
    pairs.iter().map(attribute).collect()
}

#[test]
fn a_message_has_its_service_and_all_spans() {
    let (message, spans) = written(&[work("first"), work("second")]);
    let names: Vec<_> = spans.iter().map(|span| &span["name"]).collect();
    assert_eq!(names, ["first", "second"]);
    let service = attributes(&[
        ("service.name", "shop \"a\"".into()),
        ("service.version", "1.2".into()),
        ("service.instance.id", "000000000000001f".into()),
    ]);
    let scope = json!({"scope": {"name": "plinth", "version": "1.2"}, "spans": spans});
    let expected = json!({"resourceSpans": [{"resource": {"attributes": service}, "scopeSpans": [scope]}]});
    assert_eq!(message, expected);
    assert_eq!(written(&[]).1, Vec::<Json>::new());
}

#[test]
fn a_request_is_written_as_the_protocol_has_it() {
    let mut request = work("GET");
    let began = request.began;
    let at = |millis| began + Duration::from_millis(millis);
    request.name[1] = "/a/{b}".into();
    request.start.parent = Some(0xff);
    request.failed = true;
    request.admitted = Some(at(100));
    let text = |text: &'static str| AttributeValue::Text(text.into());
    request.attributes =
        vec![("empty", text("")), ("text", text(TEXT)), ("empty", text("")), ("number", AttributeValue::Number(-3))];
    request.cause = Some(TraceParent { trace: 1 << 127, span: 2, sampled: true });
    let (waited, ran) = (Duration::from_millis(20), Duration::from_millis(180));
    let job = NotedJob { kind: JobKind::List, since: at(100), waited, ran, long: 1, quick: 4 };
    request.jobs.timeline.push(job);
    let statement = TEXT.to_owned();
    let took = Duration::from_millis(2);
    let noted = NotedStatement { text: statement, began: at(150), took, rows: u64::MAX, query: None };
    request.jobs.statements.push(noted);
    for (span, status) in [(1, Some(503)), (u64::MAX, None)] {
        request.calls.push(NotedCall { span, purpose: "http", began: at(390), took, status, failed: true });
    }
    let (bytes, count) = (request.bytes(), request.spans());
    let (message, spans) = written(&[request]);
    let times = |span: &Json| {
        ["startTimeUnixNano", "endTimeUnixNano"].map(|name| span[name].as_str().unwrap().parse::<u64>().unwrap())
    };
    let millis: Vec<_> = spans.iter().map(|span| times(span).map(|time| time / 1_000_000)).collect();
    assert_eq!(millis, [[600, 1_000], [600, 700], [700, 900], [750, 752], [990, 992], [990, 992]]);
    let start = [&spans[0]["startTimeUnixNano"], &spans[0]["endTimeUnixNano"]];
    let root = json!({
        "traceId": "00000000000000000000000000000abc",
        "spanId": "0000000000000007",
        "parentSpanId": "00000000000000ff",
        "name": "GET /a/{b}",
        "kind": 2,
        "startTimeUnixNano": start[0],
        "endTimeUnixNano": start[1],
        "attributes": attributes(&[("text", TEXT.into()), ("number", (-3).into())]),
        "status": {"code": 2},
        "links": [{"traceId": "80000000000000000000000000000000", "spanId": "0000000000000002"}],
    });
    assert_eq!(spans[0], root);
    let [_, admission, job, statement, call, unanswered] = &spans[..] else { panic!("{spans:?}") };
    assert_eq!((&admission["name"], &admission["parentSpanId"]), (&"admission".into(), &"0000000000000007".into()));
    assert!(admission.get("status").is_none() && admission.get("links").is_none(), "{admission}");
    assert_eq!(job["name"], "database list");
    let of_job = [
        ("db.system.name", "sqlite".into()),
        ("plinth.job.kind", "list".into()),
        ("plinth.job.wait_us", 20_000.into()),
        ("plinth.job.statements", 4.into()),
    ];
    assert_eq!(job["attributes"], attributes(&of_job));
    assert_eq!((&statement["name"], &statement["parentSpanId"]), (&"SELECT".into(), &job["spanId"]));
    let of_statement = [
        ("db.system.name", "sqlite".into()),
        ("db.query.text", TEXT.into()),
        ("db.response.returned_rows", i64::MAX.into()),
    ];
    assert_eq!(statement["attributes"], attributes(&of_statement));
    assert_eq!((&call["name"], &call["spanId"]), (&"call http".into(), &"0000000000000001".into()));
    let of_call = [("plinth.call.purpose", "http".into()), ("http.response.status_code", 503.into())];
    assert_eq!(call["attributes"], attributes(&of_call));
    assert_eq!(unanswered["attributes"], attributes(&of_call[..1]));
    assert_eq!((spans.len() as u64, &unanswered["spanId"]), (count, &"ffffffffffffffff".into()));
    let real = message.to_string().len();
    assert!((real / 2..real * 2).contains(&bytes), "{bytes} for {real}");
}

#[test]
fn statements_of_jobs_that_are_not_kept_have_no_spans() {
    let mut request = work("GET");
    let (since, took) = (request.began, Duration::from_millis(2));
    let job = NotedJob { kind: JobKind::List, since, waited: took, ran: took, long: 2, quick: 0 };
    request.jobs.timeline.push(job);
    for text in ["SELECT 1", "(SELECT 2)", "SELECT 3 of a later job"] {
        let statement = NotedStatement { text: text.into(), began: since, took, rows: 1, query: None };
        request.jobs.statements.push(statement);
    }
    let count = request.spans();
    let spans = written(&[request]).1;
    let names: Vec<_> = spans.iter().map(|span| &span["name"]).collect();
    assert_eq!(names, ["GET", "database list", "SELECT", "SELECT"]);
    assert_eq!(spans.len() as u64, count);
}
