//! Dates against texts at random, and their bounds.
#![expect(clippy::unwrap_used, reason = "a test fails where what it needs is not there")]

use datetime::{self, DateTime, DateZone};
use expression::Value;
use expression::{Fault, NoProviders, Run, RunLimits, catalogue};
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use proptest::prelude::*;
use serde_json::Value as Json;
use std::time::{Duration, Instant};
fn zone(name: &str) -> TimeZone {
    if name == "UTC" { TimeZone::UTC } else { TimeZoneDatabase::bundled().get(name).unwrap() }
}

fn call(name: &str, arguments: &[Value], zone: TimeZone, now: i64) -> Result<Value, Fault> {
    let mut random = |_: &mut [u8]| {};
    let now = Timestamp::from_second(now).unwrap();
    let mut run = Run::new(now, zone, &NoProviders, &mut random, RunLimits::default());
    (catalogue::find(name).unwrap_or_else(|| panic!("{name} exists")).call)(&mut run, arguments)
}

fn date(zone: &str) -> DateTime {
    DateTime { seconds: 0, micros: 0, zone: DateZone::parse(zone).unwrap() }
}

fn cases(file: &str) -> Vec<Json> {
    let path = format!("{}/tests/vectors/{file}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The texts of all date vectors.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for file in ["strtotime", "dateops"] {
        for case in cases(file) {
            texts.extend(case["args"].as_array().unwrap().iter().filter_map(Json::as_str).map(str::to_owned));
        }
    }
    texts
}

/// Does all that can be done with a text.
fn exercise(text: &[u8], seconds: i64, zone: DateZone) {
    let base = DateTime { seconds, micros: 999_999, zone };
    if let Some(date) = datetime::strtotime(text, &base) {
        datetime::format(&date, b"dDjlNSwzWoFmMntLYyXxaABgGhHisuveIOPpTZcrU\\");
        let interval = datetime::difference(&base, &date);
        datetime::difference(&date, &base);
        datetime::format_interval(&interval, text);
    }
    if let Ok(text) = std::str::from_utf8(text) {
        datetime::modify(&base, text);
        DateZone::parse(text);
    }
    datetime::format(&base, text);
}

fn some_zone() -> impl Strategy<Value = DateZone> {
    let names = ["UTC", "Europe/Prague", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "EST", "+05:45"];
    proptest::sample::select(names.to_vec()).prop_map(|name| DateZone::parse(name).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_dates_panic(
        text in prop::collection::vec(any::<u8>(), 0..60), seconds in any::<i64>(), zone in some_zone(),
    ) {
        exercise(&text, seconds, zone);
    }

    #[test]
    fn no_mixture_of_what_dates_are_made_of_panics(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..6),
        seconds in any::<i64>(), zone in some_zone(),
    ) {
        static TEXTS: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(texts);
        let mut mixed: Vec<u8> = Vec::new();
        for (which, place, byte) in places {
            let text = TEXTS[which.index(TEXTS.len())].as_bytes();
            let cut = place.index(text.len() + 1);
            mixed.truncate(mixed.len().saturating_sub(usize::from(byte) % 4));
            mixed.extend_from_slice(&text[cut..]);
            mixed.extend_from_slice([b" +", b"-9", b"\x00 ", b"99"][usize::from(byte) / 64]);
            mixed.extend_from_slice(&text[..cut]);
        }
        exercise(&mixed, seconds, zone);
    }
}

#[test]
fn time_is_linear_in_the_text() {
    let base = date("Europe/Prague");
    for part in [
        " ", "+", "-", "1", "+1", "may", "may ", "may.", "may. ", "1 ", "+1 day ", "ago ", "@1", ".", "now", "\u{a0}",
        "A/", "Europe/", "first ", "1:1:1.", "1 hour", "+ ", "(", "last", "GMT+", "12:00 ", "\n", "I", "1.", "T",
        "sat ",
    ] {
        let text = part.repeat(200_000 / part.len());
        let start = Instant::now();
        datetime::strtotime(text.as_bytes(), &base);
        datetime::modify(&base, &text);
        assert!(start.elapsed() < Duration::from_secs(20), "{part:?} took {:?}", start.elapsed());
    }
}

#[test]
fn within_is_the_same_day_month_or_year_in_the_display_zone() {
    let within = |first: &str, operator: &str, second: &str| {
        let arguments = [Value::text(first), Value::text(operator), Value::text(second)];
        matches!(call("compareDates", &arguments, zone("Europe/Prague"), 0).unwrap(), Value::Bool(true))
    };
    assert!(within("2024-02-29", "within", "2024-02-29 23:59:59"));
    // In Prague it is the first of March already.
    assert!(!within("2024-02-29T23:30:00Z", "within", "2024-02-29"));
    assert!(within("2024-02-29T23:30:00Z", "withinMonth", "2024-03-31"));
    assert!(!within("2024-03-01", "withinMonth", "2023-03-01"));
    assert!(within("2024-01-01", "withinYear", "2024-12-31"));
    assert!(!within("2024-12-31T23:30:00Z", "withinYear", "2024-01-01"));
    let arguments = [Value::text("now"), Value::text("!="), Value::text("now")];
    assert!(call("compareDates", &arguments, TimeZone::UTC, 0).is_err());
}

#[test]
fn far_dates_are_dates_and_what_is_too_far_is_none() {
    let base = date("America/New_York");
    let shown = |text: &str| {
        let date = datetime::strtotime(text.as_bytes(), &base)?;
        Some(String::from_utf8(datetime::format(&date, b"X-m-d H:i:s T")).unwrap())
    };
    assert_eq!(shown("+012024-07-01").as_deref(), Some("+12024-07-01 00:00:00 EDT"));
    assert_eq!(shown("-290000-01-01").as_deref(), Some("-290000-01-01 00:00:00 LMT"));
    assert_eq!(shown("+290000000000-01-01").as_deref(), Some("+290000000000-01-01 00:00:00 EST"));
    assert_eq!(shown("+9999999999999999999-01-01"), None);
    assert_eq!(shown("+999999999999-01-01"), None);
    assert_eq!(shown("@9223372036854775807").as_deref(), Some("+292277026596-12-04 15:30:07 GMT+0000"));
    assert_eq!(shown("@9223372036854775808"), None);
    assert_eq!(shown("@9223372036854775807 +1 sec"), None);
    assert_eq!(shown(&"+9999999999999 years ".repeat(1_000_000)), None);
}
