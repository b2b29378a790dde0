//! T(e) and R(e): for which rows an expression is truthy, and for which the interpreter ends with an error in it.

use crate::condition::{Condition, ValueCheck, ValueComparison};
use crate::pushdown::days;
use crate::pushdown::sort::ValueSort;
use crate::pushdown::term::{PartTerm, TranslatedPart, led};
use crate::pushdown::translate::{ContextRow, RuleTranslation, TranslationResult, refused};
use crate::pushdown::weight::undecided;
use crate::scalar::Scalar;
use database::{ColumnType, Value};
use expression::Span;
use expression::convert::to_bool;
use expression::syntax::{BinaryOperator, FunctionCall, SyntaxKind, SyntaxNode};

/// T and R.
pub(super) type RuleTruth<'m> = (Condition<'m>, Condition<'m>);

impl<'m> RuleTranslation<'_, 'm> {
    /// T and R of a part.
    pub(super) fn truth(&self, syntax: &SyntaxNode, here: ContextRow<'m>) -> TranslationResult<RuleTruth<'m>> {
        if self.is_bound(syntax) {
            return self.bound_truth(syntax);
        }
        let truth = self.truth_of_row(syntax, here)?;
        self.light(truth, syntax.span)
    }

    fn truth_of_row(&self, syntax: &SyntaxNode, here: ContextRow<'m>) -> TranslationResult<RuleTruth<'m>> {
        match &syntax.kind {
            SyntaxKind::Not(operand) => {
                let (truth, raises) = self.truth(operand, here)?;
                Ok((truth.opposite(), raises))
            }
            SyntaxKind::Chain(first, rest) => match rest.first().map(|(operator, _)| *operator) {
                Some(BinaryOperator::Xor) => self.exclusive(first, rest, here),
                Some(operator @ (BinaryOperator::And | BinaryOperator::Or)) => self.logic(operator, first, rest, here),
                _ => self.truth_of(self.part(syntax, here)?, syntax.span),
            },
            SyntaxKind::Pair(operator, left, right) if *operator != BinaryOperator::Power => {
                self.compared(*operator, left, right, syntax.span, here)
            }
            SyntaxKind::Conditional(condition, then, otherwise) => {
                self.decided(condition, then.as_deref(), otherwise, here)
            }
            SyntaxKind::Call(FunctionCall { name, arguments, .. }) if name == "if" => match arguments.as_slice() {
                [condition, then, otherwise] if arguments.iter().all(|one| one.name.is_none() && !one.spread) => {
                    self.decided(&condition.value, Some(&then.value), &otherwise.value, here)
                }
                _ => Err(refused(syntax.span, "if() wants three arguments, without names")),
            },
            _ => self.truth_of(self.part(syntax, here)?, syntax.span),
        }
    }

    /// Whatever a bound part is, it is true or not.
    fn bound_truth(&self, syntax: &SyntaxNode) -> TranslationResult<RuleTruth<'m>> {
        Ok(match self.evaluated(syntax)? {
            None => (undecided(), self.perhaps_failing(syntax)),
            Some(Ok(value)) => (Condition::constant(to_bool(&value)), Condition::NEVER),
            Some(Err(_)) => (Condition::NEVER, Condition::ALWAYS),
        })
    }

    /// The right side counts where the left one has not decided.
    fn logic(
        &self,
        operator: BinaryOperator,
        first: &SyntaxNode,
        rest: &[(BinaryOperator, SyntaxNode)],
        here: ContextRow<'m>,
    ) -> TranslationResult<RuleTruth<'m>> {
        let mut whole = self.truth(first, here)?;
        for (_, operand) in rest {
            let ((truth, raises), (next, next_raises)) = (whole, self.truth(operand, here)?);
            whole = if operator == BinaryOperator::And {
                (truth.clone().and(next), raises.or(truth.and(next_raises)))
            } else {
                (truth.clone().or(next), raises.or(truth.opposite().and(next_raises)))
            };
            whole = self.light(whole, first.span.joined(operand.span))?;
        }
        Ok(whole)
    }

    fn exclusive(
        &self,
        first: &SyntaxNode,
        rest: &[(BinaryOperator, SyntaxNode)],
        here: ContextRow<'m>,
    ) -> TranslationResult<RuleTruth<'m>> {
        let (mut truth, mut raises) = self.truth(first, here)?;
        for (_, operand) in rest {
            let (next, next_raises) = self.truth(operand, here)?;
            truth = either(truth.clone(), next.clone().opposite(), truth.opposite(), next);
            (truth, raises) = self.light((truth, raises.or(next_raises)), first.span.joined(operand.span))?;
        }
        Ok((truth, raises))
    }

    fn decided(
        &self,
        condition: &SyntaxNode,
        then: Option<&SyntaxNode>,
        otherwise: &SyntaxNode,
        here: ContextRow<'m>,
    ) -> TranslationResult<RuleTruth<'m>> {
        let (holds, raises) = self.truth(condition, here)?;
        let (other, other_raises) = self.truth(otherwise, here)?;
        let fails = holds.clone().opposite();
        let (then, then_raises) = match then {
            Some(then) => self.truth(then, here)?,
            None => (holds.clone(), Condition::NEVER),
        };
        let raises = raises.or(either(holds.clone(), then_raises, fails.clone(), other_raises));
        Ok((either(holds, then, fails, other), raises))
    }

    /// T and R of what was translated.
    pub(super) fn truth_of(&self, translated: TranslatedPart<'m>, span: Span) -> TranslationResult<RuleTruth<'m>> {
        let TranslatedPart { term, raises } = translated;
        let truth = match term {
            PartTerm::Truth(condition) => condition,
            PartTerm::Bound(_, None) => undecided(),
            PartTerm::Bound(_, Some(value)) => Condition::constant(to_bool(&value)),
            PartTerm::Row(sort, scalar) => truthy(&sort, scalar),
            PartTerm::Members(hops, _, place) => led(&hops, Condition::Test(place, ValueCheck::Present)),
            PartTerm::Array(items) => Condition::constant(!items.is_empty()),
            PartTerm::Several(..) => {
                let why = "a relation to several resources is there or not in each of them; compare what it leads to";
                return Err(refused(span, why));
            }
        };
        Ok((truth, raises))
    }
}

/// `(a and b) or (c and d)`.
fn either<'m>(
    one: Condition<'m>,
    then: Condition<'m>,
    other: Condition<'m>,
    otherwise: Condition<'m>,
) -> Condition<'m> {
    one.and(then).or(other.and(otherwise))
}

/// Returns true if a value of the row counts as true.
pub(super) fn truthy<'m>(sort: &ValueSort, scalar: Scalar<'m>) -> Condition<'m> {
    let differs = |value: Value, column: ColumnType| against(&scalar, ValueComparison::NotEqual, column, value);
    match sort {
        ValueSort::Null => Condition::NEVER,
        ValueSort::Bool => against(&scalar, ValueComparison::Equal, ColumnType::Boolean, Value::Boolean(true)),
        ValueSort::Int(_) | ValueSort::Decimal(..) | ValueSort::Number(_) => {
            differs(Value::Integer(0), ColumnType::Integer)
        }
        ValueSort::Float | ValueSort::Real(_) => differs(Value::Float(0.0), ColumnType::Float),
        ValueSort::Text(_) => differs("".into(), ColumnType::Text).and(differs("0".into(), ColumnType::Text)),
        ValueSort::Date
        | ValueSort::Month
        | ValueSort::Moment
        | ValueSort::Instant
        | ValueSort::Interval
        | ValueSort::Units(..)
        | ValueSort::Elapsed
        | ValueSort::Resource(_)
        | ValueSort::Array(_) => given(&scalar),
    }
}

/// Returns true if there is a value.
pub(super) fn given<'m>(scalar: &Scalar<'m>) -> Condition<'m> {
    match scalar {
        scalar if scalar.is_always_given() => Condition::ALWAYS,
        Scalar::Place(hops, place) => led(hops, Condition::Test(place.clone(), ValueCheck::Present)),
        Scalar::Value(_, value) => Condition::constant(!value.is_null()),
        other => days::operand(other).map_or_else(|| Condition::Given(other.clone()), given),
    }
}

/// Returns the condition that a value of the row compares so with one that is known; false for null.
pub(super) fn against<'m>(
    scalar: &Scalar<'m>,
    comparison: ValueComparison,
    column: ColumnType,
    value: Value,
) -> Condition<'m> {
    match scalar {
        Scalar::Place(hops, place) => led(hops, Condition::Test(place.clone(), ValueCheck::Compare(comparison, value))),
        other if days::is_counted(other) => days::against(other, comparison, column, value),
        other => Condition::Compare(comparison, other.clone(), Scalar::Value(column, value)),
    }
}
