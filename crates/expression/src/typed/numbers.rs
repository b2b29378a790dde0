//! Numbers and instants: arithmetic and comparison without values, specialised by where the operands lie.

use super::logic::TypedCondition;
use super::places::{RowSlot, ValuePlace};
use super::{BoolNode, TypedRow};
use crate::value::{Decimal, Object, ObjectView, Value};
use std::cmp::Ordering;
use std::fmt::Debug;

/// A kind of number, or an instant.
pub(crate) trait ScalarKind: Copy + Debug + Send + Sync + 'static {
    /// Returns what a value of this very kind holds.
    fn of(value: &Value) -> Option<Self>;
    /// The order, unless there is none.
    fn order(self, other: Self) -> Option<Ordering>;
    /// The result of an operator, unless it is of another kind or an error.
    fn counted(self, sign: ArithmeticSign, other: Self) -> Option<Self>;
}

/// An operator of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArithmeticSign {
    Plus,
    Minus,
    Times,
}

/// A number or null. None: the general node computes it.
pub(crate) trait ScalarNode<T: ScalarKind>: Debug + Send + Sync {
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>>;

    /// Takes an operand more, where the node is a chain; the operand comes back where it is none.
    fn append(&mut self, _: ArithmeticSign, operand: ScalarOperand<T>) -> Option<ScalarOperand<T>> {
        Some(operand)
    }
}

impl ScalarKind for i64 {
    #[inline]
    fn of(value: &Value) -> Option<Self> {
        if let Value::Int(number) = value { Some(*number) } else { None }
    }

    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        Some(self.cmp(&other))
    }

    #[inline]
    fn counted(self, sign: ArithmeticSign, other: Self) -> Option<Self> {
        match sign {
            ArithmeticSign::Plus => self.checked_add(other),
            ArithmeticSign::Minus => self.checked_sub(other),
            ArithmeticSign::Times => self.checked_mul(other),
        }
    }
}

impl ScalarKind for f64 {
    #[inline]
    fn of(value: &Value) -> Option<Self> {
        if let Value::Float(number) = value { Some(*number) } else { None }
    }

    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        self.partial_cmp(&other)
    }

    #[inline]
    fn counted(self, sign: ArithmeticSign, other: Self) -> Option<Self> {
        Some(match sign {
            ArithmeticSign::Plus => self + other,
            ArithmeticSign::Minus => self - other,
            ArithmeticSign::Times => self * other,
        })
    }
}

impl ScalarKind for Decimal {
    #[inline]
    fn of(value: &Value) -> Option<Self> {
        if let Value::Decimal(number) = value { Some(*number) } else { None }
    }

    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        Some(self.compare(other))
    }

    fn counted(self, sign: ArithmeticSign, other: Self) -> Option<Self> {
        match sign {
            ArithmeticSign::Plus => self.plus(other).ok(),
            ArithmeticSign::Minus => self.minus(other).ok(),
            ArithmeticSign::Times => self.multiply(other).ok(),
        }
    }
}

/// Seconds and microseconds of an instant.
pub(crate) type Instant = (i64, u32);

impl ScalarKind for Instant {
    #[inline]
    fn of(value: &Value) -> Option<Self> {
        if let Value::DateTime(date) = value { Some((date.seconds, date.micros)) } else { None }
    }

    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        Some(self.cmp(&other))
    }

    fn counted(self, _: ArithmeticSign, _: Self) -> Option<Self> {
        None
    }
}

/// An operand, with the commonest kinds at hand.
#[derive(Debug)]
pub(crate) enum ScalarOperand<T: ScalarKind> {
    Known(KnownScalar<T>),
    Slot(RowSlot),
    Node(Box<dyn ScalarNode<T>>),
}

/// A number that is known.
#[derive(Debug)]
pub(crate) struct KnownScalar<T>(pub(super) T);

impl<T: ScalarKind> ScalarOperand<T> {
    pub(super) fn known(number: T) -> Self {
        ScalarOperand::Known(KnownScalar(number))
    }

    /// Returns true for a property and a known number.
    pub(super) fn is_plain(&self) -> bool {
        !matches!(self, ScalarOperand::Node(_))
    }

    /// The number of a plain operand; none where it is null.
    #[inline(always)]
    pub(super) fn viewed(&self, object: &Object, view: ObjectView<'_>) -> Option<T> {
        match self {
            ScalarOperand::Slot(slot) => T::of(slot.viewed(object, view)),
            ScalarOperand::Known(known) => Some(known.0),
            ScalarOperand::Node(_) => None,
        }
    }
}

/// Reads a number or null; a value of another kind is for the general node.
#[inline(always)]
fn read<T: ScalarKind>(value: &Value) -> Option<Option<T>> {
    match T::of(value) {
        Some(number) => Some(Some(number)),
        None => no_number(value),
    }
}

/// Apart, so that numbers take a branch that is foreseen.
#[cold]
#[inline(never)]
fn no_number<T>(value: &Value) -> Option<Option<T>> {
    value.is_null().then_some(None)
}

impl<T: ScalarKind> ScalarNode<T> for KnownScalar<T> {
    #[inline]
    fn number(&self, _: &TypedRow<'_>) -> Option<Option<T>> {
        Some(Some(self.0))
    }
}

impl<T: ScalarKind> ScalarNode<T> for RowSlot {
    #[inline(always)]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        self.look(row, read)
    }
}

impl<T: ScalarKind> ScalarNode<T> for ValuePlace {
    #[inline]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        self.look(row, read)
    }
}

impl<T: ScalarKind> ScalarNode<T> for Box<dyn ScalarNode<T>> {
    #[inline]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        (**self).number(row)
    }
}

impl<T: ScalarKind> ScalarNode<T> for ScalarOperand<T> {
    #[inline(always)]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        match self {
            ScalarOperand::Known(known) => known.number(row),
            ScalarOperand::Slot(slot) => slot.number(row),
            ScalarOperand::Node(node) => node.number(row),
        }
    }
}

/// An integer that stands beside numbers of another kind.
#[derive(Debug)]
pub(super) struct Widened(pub(super) ScalarOperand<i64>);

impl ScalarNode<f64> for Widened {
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<f64>> {
        Some(self.0.number(row)?.map(|number| number as f64))
    }
}

impl ScalarNode<Decimal> for Widened {
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<Decimal>> {
        Some(self.0.number(row)?.map(Decimal::from))
    }
}

/// The answers of a comparison: of less, equal and greater; of two nulls; of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct OrderAnswers {
    pub(super) order: [bool; 3],
    pub(super) both_null: bool,
    pub(super) one_null: bool,
}

impl OrderAnswers {
    #[inline]
    pub(super) fn of(&self, order: Ordering) -> bool {
        self.order[(order as i8 + 1) as usize]
    }
}

/// `left < right` and its like.
#[derive(Debug)]
pub(super) struct ComparedPair<T, L, R> {
    answers: OrderAnswers,
    left: L,
    right: R,
    kind: std::marker::PhantomData<T>,
}

impl<T: ScalarKind> ComparedPair<T, RowSlot, KnownScalar<T>> {
    /// The property that is compared.
    pub(super) fn slot(&self) -> &RowSlot {
        &self.left
    }

    /// Decides about a number that was read already.
    #[inline]
    pub(super) fn decide_about(&self, number: Option<T>) -> Option<bool> {
        match number {
            Some(number) => Some(self.answers.of(number.order(self.right.0)?)),
            None => Some(self.answers.one_null),
        }
    }
}

impl<T: ScalarKind, L: ScalarNode<T>, R: ScalarNode<T>> BoolNode for ComparedPair<T, L, R> {
    #[inline]
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        match (self.left.number(row)?, self.right.number(row)?) {
            (Some(left), Some(right)) => Some(self.answers.of(left.order(right)?)),
            (None, None) => Some(self.answers.both_null),
            _ => Some(self.answers.one_null),
        }
    }
}

/// Two instants by an operator that is known; a null is for the general node.
#[derive(Debug)]
pub(super) struct DatePair {
    pub(super) holds: [bool; 3],
    pub(super) left: ScalarOperand<Instant>,
    pub(super) right: ScalarOperand<Instant>,
}

impl BoolNode for DatePair {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        let (left, right) = (self.left.number(row)??, self.right.number(row)??);
        Some(self.holds[(left.cmp(&right) as i8 + 1) as usize])
    }
}

/// `left in [1, 2, 3]`.
#[derive(Debug)]
pub(super) struct NumberInList<T: ScalarKind> {
    pub(super) operand: ScalarOperand<T>,
    pub(super) items: Vec<T>,
    pub(super) negated: bool,
}

impl<T: ScalarKind> BoolNode for NumberInList<T> {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        let found = match self.operand.number(row)? {
            Some(number) => self.items.iter().any(|item| number.order(*item) == Some(Ordering::Equal)),
            None => false,
        };
        Some(found != self.negated)
    }
}

/// Calls a function with the operands as what they are, so that each pair of kinds has code of its own.
macro_rules! by_operands {
    ($left:expr, $right:expr, |$one:ident, $other:ident| $made:expr) => {
        match ($left, $right) {
            (ScalarOperand::Slot($one), ScalarOperand::Known($other)) => Box::new($made),
            (ScalarOperand::Slot($one), ScalarOperand::Slot($other)) => Box::new($made),
            (ScalarOperand::Node($one), ScalarOperand::Known($other)) => Box::new($made),
            (ScalarOperand::Node($one), ScalarOperand::Slot($other)) => Box::new($made),
            ($one, $other) => Box::new($made),
        }
    };
}

pub(super) fn compared<T: ScalarKind>(
    answers: OrderAnswers,
    left: ScalarOperand<T>,
    right: ScalarOperand<T>,
) -> TypedCondition {
    let kind = std::marker::PhantomData::<T>;
    TypedCondition::Node(by_operands!(left, right, |left, right| ComparedPair { answers, left, right, kind }))
}

pub(super) fn compared_integers(
    answers: OrderAnswers,
    left: ScalarOperand<i64>,
    right: ScalarOperand<i64>,
) -> TypedCondition {
    let kind = std::marker::PhantomData;
    match (left, right) {
        (ScalarOperand::Slot(left), ScalarOperand::Known(right)) => {
            TypedCondition::Beside(ComparedPair { answers, left, right, kind })
        }
        (left, right) => compared(answers, left, right),
    }
}
