//! The operators of the syntax, led to the operations on values. Null is not a value to compare or count with.

use crate::convert::{to_bool, to_text};
use crate::joined_text::JoinedText;
use crate::parser::Operator;
use crate::value::Value;
use crate::{Result, Run, operators};

/// Returns true if a value counts as true.
pub(crate) fn truth(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        value => to_bool(value),
    }
}

/// The operators of order on two integers.
pub(crate) fn integer_order(operator: Operator, left: i64, right: i64) -> Option<bool> {
    Some(match operator {
        Operator::Equal | Operator::Identical => left == right,
        Operator::NotEqual | Operator::NotIdentical => left != right,
        Operator::Less => left < right,
        Operator::LessOrEqual => left <= right,
        Operator::Greater => left > right,
        Operator::GreaterOrEqual => left >= right,
        _ => return None,
    })
}

/// The operators that make an integer of two, where nothing overflows.
pub(crate) fn integer(operator: Operator, left: i64, right: i64) -> Option<i64> {
    match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::BitAnd => Some(left & right),
        Operator::BitOr => Some(left | right),
        Operator::BitXor => Some(left ^ right),
        Operator::ShiftLeft => operators::shifted_left(left, right),
        Operator::ShiftRight => operators::shifted_right(left, right),
        _ => None,
    }
}

/// The operators on two integers where no coercion is needed and nothing overflows.
pub(crate) fn integers(operator: Operator, left: i64, right: i64) -> Option<Value> {
    let number = integer(operator, left, right).map(Value::Int);
    number.or_else(|| integer_order(operator, left, right).map(Value::Bool))
}

/// Any operator on any two values, neither a secret.
pub(crate) fn binary(run: &mut Run<'_>, operator: Operator, left: &Value, right: &Value) -> Result<Value> {
    let flag = match operator {
        Operator::Add => return operators::add(run, left, right),
        Operator::Subtract => return operators::subtract(run, left, right),
        Operator::Multiply => return operators::multiply(run, left, right),
        Operator::Divide => return operators::divide(run, left, right),
        Operator::Remainder => return operators::modulo(run, left, right),
        Operator::Power => return operators::power(run, left, right),
        Operator::Join => return operators::concatenate(run, left, right),
        Operator::BitAnd => return operators::bit_and(run, left, right),
        Operator::BitOr => return operators::bit_or(run, left, right),
        Operator::BitXor => return operators::bit_xor(run, left, right),
        Operator::ShiftLeft => return operators::shift_left(run, left, right),
        Operator::ShiftRight => return operators::shift_right(run, left, right),
        Operator::Equal => operators::equal(run, left, right)?,
        Operator::NotEqual => !operators::equal(run, left, right)?,
        Operator::Identical => operators::identical(run, left, right)?,
        Operator::NotIdentical => !operators::identical(run, left, right)?,
        Operator::Less => operators::less(run, left, right)?,
        Operator::LessOrEqual => operators::less_or_equal(run, left, right)?,
        Operator::Greater => operators::greater(run, left, right)?,
        Operator::GreaterOrEqual => operators::greater_or_equal(run, left, right)?,
        Operator::In => operators::contained(run, left, right)?,
        Operator::NotIn => !operators::contained(run, left, right)?,
        Operator::Xor => truth(left) != truth(right),
        // These look at one side first, and have nodes of their own.
        Operator::And => truth(left) && truth(right),
        Operator::Or => truth(left) || truth(right),
        Operator::Coalesce => return Ok(if left.is_null() { right.clone() } else { left.clone() }),
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
