//! `compareDates()` of a date or datetime of the row and one that is known.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::cut::NumberCut;
use crate::pushdown::equality::day_text;
use crate::pushdown::sort::ValueSort;
use crate::pushdown::term::{PartTerm, SpannedPart, TranslatedPart};
use crate::pushdown::translate::{RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::given;
use crate::pushdown::weight::{undecided, unknown_intervals};
use crate::pushdown::zones::{MOST_INTERVALS, any_present};
use crate::scalar::Scalar;
use database::{ColumnType, Value as Cell};
use datetime::{DateTime, format, strtotime};
use expression::{LanguageRules, Value};
use std::cmp::Ordering;

/// The days that a date may have: 0001-01-01 to 9999-12-31.
pub(super) const DAYS: (i64, i64) = (-719_162, 2_932_896);

impl<'m> RuleTranslation<'_, 'm> {
    /// `compareDates(date1, operator, date2)`; without the last, with the present. A null there is the present,
    /// too; as the first date it holds of nothing.
    pub(super) fn compared_dates(
        &self,
        first: SpannedPart<'m>,
        operator: SpannedPart<'m>,
        second: Option<SpannedPart<'m>>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let (SpannedPart { part: first, span }, at) = (first, operator.span);
        let PartTerm::Bound(_, Some(Value::Text(operator))) = operator.part.term else {
            return Err(refused(at, "the operator must be written out"));
        };
        let operator = operator.lossy().into_owned();
        let present = || SpannedPart { part: PartTerm::Bound(ValueSort::Null, Some(Value::Null)).into(), span };
        let second = second.unwrap_or_else(present);
        let raises = first.raises.or(second.part.raises);
        let (row, known, turned) = match (first.term, second.part.term) {
            (PartTerm::Row(ValueSort::Moment, one), PartTerm::Row(ValueSort::Moment, other)) => {
                return Ok(TranslatedPart::truth(self.moments(&operator, one, other, at)?, raises));
            }
            (PartTerm::Row(sort, scalar), PartTerm::Bound(other, value)) => ((sort, scalar), (other, value), false),
            (PartTerm::Bound(other, value), PartTerm::Row(sort, scalar)) => ((sort, scalar), (other, value), true),
            _ => {
                return Err(refused(
                    span,
                    "a date of the row is compared with one that is known; `<` and its like compare two of the row",
                ));
            }
        };
        if !matches!(row.0, ValueSort::Date | ValueSort::Moment) {
            return Err(refused(span, format!("{} of the row is compared as a date", row.0.words())));
        }
        if !matches!(known.0, ValueSort::Text(_) | ValueSort::Moment | ValueSort::Int(_) | ValueSort::Null) {
            return Err(refused(second.span, format!("{} is compared as a date", known.0.words())));
        }
        let comparison = match (operator.as_str(), turned) {
            ("==", _) => Some(ValueComparison::Equal),
            ("<", false) | (">", true) => Some(ValueComparison::Less),
            ("<=", false) | (">=", true) => Some(ValueComparison::LessOrEqual),
            (">", false) | ("<", true) => Some(ValueComparison::Greater),
            (">=", false) | ("<=", true) => Some(ValueComparison::GreaterOrEqual),
            _ => None,
        };
        let shown = match (operator.as_str(), &row.0) {
            _ if comparison.is_some() => "",
            ("within", _) => "Y-m-d",
            ("withinMonth", _) => "Y-m",
            ("withinYear", _) => "Y",
            _ => return Err(refused(at, "there is no such operator")),
        };
        let former = self.model.rules == LanguageRules::V1;
        // If the first date is empty, the other one is not read.
        let is_read = || if turned || former { Condition::ALWAYS } else { given(&row.1) };
        let Some(present) = self.present() else {
            // A text may turn out to be no date.
            let unsure = match &known.1 {
                None => matches!(known.0, ValueSort::Text(_)),
                value => dated(value.as_ref(), &any_present()).is_none(),
            };
            let raises = if unsure { raises.or(undecided().and(is_read())) } else { raises };
            let intervals = if shown.is_empty() || row.0 == ValueSort::Date { 1 } else { MOST_INTERVALS };
            return Ok(TranslatedPart::truth(unknown_intervals(&row.1, intervals), raises));
        };
        if turned && !former && matches!(known.1, Some(Value::Null)) {
            return Ok(TranslatedPart::truth(Condition::NEVER, raises));
        }
        let null_is_present = turned || former;
        let Some(date) = dated(known.1.as_ref(), &present) else {
            return Ok(TranslatedPart::truth(Condition::NEVER, raises.or(is_read())));
        };
        let truth = match comparison {
            Some(comparison) => ordered(&row.0, &row.1, comparison, [&date, &present], null_is_present),
            None if row.0 == ValueSort::Moment => self.period(&row.1, shown, [&date, &present], null_is_present),
            None => within(&row.1, shown, [&date, &present], null_is_present),
        };
        Ok(TranslatedPart::truth(truth, raises))
    }
}

/// The date that a known value is; none where its text is no date.
fn dated(value: Option<&Value>, present: &DateTime) -> Option<DateTime> {
    match value {
        None | Some(Value::Null) => Some(present.clone()),
        Some(Value::DateTime(date)) => Some((**date).clone()),
        Some(Value::Int(seconds)) => Some(DateTime { seconds: *seconds, micros: 0, zone: present.zone.clone() }),
        Some(Value::Text(text)) => strtotime(text.as_bytes(), present),
        Some(_) => None,
    }
}

pub(super) fn instant(date: &DateTime) -> (i64, u32) {
    (date.seconds, date.micros)
}

pub(super) fn holds(comparison: ValueComparison, order: Ordering) -> bool {
    match comparison {
        ValueComparison::Equal => order.is_eq(),
        ValueComparison::NotEqual => order.is_ne(),
        ValueComparison::Less => order.is_lt(),
        ValueComparison::LessOrEqual => order.is_le(),
        ValueComparison::Greater => order.is_gt(),
        ValueComparison::GreaterOrEqual => order.is_ge(),
    }
}

fn ordered<'m>(
    sort: &ValueSort,
    scalar: &Scalar<'m>,
    comparison: ValueComparison,
    [date, present]: [&DateTime; 2],
    null_is_present: bool,
) -> Condition<'m> {
    let compared = if *sort == ValueSort::Moment {
        let floor = i128::from(date.seconds) * 1_000 + i128::from(date.micros / 1_000);
        let cut = NumberCut { floor, exact: date.micros.is_multiple_of(1_000) };
        cut.compared(scalar, comparison, ColumnType::Timestamp, Cell::Timestamp, (i64::MIN, i64::MAX))
    } else {
        days(scalar, comparison, |day| {
            midnight(day, present).map_or(Ordering::Less, |one| instant(&one).cmp(&instant(date)))
        })
    };
    let absent = null_is_present && holds(comparison, instant(present).cmp(&instant(date)));
    if absent { compared.or(given(scalar).opposite()) } else { compared }
}

/// The days that are shown as a date is, to the day, the month or the year.
fn within<'m>(
    scalar: &Scalar<'m>,
    shown: &str,
    [date, present]: [&DateTime; 2],
    null_is_present: bool,
) -> Condition<'m> {
    let show = |date: &DateTime| format(&date.in_zone(present.zone.clone()), shown.as_bytes());
    let wanted = show(date);
    let show = &show;
    let order = |day: i64| midnight(day, present).map_or(Ordering::Less, |date| show(&date).cmp(&wanted));
    let compared = days(scalar, ValueComparison::Equal, order);
    if null_is_present && show(present) == wanted { compared.or(given(scalar).opposite()) } else { compared }
}

/// The days that compare so; in their order they do not fall behind, and several may be equal.
fn days<'m>(scalar: &Scalar<'m>, comparison: ValueComparison, order: impl Fn(i64) -> Ordering) -> Condition<'m> {
    let last = NumberCut::search(DAYS.0, DAYS.1, &order).floor;
    let before = NumberCut::search(DAYS.0, DAYS.1, |day| order(day).then(Ordering::Greater)).floor;
    let day = |day: i64| Cell::Date(day as i32);
    let beside = |comparison, floor| NumberCut::at(floor).compared(scalar, comparison, ColumnType::Date, day, DAYS);
    match comparison {
        ValueComparison::Less => beside(ValueComparison::LessOrEqual, before),
        ValueComparison::LessOrEqual => beside(ValueComparison::LessOrEqual, last),
        ValueComparison::Greater => beside(ValueComparison::Greater, last),
        ValueComparison::GreaterOrEqual => beside(ValueComparison::Greater, before),
        ValueComparison::Equal => {
            beside(ValueComparison::Greater, before).and(beside(ValueComparison::LessOrEqual, last))
        }
        ValueComparison::NotEqual => {
            beside(ValueComparison::LessOrEqual, before).or(beside(ValueComparison::Greater, last))
        }
    }
}

/// Returns the moment as which the text of a day is read.
pub(super) fn midnight(day: i64, present: &DateTime) -> Option<DateTime> {
    strtotime(day_text(day).as_bytes(), present)
}
