//! zen-expression: one virtual machine, used again.

use crate::case::Case;
use serde_json::Value as Json;
use zen_expression::Variable;
use zen_expression::scope::Scope;
use zen_expression::vm::VM;

/// A task, compiled.
pub fn case(text: &str, record: &Json) -> Case {
    let expression = zen_expression::compile_expression(text).expect("it compiles");
    let scope = Scope::new(Variable::from(record.clone()));
    let mut machine = VM::new();
    Case::of(
        move || expression.evaluate_with_scope(&scope, &mut machine).expect("it evaluates"),
        |value: Variable| value.to_value(),
    )
}

/// A task that is compiled each time.
pub fn compiling(text: &'static str) -> Case {
    Case::of(move || zen_expression::compile_expression(text).expect("it compiles"), |_| Json::Null)
}

/// A task whose record is bound each time.
pub fn binding(text: &str, record: &Json) -> Case {
    let expression = zen_expression::compile_expression(text).expect("it compiles");
    let record = record.clone();
    let mut machine = VM::new();
    Case::of(
        move || {
            let scope = Scope::new(Variable::from(record.clone()));
            expression.evaluate_with_scope(&scope, &mut machine).expect("it evaluates")
        },
        |value: Variable| value.to_value(),
    )
}
