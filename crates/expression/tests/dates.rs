//! Dates against what PHP gave, and against texts at random.

use expression::datetime::{self, DateTime, Interval, Zone};
use expression::value::{Text, Value};
use expression::{Fault, Limits, Providers, Run, catalogue};
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use proptest::prelude::*;
use serde_json::Value as Json;
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Nothing;

impl Providers for Nothing {}

fn zone(name: &str) -> TimeZone {
    if name == "UTC" { TimeZone::UTC } else { TimeZoneDatabase::bundled().get(name).unwrap() }
}

fn call(name: &str, arguments: &[Value], zone: TimeZone, now: i64) -> Result<Value, Fault> {
    let mut random = |_: &mut [u8]| {};
    let now = Timestamp::from_second(now).unwrap();
    let mut run = Run::new(now, zone, &Nothing, &mut random, Limits::default());
    (catalogue::find(name).unwrap_or_else(|| panic!("{name} exists")).call)(&mut run, arguments)
}

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => number.as_i64().map_or_else(|| Value::Float(number.as_f64().unwrap()), Value::Int),
        Json::String(text) => Value::text(text),
        Json::Object(members) if members.contains_key("$datetime") => {
            Value::DateTime(Arc::new(date(&members["$datetime"])))
        }
        Json::Object(members) if members.contains_key("$float") => {
            Value::Float(members["$float"].as_str().unwrap().parse().unwrap())
        }
        Json::Object(members) if members.contains_key("$base64") => {
            call("base64_decode", &[value(&members["$base64"])], TimeZone::UTC, 0).unwrap()
        }
        other => panic!("{other} is no value"),
    }
}

fn date(json: &Json) -> DateTime {
    let zone = Zone::parse(json["tz"].as_str().unwrap()).unwrap();
    let seconds = json["ts"].as_i64().unwrap_or_default();
    let base = DateTime { seconds, micros: 0, zone };
    match json["wall"].as_str() {
        Some(wall) => datetime::strtotime(wall.as_bytes(), &base).unwrap(),
        None => base,
    }
}

fn interval(json: &Json) -> Interval {
    let part = |name: &str| json[name].as_i64().unwrap();
    Interval {
        y: part("y"),
        m: part("m"),
        d: part("d"),
        h: part("h"),
        i: part("i"),
        s: part("s"),
        f: part("f"),
        invert: part("invert") == 1,
        days: json["days"].as_i64(),
    }
}

/// The binding result of a case: of the newest PHP; none where another mapping is meant.
fn binding(case: &Json) -> Option<&Json> {
    if let Some(variants) = case["variant"].as_str() {
        variants.split('|').find(|variant| *variant == "nette")?;
    }
    Some(case["versions"].as_object().and_then(|versions| versions.values().next_back()).unwrap_or(&case["expect"]))
}

fn result(case: &Json) -> Result<Value, Fault> {
    let arguments = case["args"].as_array().unwrap();
    let error = || Fault::new("invalid", "");
    match case["fn"].as_str().unwrap() {
        "modify" => {
            let date = date(&arguments[0]["$datetime"]);
            let date = datetime::modify(&date, arguments[1].as_str().unwrap()).ok_or_else(error)?;
            Ok(Value::Text(Text::of_bytes(&datetime::format(&date, b"Y-m-d\\TH:i:s.uP e"))))
        }
        "php:DateInterval::format" => {
            let interval = match &arguments[0]["$interval"] {
                Json::Null => {
                    let (first, second) = (date(&arguments[0]["$datetime"]), date(&arguments[1]["$datetime"]));
                    datetime::difference(&first, &second)
                }
                json => self::interval(json),
            };
            let format = arguments.last().unwrap().as_str().unwrap();
            Ok(Value::Text(Text::of_bytes(&datetime::format_interval(&interval, format.as_bytes()))))
        }
        name => {
            let arguments: Vec<Value> = arguments.iter().map(value).collect();
            let now = case["now"].as_i64().unwrap_or(1_700_000_000);
            call(name, &arguments, zone(case["tz"].as_str().unwrap()), now)
        }
    }
}

fn agrees(result: &Result<Value, Fault>, expected: &Json) -> bool {
    match (result, expected) {
        (Err(_), expected) => !expected["error"].is_null(),
        (Ok(Value::Interval(interval)), expected) => **interval == self::interval(&expected["$interval"]),
        (Ok(Value::Null), Json::Null) => true,
        (Ok(Value::Bool(truth)), Json::Bool(expected)) => truth == expected,
        (Ok(Value::Int(number)), expected) => expected.as_i64() == Some(*number),
        (Ok(Value::Text(text)), expected) => matches!(value(expected), Value::Text(other) if other == *text),
        _ => false,
    }
}

fn cases(file: &str) -> Vec<Json> {
    let path = format!("{}/tests/vectors/{file}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn check(file: &str, least: usize) {
    let mut count = 0;
    let mut different = Vec::new();
    for case in &cases(file) {
        let Some(expected) = binding(case) else { continue };
        count += 1;
        let result = result(case);
        if !agrees(&result, expected) {
            let (tag, arguments) = (&case["tag"], &case["args"]);
            different.push(format!("{} {tag} {arguments} {}: {expected}, not {result:?}", case["fn"], case["tz"]));
        }
    }
    assert!(count >= least, "{file}: {count} cases");
    assert!(different.is_empty(), "{file}: {} of {count} differ:\n{}", different.len(), different.join("\n"));
}

#[test]
fn date_texts_mean_what_they_mean_in_php() {
    check("strtotime", 3014);
}

#[test]
fn formats_are_as_in_php() {
    check("date_format", 628);
}

#[test]
fn differences_and_changes_are_as_in_php() {
    check("dateops", 685);
}
