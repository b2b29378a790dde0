//! Intervals of the row: so many units of an integer, and the time between two datetimes.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::sort::{FloatBounds, IntegerRange, ValueSort};
use crate::pushdown::term::{PartTerm, TranslatedPart};
use crate::pushdown::translate::{TranslationResult, refused};
use crate::scalar::{Scalar, ScalarOperation};
use database::{ColumnType, Value as Cell};
use datetime::IntervalUnit;
use expression::Span;

/// The milliseconds between two datetimes of the years 1 to 9999, at most.
const MOST: f64 = 316_000_000_000_000.0;

/// `terms.days`, `(ended - begun).totalHours`.
pub(super) fn interval_member<'m>(
    value: TranslatedPart<'m>,
    name: &str,
    span: Span,
) -> TranslationResult<TranslatedPart<'m>> {
    let TranslatedPart { term, raises } = value;
    match (term, IntervalUnit::of(name)) {
        (PartTerm::Row(ValueSort::Int(range), count), Some(unit)) => {
            let raises = raises.or(too_long(unit, range, &count));
            Ok(TranslatedPart::row(ValueSort::Units(unit, range), count, raises))
        }
        (PartTerm::Row(ValueSort::Elapsed, millis), _) => total(millis, name, span, raises),
        (_, Some(_)) => Err(refused(span, format!("units stand behind one integer: toInt(x).{name}"))),
        _ => Err(refused(span, "parts of a plain value and results of functions have no columns")),
    }
}

/// The time between two datetimes in one unit, as the interpreter counts it.
fn total<'m>(
    millis: Scalar<'m>,
    name: &str,
    span: Span,
    raises: Condition<'m>,
) -> TranslationResult<TranslatedPart<'m>> {
    let unit = match name {
        "totalDays" => 86_400e6,
        "totalHours" => 3_600e6,
        "totalMinutes" => 60e6,
        "totalSeconds" => {
            let most = MOST as i128 / 1_000;
            let seconds = Scalar::of_one(ScalarOperation::Whole(3), millis);
            return Ok(TranslatedPart::row(ValueSort::Int(IntegerRange(-most, most)), seconds, raises));
        }
        _ => {
            let why = "of the time between two datetimes there are totalDays, totalHours, totalMinutes and \
                       totalSeconds; the other parts depend on the zone";
            return Err(refused(span, why));
        }
    };
    let micros = Scalar::of_two(ScalarOperation::Multiply, millis, Scalar::integer(1_000));
    let micros = Scalar::of_one(ScalarOperation::Float, micros);
    let unit_scalar = Scalar::Value(ColumnType::Float, Cell::Float(unit));
    let quotient = Scalar::of_two(ScalarOperation::FloatDivide, micros, unit_scalar);
    let bounds = FloatBounds { most: MOST * 1e3 / unit, whole: false };
    Ok(TranslatedPart::row(ValueSort::Real(bounds), quotient, raises))
}

/// The rows without an interval of so many units: days of weeks, and the number without its sign, have 64 bits.
fn too_long<'m>(unit: IntervalUnit, range: IntegerRange, count: &Scalar<'m>) -> Condition<'m> {
    let most = if unit == IntervalUnit::Weeks { i64::MAX / 7 } else { i64::MAX };
    let beyond = |comparison, bound| Condition::Compare(comparison, count.clone(), Scalar::integer(bound));
    let mut found = Condition::NEVER;
    if range.0 < -i128::from(most) {
        found = found.or(beyond(ValueComparison::Less, -most));
    }
    if range.1 > i128::from(most) {
        found = found.or(beyond(ValueComparison::Greater, most));
    }
    found
}
