//! `range`: PHP's counting from one end to the other, in integers, floats or single bytes (PHP 8.3 and later).

use super::arguments::at;
use crate::convert::to_int;
use crate::numeric::{PhpNumber, whole};
use crate::value::{Array, Text, Value, truncate};
use crate::{Fault, Result, Run};

/// An end of the range.
#[derive(Debug, Clone, Copy)]
enum RangeEnd {
    Int(i64),
    Float(f64),
    /// A digit: a number beside numbers, else a byte.
    Digit(u8),
    Byte(u8),
}

impl RangeEnd {
    fn byte(self) -> Option<u8> {
        match self {
            RangeEnd::Digit(byte) | RangeEnd::Byte(byte) => Some(byte),
            _ => None,
        }
    }

    fn integer(self) -> i64 {
        match self {
            RangeEnd::Int(number) => number,
            RangeEnd::Float(number) => truncate(number),
            RangeEnd::Digit(byte) => i64::from(byte) - i64::from(b'0'),
            RangeEnd::Byte(_) => 0,
        }
    }

    fn float(self) -> f64 {
        if let RangeEnd::Float(number) = self { number } else { self.integer() as f64 }
    }
}

/// `range(start, end, step)`.
pub(crate) fn range(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (start, end) = (read_end(at(arguments, 0)?)?, read_end(at(arguments, 1)?)?);
    let step = arguments.get(2).map_or(Ok(PhpNumber::Int(1)), read_step)?;
    let is_backward = step.to_float() < 0.0;
    let size = step.to_float().abs();
    if size == 0.0 {
        return Err(wrong("The step of a range cannot be 0."));
    }
    let width = match step {
        PhpNumber::Int(number) => number.unsigned_abs(),
        PhpNumber::Float(_) => 0,
    };
    match (start, end, width) {
        (RangeEnd::Float(_), ..) | (_, RangeEnd::Float(_), _) | (_, _, 0) => {
            floats(run, start.float(), end.float(), size, is_backward)
        }
        _ => match (start.byte(), end.byte()) {
            (Some(start), Some(end)) => {
                let places = integers(run, i64::from(start), i64::from(end), width, is_backward)?;
                let byte = |place: i64| Value::Text(Text::of_bytes(&[u8::try_from(place).unwrap_or_default()]));
                Ok(Value::Array(places.map(byte).collect()))
            }
            _ => {
                let numbers = integers(run, start.integer(), end.integer(), width, is_backward)?;
                Ok(Value::Array(numbers.map(Value::Int).collect::<Array>()))
            }
        },
    }
}

fn read_end(value: &Value) -> Result<RangeEnd> {
    let end = match value {
        Value::Null | Value::Bool(_) | Value::Int(_) => RangeEnd::Int(to_int(value)),
        Value::Float(number) => RangeEnd::Float(*number),
        Value::Decimal(decimal) => RangeEnd::Float(decimal.to_float()),
        Value::Text(text) => match (whole(text.as_bytes()).map(|numeric| numeric.number), text.as_bytes()) {
            (Some(PhpNumber::Float(number)), _) => RangeEnd::Float(number),
            (Some(PhpNumber::Int(_)), [digit]) => RangeEnd::Digit(*digit),
            (Some(PhpNumber::Int(number)), _) => RangeEnd::Int(number),
            (None, []) => RangeEnd::Int(0),
            (None, [byte, ..]) => RangeEnd::Byte(*byte),
        },
        other => return Err(wrong(&format!("A range goes from and to numbers or strings, not {}.", other.kind()))),
    };
    if end.float().is_finite() { Ok(end) } else { Err(wrong("A range needs finite ends.")) }
}

/// The step; whole ones are integers, however they are written.
fn read_step(value: &Value) -> Result<PhpNumber> {
    let number = match value {
        Value::Bool(_) | Value::Int(_) => PhpNumber::Int(to_int(value)),
        Value::Float(number) => PhpNumber::Float(*number),
        Value::Decimal(decimal) => PhpNumber::Float(decimal.to_float()),
        Value::Text(text) => match whole(text.as_bytes()) {
            Some(numeric) => numeric.number,
            None => return Err(wrong("The step of a range is a number.")),
        },
        _ => return Err(wrong("The step of a range is a number.")),
    };
    match number {
        PhpNumber::Float(step) if !step.is_finite() => Err(wrong("The step of a range must be finite.")),
        PhpNumber::Float(step) if step.trunc() == step && step.abs() < i64::MAX as f64 => {
            Ok(PhpNumber::Int(step as i64))
        }
        number => Ok(number),
    }
}

fn integers(
    run: &mut Run<'_>,
    start: i64,
    end: i64,
    step: u64,
    is_backward: bool,
) -> Result<impl Iterator<Item = i64> + use<>> {
    check_direction(start < end, is_backward)?;
    let distance = start.abs_diff(end);
    if distance > 0 && distance < step {
        return Err(wrong("The step of a range must not be longer than the range."));
    }
    let count = distance / step;
    run.items(usize::try_from(count).unwrap_or(usize::MAX).saturating_add(1))?;
    // Within the range, so that wrapping never shows.
    Ok((0..=count).map(move |place| {
        let way = place.wrapping_mul(step);
        if start < end { start.wrapping_add_unsigned(way) } else { start.wrapping_sub_unsigned(way) }
    }))
}

fn floats(run: &mut Run<'_>, start: f64, end: f64, step: f64, is_backward: bool) -> Result<Value> {
    check_direction(start < end, is_backward)?;
    let distance = (start - end).abs();
    if distance > 0.0 && distance < step {
        return Err(wrong("The step of a range must not be longer than the range."));
    }
    let count = (distance / step + 1.0).round();
    // A cast saturates: what is too long is refused.
    run.growing(count as usize)?;
    let sign = if start < end { step } else { -step };
    let is_within = |number: &f64| if start < end { *number <= end } else { *number >= end };
    let numbers = (0..count as usize).map(|place| start + place as f64 * sign).take_while(is_within);
    Ok(Value::Array(numbers.map(Value::Float).collect()))
}

fn check_direction(is_upward: bool, is_backward: bool) -> Result<()> {
    if is_upward && is_backward {
        return Err(wrong("The step of a range that goes up must be positive."));
    }
    Ok(())
}

fn wrong(message: &str) -> Fault {
    Fault::new("wrong_range", message)
}
