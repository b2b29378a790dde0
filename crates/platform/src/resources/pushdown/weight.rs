//! How large a condition is. Parts that decide are written more than once, so nested ones could multiply.

use super::super::condition::Condition;
use super::super::scalar::Scalar;
use super::term::{Term, Translated};
use super::translate::{Outcome, refused};
use super::truth::Truth;
use expression::Span;

/// The most parts that a condition may have: SQLite takes trees up to 1,000 high.
const MOST: usize = 800;

/// A part as a condition, unless it is too large.
pub(super) fn light<'m>(truth: Truth<'m>, span: Span) -> Outcome<Truth<'m>> {
    if of(&truth.0) + of(&truth.1) > MOST { Err(too_large(span)) } else { Ok(truth) }
}

/// A part as a value, unless it is too large.
pub(super) fn light_value<'m>(translated: Translated<'m>, span: Span) -> Outcome<Translated<'m>> {
    let value = match &translated.term {
        Term::Bound(..) | Term::Members(..) | Term::Array(_) => 1,
        Term::Row(_, scalar) | Term::Several(_, _, scalar) => of_scalar(scalar),
        Term::Truth(condition) => of(condition),
    };
    if value + of(&translated.raises) > MOST { Err(too_large(span)) } else { Ok(translated) }
}

fn too_large(span: Span) -> expression::Diagnostic {
    refused(span, format!("it would have more than {MOST} parts; nested choices are written more than once"))
}

fn of(condition: &Condition<'_>) -> usize {
    1 + match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().map(of).sum(),
        Condition::Not(inner) | Condition::Related(_, inner) => of(inner),
        Condition::Test(..) | Condition::Found(_) | Condition::Tagged(_) => 0,
        Condition::Compare(_, left, right) => of_scalar(left) + of_scalar(right),
        Condition::Holds(scalar) | Condition::Given(scalar) => of_scalar(scalar),
    }
}

fn of_scalar(scalar: &Scalar<'_>) -> usize {
    1 + match scalar {
        Scalar::Place(..) | Scalar::Value(..) => 0,
        Scalar::Truth(condition) => of(condition),
        Scalar::Choice(condition, then, otherwise) => of(condition) + of_scalar(then) + of_scalar(otherwise),
        Scalar::First(parts) | Scalar::Apply(_, parts) => parts.iter().map(of_scalar).sum(),
    }
}
