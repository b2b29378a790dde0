//! A receiver of OTLP over HTTP in JSON: it decodes what came, and accepts nothing that breaks the protocol.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use testing::SmsGateway;

/// A span that came.
#[derive(Clone, Debug)]
pub(super) struct ReceivedSpan {
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) name: String,
    pub(super) kind: u64,
    /// Nanoseconds since 1970.
    pub(super) began: u128,
    pub(super) ended: u128,
    pub(super) failed: bool,
    pub(super) attributes: BTreeMap<String, String>,
    /// Trace and span of each link.
    pub(super) links: Vec<[String; 2]>,
}

/// Returns the spans of all messages that a collector was sent; those of repeated messages once.
pub(super) fn received(collector: &SmsGateway) -> Vec<ReceivedSpan> {
    let mut known = BTreeSet::new();
    let messages = collector.requests();
    let spans = messages.iter().flat_map(|message| decode(message));
    spans.filter(|span| known.insert((span.trace.clone(), span.id.clone()))).collect()
}

/// Returns a header of a request; empty without.
pub(super) fn header<'r>(request: &'r str, name: &str) -> &'r str {
    let line = request.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")));
    line.map_or("", |line| &line[name.len() + 2..])
}

fn decode(message: &str) -> Vec<ReceivedSpan> {
    let (head, body) = message.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{head}");
    assert!(head.to_lowercase().contains("\r\ncontent-type: application/json\r\n"), "{head}");
    let body: Json = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"));
    let [resource] = &list(&body["resourceSpans"])[..] else { panic!("{body}") };
    let names = attributes(&resource["resource"]["attributes"]);
    assert!(["service.name", "service.version", "service.instance.id"].iter().all(|name| names.contains_key(*name)));
    let [scope] = &list(&resource["scopeSpans"])[..] else { panic!("{body}") };
    assert_eq!(scope["scope"]["name"], "plinth");
    list(&scope["spans"]).iter().map(span).collect()
}

fn span(json: &Json) -> ReceivedSpan {
    let nanos = |name: &str| json[name].as_str().unwrap_or_else(|| panic!("{name}: {json}")).parse().unwrap();
    let link = |link: &Json| [id(&link["traceId"], 32), id(&link["spanId"], 16)];
    let span = ReceivedSpan {
        trace: id(&json["traceId"], 32),
        id: id(&json["spanId"], 16),
        parent: json.get("parentSpanId").map(|parent| id(parent, 16)),
        name: json["name"].as_str().unwrap().to_owned(),
        kind: json["kind"].as_u64().unwrap(),
        began: nanos("startTimeUnixNano"),
        ended: nanos("endTimeUnixNano"),
        failed: json.pointer("/status/code") == Some(&Json::from(2)),
        attributes: attributes(&json["attributes"]),
        links: list(&json["links"]).iter().map(link).collect(),
    };
    assert!(span.began <= span.ended && span.began > 0 && (1..=5).contains(&span.kind), "{json}");
    span
}

/// Returns an id: so many hexadecimal digits, not all of them zero.
fn id(json: &Json, digits: usize) -> String {
    let text = json.as_str().unwrap_or_else(|| panic!("an id: {json}"));
    assert!(text.len() == digits && text.bytes().all(|byte| b"0123456789abcdef".contains(&byte)), "{text}");
    assert!(text.bytes().any(|byte| byte != b'0'), "{text}");
    text.to_owned()
}

fn list(json: &Json) -> Vec<Json> {
    json.as_array().cloned().unwrap_or_default()
}

fn attributes(json: &Json) -> BTreeMap<String, String> {
    let pair = |attribute: &Json| {
        let value = attribute["value"].as_object().unwrap();
        assert_eq!(value.len(), 1, "{attribute}");
        // A number of 64 bits is a text, too.
        let text = value.get("stringValue").or_else(|| value.get("intValue")).unwrap();
        (attribute["key"].as_str().unwrap().to_owned(), text.as_str().unwrap().to_owned())
    };
    list(json).iter().map(pair).collect()
}
