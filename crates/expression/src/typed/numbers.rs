//! Numbers and instants: arithmetic and comparison without values, specialised by where the operands lie.

use super::logic::Condition;
use super::places::{Place, Slot};
use super::{BoolNode, TypedRow};
use crate::value::{Decimal, Value};
use std::cmp::Ordering;
use std::fmt::Debug;

/// A kind of number, or an instant.
pub(crate) trait Scalar: Copy + Debug + Send + Sync + 'static {
    /// Returns what a value of this very kind holds.
    fn of(value: &Value) -> Option<Self>;
    /// The order, unless there is none.
    fn order(self, other: Self) -> Option<Ordering>;
    /// The result of an operator, unless it is of another kind or an error.
    fn counted(self, sign: Sign, other: Self) -> Option<Self>;
}

/// An operator of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
    Times,
}

/// A number or null. None: the general node computes it.
pub(crate) trait ScalarNode<T: Scalar>: Debug + Send + Sync {
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>>;
}

impl Scalar for i64 {
    #[inline]
    fn of(value: &Value) -> Option<Self> {
        if let Value::Int(number) = value { Some(*number) } else { None }
    }

    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        Some(self.cmp(&other))
    }

    #[inline]
    fn counted(self, sign: Sign, other: Self) -> Option<Self> {
        match sign {
            Sign::Plus => self.checked_add(other),
            Sign::Minus => self.checked_sub(other),
            Sign::Times => self.checked_mul(other),
        }
    }
}

impl Scalar for f64 {
    #[inline]
    fn of(value: &Value) -> Option<Self> {
        if let Value::Float(number) = value { Some(*number) } else { None }
    }

    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        self.partial_cmp(&other)
    }

    #[inline]
    fn counted(self, sign: Sign, other: Self) -> Option<Self> {
        Some(match sign {
            Sign::Plus => self + other,
            Sign::Minus => self - other,
            Sign::Times => self * other,
        })
    }
}

impl Scalar for Decimal {
    #[inline]
    fn of(value: &Value) -> Option<Self> {
        if let Value::Decimal(number) = value { Some(*number) } else { None }
    }

    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        Some(self.compare(other))
    }

    fn counted(self, sign: Sign, other: Self) -> Option<Self> {
        match sign {
            Sign::Plus => self.plus(other).ok(),
            Sign::Minus => self.minus(other).ok(),
            Sign::Times => self.multiply(other).ok(),
        }
    }
}

/// Seconds and microseconds of an instant.
pub(crate) type Instant = (i64, u32);

impl Scalar for Instant {
    #[inline]
    fn of(value: &Value) -> Option<Self> {
        if let Value::DateTime(date) = value { Some((date.seconds, date.micros)) } else { None }
    }

    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        Some(self.cmp(&other))
    }

    fn counted(self, _: Sign, _: Self) -> Option<Self> {
        None
    }
}

/// An operand, with the commonest kinds at hand.
#[derive(Debug)]
pub(crate) enum Operand<T: Scalar> {
    Known(Known<T>),
    Slot(Slot),
    Node(Box<dyn ScalarNode<T>>),
}

/// A number that is known.
#[derive(Debug)]
pub(crate) struct Known<T>(pub(super) T);

impl<T: Scalar> Operand<T> {
    pub(super) fn known(number: T) -> Self {
        Operand::Known(Known(number))
    }
}

/// Reads a number or null; a value of another kind is for the general node.
#[inline]
fn read<T: Scalar>(value: &Value) -> Option<Option<T>> {
    match T::of(value) {
        Some(number) => Some(Some(number)),
        None => value.is_null().then_some(None),
    }
}

impl<T: Scalar> ScalarNode<T> for Known<T> {
    #[inline]
    fn number(&self, _: &TypedRow<'_>) -> Option<Option<T>> {
        Some(Some(self.0))
    }
}

impl<T: Scalar> ScalarNode<T> for Slot {
    #[inline]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        read(self.read(row))
    }
}

impl<T: Scalar> ScalarNode<T> for Place {
    #[inline]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        read(self.value(row)?)
    }
}

impl<T: Scalar> ScalarNode<T> for Box<dyn ScalarNode<T>> {
    #[inline]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        (**self).number(row)
    }
}

impl<T: Scalar> ScalarNode<T> for Operand<T> {
    #[inline]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        match self {
            Operand::Known(known) => known.number(row),
            Operand::Slot(slot) => slot.number(row),
            Operand::Node(node) => node.number(row),
        }
    }
}

/// An integer that stands beside numbers of another kind.
#[derive(Debug)]
pub(super) struct Widened(pub(super) Operand<i64>);

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

/// `left + right` and its like: null with a null.
#[derive(Debug)]
struct Counted<L, R> {
    sign: Sign,
    left: L,
    right: R,
}

impl<T: Scalar, L: ScalarNode<T>, R: ScalarNode<T>> ScalarNode<T> for Counted<L, R> {
    #[inline]
    fn number(&self, row: &TypedRow<'_>) -> Option<Option<T>> {
        match (self.left.number(row)?, self.right.number(row)?) {
            (Some(left), Some(right)) => Some(Some(left.counted(self.sign, right)?)),
            _ => Some(None),
        }
    }
}

/// The answers of a comparison: of less, equal and greater; of two nulls; of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answers {
    pub(super) order: [bool; 3],
    pub(super) both_null: bool,
    pub(super) one_null: bool,
}

impl Answers {
    #[inline]
    pub(super) fn of(&self, order: Ordering) -> bool {
        self.order[(order as i8 + 1) as usize]
    }
}

/// `left < right` and its like.
#[derive(Debug)]
pub(super) struct Compared<T, L, R> {
    answers: Answers,
    left: L,
    right: R,
    kind: std::marker::PhantomData<T>,
}

impl<T: Scalar, L: ScalarNode<T>, R: ScalarNode<T>> BoolNode for Compared<T, L, R> {
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
pub(super) struct Both {
    pub(super) holds: [bool; 3],
    pub(super) left: Operand<Instant>,
    pub(super) right: Operand<Instant>,
}

impl BoolNode for Both {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        let (left, right) = (self.left.number(row)??, self.right.number(row)??);
        Some(self.holds[(left.cmp(&right) as i8 + 1) as usize])
    }
}

/// `left in [1, 2, 3]`.
#[derive(Debug)]
pub(super) struct AnyOf<T: Scalar> {
    pub(super) operand: Operand<T>,
    pub(super) items: Vec<T>,
    pub(super) negated: bool,
}

impl<T: Scalar> BoolNode for AnyOf<T> {
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
            (Operand::Slot($one), Operand::Known($other)) => Box::new($made),
            (Operand::Slot($one), Operand::Slot($other)) => Box::new($made),
            (Operand::Node($one), Operand::Known($other)) => Box::new($made),
            (Operand::Node($one), Operand::Slot($other)) => Box::new($made),
            ($one, $other) => Box::new($made),
        }
    };
}

pub(super) fn counted<T: Scalar>(sign: Sign, left: Operand<T>, right: Operand<T>) -> Box<dyn ScalarNode<T>> {
    by_operands!(left, right, |left, right| Counted { sign, left, right })
}

pub(super) fn compared<T: Scalar>(answers: Answers, left: Operand<T>, right: Operand<T>) -> Condition {
    let kind = std::marker::PhantomData::<T>;
    Condition::Node(by_operands!(left, right, |left, right| Compared { answers, left, right, kind }))
}

pub(super) fn compared_integers(answers: Answers, left: Operand<i64>, right: Operand<i64>) -> Condition {
    let kind = std::marker::PhantomData;
    match (left, right) {
        (Operand::Slot(left), Operand::Known(right)) => Condition::Beside(Compared { answers, left, right, kind }),
        (left, right) => compared(answers, left, right),
    }
}
