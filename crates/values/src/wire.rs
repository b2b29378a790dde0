//! Values as JSON and back, without losing their kind: where plain JSON has no such kind, an object with one name
//! that begins with `$` stands for it (`$float`, `$map`, `$object`, `$datetime`, `$interval`, `$file`, `$base64`).

use crate::base64::{base64_bytes, base64_text};
use crate::numeric::float_exactly;
use crate::value::{Array, ArrayKey, FileValue, Object, Text, Value};
use crate::{Fault, Result};
use datetime::{DateInterval, DateTime, DateZone, format, strtotime};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// Values nested deeper are not written.
const MAX_DEPTH: usize = 520;

/// Bytes that are written at most, counted before they are. Parts that a value shares are written each time, so a
/// value of a few bytes may be without end when it is written.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The bytes that a value takes beside its text.
const VALUE_BYTES: usize = 64;

/// A value as JSON. Secrets are `***`.
pub fn encode(value: &Value) -> Result<Json> {
    write(value, MAX_DEPTH, &mut { MAX_BYTES })
}

/// The value of JSON. A plain object is an object.
pub fn decode(json: &Json) -> Result<Value> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Float(number.as_f64().unwrap_or(f64::INFINITY)),
        },
        Json::String(text) => Value::text(text),
        Json::Array(items) => Value::Array(Array::from(items.iter().map(decode).collect::<Result<Vec<_>>>()?)),
        Json::Object(members) => match members.iter().next() {
            Some((name, content)) if members.len() == 1 && name.starts_with('$') => special(name, content)?,
            _ => {
                let property = |(name, value): (&String, &Json)| Ok((Text::from(name.as_str()), decode(value)?));
                Value::Object(members.iter().map(property).collect::<Result<_>>()?)
            }
        },
    })
}

fn special(name: &str, content: &Json) -> Result<Value> {
    let value = match (name, content) {
        ("$float", Json::String(text)) => float(text).map(Value::Float),
        ("$decimal", Json::String(text)) => crate::value::Decimal::parse(text).map(Value::Decimal),
        ("$base64", Json::String(text)) => Some(Value::Text(Text::of_bytes(&base64_bytes(text.as_bytes())))),
        ("$map", Json::Array(pairs)) => {
            let entry = |pair| pair_of(pair).and_then(|(key, value)| Ok((ArrayKey::of(&key)?, value)));
            Some(Value::Array(pairs.iter().map(entry).collect::<Result<Array>>()?))
        }
        ("$object", Json::Array(pairs)) => {
            let property = |pair| pair_of(pair).and_then(|(key, value)| Ok((ArrayKey::of(&key)?.text(), value)));
            Some(Value::Object(pairs.iter().map(property).collect::<Result<Object>>()?))
        }
        ("$interval", Json::Object(parts)) => interval(parts).map(|interval| Value::Interval(Arc::new(interval))),
        ("$file", Json::Object(parts)) => file(parts).map(|file| Value::File(Arc::new(file))),
        ("$datetime", Json::Object(parts)) => datetime(parts).map(|datetime| Value::DateTime(Arc::new(datetime))),
        _ => None,
    };
    value.ok_or_else(|| Fault::new("wrong_value", "A value is not written as its kind is."))
}

fn pair_of(pair: &Json) -> Result<(Value, Value)> {
    match pair.as_array().map(Vec::as_slice) {
        Some([key, value]) => Ok((decode(key)?, decode(value)?)),
        _ => Err(Fault::new("wrong_value", "Entries are pairs of a key and a value.")),
    }
}

fn float(text: &str) -> Option<f64> {
    match text {
        "INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        "NAN" => Some(f64::NAN),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) => digits.parse().ok(),
        _ => None,
    }
}

fn file(parts: &Map<String, Json>) -> Option<FileValue> {
    let part = |name: &str| parts.get(name)?.as_str();
    let data = Text::of_bytes(&base64_bytes(part("data")?.as_bytes()));
    Some(FileValue { title: part("title")?.to_owned(), data })
}

fn interval(parts: &Map<String, Json>) -> Option<DateInterval> {
    let part = |name: &str| parts.get(name)?.as_i64();
    Some(DateInterval {
        y: part("y")?,
        m: part("m")?,
        d: part("d")?,
        h: part("h")?,
        i: part("i")?,
        s: part("s")?,
        f: part("f")?,
        invert: part("invert")? != 0,
        days: part("days"),
        elapsed: None,
    })
}

/// An instant by its seconds, or by what the clocks on the wall of the zone show.
fn datetime(parts: &Map<String, Json>) -> Option<DateTime> {
    let zone = DateZone::parse(parts.get("tz")?.as_str()?)?;
    let start = DateTime { seconds: 0, micros: 0, zone };
    match (parts.get("ts"), parts.get("wall")) {
        (Some(seconds), _) => Some(DateTime { seconds: seconds.as_i64()?, ..start }),
        (None, Some(wall)) => strtotime(wall.as_str()?.as_bytes(), &start),
        (None, None) => None,
    }
}

/// The clocks on the wall where they tell the instant, otherwise its seconds.
fn datetime_parts(datetime: &DateTime) -> Json {
    let text = |letters: &[u8]| String::from_utf8_lossy(&format(datetime, letters)).into_owned();
    let wall = text(if datetime.micros == 0 { b"Y-m-d H:i:s" } else { b"Y-m-d H:i:s.u" });
    let start = DateTime { seconds: 0, micros: 0, zone: datetime.zone.clone() };
    match strtotime(wall.as_bytes(), &start) {
        Some(same) if same.seconds == datetime.seconds => json!({ "wall": wall, "tz": text(b"e") }),
        _ => json!({ "ts": datetime.seconds, "tz": text(b"e") }),
    }
}

fn write(value: &Value, depth: usize, room: &mut usize) -> Result<Json> {
    *room = room.checked_sub(bytes(value)).ok_or_else(|| {
        let message = format!("The value takes more than {MAX_BYTES} bytes when it is written.");
        Fault::new("too_large", message)
    })?;
    match value {
        Value::Array(array) if array.is_list() => list(array, depth, room),
        Value::Array(array) => entries(array, depth, room),
        Value::Object(object) => properties(object, depth, room),
        other => leaf(other),
    }
}

fn list(array: &Array, depth: usize, room: &mut usize) -> Result<Json> {
    let depth = below(depth)?;
    let mut items = Vec::with_capacity(array.len());
    for item in array.values() {
        items.push(write(item, depth, room)?);
    }
    Ok(Json::Array(items))
}

fn entries(array: &Array, depth: usize, room: &mut usize) -> Result<Json> {
    let depth = below(depth)?;
    let mut pairs = Vec::with_capacity(array.len());
    for (key, value) in array.iter() {
        pairs.push(Json::Array(vec![leaf(&key.value())?, write(value, depth, room)?]));
    }
    Ok(json!({ "$map": pairs }))
}

fn properties(object: &Object, depth: usize, room: &mut usize) -> Result<Json> {
    let depth = below(depth)?;
    let mut pairs = Vec::with_capacity(object.len());
    for (name, value) in object.iter() {
        pairs.push(Json::Array(vec![text(name), write(value, depth, room)?]));
    }
    Ok(json!({ "$object": pairs }))
}

/// About as many bytes as a value takes without those in it; names and keys are counted with what has them.
fn bytes(value: &Value) -> usize {
    let text = match value {
        Value::Text(text) => text.len(),
        Value::File(file) => file.data.len() / 3 * 4 + file.title.len(),
        Value::Object(object) => object.shape().iter().map(Text::len).sum::<usize>() + 4 * VALUE_BYTES,
        Value::Array(array) if !array.is_list() => array.iter().map(|(key, _)| key.text().len()).sum(),
        _ => 0,
    };
    text.saturating_add(VALUE_BYTES)
}

fn below(depth: usize) -> Result<usize> {
    let message = || format!("Values nested deeper than {MAX_DEPTH} levels are not written.");
    depth.checked_sub(1).ok_or_else(|| Fault::new("too_deep", message()))
}

fn text(text: &Text) -> Json {
    text.as_str().map_or_else(|| json!({ "$base64": base64_text(text.as_bytes()) }), Json::from)
}

/// Returns the JSON of a value that holds no values of its own.
fn leaf(value: &Value) -> Result<Json> {
    Ok(match value {
        Value::Null | Value::Array(_) | Value::Object(_) => Json::Null,
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => Json::from(*number),
        Value::Float(number) if number.is_finite() && number.fract() != 0.0 => Json::from(*number),
        Value::Float(number) => json!({ "$float": float_exactly(*number) }),
        Value::Decimal(decimal) => json!({ "$decimal": decimal.to_string() }),
        Value::Text(content) => text(content),
        Value::Interval(parts) => json!({ "$interval": {
            "y": parts.y, "m": parts.m, "d": parts.d, "h": parts.h, "i": parts.i, "s": parts.s, "f": parts.f,
            "invert": i64::from(parts.invert), "days": parts.days.map_or(Json::Bool(false), Json::from),
        }}),
        Value::DateTime(datetime) => json!({ "$datetime": datetime_parts(datetime) }),
        Value::File(file) => json!({ "$file": { "title": file.title, "data": base64_text(file.data.as_bytes()) } }),
        Value::Resource(resource) => json!({ "$resource": { "type": resource.type_id(), "id": resource.id() } }),
        Value::Changes(changes) => {
            let names: Vec<_> = changes.names().iter().map(|name| Json::from(&**name)).collect();
            json!({ "$changes": names })
        }
        Value::Rows(rows) => json!({ "$rows": rows.count()? }),
        Value::Secret(_) => Json::from("***"),
    })
}
