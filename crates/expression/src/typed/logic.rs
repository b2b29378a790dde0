//! Conditions and choices: what does not always run counts its steps where it does.

use super::numbers::{ComparedPair, KnownScalar, ScalarKind, ScalarNode};
use super::places::{PlaceNode, RowSlot, ValuePlace};
use super::{BoolNode, TypedRow};
use crate::operate;
use crate::value::Value;

/// A condition, with the commonest kind at hand.
#[derive(Debug)]
pub(super) enum TypedCondition {
    /// `total < 10`, of integers.
    Beside(ComparedPair<i64, RowSlot, KnownScalar<i64>>),
    Node(Box<dyn BoolNode>),
}

impl TypedCondition {
    #[inline]
    pub(super) fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        match self {
            TypedCondition::Beside(compared) => compared.decide(row),
            TypedCondition::Node(node) => node.decide(row),
        }
    }
}

/// A value as a condition.
#[derive(Debug)]
pub(super) struct TruthTest(pub(super) ValuePlace);

impl BoolNode for TruthTest {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        self.0.look(row, |value| match value {
            Value::Bool(flag) => Some(*flag),
            Value::Secret(_) => None,
            value => Some(operate::truth(value)),
        })
    }
}

/// `x == null`, `x != null`.
#[derive(Debug)]
pub(super) struct NullTest {
    pub(super) place: ValuePlace,
    pub(super) negated: bool,
}

impl BoolNode for NullTest {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        self.place.look(row, |value| match value {
            Value::Secret(_) => None,
            value => Some(value.is_null() != self.negated),
        })
    }
}

/// `not a`.
#[derive(Debug)]
pub(super) struct NegatedTest(pub(super) TypedCondition);

impl BoolNode for NegatedTest {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        self.0.decide(row).map(|truth| !truth)
    }
}

/// `a and b and c`, `a or b or c`: each with its steps, of which those of the first always count.
#[derive(Debug)]
pub(super) struct LogicChain {
    /// The truth that ends the search: true for `or`.
    pub(super) until: bool,
    pub(super) first: TypedCondition,
    pub(super) rest: Vec<(TypedCondition, u64)>,
}

impl BoolNode for LogicChain {
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
pub(super) struct BranchChoice<R> {
    branches: Vec<(TypedCondition, R, u64)>,
    otherwise: (R, u64),
    /// True if all compare one property with integers: it is read once.
    is_ladder: bool,
}

impl<R> BranchChoice<R> {
    /// Of conditions and results, with the steps of all that runs up to there.
    pub(super) fn of(branches: Vec<(TypedCondition, R, u64)>, otherwise: (R, u64)) -> Self {
        let mut slots = branches.iter().map(|(condition, ..)| match condition {
            TypedCondition::Beside(compared) => Some(compared.slot().name()),
            TypedCondition::Node(_) => None,
        });
        let first = slots.next().flatten();
        let is_ladder = first.is_some() && slots.all(|slot| slot == first);
        BranchChoice { branches, otherwise, is_ladder }
    }

    #[inline]
    fn chosen(&self, row: &TypedRow<'_>) -> Option<&R> {
        if let (true, Some((TypedCondition::Beside(first), ..))) = (self.is_ladder, self.branches.first()) {
            return self.climbed(first.slot().number(row)?, row);
        }
        for (condition, result, steps) in &self.branches {
            if condition.decide(row)? {
                row.count(*steps);
                return Some(result);
            }
        }
        row.count(self.otherwise.1);
        Some(&self.otherwise.0)
    }

    /// The result for a number that was read.
    #[inline]
    fn climbed(&self, number: Option<i64>, row: &TypedRow<'_>) -> Option<&R> {
        for (condition, result, steps) in &self.branches {
            let TypedCondition::Beside(compared) = condition else { return None };
            if compared.decide_about(number)? {
                row.count(*steps);
                return Some(result);
            }
        }
        row.count(self.otherwise.1);
        Some(&self.otherwise.0)
    }
}

impl PlaceNode for BranchChoice<ValuePlace> {
    fn value<'a>(&'a self, row: &TypedRow<'a>) -> Option<&'a Value> {
        self.chosen(row)?.value(row)
    }
}

impl<T: ScalarKind> ScalarNode<T> for BranchChoice<Box<dyn ScalarNode<T>>> {
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        self.chosen(row)?.number(row)
    }
}

impl BoolNode for BranchChoice<TypedCondition> {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        self.chosen(row)?.decide(row)
    }
}
