//! Bound values, as people look at them beside a statement. Nothing runs what is written here.

use super::SqlParameter;
use crate::Value;

/// The most characters of a value that are shown, and the most members of a list.
const CHARACTERS: usize = 100;
const MEMBERS: usize = 20;

/// A bound parameter.
pub(super) fn parameter(parameter: &SqlParameter) -> String {
    match parameter {
        SqlParameter::One(single) => value(single),
        SqlParameter::List(_, values) => {
            let mut texts: Vec<String> = values.iter().take(MEMBERS).map(value).collect();
            if values.len() > MEMBERS {
                texts.push(format!("and {} more", values.len() - MEMBERS));
            }
            format!("[{}]", texts.join(", "))
        }
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) if text.chars().nth(CHARACTERS).is_some() => {
            format!("{:?}...", text.chars().take(CHARACTERS).collect::<String>())
        }
        Value::Text(text) => format!("{text:?}"),
        Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
        Value::Uuid(uuid) => uuid.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::Date(days) => format!("day {days}"),
        Value::Timestamp(milliseconds) => format!("{milliseconds} ms"),
    }
}
