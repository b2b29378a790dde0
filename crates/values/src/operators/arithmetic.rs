//! Arithmetic: PHP 8's, with null making null and decimals staying exact.

use super::{bare, dates, secret};
use crate::convert::to_int;
use crate::error::DIVISION_BY_ZERO;
use crate::numeric::{PhpNumber, leading};
use crate::value::{Array, Decimal, Text, Value};
use crate::{Fault, Result, Run};
use std::sync::Arc;

/// `left + right`. Arrays are united: the left one's items win.
pub fn add(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Ok(sum(*left, *right)),
        (Value::Float(left), Value::Float(right)) => Ok(Value::Float(left + right)),
        (Value::Array(left), Value::Array(right)) => united(run, left, right),
        _ => arithmetic(run, "+", left, right, |left, right| {
            Ok(match (left, right) {
                (ArithmeticOperand::Int(left), ArithmeticOperand::Int(right)) => sum(left, right),
                (ArithmeticOperand::Decimal(left), ArithmeticOperand::Decimal(right)) => {
                    Value::Decimal(left.plus(right)?)
                }
                (left, right) => Value::Float(left.float() + right.float()),
            })
        }),
    }
}

/// `left - right`.
pub fn subtract(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    arithmetic(run, "-", left, right, |left, right| {
        Ok(match (left, right) {
            (ArithmeticOperand::Int(left), ArithmeticOperand::Int(right)) => {
                left.checked_sub(right).map_or(Value::Float(left as f64 - right as f64), Value::Int)
            }
            (ArithmeticOperand::Decimal(left), ArithmeticOperand::Decimal(right)) => Value::Decimal(left.minus(right)?),
            (left, right) => Value::Float(left.float() - right.float()),
        })
    })
}

/// `left * right`.
pub fn multiply(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    arithmetic(run, "*", left, right, |left, right| {
        Ok(match (left, right) {
            (ArithmeticOperand::Int(left), ArithmeticOperand::Int(right)) => {
                left.checked_mul(right).map_or(Value::Float(left as f64 * right as f64), Value::Int)
            }
            (ArithmeticOperand::Decimal(left), ArithmeticOperand::Decimal(right)) => {
                Value::Decimal(left.multiply(right)?)
            }
            (left, right) => Value::Float(left.float() * right.float()),
        })
    })
}

/// `left / right`: an integer where two integers divide exactly.
pub fn divide(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    arithmetic(run, "/", left, right, |left, right| {
        if right.float() == 0.0 {
            return Err(Fault::new("division_by_zero", DIVISION_BY_ZERO));
        }
        Ok(match (left, right) {
            (ArithmeticOperand::Int(left), ArithmeticOperand::Int(right)) if left.checked_rem(right) == Some(0) => {
                Value::Int(left.wrapping_div(right))
            }
            (ArithmeticOperand::Decimal(left), ArithmeticOperand::Decimal(right)) => {
                Value::Decimal(left.divide(right)?)
            }
            (left, right) => Value::Float(left.float() / right.float()),
        })
    })
}

/// `left % right` of the whole parts, with the sign of the left one.
pub fn modulo(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    whole(run, "%", left, right, |left, right| match right {
        0 => Err(Fault::new("division_by_zero", "Modulo by zero: test the divisor, b != 0 ? a % b : null.")),
        divisor => Ok(left.wrapping_rem(divisor)),
    })
}

/// Calculates with the whole parts, as casts to integers give them.
pub(super) fn whole(
    run: &mut Run<'_>,
    symbol: &str,
    left: &Value,
    right: &Value,
    calculate: impl FnOnce(i64, i64) -> Result<i64>,
) -> Result<Value> {
    let (first, second) = (bare(left), bare(right));
    arithmetic(run, symbol, left, right, |_, _| calculate(to_int(first), to_int(second)).map(Value::Int))
}

/// `left ** right`: an integer while it fits.
pub fn power(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    if let (Value::Decimal(_), _) | (_, Value::Decimal(_)) = (bare(left), bare(right)) {
        run.charge(DECIMAL_POWER)?;
    }
    arithmetic(run, "**", left, right, |left, right| {
        Ok(match (left, right) {
            (ArithmeticOperand::Int(left), ArithmeticOperand::Int(right)) if right >= 0 => integer_power(left, right),
            (ArithmeticOperand::Decimal(base), ArithmeticOperand::Decimal(exponent)) => decimal_power(base, exponent)?,
            (left, right) => Value::Float(left.float().powf(right.float())),
        })
    })
}

/// `-value`. An interval goes the other way.
pub fn negate(run: &mut Run<'_>, value: &Value) -> Result<Value> {
    if let Value::Interval(interval) = value {
        return Ok(Value::Interval(Arc::new(interval.inverted())));
    }
    multiply(run, value, &Value::Int(-1))
}

/// An operand of arithmetic.
#[derive(Debug, Clone, Copy)]
enum ArithmeticOperand {
    Int(i64),
    Float(f64),
    Decimal(Decimal),
}

impl ArithmeticOperand {
    fn float(self) -> f64 {
        match self {
            ArithmeticOperand::Int(number) => number as f64,
            ArithmeticOperand::Float(number) => number,
            ArithmeticOperand::Decimal(decimal) => decimal.to_float(),
        }
    }

    fn decimal(self) -> Option<Decimal> {
        match self {
            ArithmeticOperand::Int(number) => Some(Decimal::from(number)),
            ArithmeticOperand::Float(number) => Decimal::of_float(number),
            ArithmeticOperand::Decimal(decimal) => Some(decimal),
        }
    }
}

/// Reads the operands, of which null makes null and a decimal makes decimals where it can, and calculates.
fn arithmetic(
    run: &mut Run<'_>,
    symbol: &str,
    left: &Value,
    right: &Value,
    calculate: impl FnOnce(ArithmeticOperand, ArithmeticOperand) -> Result<Value>,
) -> Result<Value> {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return calculate(ArithmeticOperand::Int(*left), ArithmeticOperand::Int(*right));
    }
    let is_secret = matches!(left, Value::Secret(_)) || matches!(right, Value::Secret(_));
    let (left, right) = (bare(left), bare(right));
    if left.is_null() || right.is_null() {
        return Ok(Value::Null);
    }
    for value in [left, right] {
        if let Value::Text(text) = value {
            run.charge(text.len() as u64 / 64)?;
        }
    }
    if let Some(value) = dates::calculated(run, symbol, left, right) {
        return value.map(|value| if is_secret { secret(value) } else { value });
    }
    let (first, second) = (operand(run, symbol, left)?, operand(run, symbol, right)?);
    let value = match (first, second) {
        (ArithmeticOperand::Decimal(_), _) | (_, ArithmeticOperand::Decimal(_)) => {
            match (digits(left, first), digits(right, second)) {
                (Some(first), Some(second)) => {
                    calculate(ArithmeticOperand::Decimal(first), ArithmeticOperand::Decimal(second))
                }
                _ => calculate(ArithmeticOperand::Float(first.float()), ArithmeticOperand::Float(second.float())),
            }
        }
        (first, second) => calculate(first, second),
    }?;
    Ok(if is_secret { secret(value) } else { value })
}

fn operand(run: &mut Run<'_>, symbol: &str, value: &Value) -> Result<ArithmeticOperand> {
    Ok(match value {
        Value::Bool(flag) => ArithmeticOperand::Int(i64::from(*flag)),
        Value::Int(number) => ArithmeticOperand::Int(*number),
        Value::Float(number) => ArithmeticOperand::Float(*number),
        Value::Decimal(decimal) => ArithmeticOperand::Decimal(*decimal),
        Value::Text(text) => match leading(text.as_bytes()) {
            Some(numeric) if numeric.is_whole || run.is_former() => match numeric.number {
                PhpNumber::Int(number) => ArithmeticOperand::Int(number),
                PhpNumber::Float(number) => ArithmeticOperand::Float(number),
            },
            _ => return Err(not_numeric(symbol, text)),
        },
        other => {
            let remedy = dates::remedy(other).or_else(|| remedy(other));
            let remedy = remedy.map(|remedy| format!(" {remedy}")).unwrap_or_default();
            return Err(Fault::new("wrong_operand", format!("{symbol} wants numbers, not {}.{remedy}", other.kind())));
        }
    })
}

/// Says what to count with instead of a value that is no number.
fn remedy(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Array(_) => "length(x) counts its items.",
        Value::Object(_) => "Take one of its members.",
        Value::Resource(_) => "Take one of its properties.",
        Value::Rows(_) => "length(rows) counts them; queryFetch(rows, 'name') takes a value.",
        _ => return None,
    })
}

/// The fault of a text that is not a number, without the text.
fn not_numeric(symbol: &str, text: &Text) -> Fault {
    let bytes = text.as_bytes();
    let remedy = match symbol {
        _ if dates::is_date(text) => "It is a date, which takes an interval: date + 5.days.",
        "+" if leading(bytes).is_none() => "To join strings, write a ~ b.",
        "&" => "That both hold is a && b.",
        "|" => "That one of them holds is a || b; functions follow a dot: a.upper().",
        _ => "toInt() and toFloat() read the number that a string begins with; they read a point, not a comma.",
    };
    let found = if leading(bytes).is_some() { "only begins with one" } else { "does not begin with one" };
    Fault::new("wrong_operand", format!("{symbol} wants numbers, and the string {found}. {remedy}"))
}

/// The exact digits of an operand: of a text those written in it.
fn digits(value: &Value, operand: ArithmeticOperand) -> Option<Decimal> {
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
    run.entries(left.len() + right.len())?;
    run.charge(left.key_steps() + right.key_steps())?;
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

/// The steps of a power of decimals, which are as many multiplications at most.
const DECIMAL_POWER: u64 = 128;

/// A whole exponent from 0 keeps a decimal exact while its digits have room; others make a float.
fn decimal_power(base: Decimal, exponent: Decimal) -> Result<Value> {
    let whole = exponent.truncated();
    if exponent.compare(Decimal::from(whole)).is_ne() || !(0..=128).contains(&whole) {
        return Ok(Value::Float(base.to_float().powf(exponent.to_float())));
    }
    let product = (0..whole).try_fold(Decimal::from(1), |product, _| product.multiply(base));
    product.map(Value::Decimal)
}
