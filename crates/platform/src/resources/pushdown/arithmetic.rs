//! Arithmetic of whole numbers and decimals, where the result has 64 bits for certain. The interpreter goes on with
//! floats beyond them, which no column of integers does.

use super::super::scalar::{Operation, Scalar};
use super::sort::{Range, Sort};
use super::term::Translated;
use super::translate::{Here, Outcome, Translation, refused};
use expression::Span;
use expression::syntax::{Operator, Syntax, SyntaxKind};

/// A number in units of so many digits behind the point; none of them for an integer.
struct Number<'m> {
    scale: Option<u8>,
    range: Range,
    scalar: Scalar<'m>,
}

impl<'m> Translation<'_, 'm> {
    /// `-a`.
    pub(super) fn negated(&self, operand: &Syntax, span: Span, here: Here<'m>) -> Outcome<Translated<'m>> {
        let translated = self.part(operand, here)?;
        let (sort, scalar) = self.value(translated.term, operand.span)?;
        let number = self.number(sort, scalar, operand.span)?;
        let minus = Number { scale: None, range: Range(-1, -1), scalar: Scalar::integer(-1) };
        let product = combined(Operator::Multiply, number, minus, span)?;
        Ok(Translated::row(product.sort(), product.scalar, translated.raises))
    }

    /// `a + b - c`, `a * b % c`.
    pub(super) fn counted(
        &self,
        first: &Syntax,
        rest: &[(Operator, Syntax)],
        here: Here<'m>,
    ) -> Outcome<Translated<'m>> {
        let translated = self.part(first, here)?;
        let mut raises = translated.raises;
        let (sort, scalar) = self.value(translated.term, first.span)?;
        let mut whole = self.number(sort, scalar, first.span)?;
        for (operator, operand) in rest {
            let span = first.span.joined(operand.span);
            let translated = self.part(operand, here)?;
            raises = raises.or(translated.raises);
            if *operator == Operator::Remainder && !is_divisor(operand) {
                return Err(refused(span, "% wants a whole number other than 0 that is written out"));
            }
            let (sort, scalar) = self.value(translated.term, operand.span)?;
            whole = combined(*operator, whole, self.number(sort, scalar, operand.span)?, span)?;
        }
        Ok(Translated::row(whole.sort(), whole.scalar, raises))
    }

    fn number(&self, sort: Sort, scalar: Scalar<'m>, span: Span) -> Outcome<Number<'m>> {
        match sort {
            Sort::Int(range) => Ok(Number { scale: None, range, scalar }),
            Sort::Decimal(scale, range) => Ok(Number { scale: Some(scale), range, scalar }),
            Sort::Float | Sort::Number(_) => Err(refused(
                span,
                "floats are counted with in other ways by the engines; integers and decimals are not",
            )),
            other => Err(refused(span, format!("{} is counted with", other.words()))),
        }
    }
}

impl<'m> Number<'m> {
    fn sort(&self) -> Sort {
        self.scale.map_or(Sort::Int(self.range), |scale| Sort::Decimal(scale, self.range))
    }

    /// The same number in units of more digits.
    fn scaled(self, scale: u8, span: Span) -> Outcome<Self> {
        let more = scale - self.scale.unwrap_or(0);
        if more == 0 {
            return Ok(Number { scale: Some(scale), ..self });
        }
        let times = 10_i128.pow(u32::from(more));
        let range =
            times_range(self.range, Range(times, times)).filter(|range| range.fits()).ok_or_else(|| wide(span))?;
        let scalar = Scalar::of_two(Operation::Multiply, self.scalar, Scalar::integer(times as i64));
        Ok(Number { scale: Some(scale), range, scalar })
    }
}

fn combined<'m>(operator: Operator, left: Number<'m>, right: Number<'m>, span: Span) -> Outcome<Number<'m>> {
    let operation = match operator {
        Operator::Add => Operation::Add,
        Operator::Subtract => Operation::Subtract,
        Operator::Multiply => Operation::Multiply,
        Operator::Remainder => Operation::Remainder,
        Operator::Divide => return Err(refused(span, "a quotient is an integer or not, from row to row")),
        _ => return Err(refused(span, "this operator has no counterpart in SQL")),
    };
    let decimal = left.scale.is_some() || right.scale.is_some();
    let (left, right) = match operation {
        Operation::Remainder if decimal => return Err(refused(span, "% drops what stands behind the point")),
        Operation::Add | Operation::Subtract if decimal => {
            let scale = left.scale.max(right.scale).unwrap_or(0);
            (left.scaled(scale, span)?, right.scaled(scale, span)?)
        }
        _ => (left, right),
    };
    let range = match operation {
        Operation::Add => Some(Range(left.range.0 + right.range.0, left.range.1 + right.range.1)),
        Operation::Subtract => Some(Range(left.range.0 - right.range.1, left.range.1 - right.range.0)),
        Operation::Remainder => {
            let most = right.range.0.abs().max(right.range.1.abs());
            Some(Range(-most, most))
        }
        _ => times_range(left.range, right.range),
    };
    let range = range.filter(|range| range.fits()).ok_or_else(|| wide(span))?;
    let scale = match operation {
        Operation::Multiply if decimal => Some(left.scale.unwrap_or(0) + right.scale.unwrap_or(0)),
        _ => left.scale.max(right.scale),
    };
    Ok(Number { scale, range, scalar: Scalar::of_two(operation, left.scalar, right.scalar) })
}

fn times_range(left: Range, right: Range) -> Option<Range> {
    let product = |one: i128, other: i128| one.checked_mul(other);
    Some(Range::around(&[
        product(left.0, right.0)?,
        product(left.0, right.1)?,
        product(left.1, right.0)?,
        product(left.1, right.1)?,
    ]))
}

/// Whether a divisor is written out and is not 0.
fn is_divisor(syntax: &Syntax) -> bool {
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
