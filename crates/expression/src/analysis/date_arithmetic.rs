//! Dates in `+` and `-`: another day by an interval, and the days between two.

use super::Operand;
use super::dates::{is_written, words};
use crate::compile::Compiler;
use crate::error::capital;
use crate::finding::{Finding, Severity};
use crate::parser::{BinaryOperator, SyntaxNode};
use crate::value::Value;
use values::types::{IntervalUnits, ValueKind, ValueType};

/// An operand, or what was made so far, and its kind.
#[derive(Clone, Copy)]
struct DatedOperand<'o> {
    kind: ValueKind,
    operand: &'o Operand<'o>,
}

impl Compiler<'_> {
    /// Checks a chain in which a date is, from left to right.
    pub(super) fn check_dated(&mut self, operands: &[Operand<'_>], rest: &[(BinaryOperator, SyntaxNode)]) -> ValueType {
        let Some((first, others)) = operands.split_first() else { return ValueType::default() };
        if operands.iter().any(|operand| self.check_unlike(operand, "dates stand beside intervals and dates")) {
            return ValueType::default();
        }
        let wanted = operands.iter().find_map(|operand| operand.of.date_kind()).unwrap_or_default();
        let nullable = operands.iter().any(|operand| operand.of.nullable);
        let before = self.findings.len();
        let (mut kind, mut last) = (date_kind(first, wanted), first);
        for (operand, (operator, _)) in others.iter().zip(rest) {
            let Some(made) = self.stepped(
                DatedOperand { kind, operand: last },
                DatedOperand { kind: date_kind(operand, wanted), operand },
                *operator,
            ) else {
                return ValueType::default();
            };
            (kind, last) = (made, if kind.is_date() { last } else { operand });
        }
        if self.findings.len() == before {
            self.check_empty_date(operands);
        }
        match kind {
            ValueKind::Any => ValueType::default(),
            // Of a number and a unit no chain makes an interval: two instants do.
            ValueKind::Interval => ValueType::interval(IntervalUnits::DAYS_AND_TIME).or_null(nullable),
            kind => ValueType::of(kind).or_null(nullable),
        }
    }

    /// Returns the kind that an operator makes of two; none where it was found wrong.
    fn stepped(
        &mut self,
        left: DatedOperand<'_>,
        right: DatedOperand<'_>,
        operator: BinaryOperator,
    ) -> Option<ValueKind> {
        use ValueKind::{Any, Date, DateTime, Int, Interval, Null};
        let DatedOperand { kind: left, operand: first } = left;
        let DatedOperand { kind: right, operand: second } = right;
        let (adds, subtracts) = (operator == BinaryOperator::Add, operator == BinaryOperator::Subtract);
        let (date, other) = if left.is_date() { (first, second) } else { (second, first) };
        match (left, right) {
            (Null, _) | (_, Null) => return Some(Null),
            (Any, _) | (_, Any) if adds || subtracts => return Some(Any),
            (date, Interval) if date.is_date() && (adds || subtracts) && self.takes(date, second) => return Some(date),
            (Interval, date) if date.is_date() && adds && self.takes(date, first) => return Some(date),
            (Date, Date) if subtracts => return Some(Int),
            (DateTime, DateTime) if subtracts => return Some(Interval),
            (Int, Int) if adds || subtracts => return Some(Int),
            _ => {}
        }
        if (left, right) != (ValueKind::Interval, ValueKind::Interval) {
            let kind = if left.is_date() { left } else { right };
            self.date_counted(DatedOperand { kind, operand: date }, other, operator);
        } else {
            let message = "Intervals stand beside dates alone: `due + 1.months + 5.days`.".to_owned();
            self.error("interval_counted", second.syntax.span, message);
        }
        None
    }

    /// Returns true if a kind of date takes an interval, as far as its units are known; else that is found.
    fn takes(&mut self, kind: ValueKind, interval: &Operand<'_>) -> bool {
        let Some(advice) = interval.of.units.refused_by(kind) else { return true };
        let message = format!("{} takes {advice}.", capital(words(kind)));
        self.error("date_counted", interval.syntax.span, message);
        false
    }

    /// Says what stands beside a date.
    fn date_counted(&mut self, date: DatedOperand<'_>, other: &Operand<'_>, operator: BinaryOperator) {
        let DatedOperand { kind, operand: date } = date;
        let shown = self.source(date.syntax);
        let span = date.syntax.span.joined(other.syntax.span);
        let sign = match operator {
            BinaryOperator::Add => '+',
            BinaryOperator::Subtract => '-',
            _ if !kind.is_date() => {
                return self.error("wrong_operand", span, "These cannot be counted with.".to_owned());
            }
            _ => {
                let message = format!("`{shown}` is {}, which is not counted with.", words(kind));
                return self.error("date_counted", span, message);
            }
        };
        let is_refused =
            |found: &Finding| found.severity == Severity::Error && found.diagnostic.span == other.syntax.span;
        if self.findings.last().is_some_and(is_refused) {
            return;
        }
        if let Some(found) = other.of.date_kind() {
            return self.dates_counted(
                DatedOperand { kind, operand: date },
                DatedOperand { kind: found, operand: other },
                operator,
            );
        }
        if let (ValueKind::Text, Some(example)) = (other.kind(), super::dates::example(kind)) {
            let found = self.source(other.syntax);
            let message = format!(
                "`{shown}` is {}, and `{found}` is a text, which is not written like `'{example}'`.",
                words(kind)
            );
            return self.error("date_counted", span, message);
        }
        let remedy = self.interval(kind, other);
        let example = if kind == ValueKind::DateTime { "4.hours" } else { "5.days" };
        let written = remedy.as_deref().unwrap_or(example);
        let message = format!("{} takes an interval: `{shown} {sign} {written}`.", capital(words(kind)));
        let finding = Finding::new(Severity::Error, "date_counted", span, message);
        self.find(match remedy {
            Some(remedy) => finding.fixed(other.syntax.span, remedy),
            None => finding,
        });
    }

    /// Says of two dates that no operator stands between them.
    fn dates_counted(&mut self, date: DatedOperand<'_>, other: DatedOperand<'_>, operator: BinaryOperator) {
        let (first, second) = (self.source(date.operand.syntax), self.source(other.operand.syntax));
        let span = date.operand.syntax.span.joined(other.operand.syntax.span);
        let own = format!("`{first}` is {}, and `{second}` is {}", words(date.kind), words(other.kind));
        let (message, fix) = match (date.kind, other.kind, operator) {
            (_, _, BinaryOperator::Add) => {
                (format!("{own}: dates are not added. A date takes an interval: `{first} + 5.days`."), None)
            }
            (ValueKind::Date, ValueKind::DateTime, _) => {
                let day = format!("formatDate({second}, 'Y-m-d')");
                (format!("{own}: `{day}` is its day."), Some((other.operand.syntax.span, day)))
            }
            (ValueKind::DateTime, ValueKind::Date, _) => {
                let day = format!("formatDate({first}, 'Y-m-d')");
                (format!("{own}: `{day}` is its day."), Some((date.operand.syntax.span, day)))
            }
            _ => {
                let difference = format!("dateDiff({second}, {first})");
                (format!("{own}: `{difference}` is the interval between two."), None)
            }
        };
        let finding = Finding::new(Severity::Error, "date_counted", span, message);
        self.find(match fix {
            Some((place, text)) => finding.fixed(place, text),
            None => finding,
        });
    }

    /// Returns the interval that a number was meant as; none where its unit is not known.
    fn interval(&self, kind: ValueKind, number: &Operand<'_>) -> Option<String> {
        if number.kind() != ValueKind::Int {
            return None;
        }
        let written = self.grouped(number.syntax);
        Some(match (kind, number.constant) {
            (ValueKind::Date, _) => format!("{written}.days"),
            (ValueKind::Month, _) => format!("{written}.months"),
            (ValueKind::Time, _) => format!("{written}.minutes"),
            // Beside a datetime numbers are seconds.
            (_, Some(Value::Int(count))) if *count > 0 && count % 3600 == 0 => format!("{}.hours", count / 3600),
            (_, Some(Value::Int(count))) if *count > 0 && count % 60 == 0 => format!("{}.minutes", count / 60),
            _ => return None,
        })
    }

    /// Says of dates and intervals that may be null that the whole is.
    fn check_empty_date(&mut self, operands: &[Operand<'_>]) {
        for operand in operands.iter().filter(|operand| operand.may_be_empty()) {
            let source = self.source(operand.syntax);
            let message = format!(
                "`{source}` may be empty. The result is then empty, too: `{} != null ? … : null` says that it is meant.",
                self.grouped(operand.syntax)
            );
            self.warning("may_be_empty", operand.syntax.span, message);
        }
    }
}

/// The kind of an operand beside a kind of date: a written text is one where it reads as such.
fn date_kind(operand: &Operand<'_>, wanted: ValueKind) -> ValueKind {
    let written = || {
        let text = operand.text()?;
        // A day beside a datetime is one, though it is read as a moment where the two are compared.
        let kind = if is_written(text, ValueKind::Date) { ValueKind::Date } else { wanted };
        is_written(text, kind).then_some(kind)
    };
    let kind = operand.of.date_kind().or_else(written).unwrap_or_else(|| operand.kind());
    // An instant in seconds counts as the whole number that it is.
    if kind == ValueKind::Timestamp { ValueKind::Int } else { kind }
}
