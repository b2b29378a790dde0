//! Chains of arithmetic.

use super::numbers::{ArithmeticSign, ScalarKind, ScalarNode, ScalarOperand};
use super::{RowSource, TypedRow};
use crate::value::{Object, ObjectView};

/// `a * b + c - d`, from left to right: null with a null.
#[derive(Debug)]
struct CountedChain<T: ScalarKind> {
    first: ScalarOperand<T>,
    rest: Vec<(ArithmeticSign, ScalarOperand<T>)>,
    /// True if all are properties and known numbers.
    is_plain: bool,
}

impl<T: ScalarKind> CountedChain<T> {
    fn of(first: ScalarOperand<T>, sign: ArithmeticSign, second: ScalarOperand<T>) -> Self {
        let is_plain = first.is_plain() && second.is_plain();
        CountedChain { first, rest: vec![(sign, second)], is_plain }
    }

    /// The result where nothing is null: without a look at each operand for one.
    #[inline(always)]
    fn quick(&self, object: &Object, view: ObjectView<'_>) -> Option<T> {
        let mut left = self.first.viewed(object, view)?;
        for (sign, operand) in &self.rest {
            left = left.counted(*sign, operand.viewed(object, view)?)?;
        }
        Some(left)
    }

    #[cold]
    #[inline(never)]
    fn slow(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        let mut left = self.first.number(row)?;
        for (sign, operand) in &self.rest {
            left = match (left, operand.number(row)?) {
                (Some(left), Some(right)) => Some(left.counted(*sign, right)?),
                _ => None,
            };
        }
        Some(left)
    }
}

impl<T: ScalarKind> ScalarNode<T> for CountedChain<T> {
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        if let (true, RowSource::Object(object, view)) = (self.is_plain, row.source)
            && let Some(number) = self.quick(object, view)
        {
            return Some(Some(number));
        }
        self.slow(row)
    }

    fn append(&mut self, sign: ArithmeticSign, operand: ScalarOperand<T>) -> Option<ScalarOperand<T>> {
        self.is_plain &= operand.is_plain();
        self.rest.push((sign, operand));
        None
    }
}

pub(super) fn counted<T: ScalarKind>(
    sign: ArithmeticSign,
    left: ScalarOperand<T>,
    right: ScalarOperand<T>,
) -> Box<dyn ScalarNode<T>> {
    match left {
        ScalarOperand::Node(mut chain) => match (*chain).append(sign, right) {
            None => chain,
            Some(right) => Box::new(CountedChain::of(ScalarOperand::Node(chain), sign, right)),
        },
        first => Box::new(CountedChain::of(first, sign, right)),
    }
}
