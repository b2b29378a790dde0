//! The width of integers that are counted with: PostgreSQL refuses what does not fit, and needs a cast only there.

use crate::pushdown::sort::{IntegerRange, ValueSort};
use crate::scalar::{Scalar, ScalarOperation};
use database::Value;
use model::types::Property;

/// The integers of a function that has 32 bits on PostgreSQL.
const SHORT: IntegerRange = IntegerRange(i32::MIN as i128, i32::MAX as i128);

/// The cast that an operation on two integers needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountingWidth {
    /// No cast: the result has the bits of its operands, or an operand has as many digits as are needed.
    Plain,
    /// The operands have 32 bits, and the result has more.
    Long,
    /// The result may have more than 64 bits.
    Wide,
}

/// Returns the cast that an operation needs.
pub(crate) fn counting_width(operation: ScalarOperation, parts: &[Scalar<'_>]) -> CountingWidth {
    let is_short = parts.iter().all(is_short);
    match counted(operation, parts) {
        Some(range) if is_short && !(SHORT.0 <= range.0 && range.1 <= SHORT.1) => CountingWidth::Long,
        Some(_) => CountingWidth::Plain,
        None if parts.iter().any(is_numeric) => CountingWidth::Plain,
        None => CountingWidth::Wide,
    }
}

/// Returns the integers that a value may be; none where it is not an integer of 64 bits for certain.
fn range(scalar: &Scalar<'_>) -> Option<IntegerRange> {
    match scalar {
        Scalar::Value(_, Value::Integer(number)) => Some(IntegerRange((*number).into(), (*number).into())),
        Scalar::Place(_, place) if place.inside.is_none() => of_property(place.property),
        Scalar::Count(..) => Some(IntegerRange(0, 1 << 40)),
        Scalar::Choice(_, then, otherwise) => Some(range(then)?.united(range(otherwise)?)),
        Scalar::First(parts) => {
            let mut ranges = parts.iter().map(range);
            let first = ranges.next()??;
            ranges.try_fold(first, |all, one| Some(all.united(one?)))
        }
        Scalar::Apply(ScalarOperation::Length, _) => Some(IntegerRange(0, SHORT.1)),
        Scalar::Apply(ScalarOperation::DayNumber | ScalarOperation::MonthsOn, _) => {
            Some(IntegerRange(-10_000_000, 10_000_000))
        }
        Scalar::Apply(operation, parts) => counted(*operation, parts),
        Scalar::Value(..) | Scalar::Place(..) | Scalar::Truth(_) => None,
    }
}

fn of_property(property: &Property) -> Option<IntegerRange> {
    match ValueSort::of(property)? {
        ValueSort::Int(range) | ValueSort::Decimal(_, range) => Some(range),
        _ => None,
    }
}

/// Returns the integers that an operation may give; none where they may not fit, or it gives no integers.
fn counted(operation: ScalarOperation, parts: &[Scalar<'_>]) -> Option<IntegerRange> {
    let [left, right] = parts else { return None };
    let (left, right) = (range(left)?, range(right)?);
    let range = match operation {
        ScalarOperation::Add => IntegerRange(left.0 + right.0, left.1 + right.1),
        ScalarOperation::Subtract => IntegerRange(left.0 - right.1, left.1 - right.0),
        ScalarOperation::Multiply => left.times(right)?,
        ScalarOperation::Remainder => IntegerRange(-right.size(), right.size()),
        _ => return None,
    };
    range.fits().then_some(range)
}

/// Returns true for a value of 32 bits on PostgreSQL.
fn is_short(scalar: &Scalar<'_>) -> bool {
    use ScalarOperation::{Add, DayNumber, Length, MonthsOn, Multiply, Remainder, Subtract};
    match scalar {
        Scalar::Choice(_, then, otherwise) => is_short(then) && is_short(otherwise),
        Scalar::First(parts) => parts.iter().all(is_short),
        Scalar::Apply(Length | DayNumber | MonthsOn, _) => true,
        Scalar::Apply(operation @ (Add | Subtract | Multiply | Remainder), parts) => {
            parts.iter().all(is_short) && counting_width(*operation, parts) == CountingWidth::Plain
        }
        _ => false,
    }
}

/// Returns true for a value that has as many digits as are needed on PostgreSQL.
fn is_numeric(scalar: &Scalar<'_>) -> bool {
    use ScalarOperation::{Add, InstantNumber, Multiply, Remainder, Subtract, Truncate, Whole};
    match scalar {
        Scalar::Apply(InstantNumber | Truncate | Whole(_), _) => true,
        Scalar::Apply(operation @ (Add | Subtract | Multiply | Remainder), parts) => {
            counted(*operation, parts).is_none()
        }
        _ => false,
    }
}
