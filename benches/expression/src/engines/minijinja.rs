//! minijinja: its expressions alone, without a template around them.

use crate::case::Case;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde_json::Value as Json;

/// A task, compiled.
pub fn case(text: &'static str, record: &Json) -> Case {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    // The expression borrows the environment, for as long as the benchmark runs.
    let environment: &'static Environment<'static> = Box::leak(Box::new(environment));
    let expression = environment.compile_expression(text).expect("it compiles");
    let context = Value::from(Serde(record.clone()));
    Case::of(
        move || expression.eval(context.clone()).expect("it evaluates"),
        |value: Value| serde_json::to_value(&value).expect("it is JSON"),
    )
}
