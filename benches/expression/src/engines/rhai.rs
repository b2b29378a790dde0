//! rhai: properties are constants of the scope.

use super::properties;
use crate::case::Case;
use rhai::{Dynamic, Engine, OptimizationLevel, Scope};
use serde_json::Value as Json;

/// A task, compiled.
pub fn case(text: &str, record: &Json) -> Case {
    let engine = engine();
    let tree = engine.compile(text).expect("it compiles");
    let mut scope = bound(record);
    Case::of(move || engine.eval_ast_with_scope::<Dynamic>(&mut scope, &tree).expect("it evaluates"), shown)
}

/// A task that is compiled each time.
pub fn compiling(text: &'static str) -> Case {
    let engine = engine();
    Case::of(move || engine.compile(text).expect("it compiles"), |_| Json::Null)
}

/// A task whose record is bound each time.
pub fn binding(text: &str, record: &Json) -> Case {
    let engine = engine();
    let tree = engine.compile(text).expect("it compiles");
    let record = record.clone();
    Case::of(move || engine.eval_ast_with_scope::<Dynamic>(&mut bound(&record), &tree).expect("it evaluates"), shown)
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_optimization_level(OptimizationLevel::Simple);
    engine.set_max_expr_depths(0, 0);
    engine
}

/// The properties; not constants for the compiler, which would fold them.
fn bound(record: &Json) -> Scope<'static> {
    let mut scope = Scope::new();
    for (name, json) in properties(record) {
        scope.push_dynamic(name.clone(), rhai::serde::to_dynamic(json).expect("JSON is a value"));
    }
    scope
}

fn shown(value: Dynamic) -> Json {
    rhai::serde::from_dynamic(&value).expect("it is JSON")
}
