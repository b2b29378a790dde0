//! Arguments of functions: PHP's coercion of scalars to what a parameter takes.

use crate::convert::to_text;
use crate::value::{Text, Value};
use crate::{Fault, Result, Run};

/// The argument at a place.
pub(crate) fn at(arguments: &[Value], index: usize) -> Result<&Value> {
    let missing = || Fault::new("argument_missing", format!("Argument {} is missing.", index + 1));
    arguments.get(index).ok_or_else(missing)
}

/// The text of an argument where null is no text (functions of Nette).
pub(crate) fn text(run: &Run<'_>, arguments: &[Value], index: usize) -> Result<Text> {
    match at(arguments, index)? {
        Value::Null => Err(wrong(index, "a text", "null")),
        _ => text_or_null(run, arguments, index),
    }
}

/// The text of an argument, null being empty; an error in a former version.
pub(crate) fn text_or_empty(run: &mut Run<'_>, arguments: &[Value], index: usize) -> Result<Text> {
    match at(arguments, index)? {
        Value::Null if run.is_former() => Err(wrong(index, "a text", "null")),
        _ => text_or_null(run, arguments, index),
    }
}

/// The text of an argument, null being empty (functions of PHP). An array is no text here: PHP's `Array` would mislead.
pub(crate) fn text_or_null(run: &Run<'_>, arguments: &[Value], index: usize) -> Result<Text> {
    match at(arguments, index)? {
        Value::Array(_) => Err(wrong(index, "a text", "an array")),
        value => to_text(value, run.providers),
    }
}

/// The integer of an argument: numbers, booleans and texts that are numbers, nothing else.
pub(crate) fn integer(arguments: &[Value], index: usize) -> Result<i64> {
    let wrong = || {
        let given = at(arguments, index).map_or("nothing", |value| match value {
            Value::Text(_) => "a string that is not a number",
            Value::Float(_) => "a float that no integer holds",
            value => value.kind(),
        });
        wrong(index, "a whole number", given)
    };
    match at(arguments, index)? {
        Value::Int(number) => Ok(*number),
        Value::Bool(truth) => Ok(i64::from(*truth)),
        Value::Float(number) => whole(*number).ok_or_else(wrong),
        Value::Decimal(number) => Ok(number.truncated()),
        Value::Text(text) => {
            let text = text.as_str().ok_or_else(wrong)?;
            let text = text.trim_matches(|letter| matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c'));
            let numeric = text.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter))
                && text.bytes().any(|byte| byte.is_ascii_digit())
                && text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
            match text.parse::<i64>() {
                Ok(number) => Ok(number),
                Err(_) if numeric => text.parse().ok().and_then(whole).ok_or_else(wrong),
                Err(_) => Err(wrong()),
            }
        }
        _ => Err(wrong()),
    }
}

fn whole(number: f64) -> Option<i64> {
    // Both ends are exact in binary: -2^63 is within 64 bits, 2^63 is not.
    let within = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    within.then_some(number as i64)
}

fn wrong(index: usize, wanted: &str, given: &str) -> Fault {
    let remedy = match (given, wanted) {
        ("null", "a text") => ": x ?? 'none' gives one",
        ("null", _) => ": x ?? 0 gives one",
        ("an array", _) => ": take one of its items, or join() them",
        _ => "",
    };
    Fault::new("argument_type", format!("Argument {} must be {wanted}, not {given}{remedy}.", index + 1))
}
