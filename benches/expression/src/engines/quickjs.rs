//! QuickJS: properties are global variables, the expression is a function's body, times are `Date`s.

use super::properties;
use crate::case::Case;
use rquickjs::{Context, Function, Runtime, Value};
use serde_json::Value as Json;
use std::hint::black_box;
use std::time::Instant;

/// A task, compiled.
pub fn case(text: &str, record: &Json) -> Case {
    let runtime = Runtime::new().expect("a runtime starts");
    let context = Context::full(&runtime).expect("a context starts");
    let result = context.with(|context| {
        for (name, json) in properties(record) {
            let source = if name.ends_with("At") { format!("new Date({json})") } else { format!("({json})") };
            let value: Value = context.eval(source).expect("JSON is an expression");
            context.globals().set(name.as_str(), value).expect("a global is new");
        }
        let function: Function = context.eval(format!("(() => ({text}))")).expect("it compiles");
        context.globals().set("benchmark", function.clone()).expect("a global is new");
        let value: Value = function.call(()).expect("it evaluates");
        let json = context.json_stringify(value).expect("it is JSON");
        json.map_or(Json::Null, |json| {
            serde_json::from_str(&json.to_string().expect("it is text")).expect("it is JSON")
        })
    });
    let time = move |count| {
        let _runtime = &runtime;
        context.with(|context| {
            let function: Function = context.globals().get("benchmark").expect("it is there");
            let start = Instant::now();
            for _ in 0..count {
                black_box(function.call::<_, Value>(()).expect("it evaluates"));
            }
            start.elapsed()
        })
    };
    Case { result, time: Box::new(time) }
}
