//! evalexpr: scalars alone.

use super::properties;
use crate::case::Case;
use evalexpr::{ContextWithMutableVariables, DefaultNumericTypes, HashMapContext, Value, build_operator_tree};
use serde_json::Value as Json;

/// A task, compiled.
pub fn case(text: &str, record: &Json) -> Case {
    let tree = build_operator_tree::<DefaultNumericTypes>(text).expect("it compiles");
    let mut context = HashMapContext::<DefaultNumericTypes>::new();
    for (name, json) in properties(record) {
        let value = match json {
            Json::Bool(flag) => Value::Boolean(*flag),
            Json::Number(number) => Value::Int(number.as_i64().expect("the record's numbers are integers")),
            Json::String(text) => Value::String(text.clone()),
            _ => continue,
        };
        context.set_value(name.clone(), value).expect("a variable is new");
    }
    let show = |value| match value {
        Value::Boolean(flag) => Json::from(flag),
        Value::Int(number) => Json::from(number),
        Value::String(text) => Json::from(text),
        other => Json::from(format!("{other:?}")),
    };
    Case::of(move || tree.eval_with_context(&context).expect("it evaluates"), show)
}
