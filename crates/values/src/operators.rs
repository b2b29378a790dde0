//! The operators of the language. They are PHP 8's but for null, which is no value to compare or count with,
//! exact decimals, and datetimes beside texts. What is made of a secret is a secret.

mod arithmetic;
mod bits;
mod dates;
mod unlike;

pub use arithmetic::{add, divide, modulo, multiply, negate, power, subtract};
pub use bits::{bit_and, bit_or, bit_xor, shift_left, shift_right};
pub use bits::{shifted_left, shifted_right};

use crate::compare;
use crate::convert::{to_bool, to_text};
use crate::value::{Array, SecretValue, Text, Value};
use crate::{Fault, Result, Run};
use datetime::{DateTime, moment, strtotime};
use std::cmp::Ordering;
use std::sync::Arc;

/// `not value`.
pub fn not(value: &Value) -> Value {
    Value::Bool(!to_bool(value))
}

/// `left ~ right`.
pub fn concatenate(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    join(run, &Text::EMPTY, [left, right].into_iter())
}

/// Texts of values, one behind the other with a separator between; for `~`, templates, concat and join.
pub fn join<'v>(run: &mut Run<'_>, separator: &Text, parts: impl Iterator<Item = &'v Value>) -> Result<Value> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut is_secret = false;
    for (place, part) in parts.enumerate() {
        is_secret |= matches!(part, Value::Secret(_));
        let text = to_text(part, run.providers)?;
        let separator = if place > 0 { separator.as_bytes() } else { &[] };
        run.charge(1)?;
        // A text that grows is there three times while it moves.
        run.reserve(separator.len() + text.len())?;
        run.hold(2 * (separator.len() + text.len()))?;
        bytes.extend_from_slice(separator);
        bytes.extend_from_slice(text.as_bytes());
    }
    let value = Value::Text(Text::of_bytes(&bytes));
    Ok(if is_secret { secret(value) } else { value })
}

/// `left == right`: null equals null alone.
pub fn equal(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    if let (Value::Text(left), Value::Text(right)) = (left, right) {
        return compare::equal_texts(run, left, right);
    }
    Ok(match (bare(left), bare(right)) {
        (Value::Null, other) | (other, Value::Null) => other.is_null(),
        (left, right) => order(run, left, right)? == Some(Ordering::Equal),
    })
}

/// `left === right`: the same in kind and value.
pub fn identical(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    compare::identical(run, left, right)
}

/// `left < right`, false with a null.
pub fn less(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    Ok(in_order(run, left, right)? == Some(Ordering::Less))
}

/// `left <= right`, false with a null.
pub fn less_or_equal(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    Ok(in_order(run, left, right)?.is_some_and(Ordering::is_le))
}

/// `left > right`, false with a null.
pub fn greater(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    less(run, right, left)
}

/// `left >= right`, false with a null.
pub fn greater_or_equal(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    less_or_equal(run, right, left)
}

/// `needle in haystack`: an item of an array that is equal, or a part of a text.
pub fn contained(run: &mut Run<'_>, needle: &Value, haystack: &Value) -> Result<bool> {
    match bare(haystack) {
        Value::Null => Ok(false),
        Value::Array(Array::List(items)) => {
            for item in items.iter() {
                run.charge(1)?;
                if equal(run, needle, item)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Array(array) => {
            for item in array.values() {
                run.charge(1)?;
                if equal(run, needle, item)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Text(text) => match bare(needle) {
            Value::Null => Ok(false),
            needle => is_part(run, to_text(needle, run.providers)?.as_bytes(), text.as_bytes()),
        },
        other => Err(Fault::new(
            "wrong_operand",
            format!("in wants an array or a string, not {}: x in [a, b].", other.kind()),
        )),
    }
}

/// Returns true if bytes are a part of others.
pub fn is_part(run: &mut Run<'_>, needle: &[u8], haystack: &[u8]) -> Result<bool> {
    run.charge(haystack.len() as u64 / 16 + needle.len() as u64 / 64)?;
    if let (Ok(needle), Ok(haystack)) = (std::str::from_utf8(needle), std::str::from_utf8(haystack)) {
        return Ok(haystack.contains(needle));
    }
    run.charge((haystack.len() as u64 / 16).saturating_mul(needle.len() as u64))?;
    Ok(needle.is_empty() || haystack.windows(needle.len()).any(|part| part == needle))
}

/// A value that nobody may see.
pub fn secret(value: Value) -> Value {
    if matches!(value, Value::Secret(_)) { value } else { Value::Secret(Arc::new(SecretValue(value))) }
}

/// Returns the value in a secret, or the value itself.
pub fn bare(value: &Value) -> &Value {
    let mut value = value;
    while let Value::Secret(secret) = value {
        value = &secret.0;
    }
    value
}

/// The order of values that have one, or null among them.
fn in_order(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Option<Ordering>> {
    let (left, right) = (bare(left), bare(right));
    unlike::check(run, left, right)?;
    let found = order(run, left, right)?;
    if found.is_none() {
        unlike::check_read(run, left, right)?;
    }
    Ok(found)
}

/// The order for the language's operators: none with null.
fn order(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Option<Ordering>> {
    match (bare(left), bare(right)) {
        (Value::Int(left), Value::Int(right)) => Ok(Some(left.cmp(right))),
        (Value::Null, _) | (_, Value::Null) => Ok(None),
        (Value::DateTime(date), Value::Text(text)) => {
            Ok(read(run, text)?.map(|other| (date.seconds, date.micros).cmp(&other)))
        }
        (Value::Text(text), Value::DateTime(date)) => {
            Ok(read(run, text)?.map(|other| other.cmp(&(date.seconds, date.micros))))
        }
        (left, right) => match dates::order(run, left, right) {
            Some(order) => Ok(order),
            None => compare::compare(run, left, right),
        },
    }
}

/// The instant that a text is in the display zone; none where it is none, which has no order beside a datetime.
fn read(run: &mut Run<'_>, text: &Text) -> Result<Option<(i64, u32)>> {
    run.charge(text.len() as u64)?;
    if let Some(instant) = moment(text.as_bytes(), &run.zone) {
        return Ok(Some(instant));
    }
    let date = strtotime(text.as_bytes(), &DateTime::of(run.now, &run.zone));
    Ok(date.map(|date| (date.seconds, date.micros)))
}
