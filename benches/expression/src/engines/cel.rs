//! cel: properties are variables, times are timestamps.

use super::properties;
use crate::case::Case;
use cel::{Context, Program, Value};
use serde_json::Value as Json;

/// A task, compiled.
pub fn case(text: &str, record: &Json) -> Case {
    let (program, context) = (compiled(text), bound(record));
    Case::of(move || program.execute(&context).expect("it evaluates"), shown)
}

/// A task that is compiled each time.
pub fn compiling(text: &'static str) -> Case {
    Case::of(move || compiled(text), |_| Json::Null)
}

/// A task whose record is bound each time.
pub fn binding(text: &str, record: &Json) -> Case {
    let (program, record) = (compiled(text), record.clone());
    Case::of(move || program.execute(&bound(&record)).expect("it evaluates"), shown)
}

fn compiled(text: &str) -> Program {
    Program::compile(text).expect("it compiles")
}

fn bound(record: &Json) -> Context<'static, 'static> {
    let mut context = Context::default();
    for (name, json) in properties(record) {
        let value = match json {
            Json::String(text) if name.ends_with("At") => Value::Timestamp(
                chrono::DateTime::parse_from_rfc3339(text).expect("the record's times are written rightly"),
            ),
            json => cel::to_value(json).expect("JSON is a value"),
        };
        context.add_variable_from_value(name.as_str(), integers(value));
    }
    context
}

fn shown(value: Value) -> Json {
    value.json().expect("it is JSON")
}

/// JSON's integers come unsigned, which cel does not mix with its literals.
fn integers(value: Value) -> Value {
    match value {
        Value::UInt(number) => Value::Int(number as i64),
        Value::List(items) => Value::List(std::sync::Arc::new(items.iter().cloned().map(integers).collect())),
        Value::Map(map) => {
            let entries = map.map.iter().map(|(key, value)| (key.clone(), integers(value.clone())));
            Value::Map(cel::objects::Map { map: std::sync::Arc::new(entries.collect()) })
        }
        other => other,
    }
}
