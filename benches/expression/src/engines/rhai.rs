//! rhai: properties are constants of the scope.

use super::properties;
use crate::case::Case;
use rhai::{Dynamic, Engine, OptimizationLevel, Scope};
use serde_json::Value as Json;

/// A task, compiled.
pub fn case(text: &str, record: &Json) -> Case {
    let mut engine = Engine::new();
    engine.set_optimization_level(OptimizationLevel::Simple);
    engine.set_max_expr_depths(0, 0);
    // Not constants for the compiler, which would fold them.
    let tree = engine.compile(text).expect("it compiles");
    let mut scope = Scope::new();
    for (name, json) in properties(record) {
        scope.push_dynamic(name.as_str(), rhai::serde::to_dynamic(json).expect("JSON is a value"));
    }
    Case::of(
        move || engine.eval_ast_with_scope::<Dynamic>(&mut scope, &tree).expect("it evaluates"),
        |value: Dynamic| rhai::serde::from_dynamic(&value).expect("it is JSON"),
    )
}
