//! Operands of typed nodes: forms as numbers or instants, two of them as numbers of one kind.

use super::form::{FormShape, TypedForm};
use super::numbers::{Instant, ScalarKind, ScalarOperand, Widened};
use super::places::ValuePlace;
use crate::value::Decimal;
use values::types::ValueKind;

/// An operand of arithmetic or of a comparison.
pub(super) enum NumberOperand {
    Int(ScalarOperand<i64>),
    Float(ScalarOperand<f64>),
    Decimal(ScalarOperand<Decimal>),
    Instant(ScalarOperand<Instant>),
}

/// The form as an operand: a number, or an instant.
pub(super) fn number(form: TypedForm) -> Option<NumberOperand> {
    let operand = match form.shape {
        FormShape::Int(node) => return Some(NumberOperand::Int(ScalarOperand::Node(node))),
        FormShape::Float(node) => return Some(NumberOperand::Float(ScalarOperand::Node(node))),
        FormShape::Decimal(node) => return Some(NumberOperand::Decimal(ScalarOperand::Node(node))),
        FormShape::Bool(_) | FormShape::Text(_) => return None,
        FormShape::Place(place, kind) => (place, kind),
    };
    Some(match operand {
        (place, ValueKind::Int) => NumberOperand::Int(placed(place)?),
        (place, ValueKind::Float) => NumberOperand::Float(placed(place)?),
        (place, ValueKind::Decimal) => NumberOperand::Decimal(placed(place)?),
        (place, ValueKind::DateTime) => NumberOperand::Instant(placed(place)?),
        _ => return None,
    })
}

pub(super) fn placed<T: ScalarKind>(place: ValuePlace) -> Option<ScalarOperand<T>> {
    Some(match place {
        ValuePlace::Known(value) => ScalarOperand::known(T::of(&value)?),
        ValuePlace::Slot(slot) => ScalarOperand::Slot(slot),
        place @ ValuePlace::Node(_) => ScalarOperand::Node(Box::new(place)),
    })
}

/// Returns two numbers as numbers of one kind, as the operators make them alike.
pub(super) fn alike(left: TypedForm, right: TypedForm) -> Option<(NumberOperand, NumberOperand)> {
    use NumberOperand::{Decimal, Float, Int};
    Some(match (number(left)?, number(right)?) {
        (Int(left), Float(right)) => (Float(ScalarOperand::Node(Box::new(Widened(left)))), Float(right)),
        (Float(left), Int(right)) => (Float(left), Float(ScalarOperand::Node(Box::new(Widened(right))))),
        (Int(left), Decimal(right)) => (Decimal(exact(left)), Decimal(right)),
        (Decimal(left), Int(right)) => (Decimal(left), Decimal(exact(right))),
        (Decimal(left), Float(ScalarOperand::Known(right))) => (Decimal(left), Decimal(written(right.0)?)),
        (Float(ScalarOperand::Known(left)), Decimal(right)) => (Decimal(written(left.0)?), Decimal(right)),
        (Decimal(_), Float(_)) | (Float(_), Decimal(_)) => return None,
        pair => pair,
    })
}

fn exact(number: ScalarOperand<i64>) -> ScalarOperand<Decimal> {
    match number {
        ScalarOperand::Known(known) => ScalarOperand::known(Decimal::from(known.0)),
        number => ScalarOperand::Node(Box::new(Widened(number))),
    }
}

fn written(number: f64) -> Option<ScalarOperand<Decimal>> {
    Decimal::of_float(number).map(ScalarOperand::known)
}
