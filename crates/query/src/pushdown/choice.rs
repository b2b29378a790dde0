//! `a ? b : c`, `a ?: b`, `a ?? b`: values of one sort, of which one is taken.

use crate::pushdown::equality::known;
use crate::pushdown::row_free_parts::united;
use crate::pushdown::sort::ValueSort;
use crate::pushdown::term::{PartTerm, TranslatedPart};
use crate::pushdown::translate::{ContextRow, RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::given;
use crate::scalar::Scalar;
use expression::Span;
use expression::syntax::{BinaryOperator, SyntaxNode};

impl<'m> RuleTranslation<'_, 'm> {
    pub(super) fn chosen(
        &self,
        condition: &SyntaxNode,
        then: Option<&SyntaxNode>,
        otherwise: &SyntaxNode,
        span: Span,
        here: ContextRow<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let (holds, raises) = self.truth(condition, here)?;
        let fails = holds.clone().opposite();
        let one = self.part(then.unwrap_or(condition), here)?;
        let other = self.part(otherwise, here)?;
        let raises = raises.or(holds.clone().and(one.raises)).or(fails.and(other.raises));
        let (sort, one, other) = self.alike(one.term, other.term, span)?;
        let choice = Scalar::Choice(Box::new(holds), Box::new(one), Box::new(other));
        Ok(TranslatedPart::row(sort, choice, raises))
    }

    pub(super) fn coalesced(
        &self,
        first: &SyntaxNode,
        rest: &[(BinaryOperator, SyntaxNode)],
        span: Span,
        here: ContextRow<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let TranslatedPart { term, mut raises } = self.part(first, here)?;
        let (mut sort, mut scalar) = self.value(term, span)?;
        for (_, operand) in rest {
            let next = self.part(operand, here)?;
            raises = raises.or(given(&scalar).opposite().and(next.raises));
            let (all, before, after) = self.alike(PartTerm::Row(sort, scalar), next.term, span)?;
            sort = all;
            scalar = match before {
                Scalar::First(mut parts) => {
                    parts.push(after);
                    Scalar::First(parts)
                }
                before => Scalar::First(vec![before, after]),
            };
        }
        Ok(TranslatedPart::row(sort, scalar, raises))
    }

    /// Two values as ones of one sort.
    fn alike(
        &self,
        one: PartTerm<'m>,
        other: PartTerm<'m>,
        span: Span,
    ) -> TranslationResult<(ValueSort, Scalar<'m>, Scalar<'m>)> {
        let ((one_sort, one), (other_sort, other)) = (self.sorted(one, span)?, self.sorted(other, span)?);
        let sort = united(one_sort.clone(), other_sort.clone()).ok_or_else(|| {
            let why = match (one_sort.words(), other_sort.words()) {
                ("an interval", _) | (_, "an interval") => {
                    "an interval is chosen; choose the number instead: (a ? 5 : 10).days".to_owned()
                }
                (one, other) => format!("one of {one} and {other} is taken"),
            };
            refused(span, why)
        })?;
        let cannot = || no_column(&sort, span);
        let one = made(one, &sort).ok_or_else(cannot)?;
        let other = made(other, &sort).ok_or_else(cannot)?;
        Ok((sort, one, other))
    }

    /// A value as one of the row.
    pub(super) fn value(&self, term: PartTerm<'m>, span: Span) -> TranslationResult<(ValueSort, Scalar<'m>)> {
        let (sort, part) = self.sorted(term, span)?;
        let made = made(part, &sort);
        made.map(|made| (sort.clone(), made)).ok_or_else(|| no_column(&sort, span))
    }

    fn sorted(&self, term: PartTerm<'m>, span: Span) -> TranslationResult<(ValueSort, ChoicePart<'m>)> {
        match term {
            PartTerm::Row(sort, scalar) => Ok((sort, ChoicePart::Row(scalar))),
            PartTerm::Truth(condition) => Ok((ValueSort::Bool, ChoicePart::Row(Scalar::Truth(Box::new(condition))))),
            PartTerm::Bound(sort, value) => Ok((sort, ChoicePart::Bound(value))),
            PartTerm::Several(..) | PartTerm::Members(..) | PartTerm::Array(_) => {
                Err(refused(span, "it may have several values"))
            }
        }
    }
}

fn no_column(sort: &ValueSort, span: Span) -> expression::Diagnostic {
    refused(span, format!("{} has no column", sort.words()))
}

enum ChoicePart<'m> {
    Row(Scalar<'m>),
    Bound(Option<expression::Value>),
}

/// As a value of the sort that both have.
fn made<'m>(part: ChoicePart<'m>, sort: &ValueSort) -> Option<Scalar<'m>> {
    match part {
        ChoicePart::Row(scalar) => Some(scalar),
        ChoicePart::Bound(value) => known(sort, value.as_ref()),
    }
}
