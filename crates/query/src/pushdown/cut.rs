//! The place of a value among the whole numbers that a column holds, so that a comparison is one of whole numbers.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::truth::{against, given};
use crate::scalar::Scalar;
use database::{ColumnType, Value};
use expression::value::Decimal;
use std::cmp::Ordering;

/// A place among whole numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NumberCut {
    /// The greatest whole number that is not above the value.
    pub(super) floor: i128,
    /// True if the value is that number.
    pub(super) exact: bool,
}

impl NumberCut {
    /// Of a whole number.
    pub(super) fn at(number: i128) -> Self {
        NumberCut { floor: number, exact: true }
    }

    /// Of a decimal, among units of so many digits behind the point.
    pub(super) fn of_decimal(decimal: Decimal, scale: u8) -> Self {
        let Decimal { mantissa, scale: own } = decimal;
        match own.checked_sub(scale) {
            None | Some(0) => {
                let times = 10_i128.checked_pow(u32::from(scale - own));
                match times.and_then(|times| mantissa.checked_mul(times)) {
                    Some(units) => NumberCut::at(units),
                    // Far beyond what a column holds.
                    None => NumberCut { floor: if mantissa < 0 { i128::MIN } else { i128::MAX }, exact: false },
                }
            }
            Some(more) => {
                let unit = 10_i128.checked_pow(u32::from(more)).unwrap_or(i128::MAX);
                NumberCut { floor: mantissa.div_euclid(unit), exact: mantissa.rem_euclid(unit) == 0 }
            }
        }
    }

    /// Of a float that no decimal is: too great, too small, or none at all.
    pub(super) fn of_far_float(number: f64) -> Option<Self> {
        if number.is_nan() {
            return None;
        }
        let floor = match number {
            number if number >= 1.0 => i128::MAX,
            number if number <= -1.0 => i128::MIN,
            number if number < 0.0 => -1,
            _ => 0,
        };
        Some(NumberCut { floor, exact: number == 0.0 })
    }

    /// Returns the place of a value among the numbers from `first` to `last`, with which they compare in their order.
    pub(super) fn search(first: i64, last: i64, order: impl Fn(i64) -> Ordering) -> Self {
        // The numbers up to `low` are not above the value; those from `high` on are.
        let (mut low, mut high) = (i128::from(first) - 1, i128::from(last) + 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if order(middle as i64) == Ordering::Greater { high = middle } else { low = middle }
        }
        let exact = low >= i128::from(first) && order(low as i64) == Ordering::Equal;
        NumberCut { floor: low, exact }
    }

    /// Returns true if a column's value compares so with the value; false for null.
    pub(super) fn compared<'m>(
        self,
        scalar: &Scalar<'m>,
        comparison: ValueComparison,
        column: ColumnType,
        value: impl Fn(i64) -> Value,
        bounds: (i64, i64),
    ) -> Condition<'m> {
        let comparison = match (comparison, self.exact) {
            (ValueComparison::Equal, false) => return Condition::NEVER,
            (ValueComparison::NotEqual, false) => return given(scalar),
            (ValueComparison::Less, false) => ValueComparison::LessOrEqual,
            (ValueComparison::GreaterOrEqual, false) => ValueComparison::Greater,
            (other, _) => other,
        };
        let (least, most) = (i128::from(bounds.0), i128::from(bounds.1));
        if self.floor < least || self.floor > most {
            let below = self.floor < least;
            let always = match comparison {
                ValueComparison::Equal => false,
                ValueComparison::NotEqual => true,
                ValueComparison::Less | ValueComparison::LessOrEqual => !below,
                ValueComparison::Greater | ValueComparison::GreaterOrEqual => below,
            };
            return if always { given(scalar) } else { Condition::NEVER };
        }
        against(scalar, comparison, column, value(self.floor as i64))
    }
}
