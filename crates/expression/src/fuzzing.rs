//! The functions that are fuzzed: one for each target, called by cargo-fuzz and by the ordinary tests alike. Each
//! panics where a promise is broken: limits hold, what is made was paid for, values survive being written and read,
//! secrets are not told.

use crate::scope::AvailableProviders;
use crate::value::{Text, Value};
use crate::{
    HostProviders, NoProviders, Program, Providers, Result, Run, RunLimits, Scope, catalogue, compare, parser, wire,
};
use datetime::{self, DateTime, DateZone};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A place whose secrets all have one value.
struct SecretKeeper(&'static str);

impl Providers for SecretKeeper {
    fn local(&self, _name: &str) -> Result<Value> {
        Ok(Value::Null)
    }
}

impl HostProviders for SecretKeeper {
    fn secret(&self, _name: &str) -> Result<Value> {
        Ok(Value::text(self.0))
    }

    fn save_secret(&self, _name: &str, _value: &Value, _title: &str, _kind: &str) -> Result<Value> {
        Ok(Value::Bool(true))
    }

    fn remove_secret(&self, _name: &str) -> Result<Value> {
        Ok(Value::Bool(true))
    }
}

/// Small limits, so that what ignores them shows.
const LIMITS: RunLimits = RunLimits { fuel: 100_000, memory: 1024 * 1024, items: 10_000, queries: 2 };

/// The most bytes that a call makes beside its text: a scalar in words, a hash in hexadecimal digits.
const SMALL: usize = 512;

/// Does something within small limits.
fn within<T>(limits: RunLimits, work: impl FnOnce(&mut Run<'_>) -> T) -> T {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |bytes: &mut [u8]| {
        for byte in bytes {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            *byte = seed as u8;
        }
    };
    let now = Timestamp::constant(1_700_000_000, 123_456_000);
    let mut run = Run::new(now, TimeZone::UTC, &NoProviders, &mut random, limits);
    work(&mut run)
}

/// Reads a text as an expression, a template's part and a chain of map().
pub fn parse(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let reading = [parser::expression(&text).map(|_| ()), parser::chain(&text, 0).map(|_| ())];
    for mistake in reading.into_iter().filter_map(std::result::Result::err) {
        let span = mistake.span;
        assert!(span.from <= span.to && text.get(span.from..span.to).is_some(), "{span:?} is no part of the text");
    }
    let scope = Scope::of(AvailableProviders::ALL);
    for mistake in Program::template(&text, &scope).err().into_iter().flatten() {
        let span = mistake.span;
        assert!(text.get(span.from..span.to).is_some(), "{span:?} is no part of the template: {mistake:?}");
    }
}

/// Compiles and runs a text.
pub fn evaluate(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(program) = Program::expression(&text, &Scope::of(AvailableProviders::ALL)) else { return };
    within(LIMITS, |run| {
        let Ok(value) = program.evaluate(run) else { return };
        // What is known without running was paid for when it was compiled; each literal takes a place.
        let literal = if program.constant().is_some() { size(&value) } else { text.len() * size_of::<Value>() };
        let paid = LIMITS.memory - run.memory_left();
        assert!(size(&value) <= paid + literal + SMALL, "{} bytes, {paid} paid for: {text}", size(&value));
        survives(&value);
    });
    if text.contains("getSecret") {
        conceals(&program, &text);
    }
}

/// Fails unless what is seen of an evaluation, its variables included, is the same whatever the secrets are. That it
/// fails may tell of them, since what they chose may be too much.
fn conceals(program: &Program, text: &str) {
    let [first, second] = ["12", "hidden words"].map(|secret| {
        let (keeper, mut random) = (SecretKeeper(secret), |bytes: &mut [u8]| bytes.fill(7));
        let now = Timestamp::constant(1_700_000_000, 123_456_000);
        let mut run = Run::new(now, TimeZone::UTC, &keeper, &mut random, LIMITS);
        let value = program.evaluate(&mut run).ok()?;
        let variables = run.variables.iter().map(|(name, value)| (name.clone(), seen(value)));
        Some((seen(&value), variables.collect::<Vec<_>>()))
    });
    if let (Some(first), Some(second)) = (first, second) {
        assert_eq!(first, second, "{text}");
    }
}

/// Returns the text that shows a value.
fn seen(value: &Value) -> String {
    wire::encode(value).map_or_else(|fault| fault.code.to_owned(), |json| json.to_string())
}

/// Reads a date text, formats, changes and compares what it says.
pub fn strtotime(bytes: &[u8]) {
    let base = DateTime { seconds: 1_700_000_000, micros: 123_456, zone: prague() };
    let Some(date) = datetime::strtotime(bytes, &base) else { return };
    assert!(date.micros < 1_000_000, "{date:?}");
    let text = datetime::format(&date, b"Y-m-d\\TH:i:s.uP");
    assert!(text.is_ascii(), "{text:?}");
    for (first, second) in [(&base, &date), (&date, &base)] {
        let interval = datetime::difference(first, second);
        assert!((0..12).contains(&interval.m) && interval.d >= 0, "{interval:?}");
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _changed = datetime::modify(&date, text);
    }
}

/// Formats a date: eight bytes of its seconds, one of its zone, the rest is the format.
pub fn date_format(bytes: &[u8]) {
    let Some((seconds, rest)) = bytes.split_first_chunk::<8>() else { return };
    let Some((zone, format)) = rest.split_first() else { return };
    let zone = match zone % 4 {
        0 => DateZone::Offset(0),
        1 => DateZone::Offset(i32::from(*zone) * 350 - 45_000),
        2 => prague(),
        _ => DateZone::parse("CEST").expect("CEST is an abbreviation"),
    };
    let date = DateTime { seconds: i64::from_le_bytes(*seconds), micros: 999_999, zone };
    let text = datetime::format(&date, format);
    assert!(text.len() <= format.len() * datetime::LONGEST, "{} bytes for {format:?}", text.len());
    let interval = datetime::difference(&DateTime { seconds: 0, micros: 0, zone: DateZone::Offset(0) }, &date);
    assert!(datetime::format_interval(&interval, format).len() <= format.len().max(1) * datetime::LONGEST);
}

/// Strips tags off, and what is left never grows.
pub fn strip_tags(bytes: &[u8]) {
    let left = call("removeHtmlTags", &[Value::Text(Text::of_bytes(bytes))]);
    if let Ok(Value::Text(left)) = left {
        assert!(left.len() <= bytes.len(), "{} bytes became {}", bytes.len(), left.len());
        // Every byte that is left stands in the text, in order.
        let mut rest = bytes.iter();
        assert!(left.as_bytes().iter().all(|byte| rest.any(|other| other == byte)), "{left:?}");
    }
}

/// Draws by a pattern, and calls the functions of texts on it: the first byte is a length.
pub fn charlists(bytes: &[u8]) {
    let Some((length, pattern)) = bytes.split_first() else { return };
    let text = Value::Text(Text::of_bytes(pattern));
    if let Ok(Value::Text(drawn)) = call("random", &[Value::Int((*length).into()), text.clone()]) {
        assert_eq!(drawn.len(), usize::from(*length));
    }
    for name in ["trim", "upper", "lower", "firstUpper", "firstLower", "webalize", "base64_decode", "jsonDecode"] {
        let _result = call(name, std::slice::from_ref(&text));
    }
    for name in ["firstNChars", "lastNChars"] {
        let _result = call(name, &[text.clone(), Value::Int(i64::from(*length) - 128)]);
    }
}

/// Calls a function, which pays for its text before it makes it.
fn call(name: &str, arguments: &[Value]) -> Result<Value> {
    let function = catalogue::find(name).expect("the targets call functions that exist");
    within(LIMITS, |run| {
        let value = (function.call)(run, arguments)?;
        let given: usize = arguments.iter().map(size).sum();
        let shares = matches!(&value, Value::Text(_)) && given >= size(&value);
        assert!(shares || size(&value) <= LIMITS.memory - run.memory_left() + SMALL, "{name}: {} bytes", size(&value));
        Ok(value)
    })
}

/// The bytes of a value's own text, or of its places for items.
fn size(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Array(array) => array.len() * size_of::<Value>(),
        Value::Object(object) => object.len() * size_of::<Value>(),
        Value::Secret(secret) => size(&secret.0),
        _ => 0,
    }
}

/// A value that can be written is the same when it is read.
fn survives(value: &Value) {
    let Ok(json) = wire::encode(value) else { return };
    let Ok(read) = wire::decode(&json) else { panic!("{json} is not read") };
    let again = wire::encode(&read).expect("what was written once is written again");
    assert_eq!(json, again, "written, read and written");
    if matches!(value, Value::Text(_) | Value::Int(_) | Value::Bool(_) | Value::Null) {
        within(LIMITS, |run| {
            assert!(compare::identical(run, value, &read).unwrap_or(false), "{value:?} became {read:?}");
        });
    }
}

fn prague() -> DateZone {
    DateZone::parse("Europe/Prague").expect("the zone is bundled")
}

#[cfg(test)]
#[path = "fuzzing_tests.rs"]
mod tests;
