//! The sorts of values: what is known of a value before there is a row is enough to say how it compares.

use datetime::IntervalUnit;
use expression::Value;
use expression::numeric;
use model::kinds::{KindClass, ValueStorage};
use model::types::Property;

/// A sort of values. Every value may be null.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValueSort {
    Null,
    Bool,
    Int(IntegerRange),
    Float,
    /// A float of at most this size, either sign; where it may be `whole`, an integer in its stead.
    Real(FloatBounds),
    /// Whole units of so many digits behind the point.
    Decimal(u8, IntegerRange),
    /// Any number, of a part that is bound; whether it may be a decimal.
    Number(bool),
    /// A text; whether it may be one that PHP compares as a number.
    Text(bool),
    /// A day, which the language has as the text `YYYY-MM-DD`.
    Date,
    /// A month, which the language has as the text `YYYY-MM`.
    Month,
    Moment,
    /// A datetime that time was added to, in milliseconds after 1970-01-01T00:00:00Z.
    Instant,
    /// An interval that the interpreter gives.
    Interval,
    /// So many units.
    Units(IntervalUnit, IntegerRange),
    /// The time between two datetimes, in milliseconds.
    Elapsed,
    /// A resource of the type.
    Resource(i64),
    /// An array of such values.
    Array(Vec<ValueSort>),
}

/// The bounds of a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FloatBounds {
    pub(super) most: f64,
    /// True if it may be an integer: what divides without a rest gives one.
    pub(super) whole: bool,
}

impl FloatBounds {
    /// The greatest integer up to which all are floats.
    pub(super) const WHOLE: i128 = (1 << 53) - 1;

    /// Unless it may be too large: for an integer that is to be the same as the float, or for a float.
    pub(super) fn new(most: f64, whole: bool) -> Option<FloatBounds> {
        (most <= if whole { Self::WHOLE as f64 } else { 1e300 }).then_some(FloatBounds { most, whole })
    }
}

/// The least and the greatest of some integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct IntegerRange(pub(super) i128, pub(super) i128);

impl IntegerRange {
    /// All 64 bits.
    pub(super) const ALL: IntegerRange = IntegerRange(i64::MIN as i128, i64::MAX as i128);

    /// Returns true if all of them have 64 bits.
    pub(super) fn fits(self) -> bool {
        IntegerRange::ALL.0 <= self.0 && self.1 <= IntegerRange::ALL.1
    }

    /// The greatest of them without its sign.
    pub(super) fn size(self) -> i128 {
        self.0.abs().max(self.1.abs())
    }

    /// Returns true if none is greater than that, whatever its sign.
    pub(super) fn within(self, most: i128) -> bool {
        self.size() <= most
    }

    pub(super) fn around(numbers: &[i128]) -> IntegerRange {
        let least = numbers.iter().min().copied().unwrap_or(0);
        IntegerRange(least, numbers.iter().max().copied().unwrap_or(0))
    }

    /// The products of two of them; none where one is too large even for twice the bits.
    pub(super) fn times(self, other: IntegerRange) -> Option<IntegerRange> {
        let product = |one: i128, other: i128| one.checked_mul(other);
        Some(IntegerRange::around(&[
            product(self.0, other.0)?,
            product(self.0, other.1)?,
            product(self.1, other.0)?,
            product(self.1, other.1)?,
        ]))
    }

    pub(super) fn united(self, other: IntegerRange) -> IntegerRange {
        IntegerRange(self.0.min(other.0), self.1.max(other.1))
    }
}

impl ValueSort {
    /// Of a property's value, or of its members; none where nothing is known of it.
    pub(super) fn of(property: &Property) -> Option<ValueSort> {
        if let Some(relation) = property.kind.relation() {
            return Some(ValueSort::Resource(relation.type_id));
        }
        Some(match property.kind.class() {
            KindClass::Integer => {
                let schema = property.kind.schema();
                let limit = |name: &str| schema.get(name).and_then(serde_json::Value::as_i64).map(i128::from);
                let IntegerRange(least, most) = IntegerRange::ALL;
                ValueSort::Int(IntegerRange(limit("minimum").unwrap_or(least), limit("maximum").unwrap_or(most)))
            }
            // The kind takes 18 digits at most.
            KindClass::Decimal { scale } => {
                let unit = 10_f64.powi(scale.into());
                // Limits are told as floats, which are exact enough for small ones.
                let limit = |name: &str| {
                    let units = property.kind.schema().get(name)?.as_f64()? * unit;
                    (units.abs() < 1e15).then_some(units)
                };
                let least = limit("minimum").map_or(1 - 10_i128.pow(18), |units| units.floor() as i128 - 1);
                let most = limit("maximum").map_or(10_i128.pow(18) - 1, |units| units.ceil() as i128 + 1);
                ValueSort::Decimal(scale, IntegerRange(least, most))
            }
            KindClass::Float => {
                let schema = property.kind.schema();
                let limit = |name: &str| schema.get(name).and_then(serde_json::Value::as_f64).map(f64::abs);
                let most = limit("minimum").zip(limit("maximum")).map(|(least, most)| least.max(most));
                most.and_then(|most| FloatBounds::new(most, false)).map_or(ValueSort::Float, ValueSort::Real)
            }
            KindClass::Boolean => ValueSort::Bool,
            KindClass::Text => ValueSort::Text(!["pEmail", "pUrl", "pColor"].contains(&property.kind.name())),
            KindClass::Enumeration | KindClass::Enumerations => {
                let choices = property.kind.choices();
                let numeric = |text: &str| numeric::whole(text.as_bytes()).is_some();
                ValueSort::Text(choices.is_empty() || choices.iter().any(|choice| numeric(&choice.value)))
            }
            KindClass::Time => ValueSort::Text(false),
            KindClass::Date => ValueSort::Date,
            KindClass::Month => ValueSort::Month,
            KindClass::DateTime => ValueSort::Moment,
            _ => return None,
        })
    }

    /// Of a property's value that is bound: a day is then a text.
    pub(super) fn bound(property: &Property) -> Option<ValueSort> {
        let sort = match ValueSort::of(property)? {
            ValueSort::Date | ValueSort::Month => ValueSort::Text(false),
            ValueSort::Real(_) => ValueSort::Float,
            sort => sort,
        };
        let several = !matches!(property.kind.storage(), ValueStorage::Column(_));
        Some(if several { ValueSort::Array(vec![sort]) } else { sort })
    }

    /// Of a value that is known; none where it is of no sort that rows have.
    pub(super) fn of_value(value: &Value) -> Option<ValueSort> {
        Some(match value {
            Value::Null => ValueSort::Null,
            Value::Bool(_) => ValueSort::Bool,
            Value::Int(number) => ValueSort::Int(IntegerRange(i128::from(*number), i128::from(*number))),
            Value::Float(_) => ValueSort::Float,
            Value::Decimal(decimal) => {
                ValueSort::Decimal(decimal.scale, IntegerRange(decimal.mantissa, decimal.mantissa))
            }
            Value::Text(text) => ValueSort::Text(numeric::whole(text.as_bytes()).is_some()),
            Value::DateTime(_) => ValueSort::Moment,
            Value::Interval(_) => ValueSort::Interval,
            Value::Resource(resource) => ValueSort::Resource(resource.type_id()),
            Value::Array(array) => ValueSort::Array(array.values().map(ValueSort::of_value).collect::<Option<_>>()?),
            _ => return None,
        })
    }

    /// Returns true if it is a number.
    pub(super) fn is_number(&self) -> bool {
        matches!(
            self,
            ValueSort::Int(_) | ValueSort::Float | ValueSort::Real(_) | ValueSort::Decimal(..) | ValueSort::Number(_)
        )
    }

    /// Returns true if a value, which the interpreter gave, is of the sort.
    pub(super) fn takes(&self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Null) => true,
            (ValueSort::Bool, Value::Bool(_))
            | (ValueSort::Moment, Value::DateTime(_))
            | (ValueSort::Interval, Value::Interval(_))
            | (ValueSort::Number(_), Value::Int(_)) => true,
            (ValueSort::Number(_) | ValueSort::Float, Value::Float(_))
            | (ValueSort::Number(true), Value::Decimal(_)) => true,
            (ValueSort::Int(range), Value::Int(number)) => (range.0..=range.1).contains(&i128::from(*number)),
            (ValueSort::Decimal(scale, _), Value::Decimal(decimal)) => *scale == decimal.scale,
            (ValueSort::Text(may), Value::Text(text)) => {
                text.as_str().is_some() && (*may || numeric::whole(text.as_bytes()).is_none())
            }
            (ValueSort::Resource(type_id), Value::Resource(resource)) => *type_id == resource.type_id(),
            (ValueSort::Array(sorts), Value::Array(array)) => {
                array.values().all(|item| sorts.iter().any(|sort| sort.takes(item)))
            }
            _ => false,
        }
    }

    /// With its article, for messages.
    pub(super) fn words(&self) -> &'static str {
        match self {
            ValueSort::Null => "null",
            ValueSort::Bool => "a boolean",
            ValueSort::Int(_) => "an integer",
            ValueSort::Float | ValueSort::Real(_) => "a float",
            ValueSort::Decimal(..) => "a decimal",
            ValueSort::Number(_) => "a number",
            ValueSort::Text(_) => "a string",
            ValueSort::Date => "a date",
            ValueSort::Month => "a month",
            ValueSort::Moment | ValueSort::Instant => "a datetime",
            ValueSort::Interval | ValueSort::Units(..) | ValueSort::Elapsed => "an interval",
            ValueSort::Resource(_) => "a resource",
            ValueSort::Array(_) => "an array",
        }
    }
}
