//! The operators of the language. They are PHP 8's but for null, which is no value to compare or count with,
//! exact decimals, and datetimes beside texts. What is made of a secret is a secret.

use crate::compare;
use crate::convert::{to_bool, to_int, to_text};
use crate::datetime::{DateTime, strtotime};
use crate::numeric::{Number, leading};
use crate::value::{Array, Decimal, Secret, Text, Value};
use crate::{Fault, Result, Run};
use std::cmp::Ordering;
use std::sync::Arc;

/// `left + right`. Arrays are united: the left one's items win.
pub fn add(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Ok(sum(*left, *right)),
        (Value::Float(left), Value::Float(right)) => Ok(Value::Float(left + right)),
        (Value::Array(left), Value::Array(right)) => united(run, left, right),
        _ => arithmetic("+", left, right, |left, right| {
            Ok(match (left, right) {
                (Operand::Int(left), Operand::Int(right)) => sum(left, right),
                (Operand::Decimal(left), Operand::Decimal(right)) => Value::Decimal(left.plus(right)?),
                (left, right) => Value::Float(left.float() + right.float()),
            })
        }),
    }
}

/// `left - right`.
pub fn subtract(_run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    arithmetic("-", left, right, |left, right| {
        Ok(match (left, right) {
            (Operand::Int(left), Operand::Int(right)) => {
                left.checked_sub(right).map_or(Value::Float(left as f64 - right as f64), Value::Int)
            }
            (Operand::Decimal(left), Operand::Decimal(right)) => Value::Decimal(left.minus(right)?),
            (left, right) => Value::Float(left.float() - right.float()),
        })
    })
}

/// `left * right`.
pub fn multiply(_run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    arithmetic("*", left, right, |left, right| {
        Ok(match (left, right) {
            (Operand::Int(left), Operand::Int(right)) => {
                left.checked_mul(right).map_or(Value::Float(left as f64 * right as f64), Value::Int)
            }
            (Operand::Decimal(left), Operand::Decimal(right)) => Value::Decimal(left.multiply(right)?),
            (left, right) => Value::Float(left.float() * right.float()),
        })
    })
}

/// `left / right`: an integer where two integers divide exactly.
pub fn divide(_run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    arithmetic("/", left, right, |left, right| {
        if right.float() == 0.0 {
            return Err(Fault::new("division_by_zero", "Division by zero."));
        }
        Ok(match (left, right) {
            (Operand::Int(left), Operand::Int(right)) if left.checked_rem(right) == Some(0) => {
                Value::Int(left.wrapping_div(right))
            }
            (Operand::Decimal(left), Operand::Decimal(right)) => Value::Decimal(left.divide(right)?),
            (left, right) => Value::Float(left.float() / right.float()),
        })
    })
}

/// `left % right` of the whole parts, with the sign of the left one.
pub fn modulo(_run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    let (first, second) = (bare(left), bare(right));
    arithmetic("%", left, right, |_, _| match to_int(second) {
        0 => Err(Fault::new("division_by_zero", "Modulo by zero.")),
        divisor => Ok(Value::Int(to_int(first).wrapping_rem(divisor))),
    })
}

/// `left ** right`: an integer while it fits.
pub fn power(_run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    arithmetic("**", left, right, |left, right| {
        Ok(match (left, right) {
            (Operand::Int(left), Operand::Int(right)) if right >= 0 => integer_power(left, right),
            (Operand::Decimal(base), Operand::Decimal(exponent)) => decimal_power(base, exponent)?,
            (left, right) => Value::Float(left.float().powf(right.float())),
        })
    })
}

/// `-value`.
pub fn negate(run: &mut Run<'_>, value: &Value) -> Result<Value> {
    multiply(run, value, &Value::Int(-1))
}

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
        let text = to_text(part)?;
        let separator = if place > 0 { separator.as_bytes() } else { &[] };
        run.charge(1)?;
        run.reserve(separator.len() + text.len())?;
        bytes.extend_from_slice(separator);
        bytes.extend_from_slice(text.as_bytes());
    }
    let value = Value::Text(Text::of_bytes(&bytes));
    Ok(if is_secret { secret(value) } else { value })
}

/// `left == right`: null equals null alone.
pub fn equal(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
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
    Ok(order(run, left, right)? == Some(Ordering::Less))
}

/// `left <= right`, false with a null.
pub fn less_or_equal(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    Ok(order(run, left, right)?.is_some_and(Ordering::is_le))
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
        Value::Array(array) => {
            for item in array.values() {
                if equal(run, needle, item)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Text(text) => match bare(needle) {
            Value::Null => Ok(false),
            needle => is_part(run, to_text(needle)?.as_bytes(), text.as_bytes()),
        },
        other => Err(Fault::new("wrong_operand", format!("in wants an array or a string, not {}.", other.kind()))),
    }
}

/// Whether bytes are a part of others.
pub(crate) fn is_part(run: &mut Run<'_>, needle: &[u8], haystack: &[u8]) -> Result<bool> {
    run.charge(haystack.len() as u64 / 16)?;
    if let (Ok(needle), Ok(haystack)) = (std::str::from_utf8(needle), std::str::from_utf8(haystack)) {
        return Ok(haystack.contains(needle));
    }
    run.charge((haystack.len() as u64 / 16).saturating_mul(needle.len() as u64))?;
    Ok(needle.is_empty() || haystack.windows(needle.len()).any(|part| part == needle))
}

/// A value that nobody may see.
pub fn secret(value: Value) -> Value {
    if matches!(value, Value::Secret(_)) { value } else { Value::Secret(Arc::new(Secret(value))) }
}

/// What is in a secret, or the value itself.
pub fn bare(value: &Value) -> &Value {
    let mut value = value;
    while let Value::Secret(secret) = value {
        value = &secret.0;
    }
    value
}

/// An operand of arithmetic.
#[derive(Debug, Clone, Copy)]
enum Operand {
    Int(i64),
    Float(f64),
    Decimal(Decimal),
}

impl Operand {
    fn float(self) -> f64 {
        match self {
            Operand::Int(number) => number as f64,
            Operand::Float(number) => number,
            Operand::Decimal(decimal) => decimal.to_float(),
        }
    }

    fn decimal(self) -> Option<Decimal> {
        match self {
            Operand::Int(number) => Some(Decimal::from(number)),
            Operand::Float(number) => Decimal::of_float(number),
            Operand::Decimal(decimal) => Some(decimal),
        }
    }
}

/// Reads the operands, of which null makes null and a decimal makes decimals where it can, and calculates.
fn arithmetic(
    symbol: &str,
    left: &Value,
    right: &Value,
    calculate: impl FnOnce(Operand, Operand) -> Result<Value>,
) -> Result<Value> {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return calculate(Operand::Int(*left), Operand::Int(*right));
    }
    let is_secret = matches!(left, Value::Secret(_)) || matches!(right, Value::Secret(_));
    let (left, right) = (bare(left), bare(right));
    if left.is_null() || right.is_null() {
        return Ok(Value::Null);
    }
    let (first, second) = (operand(symbol, left)?, operand(symbol, right)?);
    let value = match (first, second) {
        (Operand::Decimal(_), _) | (_, Operand::Decimal(_)) => match (digits(left, first), digits(right, second)) {
            (Some(first), Some(second)) => calculate(Operand::Decimal(first), Operand::Decimal(second)),
            _ => calculate(Operand::Float(first.float()), Operand::Float(second.float())),
        },
        (first, second) => calculate(first, second),
    }?;
    Ok(if is_secret { secret(value) } else { value })
}

fn operand(symbol: &str, value: &Value) -> Result<Operand> {
    Ok(match value {
        Value::Bool(flag) => Operand::Int(i64::from(*flag)),
        Value::Int(number) => Operand::Int(*number),
        Value::Float(number) => Operand::Float(*number),
        Value::Decimal(decimal) => Operand::Decimal(*decimal),
        Value::Text(text) => match leading(text.as_bytes()).map(|numeric| numeric.number) {
            Some(Number::Int(number)) => Operand::Int(number),
            Some(Number::Float(number)) => Operand::Float(number),
            None => {
                let hint = if symbol == "+" { " To join strings, write a ~ b." } else { "" };
                let message = format!("{symbol} wants numbers, and the string does not begin with one.{hint}");
                return Err(Fault::new("wrong_operand", message));
            }
        },
        other => {
            return Err(Fault::new("wrong_operand", format!("{symbol} wants numbers, not {}.", other.kind())));
        }
    })
}

/// The exact digits of an operand: of a text those written in it.
fn digits(value: &Value, operand: Operand) -> Option<Decimal> {
    let written = match value {
        Value::Text(text) => text.as_str().and_then(|text| Decimal::parse(text.trim_ascii())),
        _ => None,
    };
    written.or_else(|| operand.decimal())
}

fn sum(left: i64, right: i64) -> Value {
    left.checked_add(right).map_or(Value::Float(left as f64 + right as f64), Value::Int)
}

fn united(run: &mut Run<'_>, left: &Array, right: &Array) -> Result<Value> {
    run.items(left.len() + right.len())?;
    let mut array = left.clone();
    array.extend_missing(right);
    Ok(Value::Array(array))
}

/// PHP's way: by squaring, going on with floats where the integers end, so that the last digit is PHP's, too.
fn integer_power(base: i64, exponent: i64) -> Value {
    let (mut result, mut base, mut exponent) = (1_i64, base, exponent);
    if exponent > 0 && base == 0 {
        return Value::Int(0);
    }
    while exponent > 0 {
        if exponent % 2 == 1 {
            exponent -= 1;
            match result.checked_mul(base) {
                Some(product) => result = product,
                None => return Value::Float(result as f64 * base as f64 * (base as f64).powf(exponent as f64)),
            }
        } else {
            exponent /= 2;
            match base.checked_mul(base) {
                Some(square) => base = square,
                None => return Value::Float(result as f64 * (base as f64 * base as f64).powf(exponent as f64)),
            }
        }
    }
    Value::Int(result)
}

/// A whole exponent from 0 keeps a decimal exact while its digits have room; others make a float.
fn decimal_power(base: Decimal, exponent: Decimal) -> Result<Value> {
    let whole = exponent.truncated();
    if exponent.compare(Decimal::from(whole)).is_ne() || !(0..=128).contains(&whole) {
        return Ok(Value::Float(base.to_float().powf(exponent.to_float())));
    }
    let product = (0..whole).try_fold(Decimal::from(1), |product, _| product.multiply(base));
    product.map(Value::Decimal)
}

/// The order for the language's operators: none with null.
fn order(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Option<Ordering>> {
    match (bare(left), bare(right)) {
        (Value::Int(left), Value::Int(right)) => Ok(Some(left.cmp(right))),
        (Value::Null, _) | (_, Value::Null) => Ok(None),
        (Value::DateTime(date), Value::Text(text)) => {
            Ok(read(run, text)?.map(|other| (date.seconds, date.micros).cmp(&(other.seconds, other.micros))))
        }
        (Value::Text(text), Value::DateTime(date)) => {
            Ok(read(run, text)?.map(|other| (other.seconds, other.micros).cmp(&(date.seconds, date.micros))))
        }
        (left, right) => compare::compare(run, left, right),
    }
}

/// The datetime that a text is in the display zone; none where it is none, which has no order beside a datetime.
fn read(run: &mut Run<'_>, text: &Text) -> Result<Option<DateTime>> {
    run.charge(text.len() as u64)?;
    Ok(strtotime(text.as_bytes(), &DateTime::of(run.now, &run.zone)))
}
