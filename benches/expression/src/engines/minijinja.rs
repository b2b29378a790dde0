//! minijinja: its expressions alone, without a template around them.

use crate::case::Case;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde_json::Value as Json;

/// A task, compiled; one with `{{` is a template.
pub fn case(text: &'static str, record: &Json) -> Case {
    let environment = environment();
    let context = Value::from(Serde(record.clone()));
    if text.contains("{{") {
        let template = environment.template_from_str(text).expect("it compiles");
        return Case::of(move || template.render(&context).expect("it renders"), Json::from);
    }
    let expression = environment.compile_expression(text).expect("it compiles");
    Case::of(move || expression.eval(context.clone()).expect("it evaluates"), shown)
}

/// A task that is compiled each time.
pub fn compiling(text: &'static str) -> Case {
    let environment = environment();
    Case::of(move || environment.compile_expression(text).expect("it compiles"), |_| Json::Null)
}

/// A task whose record is bound each time.
pub fn binding(text: &'static str, record: &Json) -> Case {
    let expression = environment().compile_expression(text).expect("it compiles");
    let record = record.clone();
    Case::of(move || expression.eval(Value::from(Serde(record.clone()))).expect("it evaluates"), shown)
}

/// The environment, which expressions borrow for as long as the benchmark runs.
fn environment() -> &'static Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    Box::leak(Box::new(environment))
}

fn shown(value: Value) -> Json {
    serde_json::to_value(&value).expect("it is JSON")
}
