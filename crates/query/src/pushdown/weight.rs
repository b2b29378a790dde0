//! The size of a condition. Parts that decide are written more than once, so nested ones could multiply.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::days::is_counted;
use crate::pushdown::sort::ValueSort;
use crate::pushdown::term::{PartTerm, TranslatedPart};
use crate::pushdown::translate::{RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::{RuleTruth, against, given, truthy};
use crate::scalar::Scalar;
use database::{ColumnType, Value};
use expression::Span;

/// The most parts that a condition may have in a request: SQLite takes trees up to 1,000 high.
const MOST: usize = 950;
/// The most that it may have when it is checked, before values are known: these decide how a comparison is written.
const MOST_CHECKED: usize = 600;

impl<'m> RuleTranslation<'_, 'm> {
    /// A part as a condition, unless it is too large.
    pub(super) fn light(&self, truth: RuleTruth<'m>, span: Span) -> TranslationResult<RuleTruth<'m>> {
        self.refuse_heavy(of(&truth.0) + of(&truth.1), span).map(|()| truth)
    }

    /// A part as a value, unless it is too large.
    pub(super) fn light_value(
        &self,
        translated: TranslatedPart<'m>,
        span: Span,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let value = match &translated.term {
            PartTerm::Bound(..) | PartTerm::Members(..) | PartTerm::Array(_) => 1,
            PartTerm::Row(_, scalar) | PartTerm::Several(_, _, scalar) => of_scalar(scalar),
            PartTerm::Truth(condition) => of(condition),
        };
        self.refuse_heavy(value + of(&translated.raises), span).map(|()| translated)
    }

    fn refuse_heavy(&self, weight: usize, span: Span) -> TranslationResult<()> {
        let most = if self.bindings.is_some() { MOST } else { MOST_CHECKED };
        if weight <= most {
            return Ok(());
        }
        Err(refused(span, format!("it would have more than {most} parts; nested choices are written more than once")))
    }
}

/// Returns a stand-in for the comparison of a value of the row with one that is not known yet. None is larger than the
/// one with `false`. Fewer copies of the value would add up, as parts lie in one another.
pub(super) fn unknown<'m>(sort: &ValueSort, scalar: &Scalar<'m>) -> Condition<'m> {
    if let Scalar::Value(..) = scalar {
        return Condition::All(vec![Condition::Given(scalar.clone()); 4]);
    }
    // Two parts, also of a value that no row lacks.
    Condition::All(vec![Condition::Given(scalar.clone()), truthy(sort, scalar.clone()).opposite()])
}

/// Returns a stand-in for membership in an array of which so many sorts of items are known, and no more. `item` gives
/// the largest condition that one becomes. Of members of one sort, all that are equal to a value become one condition.
/// There may be another one, of those that count as true or false.
pub(super) fn unknown_items<'m>(count: usize, item: impl Fn() -> Condition<'m>) -> Condition<'m> {
    (0..=count).fold(Condition::NEVER, |found, _| found.or(item()))
}

/// Returns a stand-in for a date of the row within so many intervals that are not known yet, where null may be the
/// present.
pub(super) fn unknown_intervals<'m>(scalar: &Scalar<'m>, count: usize) -> Condition<'m> {
    let known = Scalar::Value(ColumnType::Timestamp, Value::Timestamp(0));
    let bound = || match scalar {
        // The number of days decides how that is written.
        counted if is_counted(counted) => Condition::Compare(ValueComparison::Less, counted.clone(), known.clone()),
        other => against(other, ValueComparison::Less, ColumnType::Timestamp, Value::Timestamp(0)),
    };
    (0..count).fold(given(scalar).opposite(), |found, _| found.or(bound().and(bound())))
}

/// Returns a stand-in for the truth of what is not known yet.
pub(super) fn undecided<'m>() -> Condition<'m> {
    Condition::Given(Scalar::Value(ColumnType::Boolean, Value::Null))
}

pub(super) fn of(condition: &Condition<'_>) -> usize {
    1 + match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().map(of).sum(),
        Condition::Not(inner) | Condition::Related(_, inner) | Condition::RelatedCount(_, inner, ..) => of(inner),
        Condition::Test(..) | Condition::Found(_) | Condition::Tagged(_) => 0,
        Condition::Compare(_, left, right) => of_scalar(left) + of_scalar(right),
        Condition::OneOf(scalar, ..) | Condition::Holds(scalar) | Condition::Given(scalar) => of_scalar(scalar),
    }
}

fn of_scalar(scalar: &Scalar<'_>) -> usize {
    1 + match scalar {
        Scalar::Place(..) | Scalar::Value(..) | Scalar::Count(..) => 0,
        Scalar::Truth(condition) => of(condition),
        Scalar::Choice(condition, then, otherwise) => of(condition) + of_scalar(then) + of_scalar(otherwise),
        Scalar::First(parts) | Scalar::Apply(_, parts) => parts.iter().map(of_scalar).sum(),
    }
}
