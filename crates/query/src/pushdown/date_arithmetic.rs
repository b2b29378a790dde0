//! Dates of the row in `+` and `-`: another day by an interval, another instant by hours, the days between two dates,
//! the time between two datetimes. Days are counted as numbers; what ends beyond the years 1 to 9999 is an error.

use crate::condition::{Condition, ValueComparison};
use crate::pushdown::dates::DAYS;
use crate::pushdown::days::{beside_number, bounded, day_number, millis, numbered_day};
use crate::pushdown::sort::{IntegerRange, ValueSort};
use crate::pushdown::term::{PartTerm, TranslatedPart};
use crate::pushdown::translate::{RuleTranslation, TranslationResult, refused};
use crate::pushdown::weight::undecided;
use crate::scalar::{Scalar, ScalarOperation};
use database::{ColumnType, Value as Cell};
use datetime::{DateInterval, DateZone, IntervalUnit, IsoText};
use expression::scope::ValueKind;
use expression::syntax::{BinaryOperator, SyntaxNode};
use expression::{LanguageRules, Span, Value};
use std::sync::Arc;

/// A part of a chain, with its place; what was made of several has no syntax of its own.
pub(super) struct ChainPart<'s, 'm> {
    pub(super) part: TranslatedPart<'m>,
    pub(super) span: Span,
    pub(super) syntax: Option<&'s SyntaxNode>,
}

/// An operand beside a date.
#[derive(Clone)]
enum DatedOperand<'m> {
    /// The number of a day; of a month, that of its first one. The sort says which.
    Day(ValueSort, Scalar<'m>),
    /// An instant in milliseconds.
    Instant(Scalar<'m>),
    /// So many units.
    Units(IntervalUnit, IntegerRange, Scalar<'m>),
    /// An interval that the interpreter gives; none while configuration is checked.
    Known(Option<Arc<DateInterval>>),
}

/// The SQL of a date, and the rows for which the interpreter ends with an error.
type Made<'m> = TranslationResult<(ValueSort, Scalar<'m>, Condition<'m>)>;

const ZONE: &str = "the days of a datetime depend on the zone; count on the side that is not a column: \
                    at < fromUtc(x) - 3.days, or take hours: at + 72.hours";
const UNITS_OF_DAYS: &str = "a date takes days, weeks, months and years; hours are for a datetime";
const UNITS_OF_MONTHS: &str = "a month takes months and years";

impl<'m> RuleTranslation<'_, 'm> {
    /// Dates and intervals in `+` and `-`; none where neither side is one.
    pub(super) fn dated(
        &self,
        operator: BinaryOperator,
        left: &ChainPart<'_, 'm>,
        right: &ChainPart<'_, 'm>,
    ) -> TranslationResult<Option<TranslatedPart<'m>>> {
        let (one, other) = (operand(&left.part.term), operand(&right.part.term));
        if one.is_none() && other.is_none() {
            return Ok(None);
        }
        let span = left.span.joined(right.span);
        let mut raises = left.part.raises.clone().or(right.part.raises.clone());
        let one = if one.is_some() { one } else { self.known_day(left, &mut raises) };
        let other = if other.is_some() { other } else { self.known_day(right, &mut raises) };
        use BinaryOperator::{Add, Subtract};
        let (sort, scalar, fails) = match (operator, one, other) {
            (Add, Some(DatedOperand::Day(sort, day)), Some(interval))
            | (Add, Some(interval), Some(DatedOperand::Day(sort, day)))
                if is_interval(&interval) =>
            {
                self.moved(sort, day, interval, 1, span)?
            }
            (Subtract, Some(DatedOperand::Day(sort, day)), Some(interval)) if is_interval(&interval) => {
                self.moved(sort, day, interval, -1, span)?
            }
            (Add, Some(DatedOperand::Instant(at)), Some(interval))
            | (Add, Some(interval), Some(DatedOperand::Instant(at)))
                if is_interval(&interval) =>
            {
                later(at, interval, 1, span)?
            }
            (Subtract, Some(DatedOperand::Instant(at)), Some(interval)) if is_interval(&interval) => {
                later(at, interval, -1, span)?
            }
            (
                Subtract,
                Some(DatedOperand::Day(ValueSort::Date, later)),
                Some(DatedOperand::Day(ValueSort::Date, earlier)),
            ) if self.model.rules != LanguageRules::V1 => {
                let most = i128::from(DAYS.1 - DAYS.0);
                let days = Scalar::of_two(ScalarOperation::Subtract, later, earlier);
                (ValueSort::Int(IntegerRange(-most, most)), days, Condition::NEVER)
            }
            (Subtract, Some(DatedOperand::Instant(later)), Some(DatedOperand::Instant(earlier))) => {
                let elapsed = Scalar::of_two(ScalarOperation::Subtract, later, earlier);
                (ValueSort::Elapsed, elapsed, Condition::NEVER)
            }
            (_, one, other) => return Err(refusal([(left, one), (right, other)], span)),
        };
        Ok(Some(TranslatedPart::row(sort, scalar, raises.or(fails))))
    }

    /// A part that is bound as the date of a day: its text is one for certain, or it is written out.
    fn known_day(&self, part: &ChainPart<'_, 'm>, raises: &mut Condition<'m>) -> Option<DatedOperand<'m>> {
        let (PartTerm::Bound(_, value), Some(syntax)) = (&part.part.term, part.syntax) else { return None };
        let program = self.program(syntax);
        let is_date = program.is_some_and(|program| {
            program.constant().is_some() || program.result().date_kind() == Some(ValueKind::Date)
        });
        if !is_date && !self.is_day_of_user(syntax) {
            return None;
        }
        let known = |day| Some(DatedOperand::Day(ValueSort::Date, Scalar::integer(day)));
        match value {
            Some(Value::Null) => {
                Some(DatedOperand::Day(ValueSort::Date, Scalar::Value(ColumnType::Integer, Cell::Null)))
            }
            Some(Value::Text(text)) => match IsoText::read(text.as_bytes(), || DateZone::Offset(0)) {
                Some(IsoText::Date(day)) => known(day),
                // Written out it is refused; else it is an error of the interpreter.
                _ if program.is_some_and(|program| program.constant().is_some()) => None,
                _ => {
                    *raises = Condition::ALWAYS;
                    known(0)
                }
            },
            Some(_) => None,
            None => {
                *raises = std::mem::replace(raises, Condition::NEVER).or(undecided());
                known(0)
            }
        }
    }

    /// A day or a month an interval on.
    fn moved(&self, sort: ValueSort, day: Scalar<'m>, interval: DatedOperand<'m>, sign: i64, span: Span) -> Made<'m> {
        let is_month = sort == ValueSort::Month;
        let advice = if is_month { UNITS_OF_MONTHS } else { UNITS_OF_DAYS };
        let (number, range, fails) = match interval {
            DatedOperand::Units(unit, range, count) => {
                let (times, is_calendar) = match unit {
                    IntervalUnit::Days if !is_month => (1, false),
                    IntervalUnit::Weeks if !is_month => (7, false),
                    IntervalUnit::Months => (1, true),
                    IntervalUnit::Years => (12, true),
                    _ => return Err(refused(span, advice)),
                };
                let count = multiplied(count, times * sign);
                let operation = if is_calendar { ScalarOperation::MonthsOn } else { ScalarOperation::Add };
                let range = if sign < 0 { IntegerRange(-range.1, -range.0) } else { range };
                // A month beyond the calendar is a number behind all days, whatever its direction.
                let range = if is_calendar { IntegerRange(0, i128::MAX) } else { range };
                (Scalar::of_two(operation, day, count), range, Condition::NEVER)
            }
            DatedOperand::Known(None) => {
                let both = Scalar::of_two(ScalarOperation::MonthsOn, day, Scalar::integer(0));
                (Scalar::of_two(ScalarOperation::Add, both, Scalar::integer(0)), IntegerRange::ALL, undecided())
            }
            DatedOperand::Known(Some(interval)) => {
                let signed = |count: i128| if interval.invert == (sign < 0) { count } else { -count };
                let months =
                    signed(i128::from(interval.y) * 12 + i128::from(interval.m)).clamp(-200_000, 200_000) as i64;
                let days = signed(interval.d.into()).clamp(-10_000_000, 10_000_000) as i64;
                let wrong = interval.has_time() || (is_month && days != 0);
                if wrong && self.bindings.is_none() {
                    // It is written out.
                    return Err(refused(span, advice));
                }
                let mut number = day;
                if months != 0 {
                    number = Scalar::of_two(ScalarOperation::MonthsOn, number, Scalar::integer(months));
                }
                if days != 0 {
                    number = Scalar::of_two(ScalarOperation::Add, number, Scalar::integer(days));
                }
                let beyond = if months == 0 { i128::from(days) } else { 1 };
                (number, IntegerRange(beyond.min(0), beyond.max(0)), Condition::constant(wrong))
            }
            DatedOperand::Day(..) | DatedOperand::Instant(_) => return Err(refused(span, advice)),
        };
        let mut raises = fails;
        if range.1 > 0 {
            raises = raises.or(beside_number(&number, ValueComparison::Greater, DAYS.1));
        }
        if range.0 < 0 {
            raises = raises.or(beside_number(&number, ValueComparison::Less, DAYS.0));
        }
        Ok((sort, numbered_day(number), raises))
    }
}

fn operand<'m>(term: &PartTerm<'m>) -> Option<DatedOperand<'m>> {
    let PartTerm::Row(sort, scalar) = term else {
        return match term {
            PartTerm::Bound(ValueSort::Interval, Some(Value::Interval(interval))) => {
                Some(DatedOperand::Known(Some(Arc::clone(interval))))
            }
            PartTerm::Bound(ValueSort::Interval, None) => Some(DatedOperand::Known(None)),
            PartTerm::Bound(ValueSort::Interval, _) => {
                let null = Scalar::Value(ColumnType::Integer, Cell::Null);
                Some(DatedOperand::Units(IntervalUnit::Days, IntegerRange(0, 0), null))
            }
            _ => None,
        };
    };
    Some(match sort {
        ValueSort::Date | ValueSort::Month => DatedOperand::Day(sort.clone(), day_number(scalar.clone())),
        ValueSort::Moment => DatedOperand::Instant(Scalar::of_one(ScalarOperation::InstantNumber, scalar.clone())),
        ValueSort::Instant => DatedOperand::Instant(scalar.clone()),
        ValueSort::Units(unit, range) => DatedOperand::Units(*unit, *range, scalar.clone()),
        _ => return None,
    })
}

fn is_interval(operand: &DatedOperand<'_>) -> bool {
    matches!(operand, DatedOperand::Units(..) | DatedOperand::Known(_))
}

/// An instant some hours or minutes on.
fn later<'m>(at: Scalar<'m>, interval: DatedOperand<'m>, sign: i64, span: Span) -> Made<'m> {
    let more = match interval {
        DatedOperand::Units(unit @ (IntervalUnit::Hours | IntervalUnit::Minutes), range, count) => {
            let millis = millis(unit).unwrap_or_default();
            bounded(range, millis, span)?;
            multiplied(count, millis * sign)
        }
        DatedOperand::Known(Some(interval)) if !interval.has_days() => {
            let micros = interval.micros().map(|micros| micros * i128::from(sign));
            let whole = micros.filter(|micros| micros % 1_000 == 0).map(|micros| micros / 1_000);
            let fits =
                whole.filter(|millis| millis.unsigned_abs() < 1 << 53).and_then(|millis| i64::try_from(millis).ok());
            Scalar::integer(fits.ok_or_else(|| refused(span, "the interval is too long, or has microseconds"))?)
        }
        _ => return Err(refused(span, ZONE)),
    };
    Ok((ValueSort::Instant, Scalar::of_two(ScalarOperation::Add, at, more), Condition::NEVER))
}

/// A number so many times.
fn multiplied(count: Scalar<'_>, times: i64) -> Scalar<'_> {
    match count {
        count if times == 1 => count,
        count => Scalar::of_two(ScalarOperation::Multiply, count, Scalar::integer(times)),
    }
}

/// The objection to two operands of which one is a date or an interval.
fn refusal<'m>(sides: [(&ChainPart<'_, 'm>, Option<DatedOperand<'m>>); 2], span: Span) -> expression::Diagnostic {
    let why = match sides.each_ref().map(|(_, operand)| operand.as_ref()) {
        [Some(DatedOperand::Day(..)), Some(DatedOperand::Day(..))] => {
            "of two dates there are the days between them: due - issued"
        }
        [Some(DatedOperand::Instant(_)), None] | [None, Some(DatedOperand::Instant(_))] => {
            "a datetime of the row is counted with; it takes an interval: at + 4.hours; count the rest on the other side"
        }
        [Some(DatedOperand::Day(..)), None] | [None, Some(DatedOperand::Day(..))] => {
            "a date of the row is counted with; it takes an interval: due + 5.days; count the rest on the other side"
        }
        _ => "an interval stands beside a date alone: due + 5.days",
    };
    let date =
        sides.iter().find(|(_, operand)| matches!(operand, Some(DatedOperand::Day(..) | DatedOperand::Instant(_))));
    refused(date.map_or(span, |(part, _)| part.span), why)
}
