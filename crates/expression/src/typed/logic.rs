//! Conditions and choices: what does not always run counts its steps where it does.

use super::numbers::{Compared, Known, Scalar, ScalarNode};
use super::places::{Place, PlaceNode, Slot};
use super::{BoolNode, TypedRow};
use crate::operate;
use crate::value::Value;

/// A condition, with the commonest kind at hand.
#[derive(Debug)]
pub(super) enum Condition {
    /// `total < 10`, of integers.
    Beside(Compared<i64, Slot, Known<i64>>),
    Node(Box<dyn BoolNode>),
}

impl Condition {
    #[inline]
    pub(super) fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        match self {
            Condition::Beside(compared) => compared.decide(row),
            Condition::Node(node) => node.decide(row),
        }
    }
}

/// A value as a condition.
#[derive(Debug)]
pub(super) struct Truth(pub(super) Place);

impl BoolNode for Truth {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        match self.0.value(row)? {
            Value::Bool(flag) => Some(*flag),
            Value::Secret(_) => None,
            value => Some(operate::truth(value)),
        }
    }
}

/// `x == null`, `x != null`.
#[derive(Debug)]
pub(super) struct IsNull {
    pub(super) place: Place,
    pub(super) negated: bool,
}

impl BoolNode for IsNull {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        match self.place.value(row)? {
            Value::Secret(_) => None,
            value => Some(value.is_null() != self.negated),
        }
    }
}

/// `not a`.
#[derive(Debug)]
pub(super) struct Negated(pub(super) Condition);

impl BoolNode for Negated {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        self.0.decide(row).map(|truth| !truth)
    }
}

/// `a and b and c`, `a or b or c`: each with its steps, of which those of the first always count.
#[derive(Debug)]
pub(super) struct Logic {
    /// The truth that ends the search: true for `or`.
    pub(super) until: bool,
    pub(super) first: Condition,
    pub(super) rest: Vec<(Condition, u64)>,
}

impl BoolNode for Logic {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        if self.first.decide(row)? == self.until {
            return Some(self.until);
        }
        for (operand, steps) in &self.rest {
            row.count(*steps);
            if operand.decide(row)? == self.until {
                return Some(self.until);
            }
        }
        Some(!self.until)
    }
}

/// `a ? b : c ? d : e`: the result of the first condition that holds.
#[derive(Debug)]
pub(super) struct Choice<R> {
    /// Conditions and results, with the steps of all that runs up to there.
    pub(super) branches: Vec<(Condition, R, u64)>,
    pub(super) otherwise: (R, u64),
}

impl<R> Choice<R> {
    #[inline]
    fn chosen(&self, row: &TypedRow<'_>) -> Option<&R> {
        for (condition, result, steps) in &self.branches {
            if condition.decide(row)? {
                row.count(*steps);
                return Some(result);
            }
        }
        row.count(self.otherwise.1);
        Some(&self.otherwise.0)
    }
}

impl PlaceNode for Choice<Place> {
    fn value<'a>(&'a self, row: &TypedRow<'a>) -> Option<&'a Value> {
        self.chosen(row)?.value(row)
    }
}

impl<T: Scalar> ScalarNode<T> for Choice<Box<dyn ScalarNode<T>>> {
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        self.chosen(row)?.number(row)
    }
}

impl BoolNode for Choice<Condition> {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        self.chosen(row)?.decide(row)
    }
}
