//! The metrics of a server: what they count, and that clients cannot make series.

use super::{Watched, value};
use crate::commands::many::platform;
use crate::commands::program::Plinth;
use messages::outbox::OutboxTask;
use serde_json::json;
use spec::spec;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::task::block_in_place;

/// The most series of a server on which everything occurred.
const MOST: usize = 10_000;

/// Checks the form of a page, and returns its series.
fn series(page: &str) -> BTreeSet<String> {
    let (mut kinds, mut found) = (BTreeMap::new(), BTreeSet::new());
    for line in page.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert_eq!(kinds.insert(name, kind), None, "{name} is told twice");
            continue;
        }
        if line.starts_with("# HELP ") {
            continue;
        }
        let (name, number) = line.rsplit_once(' ').unwrap();
        assert!(number.parse::<f64>().is_ok_and(f64::is_finite), "{line}");
        let bare = name.split('{').next().unwrap();
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|end| bare.strip_suffix(end));
        let kind = family.and_then(|family| kinds.get(family).filter(|kind| **kind == "histogram"));
        let kind = kind.or_else(|| kinds.get(bare)).unwrap_or_else(|| panic!("{line} has no type"));
        assert_eq!(*kind == "counter", bare.ends_with("_total"), "{line}");
        assert!(found.insert(name.to_owned()), "{name} is there twice");
    }
    found
}

#[spec]
async fn metrics_count_what_happens(plinth: Plinth) {
    let engine = if plinth.postgres.is_some() { "postgres" } else { "sqlite" };
    let watched = Watched::start(plinth, &[]);
    let before = watched.metrics().await;
    let client = &watched.client;
    for code in 0..5 {
        client.post("collection/thing", json!({"code": code, "name": "A thing", "state": "new"})).await.is(201);
    }
    client.post("collection/thing", json!({"code": "x"})).await.is(400);
    for _ in 0..3 {
        client.get("collection/thing").await.is(200);
    }
    client.get("collection/thing/1").await.is(200);
    let stranger = testing::Client::new(client.address()).at_contract().with("key", "plk_nonsense");
    stranger.get("collection/thing").await.is(403);
    let sign_in = [("user", "ann"), ("password", "wrong")];
    testing::Client::new(client.address()).post_form("auth", &sign_in).await.is(401);
    let after = watched.metrics().await;
    series(&after);
    let added = |name: &str| value(&after, name) - value(&before, name);
    let requests = |route: &str, status: u16| {
        added(&format!("plinth_http_requests_total{{route=\"{route}\",status=\"{status}\"}}"))
    };
    assert_eq!(requests("POST /api/v1/collection/{collection}", 201), 5.0, "{after}");
    assert_eq!(requests("POST /api/v1/collection/{collection}", 400), 1.0);
    assert_eq!(requests("GET /api/v1/collection/{collection}", 200), 3.0);
    assert_eq!(requests("GET /api/v1/collection/{collection}", 403), 1.0);
    assert_eq!(requests("GET /api/v1/collection/{collection}/{item}", 200), 1.0);
    assert_eq!(added("plinth_http_request_seconds_count{class=\"ok\"}"), 9.0);
    assert_eq!(added("plinth_http_request_seconds_count{class=\"refused\"}"), 3.0);
    assert_eq!(added("plinth_tenant_requests_total{tenant=\"acme\"}"), 12.0);
    assert!(added("plinth_tenant_database_seconds_total{tenant=\"acme\"}") > 0.0);
    let cpu = added("plinth_tenant_cpu_seconds_total{tenant=\"acme\"}");
    assert!(cpu > 0.0 && cpu < added("plinth_tenant_database_seconds_total{tenant=\"acme\"}") + 0.001, "{after}");
    assert!(added("plinth_tenant_sent_bytes_total{tenant=\"acme\"}") > 100.0);
    assert_eq!(added("plinth_auth_failures_total{reason=\"key\"}"), 1.0);
    assert_eq!(added("plinth_auth_failures_total{reason=\"password\"}"), 1.0);
    let jobs = |kind: &str| added(&format!("plinth_db_job_seconds_count{{engine=\"{engine}\",kind=\"{kind}\"}}"));
    assert!(jobs("write") >= 5.0 && jobs("key") >= 1.0 && jobs("list") >= 1.0, "{after}");
    assert!(value(&after, &format!("plinth_db_wait_seconds_count{{engine=\"{engine}\",kind=\"write\"}}")) >= 5.0);
    assert!(added(&format!("plinth_db_commits_total{{engine=\"{engine}\"}}")) >= 5.0);
    let commits = added(&format!("plinth_db_commit_seconds_count{{engine=\"{engine}\"}}"));
    assert_eq!(commits >= 1.0, engine == "sqlite", "{after}");
    // Processes on one machine have one clock.
    assert_eq!(after.contains("\nplinth_clock_offset_seconds "), engine == "postgres", "{after}");
    assert!(value(&after, "plinth_clock_offset_seconds").abs() < 60.0);
    assert!(!after.contains("plinth_tls_certificate_end_seconds"), "{after}");
    let answers = added("plinth_cache_events_total{kind=\"answer\",event=\"hit\"}");
    assert!(answers >= 1.0, "{after}");
    for (name, least) in [
        ("plinth_tenants", 1.0),
        ("plinth_stores_open", 1.0),
        ("plinth_store_open_seconds_count", 1.0),
        ("plinth_cache_bytes", 1.0),
        ("plinth_disk_free_bytes", 1e6),
        ("plinth_disk_size_bytes", value(&after, "plinth_disk_free_bytes")),
        ("process_resident_memory_bytes", 1e6),
        ("process_open_fds", 5.0),
        ("process_max_fds", 5.0),
        ("process_threads", 2.0),
        ("process_cpu_seconds_total", 0.001),
        ("process_start_time_seconds", 1.7e9),
    ] {
        assert!(value(&after, name) >= least, "{name}: {after}");
    }
    assert_eq!(value(&after, &format!("plinth_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))), 1.0);
}

#[spec]
async fn clients_cannot_make_series(plinth: Plinth) {
    let settings = [("PLINTH_LIMITS_REQUESTS_PER_ADDRESS", "0"), ("PLINTH_LOG_LEVEL", "warn")];
    let watched = Watched::start(plinth, &settings);
    let client = &watched.client;
    let rounds = async |name: &str, from: usize| {
        for number in from..from + 40 {
            let odd = format!("{name}-{number}");
            client.get(&format!("/{odd}/{odd}")).await.is(404);
            client.get(&format!("collection/{odd}/{number}?{odd}={odd}")).await;
            client.get(&format!("app/{odd}")).await;
            client.request(&odd.to_ascii_uppercase(), "collection/thing").send().await.is(405);
            client.with("host", &format!("{odd}.test")).get("collection/thing").await;
            client.get(&format!("/t/{odd}/api/v1/collection/thing")).await;
            client.with(&odd, &odd).get("collection/thing").await;
            client.with("accept-language", &odd).get("/sign-in").await;
            testing::Client::new(client.address()).with("key", &odd).get("collection/thing").await;
        }
    };
    rounds("first", 0).await;
    let first = series(&watched.metrics().await);
    rounds("second", 1_000).await;
    let page = watched.metrics().await;
    let second = series(&page);
    let new: Vec<_> = second.difference(&first).filter(|name| !name.contains("db_")).collect();
    assert!(new.is_empty(), "{new:#?}");
    assert!(second.len() < MOST / 10, "{} series", second.len());
    for secret in ["first-", "second-", "FIRST", "plk_", "127.0.0.1", "ann"] {
        let labels: Vec<_> = second.iter().filter(|name| name.contains(&format!("\"{secret}"))).collect();
        assert!(labels.is_empty(), "{labels:#?}");
    }
}

#[spec]
async fn the_outbox_tells_what_waits(plinth: Plinth) {
    let watched = Watched::start(plinth, &[("PLINTH_DATA_POLL_INTERVAL", "100ms")]);
    let before = watched.metrics().await;
    assert_eq!(value(&before, "plinth_outbox_pending"), 0.0);
    let platform = block_in_place(|| platform(&watched.plinth));
    let tenant = block_in_place(|| platform.open("acme")).unwrap();
    // Nobody knows this task: it is tried again, and waits.
    let task = OutboxTask { kind: "none".to_owned(), input: json!(null) };
    tenant.write_elevated(move |tx, context| messages::outbox::later(tx, context, &task)).await.unwrap();
    let end = tokio::time::Instant::now() + Duration::from_secs(120);
    loop {
        let page = watched.metrics().await;
        if value(&page, "plinth_outbox_pending") >= 1.0
            && value(&page, "plinth_outbox_sent_total{outcome=\"later\"}") >= 1.0
        {
            assert!(value(&page, "plinth_outbox_oldest_seconds") > 0.0, "{page}");
            return;
        }
        assert!(tokio::time::Instant::now() < end, "{page}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[spec("E-196")]
async fn stores_of_tenants_in_use_are_measured(plinth: Plinth) {
    plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.file("acme/types/thing.yaml", "name: thing\nproperties:\n  name: {id: 101, kind: pString}\n");
    let folder = plinth.path("acme").display().to_string();
    block_in_place(|| plinth.run(&["apply", &folder]).done());
    let platform = crate::commands::many::platform(&plinth);
    let tenant = block_in_place(|| platform.open("acme").unwrap());
    let size = || tenant.figures().size.load(std::sync::atomic::Ordering::Relaxed);
    platform.measure_stores().await.unwrap();
    assert_eq!(size(), 0, "it had no request");
    tenant.figures().requests.increment();
    platform.measure_stores().await.unwrap();
    let first = size();
    assert!(first > 10_000, "{first}");
    let rows: String = (0..20_000).map(|row| format!("A name that takes its room {row}\n")).collect();
    let rows = plinth.file("things.csv", format!("name\n{rows}"));
    block_in_place(|| plinth.run(&["import", "thing", &rows]).done());
    platform.measure_stores().await.unwrap();
    assert_eq!(size(), first, "it had no request since");
    tenant.figures().requests.increment();
    platform.measure_stores().await.unwrap();
    assert!(size() > first + 20_000 * 30, "{first} {}", size());
}
