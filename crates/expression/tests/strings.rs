//! The functions of strings, encoding and JSON against bytes at random, and their bounds.

#![expect(clippy::unwrap_used, reason = "a case that cannot be read fails its test")]

use datetime::{DateTime, DateZone};
use expression::value::{SecretValue, Text, Value};
use expression::{Fault, NoProviders, Run, RunLimits, catalogue, wire};
use jiff::{Timestamp, tz::TimeZone};
use proptest::prelude::*;
use std::time::{Duration, Instant};
fn call(name: &str, arguments: &[Value]) -> Result<Value, Fault> {
    call_within(name, arguments, RunLimits::default())
}

fn call_within(name: &str, arguments: &[Value], limits: RunLimits) -> Result<Value, Fault> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |bytes: &mut [u8]| {
        for byte in bytes {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = (state >> 56) as u8;
        }
    };
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &NoProviders, &mut random, limits);
    (catalogue::find(name).unwrap_or_else(|| panic!("{name} exists")).call)(&mut run, arguments)
}

fn text(value: &Value) -> Text {
    match value {
        Value::Text(text) => text.clone(),
        other => panic!("{other:?} is no text"),
    }
}

/// Whether two values are written alike, which tells floats and bytes exactly.
fn same(left: &Value, right: &Value) -> bool {
    wire::encode(left).unwrap() == wire::encode(right).unwrap()
}

#[test]
fn every_byte_of_an_alphabet_is_drawn_about_as_often() {
    let drawn = text(&call("random", &[Value::Int(60_000), Value::text("a-f")]).unwrap());
    for byte in b'a'..=b'f' {
        let count = drawn.as_bytes().iter().filter(|drawn| **drawn == byte).count();
        assert!((9_500..10_500).contains(&count), "{byte}: {count}");
    }
}

#[test]
fn tags_take_linear_time() {
    let limits = RunLimits::default().with_memory(usize::MAX).with_fuel(u64::MAX);
    for hostile in ["<", "<!--", "<a '", "<?", "<!doctype"] {
        let text = Value::text(&hostile.repeat(4 * 1024 * 1024 / hostile.len()));
        let start = Instant::now();
        call_within("removeHtmlTags", &[text], limits).unwrap();
        assert!(start.elapsed() < Duration::from_secs(10), "{hostile}: {:?}", start.elapsed());
    }
}

#[test]
fn sizes_are_refused_before_memory_is_taken() {
    let large = Value::text(&"a,".repeat(3_000_000));
    for (name, arguments) in [
        ("explode", vec![Value::text(","), large.clone()]),
        ("upper", vec![large.clone()]),
        ("webalize", vec![large]),
        ("random", vec![Value::Int(i64::MAX), Value::text("ab")]),
        ("jsonDecode", vec![Value::text(&format!("[{}1]", "1,".repeat(200_000)))]),
    ] {
        assert!(call(name, &arguments).is_err(), "{name}");
    }
}

#[test]
fn json_is_nested_512_deep_at_most() {
    for (depth, is_allowed) in [(512, true), (513, false), (1_000_000, false)] {
        let text = Value::text(&("[".repeat(depth) + &"]".repeat(depth)));
        let decoded = call("jsonDecode", std::slice::from_ref(&text));
        assert_eq!(decoded.is_ok(), is_allowed, "{depth}");
        if let Ok(decoded) = decoded {
            assert!(same(&call("jsonEncode", std::slice::from_ref(&decoded)).unwrap(), &text));
            assert!(call("jsonEncode", &[Value::Array(vec![decoded].into())]).is_err());
        }
    }
}

#[test]
fn floats_come_back_from_json_exactly() {
    for number in [0.1, 1e16, 1e17, -1.5e-5, 1e-4, f64::MAX, f64::MIN_POSITIVE, 5e-324, 123_456_789.123_456_79, -0.0] {
        let json = call("jsonEncode", &[Value::Float(number)]).unwrap();
        let back = call("jsonDecode", std::slice::from_ref(&json)).unwrap();
        assert!(same(&back, &Value::Float(number)), "{number}: {json:?}");
    }
}

#[test]
fn a_datetime_is_json_as_in_php() {
    let date = DateTime { seconds: 1_700_000_000, micros: 5, zone: DateZone::Offset(3600) };
    let json = text(&call("jsonEncode", &[Value::DateTime(date.into())]).unwrap());
    assert_eq!(json.as_str(), Some(r#"{"date":"2023-11-14 23:13:20.000005","timezone_type":1,"timezone":"+01:00"}"#));
}

#[test]
fn json_of_a_secret_is_secret() {
    let secret = Value::Secret(SecretValue(Value::text("sesame")).into());
    let json = call("jsonEncode", &[Value::Array(vec![Value::Int(1), secret].into())]).unwrap();
    assert!(matches!(&json, Value::Secret(secret) if text(&secret.0).as_bytes() == br#"[1,"sesame"]"#));
}

const TEXTS: &[&str] = &[
    "trim",
    "removeHtmlTags",
    "upper",
    "lower",
    "firstUpper",
    "firstLower",
    "webalize",
    "md5",
    "sha1",
    "sha256",
    "base64_encode",
    "base64_decode",
    "jsonDecode",
    "jsonEncode",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), count in any::<i64>()) {
        let text = Value::Text(Text::of_bytes(&bytes));
        for name in TEXTS {
            let _ = call(name, std::slice::from_ref(&text));
        }
        for name in ["firstNChars", "lastNChars"] {
            let _ = call(name, &[text.clone(), Value::Int(count % 100)]);
            let _ = call(name, &[text.clone(), Value::Int(count)]);
        }
        let _ = call("random", &[Value::Int(count % 100), text.clone()]);
        let _ = call("explode", &[text.clone(), Value::text("a"), Value::Int(count)]);
        let back = call("base64_decode", &[call("base64_encode", std::slice::from_ref(&text)).unwrap()]).unwrap();
        prop_assert!(same(&back, &text));
    }

    #[test]
    fn texts_never_panic(string in ".{0,40}", markup in "[<>!?\"'a-c\\-/ (){}\\[\\],:\\\\0-9eu]{0,40}") {
        for string in [&string, &markup] {
            let text = Value::text(string);
            for name in TEXTS {
                let _ = call(name, std::slice::from_ref(&text));
            }
            let back = call("jsonDecode", &[call("jsonEncode", std::slice::from_ref(&text)).unwrap()]).unwrap();
            prop_assert!(same(&back, &text));
            let slug = call("webalize", std::slice::from_ref(&text)).unwrap();
            prop_assert!(same(&call("webalize", std::slice::from_ref(&slug)).unwrap(), &slug));
        }
    }
}
