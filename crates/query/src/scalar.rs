//! A value that is made of a row's, as data: for conditions that compare more than a column with a value.

use crate::condition::{Condition, ValuePlace};
use database::{ColumnType, Value};

/// A value of one type, or null. What it is made of was checked: no row makes an engine fail.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'m> {
    /// The value at a place, to which relations to one resource lead; null where the way ends early.
    Place(Vec<ValuePlace<'m>>, ValuePlace<'m>),
    /// A value that is known.
    Value(ColumnType, Value),
    /// True if a condition holds: a boolean, never null.
    Truth(Box<Condition<'m>>),
    /// One value where the condition holds, else another.
    Choice(Box<Condition<'m>>, Box<Scalar<'m>>, Box<Scalar<'m>>),
    /// The first that is not null.
    First(Vec<Scalar<'m>>),
    /// The number of members of a property of the row to which relations to one resource lead; none where they end
    /// early.
    Count(Vec<ValuePlace<'m>>, ValuePlace<'m>),
    /// The result of an operation on others.
    Apply(ScalarOperation, Vec<Scalar<'m>>),
}

/// An operation on values. A null among them makes null.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarOperation {
    /// Of two integers that fit.
    Add,
    /// Of two integers that fit.
    Subtract,
    /// Of two integers that fit.
    Multiply,
    /// Of two integers, the second not 0, with the sign of the first.
    Remainder,
    /// Of two floats whose sum is one.
    FloatAdd,
    /// Of two floats whose difference is one.
    FloatSubtract,
    /// Of two floats whose product is one, and is 0 only where one of them is.
    FloatMultiply,
    /// Of two floats whose quotient is one, and is 0 only where the first is; null where the second is 0.
    FloatDivide,
    /// A float without what stands behind its point.
    Truncate,
    /// An integer divided by 10 to the power of so many, without what is left over.
    Whole(u8),
    /// An integer as a float.
    Float,
    /// Two texts as one.
    Join,
    /// A text in lower case.
    Lower,
    /// A text in upper case.
    Upper,
    /// A text without white space around it.
    Trim,
    /// The number of characters of a text.
    Length,
    /// The first characters of a text; all but so many of the last where it is negative.
    First(i32),
    /// The last characters of a text; all but so many of the first where it is negative.
    Last(i32),
    /// True if the first text contains the second.
    Contains,
    /// True if the first text begins with the second.
    StartsWith,
    /// True if the first text ends with the second.
    EndsWith,
    /// An integer as a text.
    IntegerText,
    /// An integer as a decimal with so many digits behind the point, as a text.
    DecimalText(u8),
    /// A date as a text.
    DateText,
    /// A date as the number of days after 1970-01-01.
    DayNumber,
    /// The date that lies so many days after 1970-01-01; null, or no date of the years 1 to 9999, for other numbers.
    NumberedDay,
    /// An instant as the number of milliseconds after 1970-01-01T00:00:00Z.
    InstantNumber,
    /// The number of the day that lies so many months after another, which ends at the last day of its month; a number
    /// behind all days where it lies beyond the years 1 to 9999.
    MonthsOn,
}

impl<'m> Scalar<'m> {
    /// Returns true if it is null for no row.
    pub(crate) fn is_always_given(&self) -> bool {
        use ScalarOperation::{FloatDivide, MonthsOn, NumberedDay, Remainder};
        match self {
            Scalar::Place(hops, place) => hops.is_empty() && place.is_always_given(),
            Scalar::Value(_, value) => !value.is_null(),
            Scalar::Truth(_) => true,
            Scalar::Choice(_, then, otherwise) => then.is_always_given() && otherwise.is_always_given(),
            Scalar::First(parts) => parts.iter().any(Scalar::is_always_given),
            Scalar::Count(hops, _) => hops.is_empty(),
            Scalar::Apply(FloatDivide | MonthsOn | NumberedDay | Remainder, _) => false,
            Scalar::Apply(_, parts) => parts.iter().all(Scalar::is_always_given),
        }
    }

    /// An operation on one value.
    pub fn of_one(operation: ScalarOperation, one: Scalar<'m>) -> Self {
        Scalar::Apply(operation, vec![one])
    }

    /// An operation on two values.
    pub(crate) fn of_two(operation: ScalarOperation, one: Scalar<'m>, other: Scalar<'m>) -> Self {
        Scalar::Apply(operation, vec![one, other])
    }

    /// A text that is known.
    pub fn text(text: &str) -> Self {
        Scalar::Value(ColumnType::Text, Value::Text(text.to_owned()))
    }

    /// An integer that is known.
    pub fn integer(number: i64) -> Self {
        Scalar::Value(ColumnType::Integer, Value::Integer(number))
    }
}
