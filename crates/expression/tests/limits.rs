//! Limits against what would use up time or memory without paying.
use expression::scope::Available;
use expression::value::{Array, File, Object, Text, Value};
use expression::{Limits, Program, Providers, Run, Scope};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::Arc;

struct Nothing;

impl Providers for Nothing {}

/// The result of an expression with `$value` set, or the mistake's code.
fn run(text: &str, value: Value, fuel: u64) -> Result<Value, &'static str> {
    let program = Program::expression(text, &Scope::of(Available::ALL)).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let mut random = |_: &mut [u8]| {};
    let limits = Limits { fuel, ..Limits::default() };
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &Nothing, &mut random, limits);
    run.variables.insert("value".to_string(), value);
    program.evaluate(&mut run).map_err(|mistake| mistake.code)
}

/// The steps that are allowed by default.
const ENOUGH: u64 = 1_000_000;

#[test]
fn looking_at_a_long_text_is_paid_for() {
    let digits = Value::text(&"0".repeat(640_000));
    for text in [
        "$value + 1",
        "1 - $value",
        "$value == 1",
        "'1' < $value",
        "$value > 1.5",
        "lastNChars($value, -1000000)",
        "firstNChars($value, -1000000)",
        "startsWith($value, 'a')",
        "toInt($value)",
        "date('Y', $value)",
        "trim($value)",
        "md5($value)",
    ] {
        assert_eq!(run(text, digits.clone(), 9_000).unwrap_err(), "fuel_spent", "{text}");
    }
}

#[test]
fn the_data_of_a_file_is_not_copied() {
    let data = Text::from("x".repeat(1_000_000));
    let file = Value::File(Arc::new(File { title: "a".to_string(), data: data.clone() }));
    let text = format!("[{}]", vec!["$value.data"; 800].join(","));
    let Ok(Value::Array(array)) = run(&text, file, ENOUGH) else { panic!("an array") };
    for value in array.values() {
        let Value::Text(text) = value else { panic!("{value:?}") };
        assert_eq!(text.as_bytes().as_ptr(), data.as_bytes().as_ptr());
    }
}

#[test]
fn objects_are_not_copied_before_they_are_paid_for() {
    let object: Object = (0..10_000).map(|name| (Text::from(format!("a{name}")), Value::Null)).collect();
    let objects = Value::Array(Array::from(vec![Value::Object(object); 10_000]));
    for function in ["object", "merge", "objectRaw"] {
        let result = run(&format!("{function}(...$value)"), objects.clone(), ENOUGH);
        assert_eq!(result.unwrap_err(), "memory_spent", "{function}");
    }
}

#[test]
fn many_small_objects_are_merged() {
    let object: Object = [(Text::from("a"), Value::Int(1))].into_iter().collect();
    let objects = Value::Array(Array::from(vec![Value::Object(object); 10_000]));
    for function in ["object", "merge", "objectRaw"] {
        let result = run(&format!("{function}(...$value).a"), objects.clone(), ENOUGH);
        assert!(matches!(result, Ok(Value::Int(1))), "{function}: {result:?}");
    }
}

#[test]
fn no_letter_becomes_longer_than_is_paid_for() {
    let webalize = expression::catalogue::find("webalize").unwrap();
    let mut random = |_: &mut [u8]| {};
    let limits = Limits { fuel: u64::MAX, memory: usize::MAX, ..Limits::default() };
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &Nothing, &mut random, limits);
    // Behind these, no letter is assigned but tags and variants.
    for letter in '\0'..='\u{323af}' {
        let text = letter.to_string();
        let Ok(Value::Text(slug)) = (webalize.call)(&mut run, &[Value::text(&text)]) else { panic!("{letter:?}") };
        assert!(slug.len() <= 8 * text.len(), "{letter:?} became {slug}");
    }
}

#[test]
fn deep_values_are_written_or_refused() {
    for depth in [500, 1_000, 10_000] {
        let mut value = Value::Null;
        for place in 0..depth {
            value = match place % 2 {
                0 => Value::Array(Array::from(vec![value])),
                _ => Value::Object([(Text::from("a"), value)].into_iter().collect()),
            };
        }
        let written = expression::wire::encode(&value).is_ok();
        assert_eq!(written, depth == 500, "{depth}");
        for text in ["jsonEncode($value)", "$value == $value", "$value < $value", "jsonEncode(object($value))"] {
            let result = run(text, value.clone(), ENOUGH);
            assert!(result.is_ok() || depth > 500, "{text}: {result:?}");
        }
    }
}

#[test]
fn chains_in_chains_do_not_overflow_the_stack() {
    let (open, close) = ("[".repeat(58), "]".repeat(58));
    let mut text = format!("{open}1{close}");
    for _ in 0..4 {
        let quoted = text.replace('\\', "\\\\").replace('\'', "\\'");
        text = format!("{open}map([1], 'arrayPush({quoted})'){close}");
    }
    let program = Program::expression(&text, &Scope::of(Available::ALL));
    let program = program.unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let mut random = |_: &mut [u8]| {};
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &Nothing, &mut random, Limits::default());
    let _result = program.evaluate(&mut run);
}

#[test]
fn shared_values_are_not_written_without_end() {
    let mut object = Value::Int(1);
    for _ in 0..100 {
        let property = |name: &str| (Text::from(name.repeat(2_000)), object.clone());
        object = Value::Object(["a", "b"].map(property).into_iter().collect());
    }
    let texts = Value::Array(Array::from(vec![Value::text(&"x".repeat(1_000_000)); 10_000]));
    for value in [object, texts] {
        assert_eq!(expression::wire::encode(&value).unwrap_err().code, "too_large");
        let code = run("jsonEncode($value)", value, 10_000).unwrap_err();
        assert!(matches!(code, "fuel_spent" | "memory_spent"), "{code}");
    }
}
