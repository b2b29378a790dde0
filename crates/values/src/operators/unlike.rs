//! Values that have no order: `<` and its like refuse them. What PHP orders keeps its order: numbers, strings, booleans
//! and arrays among one another, an object beside a number.

use crate::error::capital;
use crate::value::Value;
use crate::{Fault, Result, Run};

/// Refuses values that have no order. The rules of version 1 gave an answer all the same.
#[inline]
pub(super) fn check(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<()> {
    if is_of_php(left) && is_of_php(right) { Ok(()) } else { check_rare(run, left, right) }
}

/// Refuses a string beside a datetime that was not read as one.
pub(super) fn check_read(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<()> {
    let ((Value::DateTime(_), Value::Text(_)) | (Value::Text(_), Value::DateTime(_))) = (left, right) else {
        return Ok(());
    };
    refused(run, "The string beside the datetime is none, such as 2026-11-20 or 2026-11-20 14:30.".to_owned())
}

fn is_of_php(value: &Value) -> bool {
    use Value::{Array, Bool, Decimal, Float, Int, Null, Text};
    matches!(value, Null | Bool(_) | Int(_) | Float(_) | Decimal(_) | Text(_) | Array(_))
}

fn check_rare(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<()> {
    use Value::{Bool, DateTime, Decimal, Float, Int, Interval, Null, Object, Text};
    let is_number = |value: &Value| matches!(value, Int(_) | Float(_) | Decimal(_));
    match (left, right) {
        (Null, _) | (_, Null) | (DateTime(_), DateTime(_) | Text(_)) | (Text(_), DateTime(_)) => Ok(()),
        (DateTime(_), number) | (number, DateTime(_)) if is_number(number) => Ok(()),
        (Interval(first), Interval(second)) if first.micros().is_some() && second.micros().is_some() => Ok(()),
        (Object(_), Object(_) | Bool(_)) | (Bool(_), Object(_)) => Ok(()),
        (Object(_), number) | (number, Object(_)) if is_number(number) => Ok(()),
        (Interval(_), Interval(_)) => {
            let message = "Months differ in length, so that an interval of months has no order: compare the dates, \
                           a + 1.months < b.";
            refused(run, message.to_owned())
        }
        (Interval(_), _) | (_, Interval(_)) => {
            let message = "An interval is not a number: its days are interval.days, its hours interval.totalHours.";
            refused(run, message.to_owned())
        }
        _ => {
            let (first, second) = (left.kind(), right.kind());
            let remedy = remedy(left).or_else(|| remedy(right)).unwrap_or("compare values of one kind");
            refused(run, format!("{} and {second} have no order: {remedy}.", capital(first)))
        }
    }
}

/// The value to compare instead.
fn remedy(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Resource(_) => "compare one of its properties, such as x.id",
        Value::Object(_) => "compare one of its members",
        Value::File(_) => "compare its title",
        Value::Changes(_) => "ask hasChanged() or changedFrom()",
        Value::Rows(_) => "compare length(rows), or queryFetch() of them",
        Value::DateTime(_) => "compare it with a date, such as '2026-11-20', or with time()",
        Value::Array(_) => "compare length(x), or one of its items",
        _ => return None,
    })
}

fn refused(run: &mut Run<'_>, message: String) -> Result<()> {
    if run.is_former() { Ok(()) } else { Err(Fault::new("wrong_operand", message)) }
}
