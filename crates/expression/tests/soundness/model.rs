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
}

const KINDS: [Kind; 9] = [
    Kind::Int,
    Kind::Count,
    Kind::Float,
    Kind::Decimal,
    Kind::Text,
    Kind::Option,
    Kind::Bool,
    Kind::Date,
    Kind::DateTime,
];

/// The texts of each list.
pub(crate) const OPTIONS: [&str; 3] = ["draft", "sent", "paid"];

#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
}

/// A resource `invoice`, and the `company` that it may refer to.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) own: Vec<Property>,
    pub(crate) company: Vec<Property>,
    pub(crate) company_nullable: bool,
}

#[derive(Debug)]
struct Shape(Vec<Property>, Option<(Arc<Shape>, bool)>);

impl ResourceShape for Shape {
    fn name(&self) -> &str {
        "invoice"
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        if let Some((company, nullable)) = self.1.as_ref().filter(|_| name == "company") {
            return Some(ValueType::resource(company.clone()).or_null(*nullable));
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
        for Property { name, kind, nullable } in self.own.iter().chain(&self.company) {
            write!(formatter, "{name}: {kind:?}{} ", if *nullable { "?" } else { "" })?;
        }
        write!(formatter, "company{}", if self.company_nullable { "?" } else { "" })
    }
}

impl Model {
    pub(crate) fn draw(random: &mut Random) -> Model {
        let mut properties = |prefix: &str, count: usize| {
            let property = |place: usize| Property {
                name: format!("{prefix}{place}"),
                kind: KINDS[random.below(KINDS.len())],
                nullable: random.once_in(2),
            };
            (0..count).map(property).collect()
        };
        let (own, company) = (properties("p", 12), properties("c", 5));
        Model { own, company, company_nullable: random.once_in(2) }
    }

    pub(crate) fn scope(&self) -> Scope {
        let company = Arc::new(Shape(self.company.clone(), None));
        let shape = Shape(self.own.clone(), Some((company, self.company_nullable)));
        Scope::of(AvailableProviders::ALL).with_context(Some(Arc::new(shape)))
    }

    /// A row: a third of what may be null is.
    pub(crate) fn row(&self, random: &mut Random) -> Value {
        let company = match self.company_nullable && random.once_in(3) {
            true => Value::Null,
            false => object(&self.company, None, random),
        };
        object(&self.own, Some(company), random)
    }
}

fn object(properties: &[Property], company: Option<Value>, random: &mut Random) -> Value {
    let own = properties.iter().map(|property| (Text::from(property.name.as_str()), value(property, random)));
    let company = company.map(|company| (Text::from("company"), company));
    let members: Vec<(Text, Value)> = own.chain(company).collect();
    Value::Object(members.into_iter().collect::<Object>())
}

fn value(property: &Property, random: &mut Random) -> Value {
    if property.nullable && random.once_in(3) {
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
    }
}
