//! Typed nodes: they give what the general evaluator gives, also where values are not of their declared types, within
//! the same limits, and allocate nothing.

use datetime::DateTime;
use expression::catalogue::Availability;
use expression::scope::{AvailableProviders, ResourceShape, Scope, ValueKind, ValueType};
use expression::value::{Decimal, Object, Resource, SecretValue, Text};
use expression::{Diagnostic, Fault, HostProviders, Program, Providers, Result, Run, RunLimits, Value};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::Arc;

/// An order: each name tells the kind.
#[derive(Debug)]
struct Shape;

impl ResourceShape for Shape {
    fn name(&self) -> &str {
        "order"
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        Some(match name {
            "count" | "tax" => ValueKind::Int.into(),
            "total" => ValueKind::Decimal.into(),
            "weight" => ValueKind::Float.into(),
            "name" | "city" => ValueKind::Text.into(),
            "paid" => ValueKind::Bool.into(),
            "opened" | "closed" => ValueKind::DateTime.into(),
            "customer" => ValueKind::Any.into(),
            _ => return None,
        })
    }

    fn names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
}

struct Place(Value);

impl Providers for Place {
    fn resource(&self) -> Result<Value> {
        Ok(self.0.clone())
    }

    fn lent_resource(&self) -> Option<&Value> {
        Some(&self.0)
    }
}

impl HostProviders for Place {}

const TEXTS: [&str; 32] = [
    "count * tax + tax - count",
    "-count",
    "total * 2 + count",
    "total - 1.5",
    "weight * count",
    "count + 0.5",
    "count > 3 and total > 1000",
    "count < tax or count >= 7",
    "total <= tax",
    "weight != 2",
    "count === 3",
    "total === count",
    "name == 'Ada' and city != name",
    "name === city",
    "name in ['Ada', 'Eva']",
    "count not in [1, 2, 3]",
    "opened < closed",
    "opened != closed",
    "compareDates(opened, '<=', closed)",
    "name ~ ' ' ~ count ~ city ~ total ~ paid",
    "!paid or customer == null",
    "if(count < 3, 'a', if(total < 10, city, 'c'))",
    "paid ? count + 1 : tax * 2",
    "name ?? city ?? 'none'",
    "customer.contract.name",
    "upper(name ~ city) ~ (count + tax)",
    "count + 1 - tax * 2",
    "count < 3 ? 'a' : count == 7 ? city : count > 7 ? name : 'd'",
    "{=name} {=-count}/{=tax}",
    "{=count}{=city}",
    "Dear {=name}, {=count * tax} of {=total} in {=city ?? 'none'} is {=paid}.",
    "upper: {=upper(name)}, {=weight}",
];

fn scope() -> Scope {
    let scope = Scope::of(AvailableProviders::default().with(Availability::Context));
    scope.with_context(Some(Arc::new(Shape)))
}

fn compiled(text: &str, scope: &Scope) -> Program {
    let compiled = if text.contains("{=") { Program::template(text, scope) } else { Program::expression(text, scope) };
    compiled.unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"))
}

fn evaluated(
    program: &Program,
    place: &dyn HostProviders,
    limits: RunLimits,
) -> (Result<Value, Diagnostic>, u64, usize) {
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, place, &mut random, limits);
    let result = program.evaluate(&mut run);
    (result, limits.fuel - run.steps_left(), run.memory_left())
}

fn date(seconds: i64) -> Value {
    let instant = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
    Value::DateTime(Arc::new(DateTime::of(instant, &TimeZone::UTC)))
}

fn decimal(text: &str) -> Value {
    Decimal::parse(text).map_or(Value::Null, Value::Decimal)
}

fn object(members: &[(&str, Value)]) -> Value {
    Value::Object(members.iter().map(|(name, value)| (Text::from(*name), value.clone())).collect::<Object>())
}

fn row() -> Vec<(&'static str, Value)> {
    let contract = object(&[("name", "frame".into())]);
    vec![
        ("count", Value::Int(7)),
        ("tax", Value::Int(3)),
        ("total", decimal("1200.50")),
        ("weight", Value::Float(2.5)),
        ("name", "Ada".into()),
        ("city", "Brno".into()),
        ("paid", Value::Bool(true)),
        ("opened", date(100)),
        ("closed", date(200)),
        ("customer", object(&[("contract", contract)])),
    ]
}

/// Values of all kinds, extremes among them.
fn values() -> Vec<Value> {
    vec![
        Value::Null,
        Value::Bool(false),
        Value::Int(i64::MAX),
        Value::Int(i64::MIN),
        Value::Float(f64::NAN),
        Value::Float(-0.0),
        decimal("79228162514264337593543950335.00"),
        decimal("0.00"),
        "".into(),
        "12".into(),
        "1e2".into(),
        Value::text(&"long ".repeat(30)),
        Value::Text(Text::of_bytes(&[0xff, 0xfe])),
        date(0),
        object(&[("contract", Value::Null)]),
        Value::Array([Value::Int(1)].into_iter().collect()),
        Value::Secret(Arc::new(SecretValue(Value::Int(5)))),
        Value::Secret(Arc::new(SecretValue(Value::text("Ada")))),
    ]
}

/// Rows in which one property after the other is of each kind, whatever was declared.
fn rows() -> Vec<Place> {
    let mut rows = vec![Place(object(&row())), Place(object(&[])), Place(Value::Null)];
    for place in 0..row().len() {
        for value in values() {
            let mut row = row();
            row[place].1 = value;
            rows.push(Place(object(&row)));
        }
    }
    rows
}

/// A value as text, without numbers of shapes.
fn shown(value: &Value) -> String {
    match value {
        Value::Secret(secret) => format!("secret {}", shown(&secret.0)),
        Value::Object(object) => object.iter().map(|(name, value)| format!("{name} {}, ", shown(value))).collect(),
        Value::Float(number) => format!("{:?}", number.to_bits()),
        value => format!("{value:?}"),
    }
}

/// The same row as a resource of the platform, which makes its values when it is asked.
#[derive(Debug)]
struct Stored(Object);

impl Resource for Stored {
    fn id(&self) -> i64 {
        1
    }
    fn type_id(&self) -> i64 {
        1
    }
    fn property(&self, name: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
        match self.0.get(name) {
            Some(Value::Array(_)) => Err(Fault::new("unreadable", "This cannot be read.")),
            found => Ok(found.cloned()),
        }
    }
    fn raw(&self, _: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(None)
    }
    fn names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
    fn title(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(None)
    }
    fn code(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(None)
    }
    fn uuid(&self, _: &dyn HostProviders) -> Result<Option<String>> {
        Ok(None)
    }
}

/// A place that hands its resource over when it is asked for it.
struct Asked(Value);

impl Providers for Asked {
    fn resource(&self) -> Result<Value> {
        match &self.0 {
            Value::Null => Err(Fault::new("unreadable", "There is none.")),
            resource => Ok(resource.clone()),
        }
    }
}

impl HostProviders for Asked {}

#[test]
fn typed_nodes_agree_on_resources_that_are_asked_for() {
    for text in TEXTS {
        let (typed, general) = (compiled(text, &scope()), compiled(text, &scope().without_typed_nodes()));
        for Place(row) in rows() {
            let resource = match &row {
                Value::Object(object) => Value::Resource(Arc::new(Stored(object.clone()))),
                _ => Value::Null,
            };
            for place in [Asked(row), Asked(resource)] {
                agree(text, &typed, &general, &place, &place.0);
            }
        }
    }
}

#[test]
fn typed_nodes_agree_on_values_that_are_not_of_their_declared_types() {
    for text in TEXTS {
        let (typed, general) = (compiled(text, &scope()), compiled(text, &scope().without_typed_nodes()));
        for place in rows() {
            agree(text, &typed, &general, &place, &place.0);
        }
    }
}

/// Both back ends give the same result or mistake, and typed nodes take no more steps and memory.
#[track_caller]
fn agree(text: &str, typed: &Program, general: &Program, place: &dyn HostProviders, row: &Value) {
    let (one, steps, memory) = evaluated(typed, place, RunLimits::default());
    let (other, most, least) = evaluated(general, place, RunLimits::default());
    let case = format!("{text} on {}", shown(row));
    match (&one, &other) {
        (Ok(one), Ok(other)) => assert_eq!(shown(one), shown(other), "{case}"),
        _ => assert_eq!(one.as_ref().err(), other.as_ref().err(), "{case}"),
    }
    assert!(steps <= most, "{case}: {steps} steps, not {most}");
    assert!(memory >= least, "{case}: {memory} bytes left, not {least}");
}

#[test]
fn a_row_without_the_steps_for_it_ends_with_either_back_end() {
    for text in TEXTS {
        let (typed, general) = (compiled(text, &scope()), compiled(text, &scope().without_typed_nodes()));
        let place = Place(object(&row()));
        let needed = evaluated(&typed, &place, RunLimits::default()).1;
        assert!(needed > 0, "{text}");
        let short = RunLimits::default().with_fuel(needed - 1);
        let mistake = evaluated(&typed, &place, short).0.expect_err(text);
        assert_eq!(mistake.code, "fuel_spent", "{text}");
        let mistake = evaluated(&general, &place, short).0.expect_err(text);
        assert_eq!(mistake.code, "fuel_spent", "{text}");
        let enough = RunLimits::default().with_fuel(needed);
        assert!(evaluated(&typed, &place, enough).0.is_ok(), "{text}");
        let bare = RunLimits::default().with_memory(8);
        let (one, other) = (evaluated(&typed, &place, bare).0, evaluated(&general, &place, bare).0);
        assert_eq!(one.is_err(), other.is_err(), "{text}");
    }
}

#[test]
fn typed_nodes_allocate_nothing() {
    let place = Place(object(&row()));
    for text in TEXTS.iter().filter(|text| !text.contains("upper") && !text.contains("Dear")) {
        let program = compiled(text, &scope());
        let first = evaluated(&program, &place, RunLimits::default()).0;
        let counted = allocation_counter::measure(|| {
            let (result, ..) = evaluated(&program, &place, RunLimits::default());
            assert!(result.is_ok() == first.is_ok(), "{text}");
        });
        assert_eq!(counted.count_total, 0, "{text}");
    }
}
