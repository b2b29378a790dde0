//! Comparison after PHP 8: loose (`==` and order in one), and strict. What the language's own operators do
//! differently (null, datetimes against texts) stands in `operators`.

use crate::convert::to_bool;
use crate::numeric::{PhpNumber, float_to_text, whole};
use crate::value::{Array, Decimal, Object, Resource, Text, Value};
use crate::{Fault, HostProviders, Result, Run};
use std::cmp::Ordering;
use std::sync::Arc;

/// Values nested deeper are not compared.
const MAX_DEPTH: usize = 512;

/// Returns true if two values are loosely equal.
#[inline]
pub fn loose(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        run.charge(1)?;
        return Ok(left == right);
    }
    if let (Value::Text(left), Value::Text(right)) = (left, right) {
        return equal_texts(run, left, right);
    }
    Ok(compare(run, left, right)? == Some(Ordering::Equal))
}

/// The order of two values, coerced as PHP does; none where they have none (`<` and `>` are both false).
pub fn compare(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Option<Ordering>> {
    ordering(run, left, right, MAX_DEPTH)
}

/// Returns true if two values are the same in kind and value; arrays in order, too.
pub fn identical(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<bool> {
    same(run, left, right, MAX_DEPTH)
}

/// Returns true if a resource is what a value names: the resource itself, its id, uuid or code.
pub fn is_resource(resource: &dyn Resource, value: &Value, providers: &dyn HostProviders) -> Result<bool> {
    Ok(match value {
        Value::Resource(other) => other.type_id() == resource.type_id() && other.id() == resource.id(),
        Value::Int(id) => *id == resource.id(),
        Value::Text(text) => {
            let is_id = whole(text.as_bytes()).is_some_and(|numeric| numeric.number == PhpNumber::Int(resource.id()));
            let same = |uuid: String| uuid.as_bytes().eq_ignore_ascii_case(text.as_bytes());
            is_id
                || resource.uuid(providers)?.is_some_and(same)
                || matches!(resource.code(providers)?, Some(Value::Text(code)) if code == *text)
        }
        _ => false,
    })
}

fn ordering(run: &mut Run<'_>, left: &Value, right: &Value, depth: usize) -> Result<Option<Ordering>> {
    use Value::{Bool, DateTime, Float, Int, Null, Text};
    run.charge(1)?;
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    if let (Text(text), Int(_) | Float(_) | Value::Decimal(_) | Value::Resource(_))
    | (Int(_) | Float(_) | Value::Decimal(_) | Value::Resource(_), Text(text)) = (left, right)
    {
        run.charge(text.len() as u64 / 64)?;
    }
    Ok(match (left, right) {
        (Int(left), Int(right)) => Some(left.cmp(right)),
        (Text(left), Text(right)) => {
            // Either may be a long number.
            run.charge((left.len() as u64 + right.len() as u64) / 64)?;
            texts(left, right)
        }
        (Value::Secret(left), right) => ordering(run, &left.0, right, depth)?,
        (left, Value::Secret(right)) => ordering(run, left, &right.0, depth)?,
        (Null, Text(right)) => Some(0.cmp(&right.len())),
        (Text(left), Null) => Some(left.len().cmp(&0)),
        (Null | Bool(_), _) | (_, Null | Bool(_)) => Some(to_bool(left).cmp(&to_bool(right))),
        (Value::Decimal(left), right) => decimals(*left, right),
        (left, Value::Decimal(right)) => decimals(*right, left).map(Ordering::reverse),
        (Int(left), Float(right)) => (*left as f64).partial_cmp(right),
        (Float(left), Int(right)) => left.partial_cmp(&(*right as f64)),
        (Float(left), Float(right)) => left.partial_cmp(right),
        (Int(left), Text(right)) => number_and_text(PhpNumber::Int(*left), right),
        (Float(left), Text(right)) => number_and_text(PhpNumber::Float(*left), right),
        (Text(left), Int(right)) => number_and_text(PhpNumber::Int(*right), left).map(Ordering::reverse),
        (Text(left), Float(right)) => number_and_text(PhpNumber::Float(*right), left).map(Ordering::reverse),
        (Value::Array(left), Value::Array(right)) => arrays(run, left, right, depth)?,
        (Value::Object(left), Value::Object(right)) => objects(run, left, right, depth)?,
        (DateTime(left), DateTime(right)) => Some((left.seconds, left.micros).cmp(&(right.seconds, right.micros))),
        (Value::Resource(resource), other) | (other, Value::Resource(resource)) => {
            let order = match other {
                Value::Resource(other) => resource.id().cmp(&other.id()),
                _ => Ordering::Greater,
            };
            if is_resource(&**resource, other, run.providers)? {
                Some(Ordering::Equal)
            } else {
                Some(order).filter(|order| order.is_ne())
            }
        }
        (left, right) => kinds(left, right),
    })
}

/// Values of kinds that have nothing in common: objects are greater than arrays, arrays greater than scalars.
fn kinds(left: &Value, right: &Value) -> Option<Ordering> {
    let rank = |value: &Value| match value {
        Value::Int(_) | Value::Float(_) | Value::Text(_) => 0,
        Value::Array(_) => 1,
        _ => 2,
    };
    match (left, right) {
        // PHP counts an object as 1 beside a number.
        (Value::Int(_) | Value::Float(_), object) if rank(object) == 2 => number(left)?.partial_cmp(&1.0),
        (object, Value::Int(_) | Value::Float(_)) if rank(object) == 2 => 1.0_f64.partial_cmp(&number(right)?),
        (Value::Interval(left), Value::Interval(right)) => (left == right).then_some(Ordering::Equal),
        (Value::File(left), Value::File(right)) => (left == right).then_some(Ordering::Equal),
        (Value::Changes(left), Value::Changes(right)) => Arc::ptr_eq(left, right).then_some(Ordering::Equal),
        (Value::Rows(left), Value::Rows(right)) => Arc::ptr_eq(left, right).then_some(Ordering::Equal),
        _ => Some(rank(left).cmp(&rank(right))).filter(|order| order.is_ne()),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// Returns true if two texts are loosely equal.
pub fn equal_texts(run: &mut Run<'_>, left: &Text, right: &Text) -> Result<bool> {
    run.charge(1 + (left.len() as u64 + right.len() as u64) / 64)?;
    Ok(same_texts(left, right))
}

/// The same, paid for already.
pub fn same_texts(left: &Text, right: &Text) -> bool {
    if begins_with_letter(left) || begins_with_letter(right) {
        return left == right;
    }
    texts(left, right) == Some(Ordering::Equal)
}

/// No number begins with a letter.
fn begins_with_letter(text: &Text) -> bool {
    text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
}

fn texts(left: &Text, right: &Text) -> Option<Ordering> {
    let bytewise = || Some(left.cmp(right));
    if begins_with_letter(left) || begins_with_letter(right) {
        return bytewise();
    }
    let (Some(first), Some(second)) = (whole(left.as_bytes()), whole(right.as_bytes())) else {
        return bytewise();
    };
    let beyond = |is_beyond: bool, number: f64| if is_beyond { number.total_cmp(&0.0) } else { Ordering::Equal };
    match (first.number, second.number) {
        (PhpNumber::Int(first), PhpNumber::Int(second)) => Some(first.cmp(&second)),
        (PhpNumber::Int(_), PhpNumber::Float(float)) if second.is_beyond => Some(beyond(true, float).reverse()),
        (PhpNumber::Float(float), PhpNumber::Int(_)) if first.is_beyond => Some(beyond(true, float)),
        (PhpNumber::Float(one), PhpNumber::Float(other)) if one == other => {
            let both_beyond = first.is_beyond && second.is_beyond;
            if both_beyond || one.is_infinite() { bytewise() } else { Some(Ordering::Equal) }
        }
        (first, second) => first.to_float().partial_cmp(&second.to_float()),
    }
}

fn number_and_text(number: PhpNumber, text: &Text) -> Option<Ordering> {
    match (number, whole(text.as_bytes()).map(|numeric| numeric.number)) {
        (PhpNumber::Int(left), Some(PhpNumber::Int(right))) => Some(left.cmp(&right)),
        (left, Some(right)) => left.to_float().partial_cmp(&right.to_float()),
        (PhpNumber::Float(left), None) if left.is_nan() => None,
        (PhpNumber::Float(left), None) => Some(float_to_text(left).cmp(text)),
        (PhpNumber::Int(left), None) => Some(Text::from(left.to_string()).cmp(text)),
    }
}

/// A decimal and another value: exact wherever the other has digits.
fn decimals(left: Decimal, right: &Value) -> Option<Ordering> {
    let exact = match right {
        Value::Decimal(right) => Some(*right),
        Value::Int(right) => Some(Decimal::from(*right)),
        Value::Float(right) => Decimal::of_float(*right),
        Value::Text(right) if whole(right.as_bytes()).is_some() => {
            right.as_str().and_then(|text| Decimal::parse(text.trim_ascii()))
        }
        Value::Text(right) => return Some(Text::from(left.to_string()).cmp(right)),
        other => return kinds(&Value::Float(left.to_float()), other),
    };
    match (exact, right) {
        (Some(right), _) => Some(left.compare(right)),
        (None, Value::Text(text)) => left.to_float().partial_cmp(&whole(text.as_bytes())?.number.to_float()),
        (None, right) => left.to_float().partial_cmp(&number(right)?),
    }
}

fn arrays(run: &mut Run<'_>, left: &Array, right: &Array, depth: usize) -> Result<Option<Ordering>> {
    let by_count = left.len().cmp(&right.len());
    if by_count.is_ne() {
        return Ok(Some(by_count));
    }
    for (key, value) in left.iter() {
        run.charge(key.borrowed().steps())?;
        let Some(other) = right.get(key.borrowed()) else { return Ok(None) };
        let order = ordering(run, value, other, depth)?;
        if order != Some(Ordering::Equal) {
            return Ok(order);
        }
    }
    Ok(Some(Ordering::Equal))
}

fn objects(run: &mut Run<'_>, left: &Object, right: &Object, depth: usize) -> Result<Option<Ordering>> {
    let by_count = left.len().cmp(&right.len());
    if by_count.is_ne() {
        return Ok(Some(by_count));
    }
    for (name, value) in left.iter() {
        run.charge(name.len() as u64 / 64)?;
        let Some(other) = right.get_bytes(name.as_bytes()) else { return Ok(None) };
        let order = ordering(run, value, other, depth)?;
        if order != Some(Ordering::Equal) {
            return Ok(order);
        }
    }
    Ok(Some(Ordering::Equal))
}

fn same(run: &mut Run<'_>, left: &Value, right: &Value, depth: usize) -> Result<bool> {
    run.charge(1)?;
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    Ok(match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::Float(left), Value::Float(right)) => left == right,
        (Value::Decimal(left), Value::Decimal(right)) => left.compare(*right).is_eq(),
        (Value::Text(left), Value::Text(right)) => {
            run.charge(left.len().min(right.len()) as u64 / 64)?;
            left == right
        }
        (Value::Array(left), Value::Array(right)) => {
            if left.len() != right.len() {
                return Ok(false);
            }
            for ((key, value), (other_key, other)) in left.iter().zip(right.iter()) {
                run.charge(key.borrowed().steps())?;
                if key != other_key || !same(run, value, other, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Object(left), Value::Object(right)) => left.is_same(right),
        (Value::DateTime(left), Value::DateTime(right)) => Arc::ptr_eq(left, right),
        (Value::Resource(resource), Value::Resource(_)) => is_resource(&**resource, right, run.providers)?,
        (Value::Secret(left), right) => same(run, &left.0, right, depth)?,
        (left, Value::Secret(right)) => same(run, left, &right.0, depth)?,
        (Value::Interval(_), Value::Interval(_))
        | (Value::File(_), Value::File(_))
        | (Value::Changes(_), Value::Changes(_))
        | (Value::Rows(_), Value::Rows(_)) => kinds(left, right).is_some(),
        _ => false,
    })
}

fn too_deep() -> Fault {
    Fault::new(
        "too_deep",
        format!("Values nested deeper than {MAX_DEPTH} levels cannot be compared: compare parts of them."),
    )
}
