//! A value of the row beside one that is known.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::cut::NumberCut;
use crate::pushdown::sort::{IntegerRange, ValueSort};
use crate::pushdown::translate::{RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::{against, given, truthy};
use crate::scalar::Scalar;
use database::{ColumnType, Value as Cell};
use datetime::{DateTime, strtotime};
use expression::convert::to_bool;
use expression::value::{Decimal, Text};
use expression::{Span, Value};
use model::kinds::instant_text;

const WHOLE: (i64, i64) = (i64::MIN, i64::MAX);
/// The days that a date may have: 0001-01-01 to 9999-12-31.
const DAYS: (i64, i64) = (-719_162, 2_932_896);

impl<'m> RuleTranslation<'_, 'm> {
    /// Refuses sorts that do not compare for certain. `identity` is `===`, `order` `<` and its like.
    pub(super) fn comparable(
        &self,
        row: &ValueSort,
        other: &ValueSort,
        identity: bool,
        order: bool,
        span: Span,
    ) -> TranslationResult<()> {
        use ValueSort::{
            Array, Bool, Date, Decimal, Float, Instant, Int, Moment, Month, Null, Number, Real, Resource, Text,
        };
        let numeric = "two strings that are numbers compare as numbers, and either may be one; === compares them as \
                       they are written";
        let why = match (row, other) {
            (_, Null) | (Null, _) => return Ok(()),
            (Array(_), _) | (_, Array(_)) => "an array is compared as a whole".to_owned(),
            (Moment | Instant, Moment) if identity => "=== between datetimes asks for the very same one".to_owned(),
            (Resource(_), Resource(_)) if !order => return Ok(()),
            (Real(of), _) if identity && of.whole => "a quotient is an integer or a float, from row to row".to_owned(),
            _ if identity => return Ok(()),
            (Bool, _) | (_, Bool) if !order => return Ok(()),
            (Bool, Bool) => return Ok(()),
            (Int(_) | Decimal(..), Int(_) | Float | Decimal(..) | Number(_)) => return Ok(()),
            (Float | Real(_), Int(_) | Float | Number(false)) => return Ok(()),
            (Float | Real(_), Decimal(..) | Number(_)) => {
                "a float and a decimal compare by written digits; toFloat() makes both floats".to_owned()
            }
            (Text(one), Text(two)) if *one && *two => numeric.to_owned(),
            (Text(_) | Date | Month, Text(_)) => return Ok(()),
            (Moment | Instant, Text(_) | Moment) => return Ok(()),
            (Resource(_), Int(_)) if !order => return Ok(()),
            (one, two) => format!("{} and {} are compared", one.words(), two.words()),
        };
        Err(refused(span, why))
    }

    /// Returns true if a value of the row compares so with a value that is known.
    pub(super) fn beside(
        &self,
        sort: &ValueSort,
        scalar: &Scalar<'m>,
        comparison: ValueComparison,
        value: &Value,
        identity: bool,
    ) -> Condition<'m> {
        if value.is_null() {
            return if comparison == ValueComparison::Equal { given(scalar).opposite() } else { Condition::NEVER };
        }
        if identity && !same_kind(sort, value) {
            return Condition::NEVER;
        }
        if !identity && (matches!(sort, ValueSort::Bool) || matches!(value, Value::Bool(_))) {
            return flags(sort, scalar, comparison, to_bool(value));
        }
        match sort {
            ValueSort::Bool => flags(sort, scalar, comparison, to_bool(value)),
            ValueSort::Int(_) | ValueSort::Decimal(..) => number(sort, scalar, comparison, value),
            ValueSort::Float | ValueSort::Real(_) => match value {
                Value::Int(number) => float(scalar, comparison, *number as f64),
                Value::Float(number) => float(scalar, comparison, *number),
                _ => Condition::NEVER,
            },
            ValueSort::Text(_) => match value {
                Value::Text(text) => texts(scalar, comparison, text),
                _ => Condition::NEVER,
            },
            ValueSort::Date | ValueSort::Month => match value {
                Value::Text(text) => self.day(sort, scalar, comparison, text),
                _ => Condition::NEVER,
            },
            ValueSort::Moment => match self.instant(value) {
                Some((seconds, micros)) => {
                    let floor = i128::from(seconds) * 1_000 + i128::from(micros / 1_000);
                    let cut = NumberCut { floor, exact: micros.is_multiple_of(1_000) };
                    cut.compared(scalar, comparison, ColumnType::Timestamp, Cell::Timestamp, WHOLE)
                }
                None => Condition::NEVER,
            },
            ValueSort::Instant => match self.instant(value) {
                Some((seconds, micros)) => {
                    let floor = i128::from(seconds) * 1_000 + i128::from(micros / 1_000);
                    let cut = NumberCut { floor, exact: micros.is_multiple_of(1_000) };
                    cut.compared(scalar, comparison, ColumnType::Integer, Cell::Integer, WHOLE)
                }
                None => Condition::NEVER,
            },
            ValueSort::Elapsed => match value {
                Value::Interval(interval) => elapsed(scalar, comparison, interval.micros()),
                _ => Condition::NEVER,
            },
            ValueSort::Resource(type_id) => {
                let id = match value {
                    Value::Int(id) => *id,
                    Value::Resource(resource) if resource.type_id() == *type_id => resource.id(),
                    _ => return Condition::NEVER,
                };
                against(scalar, comparison, ColumnType::Integer, Cell::Integer(id))
            }
            ValueSort::Null
            | ValueSort::Number(_)
            | ValueSort::Array(_)
            | ValueSort::Interval
            | ValueSort::Units(..) => Condition::NEVER,
        }
    }

    /// Days and months are texts of one length, in whose order they lie.
    fn day(&self, sort: &ValueSort, scalar: &Scalar<'m>, comparison: ValueComparison, text: &Text) -> Condition<'m> {
        let month = matches!(sort, ValueSort::Month);
        let shown = |day: i64| {
            let whole = day_text(day);
            if month { whole.get(..7).unwrap_or_default().to_owned() } else { whole }
        };
        let cut = NumberCut::search(DAYS.0, DAYS.1, |day| shown(day).as_bytes().cmp(text.as_bytes()));
        // The last day of a month that is equal is not the day that the column holds.
        let cut = match (month, cut.exact) {
            (true, true) => {
                NumberCut::search(DAYS.0, cut.floor as i64, |day| match shown(day).as_bytes().cmp(text.as_bytes()) {
                    std::cmp::Ordering::Equal if !day_text(day).ends_with("-01") => std::cmp::Ordering::Greater,
                    order => order,
                })
            }
            _ => cut,
        };
        cut.compared(scalar, comparison, ColumnType::Date, |day| Cell::Date(day as i32), DAYS)
    }

    /// The instant that a value is in the display zone.
    pub(super) fn instant(&self, value: &Value) -> Option<(i64, u32)> {
        let date = match value {
            Value::DateTime(date) => (**date).clone(),
            Value::Text(text) => {
                // While configuration is checked, any instant stands for the one that it will be.
                let Some(bindings) = self.bindings else { return Some((0, 0)) };
                strtotime(text.as_bytes(), &DateTime::of(bindings.now, bindings.zone))?
            }
            _ => return None,
        };
        Some((date.seconds, date.micros))
    }
}

/// A day as the language writes it.
pub(super) fn day_text(day: i64) -> String {
    let text = instant_text(day * 86_400_000, &jiff::tz::TimeZone::UTC);
    text.get(..10).unwrap_or_default().to_owned()
}

/// Returns true if `===` can hold between values of a sort and this one.
fn same_kind(sort: &ValueSort, value: &Value) -> bool {
    matches!(
        (sort, value),
        (ValueSort::Bool, Value::Bool(_))
            | (ValueSort::Int(_), Value::Int(_))
            | (ValueSort::Float | ValueSort::Real(_), Value::Float(_))
            | (ValueSort::Decimal(..), Value::Decimal(_))
            | (ValueSort::Text(_) | ValueSort::Date | ValueSort::Month, Value::Text(_))
            | (ValueSort::Resource(_), Value::Resource(_))
    )
}

/// A boolean beside anything: both count as true or false.
fn flags<'m>(sort: &ValueSort, scalar: &Scalar<'m>, comparison: ValueComparison, truth: bool) -> Condition<'m> {
    let is = |wanted: bool| {
        let truthy = truthy(sort, scalar.clone());
        if wanted { truthy } else { given(scalar).and(truthy.opposite()) }
    };
    let holds = |flag: bool| match comparison {
        ValueComparison::Equal => flag == truth,
        ValueComparison::NotEqual => flag != truth,
        ValueComparison::Less => !flag & truth,
        ValueComparison::LessOrEqual => flag <= truth,
        ValueComparison::Greater => flag & !truth,
        ValueComparison::GreaterOrEqual => flag >= truth,
    };
    match (holds(false), holds(true)) {
        (true, true) => given(scalar),
        (true, false) => is(false),
        (false, true) => is(true),
        (false, false) => Condition::NEVER,
    }
}

fn number<'m>(sort: &ValueSort, scalar: &Scalar<'m>, comparison: ValueComparison, value: &Value) -> Condition<'m> {
    let scale = if let ValueSort::Decimal(scale, _) = sort { *scale } else { 0 };
    let cut = match (sort, value) {
        (_, Value::Int(number)) => Some(NumberCut::of_decimal(Decimal::from(*number), scale)),
        (_, Value::Decimal(decimal)) => Some(NumberCut::of_decimal(*decimal, scale)),
        // Beside an integer, a float is binary, and the integer becomes one, too.
        (ValueSort::Int(_), Value::Float(number)) => {
            return float(&Scalar::of_one(crate::scalar::ScalarOperation::Float, scalar.clone()), comparison, *number);
        }
        (_, Value::Float(number)) => match Decimal::of_float(*number) {
            Some(decimal) => Some(NumberCut::of_decimal(decimal, scale)),
            None => NumberCut::of_far_float(*number),
        },
        _ => None,
    };
    let Some(cut) = cut else { return Condition::NEVER };
    cut.compared(scalar, comparison, ColumnType::Integer, Cell::Integer, WHOLE)
}

/// The time between two datetimes beside an interval: by its length, which one with months does not have.
fn elapsed<'m>(scalar: &Scalar<'m>, comparison: ValueComparison, micros: Option<i128>) -> Condition<'m> {
    let Some(micros) = micros else { return Condition::NEVER };
    let cut = NumberCut { floor: micros.div_euclid(1_000), exact: micros.rem_euclid(1_000) == 0 };
    cut.compared(scalar, comparison, ColumnType::Integer, Cell::Integer, WHOLE)
}

fn float<'m>(scalar: &Scalar<'m>, comparison: ValueComparison, number: f64) -> Condition<'m> {
    if number.is_finite() {
        return against(scalar, comparison, ColumnType::Float, Cell::Float(number));
    }
    let above = number.is_sign_positive();
    let always = match comparison {
        ValueComparison::NotEqual => true,
        _ if number.is_nan() => false,
        ValueComparison::Equal => false,
        ValueComparison::Less | ValueComparison::LessOrEqual => above,
        ValueComparison::Greater | ValueComparison::GreaterOrEqual => !above,
    };
    if always { given(scalar) } else { Condition::NEVER }
}

/// A text of bytes that no column holds lies between texts that columns hold.
fn texts<'m>(scalar: &Scalar<'m>, comparison: ValueComparison, text: &Text) -> Condition<'m> {
    let whole = text.as_str().filter(|text| !text.contains('\0'));
    if let Some(text) = whole {
        return against(scalar, comparison, ColumnType::Text, Cell::Text(text.to_owned()));
    }
    // Up to a NUL everything is as it is; behind it, all that columns hold is greater.
    let before = text.as_str().and_then(|text| text.split_once('\0')).map(|(before, _)| before);
    let comparison = match comparison {
        ValueComparison::Less | ValueComparison::LessOrEqual => ValueComparison::LessOrEqual,
        ValueComparison::Greater | ValueComparison::GreaterOrEqual => ValueComparison::Greater,
        ValueComparison::Equal => return Condition::NEVER,
        ValueComparison::NotEqual => return given(scalar),
    };
    match before {
        Some(before) => against(scalar, comparison, ColumnType::Text, Cell::Text(before.to_owned())),
        None => Condition::NEVER,
    }
}

/// A value that is known as one of the row, for what is made of both; none where it has no such form.
pub(super) fn known<'m>(sort: &ValueSort, value: Option<&Value>) -> Option<Scalar<'m>> {
    let column = column(sort)?;
    let cell = match (sort, value) {
        (_, None | Some(Value::Null)) => Cell::Null,
        (ValueSort::Bool, Some(Value::Bool(flag))) => Cell::Boolean(*flag),
        (ValueSort::Int(_), Some(Value::Int(number))) => Cell::Integer(*number),
        (ValueSort::Float, Some(Value::Float(number))) if number.is_finite() => Cell::Float(*number),
        (ValueSort::Decimal(..), Some(Value::Decimal(decimal))) => Cell::Integer(i64::try_from(decimal.mantissa).ok()?),
        (ValueSort::Text(_), Some(Value::Text(text))) => {
            Cell::Text(text.as_str().filter(|text| !text.contains('\0'))?.into())
        }
        (ValueSort::Moment, Some(Value::DateTime(date))) if date.micros.is_multiple_of(1_000) => {
            Cell::Timestamp(date.seconds.checked_mul(1_000)?.checked_add(i64::from(date.micros / 1_000))?)
        }
        (ValueSort::Resource(_), Some(Value::Resource(resource))) => Cell::Integer(resource.id()),
        _ => return None,
    };
    Some(Scalar::Value(column, cell))
}

/// The type of the column that holds such values.
pub(super) fn column(sort: &ValueSort) -> Option<ColumnType> {
    Some(match sort {
        ValueSort::Bool => ColumnType::Boolean,
        ValueSort::Int(IntegerRange(..)) | ValueSort::Decimal(..) | ValueSort::Resource(_) => ColumnType::Integer,
        ValueSort::Float | ValueSort::Real(_) => ColumnType::Float,
        ValueSort::Text(_) => ColumnType::Text,
        ValueSort::Date | ValueSort::Month => ColumnType::Date,
        ValueSort::Moment => ColumnType::Timestamp,
        ValueSort::Null
        | ValueSort::Number(_)
        | ValueSort::Array(_)
        | ValueSort::Instant
        | ValueSort::Interval
        | ValueSort::Units(..)
        | ValueSort::Elapsed => return None,
    })
}
