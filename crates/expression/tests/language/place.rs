//! The place of the examples, as these tests use it.

use expression::value::Value;
use expression::{Diagnostic, Program, RunLimits};

pub(crate) use expression::example_place::{Record, object, run, scope};

/// Returns the value of a lone expression.
pub(crate) fn evaluate(text: &str) -> Result<Value, Diagnostic> {
    run(&Program::expression(text, &scope()).map_err(|mut mistakes| mistakes.remove(0))?, RunLimits::default())
}

/// Checks the value of an expression, as JSON in the vectors' encoding.
pub(crate) fn check(text: &str, expected: &str) {
    let value = evaluate(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
    let expected: serde_json::Value = serde_json::from_str(expected).expect("the expected value is JSON");
    let value = expression::wire::encode(&value).expect("the value is shown");
    assert_eq!(value, expected, "{text}");
}
