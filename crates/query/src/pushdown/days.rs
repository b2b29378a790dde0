//! Days and instants as numbers: what an interval was added to compares as a number, and on the other side where that
//! leaves a column to compare.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::dates::DAYS;
use crate::pushdown::sort::{IntegerRange, ValueSort};
use crate::pushdown::translate::{TranslationResult, refused};
use crate::pushdown::truth;
use crate::scalar::{Scalar, ScalarOperation};
use database::{ColumnType, Value as Cell};
use datetime::IntervalUnit;
use expression::{Span, Value};

/// The instants that both engines have, in milliseconds, with room: from 4685 BC to the year 11476.
const INSTANTS: std::ops::RangeInclusive<i64> = -210_000_000_000_000..=300_000_000_000_000;

/// Milliseconds of 10,000 years: no instant of the years 1 to 9999 is as far from 1970.
const FAR: i64 = 315_569_520_000_000;

/// A date as the number of its day.
pub(super) fn day_number(date: Scalar<'_>) -> Scalar<'_> {
    match date {
        Scalar::Apply(ScalarOperation::NumberedDay, mut parts) if parts.len() == 1 => parts.remove(0),
        Scalar::Value(_, Cell::Date(day)) => Scalar::integer(day.into()),
        Scalar::Value(_, Cell::Null) => Scalar::Value(ColumnType::Integer, Cell::Null),
        other => Scalar::of_one(ScalarOperation::DayNumber, other),
    }
}

/// The date that a number of a day is.
pub(super) fn numbered_day(number: Scalar<'_>) -> Scalar<'_> {
    match number {
        Scalar::Apply(ScalarOperation::DayNumber, mut parts) if parts.len() == 1 => parts.remove(0),
        other => Scalar::of_one(ScalarOperation::NumberedDay, other),
    }
}

/// Returns true if a value is a date or an instant that was counted with, or the number of one.
pub(super) fn is_counted(scalar: &Scalar<'_>) -> bool {
    use ScalarOperation::{Add, InstantNumber, NumberedDay};
    match scalar {
        Scalar::Apply(NumberedDay | InstantNumber, _) => true,
        Scalar::Apply(Add, parts) => matches!(parts.first(), Some(Scalar::Apply(InstantNumber, _))),
        _ => false,
    }
}

/// Returns the part of a date or an instant that is null where the whole is, if there is one alone.
pub(super) fn operand<'s, 'm>(scalar: &'s Scalar<'m>) -> Option<&'s Scalar<'m>> {
    use ScalarOperation::{Add, DayNumber, InstantNumber, NumberedDay};
    match scalar {
        Scalar::Apply(NumberedDay | DayNumber | InstantNumber, parts) => parts.first(),
        Scalar::Apply(Add, parts) => match parts.as_slice() {
            [one, Scalar::Value(_, Cell::Integer(_))] => Some(one),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the condition that a date or an instant compares so with a known one, or with the number of one.
pub(super) fn against<'m>(
    scalar: &Scalar<'m>,
    comparison: ValueComparison,
    column: ColumnType,
    value: Cell,
) -> Condition<'m> {
    let number = match (&value, column) {
        (Cell::Date(day), _) => i64::from(*day),
        (Cell::Timestamp(number) | Cell::Integer(number), _) => *number,
        _ => return Condition::Compare(comparison, scalar.clone(), Scalar::Value(column, value)),
    };
    let scalar = match scalar {
        Scalar::Apply(ScalarOperation::NumberedDay, parts) => parts.first().unwrap_or(scalar),
        other => other,
    };
    beside_number(scalar, comparison, number)
}

/// Returns the condition that the number of a day or an instant compares so with a known one.
pub(super) fn beside_number<'m>(scalar: &Scalar<'m>, comparison: ValueComparison, number: i64) -> Condition<'m> {
    match scalar {
        Scalar::Apply(ScalarOperation::DayNumber, parts) if let [date] = parts.as_slice() => {
            of_date(date, comparison, number)
        }
        Scalar::Apply(ScalarOperation::InstantNumber, parts)
            if let [instant] = parts.as_slice()
                && INSTANTS.contains(&number) =>
        {
            truth::against(instant, comparison, ColumnType::Timestamp, Cell::Timestamp(number))
        }
        Scalar::Apply(ScalarOperation::Add, parts)
            if let [one, Scalar::Value(_, Cell::Integer(more))] = parts.as_slice()
                && let Some(rest) = number.checked_sub(*more) =>
        {
            beside_number(one, comparison, rest)
        }
        other => Condition::Compare(comparison, other.clone(), Scalar::integer(number)),
    }
}

/// The same of a date, which lies in the years 1 to 9999.
fn of_date<'m>(scalar: &Scalar<'m>, comparison: ValueComparison, number: i64) -> Condition<'m> {
    use ValueComparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let (least, most) = DAYS;
    if (least..=most).contains(&number) {
        return truth::against(scalar, comparison, ColumnType::Date, Cell::Date(number as i32));
    }
    let holds = match comparison {
        Equal => false,
        NotEqual => true,
        Less | LessOrEqual => number > most,
        Greater | GreaterOrEqual => number < least,
    };
    if holds { truth::given(scalar) } else { Condition::NEVER }
}

/// Two values of the row with their sorts: dates and instants of which one was counted with compare as numbers.
pub(super) fn compare<'m>(
    comparison: ValueComparison,
    sorts: [&ValueSort; 2],
    left: Scalar<'m>,
    right: Scalar<'m>,
) -> Condition<'m> {
    let [sort, other] = sorts;
    let instant = |sort: &ValueSort, scalar| match sort {
        ValueSort::Moment => Scalar::of_one(ScalarOperation::InstantNumber, scalar),
        _ => scalar,
    };
    let is_day = |sort: &ValueSort| matches!(sort, ValueSort::Date | ValueSort::Month);
    let (left, right) = match (sort, other) {
        (ValueSort::Instant, _) | (_, ValueSort::Instant) => (instant(sort, left), instant(other, right)),
        _ if is_day(sort) && is_day(other) && (is_counted(&left) || is_counted(&right)) => {
            (day_number(left), day_number(right))
        }
        _ => (left, right),
    };
    Condition::Compare(comparison, left, right)
}

/// The length of an interval of the row in milliseconds.
pub(super) fn length<'m>(sort: &ValueSort, scalar: Scalar<'m>, span: Span) -> TranslationResult<Scalar<'m>> {
    let ValueSort::Units(unit, range) = sort else { return Ok(scalar) };
    let Some(millis) = millis(*unit) else { return Err(refused(span, NO_LENGTH)) };
    bounded(*range, millis, span)?;
    Ok(Scalar::of_two(ScalarOperation::Multiply, scalar, Scalar::integer(millis)))
}

const NO_LENGTH: &str = "months differ in length; compare the dates: a + 1.months < b";

/// The milliseconds of a unit; none of one that differs in length.
pub(super) fn millis(unit: IntervalUnit) -> Option<i64> {
    Some(match unit {
        IntervalUnit::Minutes => 60_000,
        IntervalUnit::Hours => 3_600_000,
        IntervalUnit::Days => 86_400_000,
        IntervalUnit::Weeks => 604_800_000,
        IntervalUnit::Months | IntervalUnit::Years => return None,
    })
}

/// Refuses a number of units that may be more milliseconds than 64 bits have.
pub(super) fn bounded(range: IntegerRange, millis: i64, span: Span) -> TranslationResult<()> {
    if range.within((i128::from(i64::MAX) - i128::from(FAR)) / i128::from(millis)) {
        return Ok(());
    }
    Err(refused(span, "the interval may be too long for 64 bits; give the property a min and a max"))
}

/// Refuses an interval beside the time between two datetimes whose length is not known.
pub(super) fn check_length(value: Option<&Value>, identity: bool, span: Span) -> TranslationResult<()> {
    match value {
        _ if identity => Err(refused(span, "=== of intervals compares their parts, which no column has; == does")),
        None => Err(refused(span, "the interval must be written out, such as 4.hours")),
        Some(Value::Interval(interval)) if interval.micros().is_none() => Err(refused(span, NO_LENGTH)),
        Some(_) => Ok(()),
    }
}
