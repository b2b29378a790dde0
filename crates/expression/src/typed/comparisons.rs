//! Typed forms of comparisons.

use super::form::{FormShape, TypedForm};
use super::logic::NullTest;
use super::numbers::{DatePair, NumberInList, OrderAnswers, ScalarKind, compared, compared_integers};
use super::operands::{NumberOperand, alike, number};
use super::places::ValuePlace;
use super::texts::TextTest;
use super::words::{WordTest, is_word};
use crate::parser::BinaryOperator;
use crate::value::{Text, Value};
use values::types::ValueKind;

impl TypedForm {
    /// `compareDates(left, operator, right)`, which holds of less, equal or greater.
    pub(crate) fn dates(holds: [bool; 3], left: TypedForm, right: TypedForm) -> Option<Self> {
        let steps = 1 + left.steps + right.steps;
        let (NumberOperand::Instant(left), NumberOperand::Instant(right)) = (number(left)?, number(right)?) else {
            return None;
        };
        // Null is the present there, or the answer is no: the general node knows.
        Some(TypedForm::bool(DatePair { holds, left, right }, steps))
    }

    /// `== != === !== < <= > >= in not in`.
    pub(crate) fn compared(operator: BinaryOperator, left: TypedForm, right: TypedForm) -> Option<Self> {
        use BinaryOperator::{Equal, Identical, In, NotEqual, NotIdentical, NotIn};
        let steps = 1 + left.steps + right.steps;
        if let In | NotIn = operator {
            return contained(left, &right, operator == NotIn, steps);
        }
        let answers = answers(operator)?;
        let negated = matches!(operator, NotEqual | NotIdentical);
        if let Equal | NotEqual | Identical | NotIdentical = operator {
            match (left, right) {
                (TypedForm { shape: FormShape::Place(place, _), .. }, right) if right.is_null() => {
                    return Some(TypedForm::bool(NullTest { place, negated }, steps));
                }
                (left, right) if left.kind() == ValueKind::Text && right.kind() == ValueKind::Text => {
                    let as_written = matches!(operator, Identical | NotIdentical);
                    return same(left, right, as_written, negated, steps);
                }
                (left, right) => {
                    let same_kind = left.kind() == right.kind() && left.kind() != ValueKind::DateTime;
                    if matches!(operator, Identical | NotIdentical) && !same_kind {
                        return None;
                    }
                    return order(answers, left, right, steps);
                }
            }
        }
        order(answers, left, right, steps)
    }
}

fn answers(operator: BinaryOperator) -> Option<OrderAnswers> {
    let (order, both_null, one_null) = match operator {
        BinaryOperator::Equal | BinaryOperator::Identical => ([false, true, false], true, false),
        BinaryOperator::NotEqual | BinaryOperator::NotIdentical => ([true, false, true], false, true),
        BinaryOperator::Less => ([true, false, false], false, false),
        BinaryOperator::LessOrEqual => ([true, true, false], false, false),
        BinaryOperator::Greater => ([false, false, true], false, false),
        BinaryOperator::GreaterOrEqual => ([false, true, true], false, false),
        _ => return None,
    };
    Some(OrderAnswers { order, both_null, one_null })
}

fn order(answers: OrderAnswers, left: TypedForm, right: TypedForm, steps: u64) -> Option<TypedForm> {
    let node = match alike(left, right)? {
        (NumberOperand::Int(left), NumberOperand::Int(right)) => compared_integers(answers, left, right),
        (NumberOperand::Float(left), NumberOperand::Float(right)) => compared(answers, left, right),
        (NumberOperand::Decimal(left), NumberOperand::Decimal(right)) => compared(answers, left, right),
        (NumberOperand::Instant(left), NumberOperand::Instant(right)) => compared(answers, left, right),
        _ => return None,
    };
    Some(TypedForm::of(FormShape::Bool(node), steps))
}

/// Two texts that are the same or not.
fn same(left: TypedForm, right: TypedForm, as_written: bool, negated: bool, steps: u64) -> Option<TypedForm> {
    let (FormShape::Place(left, _), FormShape::Place(right, _)) = (left.shape, right.shape) else { return None };
    Some(match (left, right) {
        (place, ValuePlace::Known(Value::Text(word))) | (ValuePlace::Known(Value::Text(word)), place)
            if is_word(&word) =>
        {
            TypedForm::bool(WordTest::of(place, vec![word], negated), steps)
        }
        (left, right) => TypedForm::bool(TextTest { places: [left, right], as_written, negated }, steps),
    })
}

/// `a in [b, c]`, of words or of integers that are known.
fn contained(left: TypedForm, right: &TypedForm, negated: bool, steps: u64) -> Option<TypedForm> {
    let FormShape::Place(ValuePlace::Known(Value::Array(list)), _) = &right.shape else { return None };
    if list.is_empty() {
        return None;
    }
    let words = list.values().map(|item| match item {
        Value::Text(text) if is_word(text) => Some(text.clone()),
        _ => None,
    });
    if let (ValueKind::Text, Some(words)) = (left.kind(), words.collect::<Option<Vec<Text>>>()) {
        let FormShape::Place(place, _) = left.shape else { return None };
        return Some(TypedForm::bool(WordTest::of(place, words, negated), steps));
    }
    let items = list.values().map(i64::of).collect::<Option<Vec<_>>>()?;
    let NumberOperand::Int(operand) = number(left)? else { return None };
    Some(TypedForm::bool(NumberInList { operand, items, negated }, steps))
}
