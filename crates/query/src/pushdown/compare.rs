//! Comparison and membership.

use crate::condition::{Condition, ValueCheck, ValueComparison, ValuePlace};
use crate::pushdown::days;
use crate::pushdown::equality::known;
use crate::pushdown::sort::{IntegerRange, ValueSort};
use crate::pushdown::term::{PartTerm, led};
use crate::pushdown::translate::{ContextRow, RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::{RuleTruth, given, truthy};
use crate::pushdown::weight::unknown;
use crate::pushdown::zones::any_present;
use crate::scalar::{Scalar, ScalarOperation};
use database::Value as Cell;
use datetime::strtotime;
use expression::syntax::{BinaryOperator, SyntaxNode};
use expression::{LanguageRules, Span, Value};

/// The manner in which two values are compared: `===` wants the same kind, too.
#[derive(Clone, Copy)]
struct ComparisonMode {
    comparison: ValueComparison,
    identity: bool,
    span: Span,
}

impl ComparisonMode {
    fn is_order(self) -> bool {
        !matches!(self.comparison, ValueComparison::Equal | ValueComparison::NotEqual)
    }

    /// The same with the sides changed.
    fn turned(self) -> ComparisonMode {
        let comparison = match self.comparison {
            equality @ (ValueComparison::Equal | ValueComparison::NotEqual) => equality,
            ValueComparison::Less => ValueComparison::Greater,
            ValueComparison::LessOrEqual => ValueComparison::GreaterOrEqual,
            ValueComparison::Greater => ValueComparison::Less,
            ValueComparison::GreaterOrEqual => ValueComparison::LessOrEqual,
        };
        ComparisonMode { comparison, ..self }
    }
}

impl<'m> RuleTranslation<'_, 'm> {
    /// T and R of a comparison. `!=`, `!==` and `not in` are the contraries of the others.
    pub(super) fn compared(
        &self,
        operator: BinaryOperator,
        left: &SyntaxNode,
        right: &SyntaxNode,
        span: Span,
        here: ContextRow<'m>,
    ) -> TranslationResult<RuleTruth<'m>> {
        let (left, right) = (self.part(left, here)?, self.part(right, here)?);
        let raises = left.raises.or(right.raises);
        let raises = if is_order(operator) { raises.or(self.unread(&left.term, &right.term)) } else { raises };
        let how = |comparison, identity| ComparisonMode { comparison, identity, span };
        let equal = how(ValueComparison::Equal, false);
        let (left, right) = (left.term, right.term);
        let truth = match operator {
            BinaryOperator::Equal => self.pair(equal, left, right)?,
            BinaryOperator::NotEqual => self.pair(equal, left, right)?.opposite(),
            BinaryOperator::Identical => self.pair(how(ValueComparison::Equal, true), left, right)?,
            BinaryOperator::NotIdentical => self.pair(how(ValueComparison::Equal, true), left, right)?.opposite(),
            BinaryOperator::Less => self.pair(how(ValueComparison::Less, false), left, right)?,
            BinaryOperator::LessOrEqual => self.pair(how(ValueComparison::LessOrEqual, false), left, right)?,
            BinaryOperator::Greater => self.pair(how(ValueComparison::Greater, false), left, right)?,
            BinaryOperator::GreaterOrEqual => self.pair(how(ValueComparison::GreaterOrEqual, false), left, right)?,
            BinaryOperator::In => self.contained(equal, left, right)?,
            BinaryOperator::NotIn => self.contained(equal, left, right)?.opposite(),
            _ => return Err(refused(span, "this operator has no counterpart in SQL")),
        };
        Ok((truth, raises))
    }

    /// The rows on which a datetime stands beside a text that is not a date, which has no order.
    fn unread(&self, left: &PartTerm<'m>, right: &PartTerm<'m>) -> Condition<'m> {
        let (row, text) = match (left, right) {
            (row, PartTerm::Bound(ValueSort::Text(_), text)) | (PartTerm::Bound(ValueSort::Text(_), text), row) => {
                (row, text.as_ref())
            }
            _ => return Condition::NEVER,
        };
        if self.model.rules == LanguageRules::V1 || text.is_some_and(|text| self.reads(text)) {
            return Condition::NEVER;
        }
        match row {
            PartTerm::Row(ValueSort::Moment | ValueSort::Instant, at) => given(at),
            PartTerm::Several(hops, ValueSort::Moment, at) => led(hops, given(at)),
            _ => Condition::NEVER,
        }
    }

    /// Returns true if a known value is a datetime, or null; while configuration is checked, at some present.
    fn reads(&self, value: &Value) -> bool {
        let present = self.present().unwrap_or_else(any_present);
        match value {
            Value::Text(text) => strtotime(text.as_bytes(), &present).is_some(),
            _ => true,
        }
    }

    /// Two values. What a relation to several leads to compares where one of them does.
    fn pair(&self, how: ComparisonMode, left: PartTerm<'m>, right: PartTerm<'m>) -> TranslationResult<Condition<'m>> {
        match (left, right) {
            (PartTerm::Several(hops, sort, scalar), other) => {
                if matches!(other, PartTerm::Several(..)) {
                    return Err(refused(how.span, "both sides lead to several resources"));
                }
                Ok(led(&hops, self.pair(how, PartTerm::Row(sort, scalar), other)?))
            }
            (other, several @ PartTerm::Several(..)) => self.pair(how.turned(), several, other),
            (PartTerm::Row(sort, scalar), PartTerm::Bound(other, value)) => {
                if let (ValueSort::Elapsed, ValueSort::Interval) = (&sort, &other) {
                    days::check_length(value.as_ref(), how.identity, how.span)?;
                } else {
                    self.comparable(&sort, &other, how.identity, how.is_order(), how.span)?;
                }
                Ok(match value {
                    Some(value) => self.beside(&sort, &scalar, how.comparison, &value, how.identity),
                    None => unknown(&sort, &scalar),
                })
            }
            (PartTerm::Truth(condition), other @ PartTerm::Bound(..)) => {
                self.pair(how, PartTerm::Row(ValueSort::Bool, Scalar::Truth(Box::new(condition))), other)
            }
            (other @ PartTerm::Bound(..), row @ (PartTerm::Row(..) | PartTerm::Truth(_))) => {
                self.pair(how.turned(), row, other)
            }
            (PartTerm::Row(sort, scalar), PartTerm::Row(other, value)) => {
                self.rows(how, (sort, scalar), (other, value))
            }
            (PartTerm::Truth(condition), other) => {
                self.pair(how, PartTerm::Row(ValueSort::Bool, Scalar::Truth(Box::new(condition))), other)
            }
            (row @ PartTerm::Row(..), other @ PartTerm::Truth(_)) => self.pair(how.turned(), other, row),
            _ => Err(refused(how.span, "an array is compared as a whole")),
        }
    }

    /// Two values of the row.
    fn rows(
        &self,
        how: ComparisonMode,
        left: (ValueSort, Scalar<'m>),
        right: (ValueSort, Scalar<'m>),
    ) -> TranslationResult<Condition<'m>> {
        let ((sort, left), (other, right)) = (left, right);
        let both = given(&left).opposite().and(given(&right).opposite());
        let with_nulls = |condition: Condition<'m>| if how.is_order() { condition } else { condition.or(both.clone()) };
        let compare = |left: Scalar<'m>, right: Scalar<'m>| Condition::Compare(how.comparison, left, right);
        let cannot = || {
            let why = format!("{} and {} of the row are compared", sort.words(), other.words());
            Err(refused(how.span, why))
        };
        let plain = match (&sort, &other) {
            (ValueSort::Text(one), ValueSort::Text(two)) if *one && *two && !how.identity => {
                return self.comparable(&sort, &other, false, how.is_order(), how.span).map(|()| Condition::NEVER);
            }
            (ValueSort::Moment | ValueSort::Instant, ValueSort::Moment | ValueSort::Instant) => !how.identity,
            (ValueSort::Elapsed, ValueSort::Elapsed) => !how.identity,
            (ValueSort::Elapsed, ValueSort::Units(..)) | (ValueSort::Units(..), ValueSort::Elapsed) => {
                let (left, right) = (days::length(&sort, left, how.span)?, days::length(&other, right, how.span)?);
                return if how.identity { cannot() } else { Ok(with_nulls(compare(left, right))) };
            }
            (ValueSort::Resource(one), ValueSort::Resource(two)) => one == two && !how.is_order(),
            (ValueSort::Bool, ValueSort::Bool)
            | (ValueSort::Int(_), ValueSort::Int(_))
            | (ValueSort::Float, ValueSort::Float)
            | (ValueSort::Text(_), ValueSort::Text(_))
            | (ValueSort::Date, ValueSort::Date)
            | (ValueSort::Month, ValueSort::Month) => true,
            (ValueSort::Decimal(one, _), ValueSort::Decimal(two, _)) if one == two => true,
            _ => false,
        };
        if plain {
            return Ok(with_nulls(days::compare(how.comparison, [&sort, &other], left.clone(), right.clone())));
        }
        if how.identity {
            return cannot();
        }
        match (&sort, &other) {
            (ValueSort::Bool, _) | (_, ValueSort::Bool) if !how.is_order() => {
                let (one, two) = (truthy(&sort, left.clone()), truthy(&other, right.clone()));
                let same = one.clone().and(two.clone()).or(one.opposite().and(two.opposite()));
                Ok(given(&left).and(given(&right)).and(same).or(both))
            }
            (ValueSort::Float | ValueSort::Real(_), ValueSort::Float | ValueSort::Real(_)) => {
                Ok(with_nulls(compare(left, right)))
            }
            (ValueSort::Int(_), ValueSort::Float | ValueSort::Real(_)) => {
                Ok(with_nulls(compare(Scalar::of_one(ScalarOperation::Float, left), right)))
            }
            (ValueSort::Float | ValueSort::Real(_), ValueSort::Int(_)) => {
                Ok(with_nulls(compare(left, Scalar::of_one(ScalarOperation::Float, right))))
            }
            (ValueSort::Int(_) | ValueSort::Decimal(..), ValueSort::Int(_) | ValueSort::Decimal(..)) => {
                match (units(&sort, left, &other), units(&other, right, &sort)) {
                    (Some(left), Some(right)) => Ok(with_nulls(compare(left, right))),
                    _ => {
                        let why = "the numbers have digits for which 64 bits may not do: declare their limits";
                        Err(refused(how.span, why))
                    }
                }
            }
            _ => cannot(),
        }
    }

    /// `needle in haystack`.
    fn contained(
        &self,
        how: ComparisonMode,
        needle: PartTerm<'m>,
        haystack: PartTerm<'m>,
    ) -> TranslationResult<Condition<'m>> {
        if let PartTerm::Several(hops, sort, scalar) = needle {
            return Ok(led(&hops, self.contained(how, PartTerm::Row(sort, scalar), haystack)?));
        }
        match haystack {
            PartTerm::Bound(ValueSort::Array(sorts), value) => self.among(needle, &sorts, value.as_ref(), how.span),
            PartTerm::Bound(ValueSort::Null, _) => Ok(Condition::NEVER),
            PartTerm::Array(items) => items.into_iter().try_fold(Condition::NEVER, |found, item| {
                Ok(found.or(self.equal_either(how, needle.clone(), item.term)?))
            }),
            PartTerm::Several(hops, sort, scalar) => {
                Ok(led(&hops, self.pair(how, PartTerm::Row(sort, scalar), needle)?))
            }
            PartTerm::Members(hops, Some(sort), place) => self.member(how, needle, &sort, &hops, place),
            haystack @ (PartTerm::Bound(ValueSort::Text(_), _)
            | PartTerm::Row(ValueSort::Text(_) | ValueSort::Date | ValueSort::Month, _)) => {
                self.part_of(how, needle, haystack)
            }
            _ => Err(refused(how.span, "in wants an array or a string")),
        }
    }

    /// Both may be known, where the array was written out with values of the row.
    fn equal_either(
        &self,
        how: ComparisonMode,
        needle: PartTerm<'m>,
        item: PartTerm<'m>,
    ) -> TranslationResult<Condition<'m>> {
        match (needle, item) {
            (PartTerm::Bound(sort, value), PartTerm::Bound(other, item)) => {
                let Some(scalar) = known(&sort, value.as_ref()) else {
                    return Err(refused(how.span, "the array is written out with values of the row and others"));
                };
                self.pair(how, PartTerm::Row(sort, scalar), PartTerm::Bound(other, item))
            }
            (needle, item) => self.pair(how, needle, item),
        }
    }

    /// Membership in a property that holds several values.
    fn member(
        &self,
        how: ComparisonMode,
        needle: PartTerm<'m>,
        sort: &ValueSort,
        hops: &[ValuePlace<'m>],
        place: ValuePlace<'m>,
    ) -> TranslationResult<Condition<'m>> {
        let PartTerm::Bound(other, value) = needle else {
            return Err(refused(how.span, "a value of the row is looked for in a property with several values"));
        };
        self.comparable(sort, &other, false, false, how.span)?;
        let members = match value {
            Some(Value::Text(text)) => match text.as_str() {
                Some(text) if !text.contains('\0') => vec![Cell::Text(text.to_owned())],
                _ => return Ok(Condition::NEVER),
            },
            Some(Value::Null) => return Ok(Condition::NEVER),
            None => return Ok(led(hops, Condition::Test(place, ValueCheck::Present))),
            Some(_) => return Err(refused(how.span, "a string is looked for among strings")),
        };
        Ok(led(hops, Condition::Test(place, ValueCheck::AnyMember(members))))
    }

    /// Returns true if a text is a part of another; null is in none, and nothing is in null.
    fn part_of(
        &self,
        how: ComparisonMode,
        needle: PartTerm<'m>,
        haystack: PartTerm<'m>,
    ) -> TranslationResult<Condition<'m>> {
        let haystack = self.text_of(haystack, how.span)?;
        let needle = self.text_of(needle, how.span)?;
        Ok(Condition::Holds(Scalar::of_two(ScalarOperation::Contains, haystack, needle)))
    }
}

fn is_order(operator: BinaryOperator) -> bool {
    use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    matches!(operator, Less | LessOrEqual | Greater | GreaterOrEqual)
}

/// Units in which both numbers are whole; none where they may not fit.
fn units<'m>(sort: &ValueSort, scalar: Scalar<'m>, beside: &ValueSort) -> Option<Scalar<'m>> {
    let scale = |sort: &ValueSort| if let ValueSort::Decimal(scale, _) = sort { *scale } else { 0 };
    let (ValueSort::Int(range) | ValueSort::Decimal(_, range)) = sort else { return None };
    let more = scale(beside).saturating_sub(scale(sort));
    if more == 0 {
        return Some(scalar);
    }
    let times = 10_i128.pow(u32::from(more));
    let fits = IntegerRange(range.0.checked_mul(times)?, range.1.checked_mul(times)?).fits();
    fits.then(|| Scalar::of_two(ScalarOperation::Multiply, scalar, Scalar::integer(times as i64)))
}
