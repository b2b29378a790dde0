//! Rows of the invoice: one of whose properties all have a value, and one on which those that may be null are.

use datetime::DateTime;
use expression::scope::Scope;
use expression::value::{Decimal, FileValue, Object, Text, Value};
use expression::{Diagnostic, HostProviders, Program, Providers, Run, RunLimits};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::Arc;

struct Place(Value);

impl Providers for Place {
    fn lent_resource(&self) -> Option<&Value> {
        Some(&self.0)
    }
}

impl HostProviders for Place {}

/// The present of the rows: 4 December 2026, 12:00.
const PRESENT: i64 = 1_796_385_600;

fn instant(seconds: i64) -> Value {
    let instant = Timestamp::from_second(seconds).expect("the second is in range");
    Value::DateTime(Arc::new(DateTime::of(instant, &TimeZone::UTC)))
}

fn object(members: Vec<(String, Value)>) -> Value {
    let members = members.into_iter().map(|(name, value)| (Text::from(name.as_str()), value));
    Value::Object(members.collect::<Object>())
}

/// The values of properties that both types have.
fn values() -> Vec<(&'static str, Value)> {
    let decimal = |text: &str| Value::Decimal(Decimal::parse(text).expect("it is a decimal"));
    let file = FileValue { title: "a.txt".to_owned(), data: Text::from("abc") };
    let address = vec![("street".to_owned(), Value::text("Main Street"))];
    vec![
        ("due", Value::text("2026-12-31")),
        ("issued", Value::text("2026-12-01")),
        ("month", Value::text("2026-12")),
        ("time", Value::text("14:30")),
        ("created", instant(PRESENT - 86_400)),
        ("opened", instant(PRESENT - 3_600)),
        ("name", Value::text("Ada")),
        ("number", Value::text("2026-0042")),
        ("count", Value::Int(3)),
        ("terms", Value::Int(14)),
        ("total", decimal("100.50")),
        ("net", decimal("80.00")),
        ("weight", Value::Float(1.5)),
        ("settled", Value::Bool(true)),
        ("status", Value::text("draft")),
        ("size", Value::text("small")),
        ("labels", Value::Array([Value::text("a"), Value::text("b")].into_iter().collect())),
        ("address", object(address)),
        ("photo", Value::File(Arc::new(file))),
        ("quantity", Value::Int(2)),
        ("pieces", Value::Int(2)),
    ]
}

/// A resource with all properties, those that may be null once more: filled, or null.
fn resource(filled: bool) -> Vec<(String, Value)> {
    let own = values().into_iter().map(|(name, value)| (name.to_owned(), value));
    let further = values().into_iter().map(|(name, value)| {
        let value = if filled { value } else { Value::Null };
        (format!("no_{name}"), value)
    });
    own.chain(further).collect()
}

/// Runs a program on a row.
pub(crate) fn run(program: &Program, filled: bool) -> Result<Value, Diagnostic> {
    let mut row = resource(filled);
    row.push(("company".to_owned(), object(resource(filled))));
    row.push(("no_company".to_owned(), if filled { object(resource(true)) } else { Value::Null }));
    let place = Place(object(row));
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let now = Timestamp::from_second(PRESENT).expect("the second is in range");
    program.evaluate(&mut Run::new(now, TimeZone::UTC, &place, &mut random, RunLimits::default()))
}

/// The value of a text on a row, as JSON; the code of what fails.
pub(crate) fn value(text: &str, scope: &Scope, filled: bool) -> String {
    let compiled = match text.contains("{=") {
        true => Program::template(text, scope),
        false => Program::expression(text, scope),
    };
    let program = compiled.unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    match run(&program, filled) {
        Ok(value) => expression::wire::encode(&value).expect("the value is shown").to_string(),
        Err(mistake) => format!("fails: {}", mistake.code),
    }
}
