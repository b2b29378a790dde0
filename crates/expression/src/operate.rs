//! The operators of the syntax, led to the operations on values. Null is not a value to compare or count with.

use crate::convert::{to_bool, to_text};
use crate::parser::BinaryOperator;
use crate::value::Value;
use crate::{Result, Run, operators};
use values::JoinedText;

/// Returns true if a value counts as true.
pub(crate) fn truth(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        value => to_bool(value),
    }
}

/// The operators of order on two integers.
pub(crate) fn integer_order(operator: BinaryOperator, left: i64, right: i64) -> Option<bool> {
    Some(match operator {
        BinaryOperator::Equal | BinaryOperator::Identical => left == right,
        BinaryOperator::NotEqual | BinaryOperator::NotIdentical => left != right,
        BinaryOperator::Less => left < right,
        BinaryOperator::LessOrEqual => left <= right,
        BinaryOperator::Greater => left > right,
        BinaryOperator::GreaterOrEqual => left >= right,
        _ => return None,
    })
}

/// The operators that make an integer of two, where nothing overflows.
pub(crate) fn integer(operator: BinaryOperator, left: i64, right: i64) -> Option<i64> {
    match operator {
        BinaryOperator::Add => left.checked_add(right),
        BinaryOperator::Subtract => left.checked_sub(right),
        BinaryOperator::Multiply => left.checked_mul(right),
        BinaryOperator::BitAnd => Some(left & right),
        BinaryOperator::BitOr => Some(left | right),
        BinaryOperator::BitXor => Some(left ^ right),
        BinaryOperator::ShiftLeft => operators::shifted_left(left, right),
        BinaryOperator::ShiftRight => operators::shifted_right(left, right),
        _ => None,
    }
}

/// The operators on two integers where no coercion is needed and nothing overflows.
pub(crate) fn integers(operator: BinaryOperator, left: i64, right: i64) -> Option<Value> {
    let number = integer(operator, left, right).map(Value::Int);
    number.or_else(|| integer_order(operator, left, right).map(Value::Bool))
}

/// Any operator on any two values, neither a secret.
pub(crate) fn binary(run: &mut Run<'_>, operator: BinaryOperator, left: &Value, right: &Value) -> Result<Value> {
    let flag = match operator {
        BinaryOperator::Add => return operators::add(run, left, right),
        BinaryOperator::Subtract => return operators::subtract(run, left, right),
        BinaryOperator::Multiply => return operators::multiply(run, left, right),
        BinaryOperator::Divide => return operators::divide(run, left, right),
        BinaryOperator::Remainder => return operators::modulo(run, left, right),
        BinaryOperator::Power => return operators::power(run, left, right),
        BinaryOperator::Join => return operators::concatenate(run, left, right),
        BinaryOperator::BitAnd => return operators::bit_and(run, left, right),
        BinaryOperator::BitOr => return operators::bit_or(run, left, right),
        BinaryOperator::BitXor => return operators::bit_xor(run, left, right),
        BinaryOperator::ShiftLeft => return operators::shift_left(run, left, right),
        BinaryOperator::ShiftRight => return operators::shift_right(run, left, right),
        BinaryOperator::Equal => operators::equal(run, left, right)?,
        BinaryOperator::NotEqual => !operators::equal(run, left, right)?,
        BinaryOperator::Identical => operators::identical(run, left, right)?,
        BinaryOperator::NotIdentical => !operators::identical(run, left, right)?,
        BinaryOperator::Less => operators::less(run, left, right)?,
        BinaryOperator::LessOrEqual => operators::less_or_equal(run, left, right)?,
        BinaryOperator::Greater => operators::greater(run, left, right)?,
        BinaryOperator::GreaterOrEqual => operators::greater_or_equal(run, left, right)?,
        BinaryOperator::In => operators::contained(run, left, right)?,
        BinaryOperator::NotIn => !operators::contained(run, left, right)?,
        BinaryOperator::Xor => truth(left) != truth(right),
        // These look at one side first, and have nodes of their own.
        BinaryOperator::And => truth(left) && truth(right),
        BinaryOperator::Or => truth(left) || truth(right),
        BinaryOperator::Coalesce => return Ok(if left.is_null() { right.clone() } else { left.clone() }),
    };
    Ok(Value::Bool(flag))
}

/// `-value`.
pub(crate) fn negate(run: &mut Run<'_>, value: &Value) -> Result<Value> {
    operators::negate(run, value)
}

/// Appends a value's text.
pub(crate) fn append(run: &mut Run<'_>, text: &mut JoinedText, value: &Value) -> Result<()> {
    let owned;
    let part = match value {
        Value::Null => return Ok(()),
        Value::Text(part) => part,
        value => {
            owned = to_text(value, run.providers)?;
            &owned
        }
    };
    // A text that grows is there three times while it moves.
    run.reserve(part.len())?;
    run.hold(2 * part.len())?;
    text.push(part.as_bytes());
    Ok(())
}
