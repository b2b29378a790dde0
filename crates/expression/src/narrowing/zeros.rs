//! Numbers that are not 0, as comparisons and lists tell it.

use crate::compile::TypedNode;
use crate::parser::BinaryOperator;
use crate::value::Value;

/// Returns the order that holds where another does not.
pub(super) fn contrary(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::GreaterOrEqual,
        BinaryOperator::LessOrEqual => BinaryOperator::Greater,
        BinaryOperator::Greater => BinaryOperator::LessOrEqual,
        _ => BinaryOperator::Less,
    }
}

/// Returns true if what stands so to a number is not 0.
pub(super) fn refuses_zero(operator: BinaryOperator, number: f64) -> bool {
    match operator {
        BinaryOperator::Greater => number >= 0.0,
        BinaryOperator::GreaterOrEqual => number > 0.0,
        BinaryOperator::Less => number <= 0.0,
        BinaryOperator::LessOrEqual => number < 0.0,
        BinaryOperator::Equal | BinaryOperator::Identical => number != 0.0,
        BinaryOperator::NotEqual | BinaryOperator::NotIdentical => number == 0.0,
        _ => false,
    }
}

/// Returns true if each item of a list is known, and is such.
pub(super) fn lists(list: &TypedNode, is_such: impl Fn(&Value) -> bool) -> bool {
    matches!(list.node.constant(), Some(Value::Array(array)) if array.iter().all(|(_, item)| is_such(item)))
}

/// Returns true if 0 is an item of a list.
pub(super) fn has_zero(list: &TypedNode) -> bool {
    matches!(list.node.constant(), Some(Value::Array(array)) if array.iter().any(|(_, item)| is_zero(item)))
}

pub(super) fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(number) => *number == 0,
        Value::Float(number) => *number == 0.0,
        // Another kind may equal 0.
        _ => !matches!(value, Value::Null),
    }
}
