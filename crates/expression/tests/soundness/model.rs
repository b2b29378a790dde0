//! Random models: properties of every scalar kind, that may be null or not, of a resource and of one beside it.

use crate::random::Random;
use datetime::DateTime;
use expression::Value;
use expression::scope::{AvailableProviders, ResourceShape, Scope, ValueKind, ValueType};
use expression::value::{Decimal, Object, Text};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::Arc;

/// The kinds of properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    /// An integer that is never 0.
    Count,
    Float,
    Decimal,
    Text,
    /// One of a list.
    Option,
    Bool,
    Date,
    DateTime,
    Month,
    Time,
    /// Several of a list.
    Tags,
    /// Any JSON.
    Json,
}

const KINDS: [Kind; 13] = [
    Kind::Int,
    Kind::Count,
    Kind::Float,
    Kind::Decimal,
    Kind::Text,
    Kind::Option,
    Kind::Bool,
    Kind::Date,
    Kind::DateTime,
    Kind::Month,
    Kind::Time,
    Kind::Tags,
    Kind::Json,
];

/// The kinds of properties that lines may have.
const SCALARS: usize = 11;

/// The texts of each list.
pub(crate) const OPTIONS: [&str; 3] = ["draft", "sent", "paid"];

#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
}

/// A resource `invoice`, the `company` that it may refer to, and its `lines`.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) own: Vec<Property>,
    pub(crate) company: Vec<Property>,
    pub(crate) company_nullable: bool,
    pub(crate) lines: Vec<Property>,
}

/// A type: its properties, and those that are relations.
#[derive(Debug)]
struct Shape(Vec<Property>, Vec<(&'static str, ValueType)>);

impl ResourceShape for Shape {
    fn name(&self) -> &str {
        "invoice"
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        if let Some((_, relation)) = self.1.iter().find(|(relation, _)| *relation == name) {
            return Some(relation.clone());
        }
        let property = self.0.iter().find(|property| property.name == name)?;
        let of = match property.kind {
            Kind::Int => ValueType::of(ValueKind::Int),
            Kind::Count => {
                let mut of = ValueType::of(ValueKind::Int);
                of.nonzero = true;
                of
            }
            Kind::Float => ValueType::of(ValueKind::Float),
            Kind::Decimal => ValueType::of(ValueKind::Decimal),
            Kind::Text => ValueType::of(ValueKind::Text),
            Kind::Option => ValueType::option(OPTIONS.iter().map(|name| Arc::from(*name)).collect()),
            Kind::Bool => ValueType::of(ValueKind::Bool),
            Kind::Date => ValueType::of(ValueKind::Date),
            Kind::DateTime => ValueType::of(ValueKind::DateTime),
            Kind::Month => ValueType::of(ValueKind::Month),
            Kind::Time => ValueType::of(ValueKind::Time),
            Kind::Tags => return Some(ValueType::array(ValueKind::Text)),
            Kind::Json => return Some(ValueKind::Any.into()),
        };
        Some(of.or_null(property.nullable))
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.0.iter().map(|property| Arc::from(property.name.as_str())).collect()
    }
}

/// Names and kinds; `?` of what may be null.
impl std::fmt::Display for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for Property { name, kind, nullable } in self.own.iter().chain(&self.company).chain(&self.lines) {
            write!(formatter, "{name}: {kind:?}{} ", if *nullable { "?" } else { "" })?;
        }
        write!(formatter, "company{}", if self.company_nullable { "?" } else { "" })
    }
}

impl Model {
    pub(crate) fn draw(random: &mut Random) -> Model {
        let mut properties = |prefix: &str, count: usize, kinds: usize| {
            let property = |place: usize| Property {
                name: format!("{prefix}{place}"),
                kind: KINDS[random.below(kinds)],
                nullable: random.once_in(2),
            };
            (0..count).map(property).collect()
        };
        let all = KINDS.len();
        let (own, company, lines) = (properties("p", 14, all), properties("c", 5, all), properties("l", 3, SCALARS));
        Model { own, company, company_nullable: random.once_in(2), lines }
    }

    pub(crate) fn scope(&self) -> Scope {
        let shape = |properties: &[Property]| Arc::new(Shape(properties.to_vec(), Vec::new()));
        let company = ValueType::resource(shape(&self.company)).or_null(self.company_nullable);
        let lines = ValueType::resources(shape(&self.lines));
        let shape = Shape(self.own.clone(), vec![("company", company), ("lines", lines)]);
        Scope::of(AvailableProviders::ALL).with_context(Some(Arc::new(shape)))
    }

    /// Returns true if a program asks for a value of which nothing is known before it runs.
    pub(crate) fn uses_any(&self, text: &str) -> bool {
        let json = self.own.iter().chain(&self.company).filter(|property| property.kind == Kind::Json);
        let names = json.map(|property| property.name.as_str()).chain(["x", "y", "var", "jsonDecode"]);
        let names: Vec<&str> = names.collect();
        text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| names.contains(&word))
    }

    /// A row: a third of what may be null is.
    pub(crate) fn row(&self, random: &mut Random) -> Value {
        let company = match self.company_nullable && random.once_in(3) {
            true => Value::Null,
            false => object(&self.company, Vec::new(), random),
        };
        let lines = (0..random.below(4)).map(|_| object(&self.lines, Vec::new(), random)).collect();
        object(&self.own, vec![("company", company), ("lines", Value::Array(lines))], random)
    }
}

fn object(properties: &[Property], relations: Vec<(&str, Value)>, random: &mut Random) -> Value {
    let own = properties.iter().map(|property| (Text::from(property.name.as_str()), value(property, random)));
    let mut members: Vec<(Text, Value)> = own.collect();
    members.extend(relations.into_iter().map(|(name, value)| (Text::from(name), value)));
    Value::Object(members.into_iter().collect::<Object>())
}

/// A value of any kind, as JSON has them.
pub(crate) fn any(random: &mut Random) -> Value {
    match random.below(9) {
        0 => Value::Null,
        1 => Value::Bool(random.once_in(2)),
        2 => Value::Int([0, 5, -1, i64::MAX][random.below(4)]),
        3 => Value::Float([0.5, -1e300][random.below(2)]),
        4 => Value::text(random.pick(&["", "draft", "12", "2026-11-20", "Ada"])),
        5 => Value::Array([Value::Int(1), "a".into(), Value::Null].into_iter().take(random.below(4)).collect()),
        6 => Value::Object([(Text::from("a"), Value::Int(1))].into_iter().collect::<Object>()),
        7 => Value::Array(Default::default()),
        _ => Value::text("a,b"),
    }
}

fn value(property: &Property, random: &mut Random) -> Value {
    if property.nullable && property.kind != Kind::Tags && random.once_in(3) {
        return Value::Null;
    }
    match property.kind {
        Kind::Int => Value::Int([0, 1, -1, 7, 100, 1_000_000, i64::MAX, i64::MIN, 12, 3][random.below(10)]),
        Kind::Count => Value::Int([1, -1, 7, i64::MAX, i64::MIN, 30][random.below(6)]),
        Kind::Float => Value::Float([0.0, -0.0, 1.5, -2.25, 1e300, 5e-324, 0.1, 3.0][random.below(8)]),
        Kind::Decimal => {
            let texts = ["0", "0.00", "1.50", "-12.34", "999999999999999999.99", "0.0000000001", "3"];
            Decimal::parse(random.pick(&texts)).map_or(Value::Null, Value::Decimal)
        }
        Kind::Text => {
            let long = "long ".repeat(20);
            let texts = ["", "0", "12", "a", "Ada Lovelace", "Dvořák", "1e3", "x@y.cz", " 5", &long];
            Value::text(random.pick(&texts))
        }
        Kind::Option => Value::text(random.pick(&OPTIONS)),
        Kind::Bool => Value::Bool(random.once_in(2)),
        Kind::Date => Value::text(random.pick(&["2026-11-20", "1970-01-01", "2024-02-29", "9999-12-31"])),
        Kind::DateTime => {
            let seconds = [0, 1_700_000_000, -1, 253_402_300_799][random.below(4)];
            let instant = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
            Value::DateTime(Arc::new(DateTime::of(instant, &TimeZone::UTC)))
        }
        Kind::Month => Value::text(random.pick(&["2026-11", "1970-01", "2024-02", "9999-12"])),
        Kind::Time => Value::text(random.pick(&["14:30", "00:00:00", "23:59:59"])),
        Kind::Tags => {
            Value::Array(OPTIONS.iter().filter(|_| random.once_in(2)).map(|name| Value::text(name)).collect())
        }
        Kind::Json => any(random),
    }
}
