//! Casts: what every value is as a boolean, a number, a text, an array and an object (PHP 8).

use crate::error::capital;
use crate::numeric::{float_to_text, text_to_float, text_to_int};
use crate::value::{Array, Object, Text, Value, truncate};
use crate::{Fault, HostProviders, Result, Run};
use compact_str::ToCompactString;
use datetime::format;

/// As a boolean: false are null, false, 0, 0.0, "", "0" and the empty array.
pub fn to_bool(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Int(number) => *number != 0,
        Value::Float(number) => *number != 0.0,
        Value::Decimal(decimal) => !decimal.is_zero(),
        Value::Text(text) => !matches!(text.as_bytes(), b"" | b"0"),
        Value::Array(array) => !array.is_empty(),
        Value::Secret(secret) => to_bool(&secret.0),
        _ => true,
    }
}

/// As an integer.
pub fn to_int(value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        Value::Float(number) => truncate(*number),
        Value::Decimal(decimal) => decimal.truncated(),
        Value::Text(text) => text_to_int(text.as_bytes()),
        Value::DateTime(datetime) => datetime.seconds,
        Value::Resource(resource) => resource.id(),
        Value::Secret(secret) => to_int(&secret.0),
        other => i64::from(to_bool(other)),
    }
}

/// As a float.
pub fn to_float(value: &Value) -> f64 {
    match value {
        Value::Float(number) => *number,
        Value::Decimal(decimal) => decimal.to_float(),
        Value::Text(text) => text_to_float(text.as_bytes()),
        Value::Secret(secret) => to_float(&secret.0),
        other => to_int(other) as f64,
    }
}

/// As a text. An array is `Array`, as in PHP; a resource its title, for which the providers are asked; what has no
/// text is a fault.
pub fn to_text(value: &Value, providers: &dyn HostProviders) -> Result<Text> {
    Ok(match value {
        Value::Null | Value::Bool(false) => Text::EMPTY,
        Value::Bool(true) => Text::from("1"),
        Value::Int(number) => Text::Utf8(number.to_compact_string()),
        Value::Float(number) => float_to_text(*number),
        Value::Decimal(decimal) => Text::from(decimal.to_string()),
        Value::Text(text) => text.clone(),
        Value::Array(_) => Text::from("Array"),
        Value::Resource(resource) => match resource.title(providers)? {
            None | Some(Value::Null | Value::Resource(_)) => Text::from(resource.id().to_string()),
            Some(title) => to_text(&title, providers)?,
        },
        Value::DateTime(datetime) => Text::of_bytes(&format(datetime, b"c")),
        Value::Secret(secret) => to_text(&secret.0, providers)?,
        other => return Err(no_text(other)),
    })
}

/// As an array.
pub fn to_array(run: &mut Run<'_>, value: &Value) -> Result<Array> {
    Ok(match value {
        Value::Null => Array::default(),
        Value::Array(array) => array.clone(),
        Value::Object(object) => {
            run.entries(object.len())?;
            run.charge(object.name_steps())?;
            Array::of_object(object)
        }
        Value::Rows(rows) => {
            let count = usize::try_from(rows.count()?).unwrap_or(0);
            run.growing(count)?;
            let providers = run.providers;
            let rows = (0..count).map_while(|place| rows.row(place, providers).transpose());
            Array::from(rows.collect::<Result<Vec<_>>>()?)
        }
        Value::Interval(_) | Value::File(_) | Value::Resource(_) => match to_object(run, value)? {
            Value::Object(object) => Array::of_object(&object),
            other => Array::from(vec![other]),
        },
        Value::Secret(secret) => to_array(run, &secret.0)?,
        other => {
            run.items(1)?;
            Array::from(vec![other.clone()])
        }
    })
}

/// As an object. A datetime, changes and a result set are objects already.
pub fn to_object(run: &mut Run<'_>, value: &Value) -> Result<Value> {
    // What has few properties is paid for at once.
    run.entries(match value {
        Value::Null | Value::Object(_) | Value::Array(_) | Value::Resource(_) => 0,
        Value::Interval(_) => 9,
        _ => 2,
    })?;
    let object: Object = match value {
        Value::Null => Object::default(),
        Value::Object(object) => object.clone(),
        Value::Array(array) => {
            run.entries(array.len())?;
            run.charge(array.key_steps())?;
            array.to_object()
        }
        Value::Interval(interval) => {
            let parts = [
                ("y", interval.y),
                ("m", interval.m),
                ("d", interval.d),
                ("h", interval.h),
                ("i", interval.i),
                ("s", interval.s),
                ("f", interval.f),
                ("invert", i64::from(interval.invert)),
            ];
            let parts = parts.into_iter().map(|(name, part)| (Text::from(name), Value::Int(part)));
            let days = interval.days.map_or(Value::Bool(false), Value::Int);
            parts.chain([(Text::from("days"), days)]).collect()
        }
        Value::File(file) => {
            let data = Value::Text(file.data.clone());
            [(Text::from("title"), Value::text(&file.title)), (Text::from("data"), data)].into_iter().collect()
        }
        Value::Resource(resource) => {
            let names = resource.names();
            run.entries(names.len())?;
            let property =
                |name: &str| Ok((Text::from(name), resource.property(name, run.providers)?.unwrap_or_default()));
            names.iter().map(|name| property(name)).collect::<Result<_>>()?
        }
        Value::DateTime(_) | Value::Changes(_) | Value::Rows(_) => return Ok(value.clone()),
        Value::Secret(secret) => return to_object(run, &secret.0),
        scalar => [(Text::from("scalar"), scalar.clone())].into_iter().collect(),
    };
    Ok(Value::Object(object))
}

fn no_text(value: &Value) -> Fault {
    Fault::new(
        "no_text",
        format!("{} has no text: take one of its properties, or jsonEncode() it.", capital(value.kind())),
    )
}
