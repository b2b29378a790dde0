//! Collections (R-334, R-345 to R-361): PHP's array functions.

use super::arguments::{at, text_or_null};
use super::range::range;
use super::rows::{optional, required, row};
use crate::catalogue::{FunctionEntry, FunctionParameter, NullArgument};
use crate::compare::loose;
use crate::convert::to_text;
use crate::operators::{is_part, join};
use crate::value::{Array, ArrayKey, Text, Value};
use crate::{Fault, Result, Run};

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("range", &[START, END, STEP], "array", "Returns the numbers or characters from start to end.", range)
        .example("range(1, 7, 3)", "[1,4,7]"),
    row("in_array", &[NEEDLE, HAYSTACK], "boolean", "Returns true if the array has the value.", in_array)
        .example(r#"in_array("2", [1, 2, 3])"#, "true"),
    row("contains", &[required("haystack", "string|array"), NEEDLE], "boolean", CONTAINS, contains)
        .example(r#"contains("invoice", "voice")"#, "true"),
    row("concat", &[ARRAY], "string", "Joins the items without a separator.", concat)
        .example(r#"concat(["a", "b", 3])"#, r#""ab3""#),
    row(
        "join",
        &[required("separator", "string"), ARRAY],
        "string",
        "Joins the items with a separator between them.",
        join_items,
    )
    .example(r#"join(", ", ["a", "b"])"#, r#""a, b""#),
    row("arrayKeys", &[ARRAY], "array", "Returns the keys.", keys).example("arrayKeys([7, 8])", "[0,1]"),
    row("arrayValues", &[ARRAY], "array", "Returns the values, with keys from 0.", values)
        .example("arrayValues(arrayPush([], 7))", "[7]"),
    row("arrayFirstValue", &[ARRAY], "mixed", "Returns the first value.", first)
        .example("arrayFirstValue([7, 8])", "7"),
    row("arrayLastValue", &[ARRAY], "mixed", "Returns the last value.", last).example("arrayLastValue([7, 8])", "8"),
    row("arrayShift", &[ARRAY], "mixed", "Returns the first value, as PHP's array_shift().", first)
        .example("arrayShift([7, 8])", "7"),
    row("arrayPop", &[ARRAY], "mixed", "Returns the last value, as PHP's array_pop().", last)
        .example("arrayPop([7, 8])", "8"),
    row("arrayShiftGetArray", &[ARRAY], "array", "Returns the array without its first value.", without_first)
        .example("arrayShiftGetArray([7, 8])", "[8]"),
    row("arrayPopGetArray", &[ARRAY], "array", "Returns the array without its last value.", without_last)
        .example("arrayPopGetArray([7, 8])", "[7]"),
    row("arrayPush", &[ARRAY, VALUES], "array", "Returns the array with values added at the end.", push)
        .example("arrayPush([7], 8, 9)", "[7,8,9]"),
    row("arrayUnshift", &[ARRAY, VALUES], "array", "Returns the array with values added at the beginning.", unshift)
        .example("arrayUnshift([7], 8, 9)", "[8,9,7]"),
    row(
        "arrayGetKey",
        &[required("array", "mixed").null(NullArgument::Passed), required("key", "string|number")],
        "mixed or null",
        GET_KEY,
        get_key,
    )
    .example("arrayGetKey([7, 8], 1)", "8"),
    row("length", &[required("value", "mixed")], "number", LENGTH, length).example(r#"length("žluť")"#, "4"),
    row("randomFromList", &[LIST], "mixed or null", RANDOM, random_from_list)
        .impure()
        .example("randomFromList([7])", "7"),
];

const ARRAY: FunctionParameter = required("array", "array").refusing("[]");
const LIST: FunctionParameter = required("list", "array|object").null(NullArgument::Passed);
const NEEDLE: FunctionParameter = required("needle", "mixed").null(NullArgument::Loose);
const HAYSTACK: FunctionParameter = required("haystack", "array").refusing("[]");
const START: FunctionParameter = required("start", "string|int|float").refusing("1");
const END: FunctionParameter = required("end", "string|int|float").refusing("1");
const STEP: FunctionParameter = optional("step", "int|float", "1").refusing("1");
const VALUES: FunctionParameter =
    FunctionParameter { name: "values", kind: "mixed", default: None, variadic: true, null: NullArgument::Taken };
const CONTAINS: &str = "Returns true if the string has the other string in it, or the array has the value; resources \
                        in an array are found by id, uuid or code.";
const GET_KEY: &str = "Returns the value of a key; null if there is none.";
const LENGTH: &str = "Returns the number of characters of a text, or the number of items of an array.";
const RANDOM: &str = "Returns a random item of an array, or a random property of an object; null without any.";

/// The array of an argument.
pub(crate) fn array(arguments: &[Value], index: usize) -> Result<&Array> {
    match at(arguments, index)? {
        Value::Array(array) => Ok(array),
        other => {
            let remedy = if other.is_null() { "x ?? []" } else { "toArray(x)" };
            let message = format!("Argument {} must be an array, not {}: {remedy} is one.", index + 1, other.kind());
            Err(Fault::new("argument_type", message))
        }
    }
}

fn in_array(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (needle, haystack) = (at(arguments, 0)?, array(arguments, 1)?);
    has(run, needle, haystack).map(Value::Bool)
}

/// In texts a part, in arrays a value: resources are found by id, uuid and code as well.
fn contains(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    match (at(arguments, 0)?, at(arguments, 1)?) {
        (Value::Array(haystack), needle) => return has(run, needle, haystack).map(Value::Bool),
        // In a list that is missing there is nothing, whatever is looked for.
        (Value::Null, Value::Array(_) | Value::Object(_) | Value::Interval(_) | Value::Resource(_)) => {
            return Ok(Value::Bool(false));
        }
        _ => {}
    }
    let (haystack, needle) = (text_or_null(run, arguments, 0)?, text_or_null(run, arguments, 1)?);
    is_part(run, needle.as_bytes(), haystack.as_bytes()).map(Value::Bool)
}

fn has(run: &mut Run<'_>, needle: &Value, haystack: &Array) -> Result<bool> {
    if let Array::List(items) = haystack {
        for item in items.iter() {
            if loose(run, needle, item)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    for item in haystack.values() {
        if loose(run, needle, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn concat(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    join(run, &Text::EMPTY, array(arguments, 0)?.values())
}

fn join_items(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    join(run, &text_or_null(run, arguments, 0)?, array(arguments, 1)?.values())
}

fn keys(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let array = array(arguments, 0)?;
    run.growing(array.len())?;
    Ok(Value::Array(array.iter().map(|(key, _)| key.value()).collect()))
}

fn values(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let array = array(arguments, 0)?;
    if let Array::List(_) = array {
        return Ok(Value::Array(array.clone()));
    }
    run.growing(array.len())?;
    Ok(Value::Array(array.values().cloned().collect()))
}

fn first(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    Ok(array(arguments, 0)?.first().cloned().unwrap_or_default())
}

fn last(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    Ok(array(arguments, 0)?.last().cloned().unwrap_or_default())
}

fn without_first(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    changed(run, arguments, 0, |array| {
        array.shift();
        Ok(())
    })
}

fn without_last(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    changed(run, arguments, 0, |array| {
        array.pop();
        Ok(())
    })
}

fn push(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let values = arguments.get(1..).unwrap_or_default();
    changed(run, arguments, values.len(), |array| values.iter().try_for_each(|value| array.push(value.clone())))
}

fn unshift(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let values = arguments.get(1..).unwrap_or_default();
    changed(run, arguments, values.len(), |array| {
        array.unshift(values);
        Ok(())
    })
}

/// A copy of the array with a change, which adds so many items.
fn changed(
    run: &mut Run<'_>,
    arguments: &[Value],
    added: usize,
    change: impl FnOnce(&mut Array) -> Result<()>,
) -> Result<Value> {
    let mut array = array(arguments, 0)?.clone();
    let count = array.len().saturating_add(added);
    if matches!(array, Array::List(_)) {
        run.growing(count)?
    } else {
        run.entries(count)?
    }
    run.charge(array.len() as u64 + array.key_steps())?;
    change(&mut array)?;
    Ok(Value::Array(array))
}

/// The value of a key; null where there is none, and where it is no array.
fn get_key(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let key = at(arguments, 1)?;
    let value = match at(arguments, 0)? {
        Value::Array(array) => array.get(ArrayKey::of(key)?.borrowed()),
        Value::Object(object) => object.get_bytes(to_text(key, run.providers)?.as_bytes()),
        Value::Text(text) => return Ok(byte(text, &ArrayKey::of(key)?).unwrap_or_default()),
        _ => None,
    };
    Ok(value.cloned().unwrap_or_default())
}

/// The byte at a place, as PHP indexes strings: from the end where it is negative.
fn byte(text: &Text, key: &ArrayKey) -> Option<Value> {
    let ArrayKey::Int(place) = *key else { return None };
    let bytes = text.as_bytes();
    let place = if place < 0 { place.checked_add(i64::try_from(bytes.len()).ok()?)? } else { place };
    bytes.get(usize::try_from(place).ok()?).map(|byte| Value::Text(Text::of_bytes(&[*byte])))
}

fn length(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let count = match at(arguments, 0)? {
        Value::Array(array) => array.len(),
        Value::Rows(rows) => return rows.count().map(Value::Int),
        value @ (Value::Object(_) | Value::Interval(_) | Value::Resource(_)) => {
            let message = format!("length() wants a scalar or an array, not {}: toArray(x) is one.", value.kind());
            return Err(Fault::new("argument_type", message));
        }
        value => {
            let text = to_text(value, run.providers)?;
            run.charge(text.len() as u64 / 64)?;
            match text.as_str() {
                Some(text) => text.chars().count(),
                None => letters(text.as_bytes()),
            }
        }
    };
    Ok(Value::Int(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// Returns the number of letters in bytes, where not all are UTF-8. The first byte of each says how long it would be.
fn letters(mut bytes: &[u8]) -> usize {
    let mut count = 0;
    while let Some(first) = bytes.first() {
        let size = match first {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => 1,
        };
        bytes = bytes.get(size..).unwrap_or_default();
        count += 1;
    }
    count
}

fn random_from_list(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let list = at(arguments, 0)?;
    let count = match list {
        Value::Array(array) => array.len(),
        Value::Object(object) => object.len(),
        Value::Rows(rows) => usize::try_from(rows.count()?).unwrap_or(0),
        Value::Null => 0,
        other => {
            let message = format!("randomFromList() wants an array or an object, not {}: [a, b].", other.kind());
            return Err(Fault::new("argument_type", message));
        }
    };
    if count == 0 {
        return Ok(Value::Null);
    }
    let place = below(run, count as u64) as usize;
    Ok(match list {
        Value::Array(array) => array.at(place).cloned(),
        Value::Object(object) => object.at(place).cloned(),
        Value::Rows(rows) => rows.row(place, run.providers)?,
        _ => None,
    }
    .unwrap_or_default())
}

/// A random number below another, each as likely: draws from the uneven end are thrown away.
fn below(run: &mut Run<'_>, end: u64) -> u64 {
    let uneven = u64::MAX - u64::MAX % end;
    for _ in 0..64 {
        let mut bytes = [0; 8];
        (run.random)(&mut bytes);
        let number = u64::from_le_bytes(bytes);
        if number < uneven {
            return number % end;
        }
    }
    0
}
