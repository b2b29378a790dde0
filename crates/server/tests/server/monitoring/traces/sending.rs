//! Collectors that refuse, hang, are away, or come back: requests do not wait for them.

use super::{collector, look, received, start, stop, until, value};
use crate::commands::program::Plinth;
use crate::monitoring::Watched;
use spec::spec;
use std::time::Duration;
use testing::{GatewayAnswer, SmsGateway};

/// The most bytes that wait for a collector.
const QUEUE: f64 = (4 << 20) as f64;

const ALL: (&str, &str) = ("PLINTH_TRACES_SAMPLE", "1");

/// Waits until so many spans have an outcome.
async fn await_spans(watched: &Watched, outcome: &str, least: f64) -> f64 {
    for _ in 0..1_200 {
        let count = value(&watched.metrics().await, &format!("plinth_trace_spans_total{{outcome=\"{outcome}\"}}"));
        if count >= least {
            return count;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{outcome}: {}", watched.metrics().await);
}

#[spec("E-203")]
async fn a_collector_that_is_busy_is_asked_again(plinth: Plinth) {
    let collector = collector().await;
    collector.says("503 Busy", "");
    let watched = start(plinth, &collector, &[ALL]);
    look(&watched).await;
    until(|| (collector.requests().len() > 1).then_some(())).await;
    collector.says("200 OK", r#"{"partialSuccess": {"rejectedSpans": "1"}}"#);
    let sent = await_spans(&watched, "sent", 1.0).await;
    assert_eq!(await_spans(&watched, "failed", 1.0).await, 1.0);
    let spans = received(&collector);
    assert_eq!(spans.len() as f64, sent + 1.0, "{spans:?}");
    // What it refuses for good is not sent again.
    collector.says("400 Bad", "");
    let before = collector.requests().len();
    look(&watched).await;
    await_spans(&watched, "failed", 2.0).await;
    assert_eq!(collector.requests().len(), before + 1);
    let log = stop(watched.server);
    assert!(log.contains("traces were given up: the collector answered 400."), "{log}");
}

#[spec("E-203")]
async fn a_collector_that_hangs_holds_nothing_up(plinth: Plinth) {
    let collector = collector().await;
    collector.answers(GatewayAnswer::Hang);
    let watched = start(plinth, &collector, &[ALL, ("PLINTH_TRACES_TIMEOUT", "1h")]);
    let dropped = "plinth_trace_spans_total{outcome=\"dropped\"}";
    let mut page = String::new();
    for _ in 0..200 {
        for _ in 0..100 {
            look(&watched).await;
        }
        page = watched.metrics().await;
        if value(&page, dropped) > 0.0 {
            break;
        }
    }
    assert!(value(&page, dropped) > 0.0, "{page}");
    let waiting = value(&page, "plinth_trace_queue_bytes");
    assert!(waiting > QUEUE / 2.0 && waiting <= QUEUE, "{waiting}");
    let log = stop(watched.server);
    assert!(log.contains("the last traces could not be sent before the end"), "{log}");
}

#[spec("E-203")]
async fn a_collector_that_is_away_costs_requests_nothing(plinth: Plinth) {
    let nowhere = {
        let gone = SmsGateway::start().await;
        gone.url("")
    };
    let watched = Watched::start(plinth, &[ALL, ("PLINTH_TRACES_ENDPOINT", &nowhere)]);
    for _ in 0..50 {
        look(&watched).await;
    }
    // Five tries, with pauses that double.
    await_spans(&watched, "failed", 1.0).await;
    let log = stop(watched.server);
    assert!(log.contains("traces were given up: the collector cannot be reached."), "{log}");
    assert!(!log.contains("panicked"), "{log}");
}

#[spec("E-203")]
async fn without_a_collector_there_are_no_traces(plinth: Plinth) {
    let watched = Watched::start(plinth, &[ALL]);
    look(&watched).await;
    assert!(!watched.metrics().await.contains("plinth_trace"));
    let Watched { plinth, server, .. } = watched;
    stop(server);
    for (name, text, expected) in [
        ("PLINTH_TRACES_ENDPOINT", "collector:4318", "traces.endpoint must be an address"),
        ("PLINTH_TRACES_ENDPOINT", "ftp://collector", "traces.endpoint must be an address"),
        ("PLINTH_TRACES_SAMPLE", "2", "traces.sample is 2, and not between 0 and 1"),
        ("PLINTH_TRACES_SAMPLE", "much", "PLINTH_TRACES_SAMPLE: traces.sample must be a number"),
        ("PLINTH_TRACES_HEADERS", "a-secret-without-a-name", "traces.headers: line 1 must be"),
    ] {
        let address = if name == "PLINTH_TRACES_ENDPOINT" { text } else { "http://127.0.0.1:1" };
        let run = tokio::task::block_in_place(|| {
            plinth.run_in(&[("PLINTH_TRACES_ENDPOINT", address), (name, text)], &["serve"], b"")
        });
        assert!(run.code != 0 && run.errors.contains(expected), "{text}: {}", run.errors);
        assert!(!run.errors.contains("a-secret"), "{}", run.errors);
    }
}
