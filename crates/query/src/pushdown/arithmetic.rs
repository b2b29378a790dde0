//! Arithmetic of whole numbers and decimals, where the result has 64 bits for certain. The interpreter goes on with
//! floats beyond them, which no column of integers does. Arithmetic of floats, where the result is a float for certain:
//! one engine goes on with infinity, the other fails.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::date_arithmetic::ChainPart;
use crate::pushdown::sort::{FloatBounds, IntegerRange, ValueSort};
use crate::pushdown::term::{PartTerm, TranslatedPart};
use crate::pushdown::translate::{ContextRow, RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::{against, given};
use crate::scalar::{Scalar, ScalarOperation};
use database::{ColumnType, Value as Cell};
use expression::syntax::{BinaryOperator, SyntaxKind, SyntaxNode};
use expression::{Span, Value};

/// A number that is counted with.
enum CountedNumber<'m> {
    Exact(ScaledNumber<'m>),
    Real(FloatBounds, Scalar<'m>),
}

/// A number in units of so many digits behind the point; none of them for an integer.
struct ScaledNumber<'m> {
    scale: Option<u8>,
    range: IntegerRange,
    scalar: Scalar<'m>,
}

impl<'m> RuleTranslation<'_, 'm> {
    /// `-a`.
    pub(super) fn negated(
        &self,
        operand: &SyntaxNode,
        span: Span,
        here: ContextRow<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let translated = self.part(operand, here)?;
        if let PartTerm::Row(sort @ ValueSort::Units(..), count) = translated.term {
            let count = Scalar::of_two(ScalarOperation::Multiply, count, Scalar::integer(-1));
            let ValueSort::Units(unit, range) = sort else { return Err(refused(span, "an interval is negated")) };
            let sort = ValueSort::Units(unit, IntegerRange(-range.1, -range.0));
            return Ok(TranslatedPart::row(sort, count, translated.raises));
        }
        let number = self.number(translated.term, operand.span)?;
        let minus = ScaledNumber { scale: None, range: IntegerRange(-1, -1), scalar: Scalar::integer(-1) };
        let (product, _) = counted(BinaryOperator::Multiply, number, CountedNumber::Exact(minus), span)?;
        Ok(product.translated(translated.raises))
    }

    /// `a + b - c`, `a * b / c`.
    pub(super) fn counted(
        &self,
        first: &SyntaxNode,
        rest: &[(BinaryOperator, SyntaxNode)],
        here: ContextRow<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let mut whole = ChainPart { part: self.part(first, here)?, span: first.span, syntax: Some(first) };
        for (operator, operand) in rest {
            let next = ChainPart { part: self.part(operand, here)?, span: operand.span, syntax: Some(operand) };
            let span = first.span.joined(operand.span);
            let part = match self.dated(*operator, &whole, &next)? {
                Some(part) => part,
                None => self.combined(*operator, whole, next)?,
            };
            whole = ChainPart { part, span, syntax: None };
        }
        Ok(whole.part)
    }

    /// Two numbers in a chain.
    fn combined(
        &self,
        operator: BinaryOperator,
        left: ChainPart<'_, 'm>,
        right: ChainPart<'_, 'm>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let span = left.span.joined(right.span);
        let raises = left.part.raises.or(right.part.raises);
        if operator == BinaryOperator::Remainder && !right.syntax.is_some_and(is_divisor) {
            return Err(refused(span, "% wants a whole number other than 0 that is written out"));
        }
        let numbers = (self.number(left.part.term, left.span)?, self.number(right.part.term, right.span)?);
        let (result, fails) = counted(operator, numbers.0, numbers.1, span)?;
        Ok(result.translated(raises.or(fails)))
    }

    fn number(&self, term: PartTerm<'m>, span: Span) -> TranslationResult<CountedNumber<'m>> {
        // A float that is written out: how large it is is known.
        if let PartTerm::Bound(ValueSort::Float, Some(Value::Float(number))) = &term
            && let Some(real) = FloatBounds::new(number.abs(), false)
        {
            return Ok(CountedNumber::Real(real, Scalar::Value(ColumnType::Float, Cell::Float(*number))));
        }
        let (sort, scalar) = self.value(term, span)?;
        match sort {
            ValueSort::Int(range) => Ok(CountedNumber::Exact(ScaledNumber { scale: None, range, scalar })),
            ValueSort::Decimal(scale, range) => {
                Ok(CountedNumber::Exact(ScaledNumber { scale: Some(scale), range, scalar }))
            }
            ValueSort::Real(real) => Ok(CountedNumber::Real(real, scalar)),
            ValueSort::Float | ValueSort::Number(_) => {
                Err(refused(span, "the engines differ where floats grow too large; give the property a min and a max"))
            }
            other => Err(refused(span, format!("{} is counted with", other.words()))),
        }
    }
}

impl<'m> CountedNumber<'m> {
    fn translated(self, raises: Condition<'m>) -> TranslatedPart<'m> {
        match self {
            CountedNumber::Exact(number) => TranslatedPart::row(number.sort(), number.scalar, raises),
            CountedNumber::Real(real, scalar) => TranslatedPart::row(ValueSort::Real(real), scalar, raises),
        }
    }
}

/// Returns the result of an operator on two numbers, and for which rows the interpreter ends with an error.
fn counted<'m>(
    operator: BinaryOperator,
    left: CountedNumber<'m>,
    right: CountedNumber<'m>,
    span: Span,
) -> TranslationResult<(CountedNumber<'m>, Condition<'m>)> {
    match (left, right) {
        (CountedNumber::Exact(left), CountedNumber::Exact(right)) if operator == BinaryOperator::Divide => {
            divided(left, right, span)
        }
        (CountedNumber::Exact(left), CountedNumber::Exact(right)) => {
            Ok((CountedNumber::Exact(combined(operator, left, right, span)?), Condition::NEVER))
        }
        (left, right) => Ok((real(operator, left, right, span)?, Condition::NEVER)),
    }
}

/// The quotient of two integers is a float, or an integer where nothing is left over, which is the same number where
/// both are small enough. Of decimals it has up to 28 digits, which no engine's integers have.
fn divided<'m>(
    left: ScaledNumber<'m>,
    right: ScaledNumber<'m>,
    span: Span,
) -> TranslationResult<(CountedNumber<'m>, Condition<'m>)> {
    if left.scale.is_some() || right.scale.is_some() {
        return Err(refused(span, "a quotient of decimals has up to 28 digits; multiply the other side instead"));
    }
    let small = left.range.within(FloatBounds::WHOLE) && right.range.within(FloatBounds::WHOLE);
    let real = FloatBounds::new(left.range.size() as f64, true).filter(|_| small);
    let real = real.ok_or_else(|| {
        refused(span, "an integer may be too large to be divided as a float; give the properties a min and a max")
    })?;
    let fails = if right.range.0 <= 0 && right.range.1 >= 0 {
        let zero = against(&right.scalar, ValueComparison::Equal, ColumnType::Integer, Cell::Integer(0));
        given(&left.scalar).and(zero)
    } else {
        Condition::NEVER
    };
    let float = |number: ScaledNumber<'m>| Scalar::of_one(ScalarOperation::Float, number.scalar);
    let quotient = Scalar::of_two(ScalarOperation::FloatDivide, float(left), float(right));
    Ok((CountedNumber::Real(real, quotient), fails))
}

/// Of floats, or of a float and an integer. What may be too small for a float, and fails on one engine, is refused: a
/// product of two floats, and a quotient of one.
fn real<'m>(
    operator: BinaryOperator,
    left: CountedNumber<'m>,
    right: CountedNumber<'m>,
    span: Span,
) -> TranslationResult<CountedNumber<'m>> {
    let integers = [&left, &right].map(|one| matches!(one, CountedNumber::Exact(_)));
    let as_real = |number: CountedNumber<'m>| match number {
        CountedNumber::Real(real, scalar) => Ok((real, scalar)),
        CountedNumber::Exact(ScaledNumber { scale: None, range, scalar }) => {
            Ok((FloatBounds { most: range.size() as f64, whole: true }, Scalar::of_one(ScalarOperation::Float, scalar)))
        }
        CountedNumber::Exact(_) => Err(refused(span, "a float and a decimal count by written digits")),
    };
    let ((left, one), (right, other)) = (as_real(left)?, as_real(right)?);
    let (operation, most) = match operator {
        BinaryOperator::Add => (ScalarOperation::FloatAdd, left.most + right.most),
        BinaryOperator::Subtract => (ScalarOperation::FloatSubtract, left.most + right.most),
        BinaryOperator::Multiply if integers.contains(&true) => {
            (ScalarOperation::FloatMultiply, left.most * right.most)
        }
        BinaryOperator::Multiply => return Err(refused(span, "a product of two floats may be too small for one")),
        BinaryOperator::Divide => return Err(refused(span, "a quotient of floats may be too small for one")),
        _ => return Err(refused(span, "% drops what stands behind the point")),
    };
    let most = FloatBounds::new(most, left.whole && right.whole).ok_or_else(|| {
        refused(
            span,
            "the result may be too large for a float that counts exactly; give the properties a min and a max",
        )
    })?;
    Ok(CountedNumber::Real(most, Scalar::of_two(operation, one, other)))
}

impl<'m> ScaledNumber<'m> {
    fn sort(&self) -> ValueSort {
        self.scale.map_or(ValueSort::Int(self.range), |scale| ValueSort::Decimal(scale, self.range))
    }

    /// The same number in units of more digits.
    fn scaled(self, scale: u8, span: Span) -> TranslationResult<Self> {
        let more = scale - self.scale.unwrap_or(0);
        if more == 0 {
            return Ok(ScaledNumber { scale: Some(scale), ..self });
        }
        let times = 10_i128.pow(u32::from(more));
        let range =
            self.range.times(IntegerRange(times, times)).filter(|range| range.fits()).ok_or_else(|| wide(span))?;
        let scalar = Scalar::of_two(ScalarOperation::Multiply, self.scalar, Scalar::integer(times as i64));
        Ok(ScaledNumber { scale: Some(scale), range, scalar })
    }
}

fn combined<'m>(
    operator: BinaryOperator,
    left: ScaledNumber<'m>,
    right: ScaledNumber<'m>,
    span: Span,
) -> TranslationResult<ScaledNumber<'m>> {
    let operation = match operator {
        BinaryOperator::Add => ScalarOperation::Add,
        BinaryOperator::Subtract => ScalarOperation::Subtract,
        BinaryOperator::Multiply => ScalarOperation::Multiply,
        BinaryOperator::Remainder => ScalarOperation::Remainder,
        _ => return Err(refused(span, "this operator has no counterpart in SQL")),
    };
    let decimal = left.scale.is_some() || right.scale.is_some();
    let (left, right) = match operation {
        ScalarOperation::Remainder if decimal => return Err(refused(span, "% drops what stands behind the point")),
        ScalarOperation::Add | ScalarOperation::Subtract if decimal => {
            let scale = left.scale.max(right.scale).unwrap_or(0);
            (left.scaled(scale, span)?, right.scaled(scale, span)?)
        }
        _ => (left, right),
    };
    let range = match operation {
        ScalarOperation::Add => Some(IntegerRange(left.range.0 + right.range.0, left.range.1 + right.range.1)),
        ScalarOperation::Subtract => Some(IntegerRange(left.range.0 - right.range.1, left.range.1 - right.range.0)),
        ScalarOperation::Remainder => {
            let most = right.range.0.abs().max(right.range.1.abs());
            Some(IntegerRange(-most, most))
        }
        _ => left.range.times(right.range),
    };
    let range = range.filter(|range| range.fits()).ok_or_else(|| wide(span))?;
    let scale = match operation {
        ScalarOperation::Multiply if decimal => Some(left.scale.unwrap_or(0) + right.scale.unwrap_or(0)),
        _ => left.scale.max(right.scale),
    };
    Ok(ScaledNumber { scale, range, scalar: Scalar::of_two(operation, left.scalar, right.scalar) })
}

/// Returns true if a divisor is written out and is not 0.
fn is_divisor(syntax: &SyntaxNode) -> bool {
    match &syntax.kind {
        SyntaxKind::Literal(expression::Value::Int(number)) => *number != 0,
        SyntaxKind::Minus(operand) => is_divisor(operand),
        _ => false,
    }
}

fn wide(span: Span) -> expression::Diagnostic {
    refused(
        span,
        "the result may have more than 64 bits, and the interpreter then goes on with floats; give the \
                   properties a min and a max",
    )
}
