//! evalexpr: scalars alone.

use super::properties;
use crate::case::Case;
use evalexpr::{ContextWithMutableVariables, DefaultNumericTypes, HashMapContext, Node, Value, build_operator_tree};
use serde_json::Value as Json;

/// A task, compiled.
pub fn case(text: &str, record: &Json) -> Case {
    let (tree, context) = (compiled(text), bound(record));
    Case::of(move || tree.eval_with_context(&context).expect("it evaluates"), shown)
}

/// A task that is compiled each time.
pub fn compiling(text: &'static str) -> Case {
    Case::of(move || compiled(text), |_| Json::Null)
}

/// A task whose record is bound each time.
pub fn binding(text: &str, record: &Json) -> Case {
    let (tree, record) = (compiled(text), record.clone());
    Case::of(move || tree.eval_with_context(&bound(&record)).expect("it evaluates"), shown)
}

fn compiled(text: &str) -> Node<DefaultNumericTypes> {
    build_operator_tree::<DefaultNumericTypes>(text).expect("it compiles")
}

fn bound(record: &Json) -> HashMapContext<DefaultNumericTypes> {
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
    context
}

fn shown(value: Value) -> Json {
    match value {
        Value::Boolean(flag) => Json::from(flag),
        Value::Int(number) => Json::from(number),
        Value::String(text) => Json::from(text),
        other => Json::from(format!("{other:?}")),
    }
}
