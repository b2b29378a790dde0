//! Traces, as a collector receives them: their spans, the choice of what is kept, a collector that is away.

mod received;
mod sending;

use super::{Watched, value};
use crate::commands::many::platform;
use crate::commands::program::Plinth;
use received::{ReceivedSpan, header, received};
use serde_json::json;
use spec::spec;
use std::time::{Duration, Instant};
use testing::{Process, SmsGateway};
use tokio::task::block_in_place;

/// The header of a caller that wants its request kept.
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// Starts a collector that takes everything.
async fn collector() -> SmsGateway {
    let collector = SmsGateway::start().await;
    collector.says("200 OK", "{}");
    collector
}

/// Starts a server that sends its traces to a collector.
fn start(plinth: Plinth, collector: &SmsGateway, settings: &[(&str, &str)]) -> Watched {
    let endpoint = collector.url("");
    Watched::start(plinth, &[&[("PLINTH_TRACES_ENDPOINT", endpoint.as_str())], settings].concat())
}

/// Reads a list, which has no rows yet. Beyond the rate of its key, it is refused.
async fn look(watched: &Watched) {
    let status = watched.client.get("collection/thing").await.status;
    assert!(status < 500, "{status}");
}

/// Stops a server: it sends the last traces before its end.
fn stop(server: Process) -> String {
    let (status, log) = block_in_place(|| server.stop());
    assert!(status.success(), "{log}");
    log
}

/// Waits until something is there.
async fn until<T>(mut found: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "it did not come");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Returns the spans right below another, and checks that they lie within it.
fn below<'s>(spans: &'s [ReceivedSpan], above: &ReceivedSpan) -> Vec<&'s ReceivedSpan> {
    let found = spans.iter().filter(|span| span.trace == above.trace && span.parent.as_ref() == Some(&above.id));
    let found: Vec<_> = found.collect();
    for span in &found {
        assert!(span.began >= above.began && span.ended <= above.ended, "{span:?} is not within {above:?}");
    }
    found
}

#[spec("E-201")]
async fn a_request_is_a_tree_of_spans(plinth: Plinth) {
    let engine = if plinth.postgres.is_some() { "postgresql" } else { "sqlite" };
    let collector = collector().await;
    let settings = [
        ("PLINTH_TRACES_SAMPLE", "1"),
        ("PLINTH_TRACES_TOKEN", "a-token-of-the-collector"),
        ("PLINTH_TRACES_HEADERS", "X-Scope-OrgID: shop"),
        ("PLINTH_TRACES_SERVICE", "a-service"),
    ];
    let watched = start(plinth, &collector, &settings);
    let things = watched.plinth.path("things.csv").display().to_string();
    block_in_place(|| watched.plinth.run(&["import", "thing", &things]).done());
    let made = json!({"code": 877_001_309, "name": "a-name-of-a-thing", "state": "new"});
    let post = watched.client.request("POST", "collection/thing?probe=a-parameter").header("traceparent", PARENT);
    let refused = post.json(&made).send().await;
    let request_id = refused.headers["x-request-id"].to_str().unwrap().to_owned();
    let other = json!({"code": 877_002_309, "name": "a-name-of-a-thing", "state": "new"});
    watched.client.post("collection/thing", other).await.is(201);
    watched.client.get("collection/thing/1").await.is(200);
    let filters = json!([{"property": "name", "type": "contains", "param": "hing a-value"}]).to_string();
    for page in 1..=10 {
        watched.client.query("collection/thing", &[("orderBy", "-name"), ("page", &page.to_string())]).await.is(200);
        watched.client.query("collection/thing", &[("filters", &filters)]).await;
    }
    stop(watched.server);
    let spans = received(&collector);
    let root = spans.iter().find(|span| span.trace == TRACE && span.kind == 2).unwrap();
    assert_eq!(root.parent.as_deref(), Some("00f067aa0ba902b7"));
    assert_eq!(root.name, "POST /api/v1/collection/{collection}");
    assert_eq!(root.attributes["plinth.request_id"], request_id);
    assert_eq!(root.attributes["plinth.tenant"], "acme");
    assert_eq!(root.attributes["http.route"], "/api/v1/collection/{collection}");
    let written = |span: &&ReceivedSpan| {
        span.trace != TRACE && span.attributes.get("http.response.status_code").is_some_and(|status| status == "201")
    };
    let written = spans.iter().find(written).unwrap();
    assert!(written.parent.is_none() && !written.failed, "{written:?}");
    let parts = below(&spans, written);
    assert!(parts.iter().any(|part| part.name == "admission"), "{parts:?}");
    let job = parts.iter().find(|part| part.name == "database write").unwrap_or_else(|| panic!("{parts:?}"));
    assert_eq!(job.attributes["db.system.name"], engine);
    assert!(job.attributes["plinth.job.wait_us"].parse::<u64>().is_ok(), "{job:?}");
    assert!(spans.iter().any(|span| span.name == "database key"), "a look-up by key");
    let lists = spans.iter().filter(|span| span.name == "database list");
    let statements: Vec<_> = lists.flat_map(|list| below(&spans, list)).collect();
    assert!(statements.iter().any(|statement| statement.attributes["db.query.text"].contains("SELECT ")));
    let messages = collector.requests();
    for message in &messages {
        assert_eq!(header(message, "authorization"), "Bearer a-token-of-the-collector");
        assert_eq!(header(message, "x-scope-orgid"), "shop");
    }
    let bodies: String = messages.iter().filter_map(|message| Some(message.split_once("\r\n\r\n")?.1)).collect();
    assert!(bodies.contains(r#"{"stringValue":"a-service"}"#), "{bodies}");
    for secret in
        ["a-parameter", "a-name-of-a-thing", "877001309", "877002309", "a-value", "plk_", "127.0.0.1", "a-token-of"]
    {
        assert!(!bodies.contains(secret), "{secret}: {bodies}");
    }
}

#[spec("E-202")]
async fn what_is_slow_or_fails_is_kept_and_nothing_else(plinth: Plinth) {
    let collector = collector().await;
    let never = [("PLINTH_TRACES_SAMPLE", "0"), ("PLINTH_TRACES_SLOW", "1h")];
    let watched = start(plinth, &collector, &never);
    for _ in 0..20 {
        look(&watched).await;
        watched.client.get("collection/nothing").await.is(404);
    }
    let Watched { plinth, server, .. } = watched;
    stop(server);
    assert!(collector.requests().is_empty(), "nothing was slow, and nothing failed");
    // Without its table of facts, the tenant cannot be opened.
    let tenant = block_in_place(|| platform(&plinth).open("acme").unwrap());
    let rename = |from: &'static str, to: &'static str| {
        let renamed = tenant.store().write_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("ALTER TABLE ").table(&database::Name::fixed(from)).push(" RENAME TO ").push(to);
            tx.execute(&sql)
        });
        renamed.unwrap();
    };
    block_in_place(|| rename("plinth_meta", "aside"));
    let endpoint = collector.url("");
    let settings = [&never[..], &[("PLINTH_TRACES_ENDPOINT", endpoint.as_str())]].concat();
    let server = block_in_place(|| plinth.start_with("serve", &settings));
    let unsampled = format!("{}00", &PARENT[..53]);
    let asked = server.client().at_contract().request("GET", "collection/thing").header("traceparent", &unsampled);
    let failed = asked.send().await.is(500);
    server.client().get("/healthz").await.is(200);
    // The reason is in the log, beside the id that the client has.
    let log = stop(server);
    let id = format!("\"id\":\"{}\"", failed.header("x-request-id"));
    assert!(log.lines().any(|line| line.contains("a request failed") && line.contains(&id)), "{log}");
    let spans = received(&collector);
    let roots: Vec<_> = spans.iter().filter(|span| span.kind == 2).collect();
    assert!(roots.len() == 1 && roots[0].failed && roots[0].trace == TRACE, "{roots:?}");
    assert_eq!(roots[0].attributes["http.response.status_code"], "500");
    block_in_place(|| rename("aside", "plinth_meta"));
    // A write of a row takes a millisecond at times, and opening the tenant does.
    let slow = [("PLINTH_TRACES_SLOW", "1ms"), ("PLINTH_TRACES_SAMPLE", "0"), settings[2]];
    let server = block_in_place(|| plinth.start_with("serve", &slow));
    server.client().at_contract().get("collection/thing").await.is(403);
    stop(server);
    let spans = received(&collector);
    let slow = spans.iter().find(|span| span.kind == 2 && !span.failed).unwrap_or_else(|| panic!("{spans:?}"));
    assert!(slow.ended - slow.began >= 1_000_000, "{slow:?}");
}

#[spec("E-202")]
async fn a_stranger_decides_little(plinth: Plinth) {
    let collector = collector().await;
    let settings = [("PLINTH_TRACES_SAMPLE", "0"), ("PLINTH_TRACES_SLOW", "0s"), ("PLINTH_TRACES_CALLERS", "2")];
    let watched = start(plinth, &collector, &settings);
    let ask =
        |parent: String| watched.client.request("GET", "collection/thing/1").header("traceparent", &parent).send();
    let wrong = [
        "",
        "00",
        "-",
        &PARENT[..54],
        &PARENT.to_uppercase(),
        &format!("00-{}", "4".repeat(7_000)),
        &format!("{PARENT}-00"),
        &format!("ff{}", &PARENT[2..]),
        &format!("{PARENT},{PARENT}"),
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    ];
    for text in wrong {
        let status = ask(text.to_owned()).await.status;
        assert!([200, 404].contains(&status), "{text}: {status}");
    }
    let head = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\ntraceparent: ".as_slice();
    for byte in [0xE9, 0xFF, b'\t', 0x7F] {
        let answer = watched.client.raw(&[head, &[byte; 55], b"\r\n\r\n"].concat()).await;
        assert!(answer.starts_with("HTTP/1.1 200 ") || answer.starts_with("HTTP/1.1 400 "), "{byte}: {answer}");
    }
    let twice = watched.client.request("GET", "collection/thing/1").header("traceparent", PARENT);
    twice.header("traceparent", PARENT).send().await;
    let began = Instant::now();
    for number in 1..=300 {
        ask(format!("00-4bf92f3577b34da6a3ce929d{number:08x}-00f067aa0ba902b7-01")).await;
    }
    let most = 2 * (began.elapsed().as_secs() as usize + 2);
    stop(watched.server);
    let spans = received(&collector);
    let kept = spans.iter().filter(|span| span.kind == 2).count();
    assert!((2..=most).contains(&kept), "{kept} of at most {most}");
    assert!(spans.iter().all(|span| span.trace.starts_with("4bf92f3577b34da6a3ce929d0000")), "{spans:?}");
}

#[spec("E-204")]
async fn runs_are_linked_to_requests_and_pass_their_trace_on(plinth: Plinth) {
    let (collector, erp) = (collector().await, SmsGateway::start().await);
    let url = erp.url("/orders?probe=a-parameter");
    let automation = format!(
        "automation: order\non: {{event: thing.created}}\ndo:\n  - http: {{url: \"{url}\", method: POST, body: \"{{=name}}\"}}\n"
    );
    plinth.file("acme/automations/order.yaml", automation);
    let settings = [("PLINTH_TRACES_SAMPLE", "0"), ("PLINTH_OUTGOING_ALLOW_PRIVATE", "true")];
    let watched = start(plinth, &collector, &settings);
    let thing = json!({"code": 877_001_309, "name": "a-name-of-a-thing", "state": "new"});
    let post = watched.client.request("POST", "collection/thing").header("traceparent", PARENT);
    post.json(&thing).send().await.is(201);
    let sent = until(|| erp.requests().pop()).await;
    let log = stop(watched.server);
    let spans = received(&collector);
    let request = spans.iter().find(|span| span.kind == 2).unwrap();
    let run = spans.iter().find(|span| span.name == "run order").unwrap_or_else(|| panic!("{spans:?} {log}"));
    assert_eq!(run.links, [[TRACE.to_owned(), request.id.clone()]]);
    assert_eq!(run.attributes["plinth.automation"], "order");
    assert_eq!(run.attributes["plinth.run.state"], "done");
    let parts = below(&spans, run);
    assert!(parts.iter().any(|part| part.name == "database write"), "{parts:?}");
    let call = parts.iter().find(|part| part.name == "call http").unwrap_or_else(|| panic!("{parts:?}"));
    assert_eq!((call.kind, call.attributes["http.response.status_code"].as_str()), (3, "200"));
    assert_eq!(header(&sent, "traceparent"), format!("00-{}-{}-01", run.trace, call.id));
    let text = format!("{:?}", collector.requests());
    assert!(!["a-parameter", "a-name-of-a-thing", "/orders"].iter().any(|secret| text.contains(secret)), "{text}");
}
