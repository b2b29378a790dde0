//! QuickJS: properties are global variables, the expression is a function's body, times are `Date`s.

use super::properties;
use crate::case::Case;
use rquickjs::{Context, Ctx, Function, Runtime, Value};
use serde_json::Value as Json;
use std::hint::black_box;
use std::time::Instant;

/// A task, compiled.
pub fn case(text: &str, record: &Json) -> Case {
    timed(text, record, |function, _, _| {
        black_box(function.call::<_, Value>(()).expect("it evaluates"));
    })
}

/// A task that is compiled each time: a function's body, which is not called.
pub fn compiling(text: &str, record: &Json) -> Case {
    let source = format!("(() => ({text}))");
    let case = timed(text, record, move |_, context, _| {
        black_box(context.eval::<Function, _>(source.as_str()).expect("it compiles"));
    });
    Case { result: Json::Null, ..case }
}

/// A task whose record is bound each time: numbers and texts alone.
pub fn binding(text: &str, record: &Json) -> Case {
    timed(text, record, |function, context, record| {
        let globals = context.globals();
        for (name, json) in properties(record) {
            match json {
                Json::Number(number) => globals.set(name.as_str(), number.as_i64()),
                json => globals.set(name.as_str(), json.as_str()),
            }
            .expect("a global is set");
        }
        black_box(function.call::<_, Value>(()).expect("it evaluates"));
    })
}

/// Of what is done each time, with the task as a function.
fn timed(
    text: &str,
    record: &Json,
    mut evaluate: impl for<'js> FnMut(&Function<'js>, &Ctx<'js>, &Json) + 'static,
) -> Case {
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
    let record = record.clone();
    let time = move |count| {
        let _runtime = &runtime;
        context.with(|context| {
            let function: Function = context.globals().get("benchmark").expect("it is there");
            let start = Instant::now();
            for _ in 0..count {
                evaluate(&function, &context, &record);
            }
            start.elapsed()
        })
    };
    Case { result, time: Box::new(time) }
}
