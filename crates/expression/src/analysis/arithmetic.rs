//! Arithmetic: what can be counted with, and what a result is of.

use super::Operand;
use super::dates::words;
use crate::check::sign;
use crate::compile::{Compiler, TypedNode};
use crate::error::Span;
use crate::error::capital;
use crate::finding::{Finding, Severity};
use crate::numeric;
use crate::parser::{BinaryOperator, SyntaxNode};
use crate::value::Value;
use values::types::{ValueKind, ValueType};

impl Compiler<'_> {
    /// Checks `+ - * / %`, from left to right.
    pub(super) fn check_arithmetic(
        &mut self,
        operands: &[Operand<'_>],
        rest: &[(BinaryOperator, SyntaxNode)],
        span: Span,
    ) -> ValueType {
        let Some(first) = operands.first() else { return ValueType::default() };
        let before = self.findings.len();
        let first_operator = rest.first().map_or(BinaryOperator::Add, |(operator, _)| *operator);
        let dated = operands.iter().any(|operand| operand.of.date_kind().is_some());
        if dated {
            return self.check_dated(operands, rest);
        }
        let mut kind = self.counted(first, first_operator);
        for (operand, (operator, _)) in operands.iter().skip(1).zip(rest) {
            let other = self.counted(operand, *operator);
            if matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder) {
                self.check_divisor(operand, *operator, span);
            }
            kind = result(*operator, kind, other);
        }
        if self.findings.len() == before {
            self.check_exact(operands);
            self.check_empty(operands, "The result is then empty, too");
        }
        let nullable = operands.iter().any(|operand| operand.of.nullable);
        let at_least = least(operands, rest);
        let nonzero = at_least.is_some_and(|least| least > 0);
        ValueType { nonzero, at_least, ..ValueType::default().told(kind).or_null(nullable) }
    }

    /// Checks `**`.
    pub(crate) fn check_power(&mut self, operands: [Operand<'_>; 2]) -> ValueType {
        let before = self.findings.len();
        let [first, second] = &operands;
        self.note_counted(BinaryOperator::Power, &operands, first.syntax.span.joined(second.syntax.span));
        for operand in &operands {
            self.counted(operand, BinaryOperator::Power);
        }
        if self.findings.len() == before {
            self.check_empty(&operands, "The result is then empty, too");
        }
        ValueType::of(ValueKind::Float).or_null(operands.iter().any(|operand| operand.of.nullable))
    }

    /// Checks the operand of a minus.
    pub(crate) fn check_negated(&mut self, operand: &TypedNode, syntax: &SyntaxNode) {
        let operand = Operand::of(operand, syntax);
        // An interval goes the other way.
        if operand.kind() == ValueKind::Interval {
            return;
        }
        self.counted(&operand, BinaryOperator::Subtract);
    }

    /// Says of operands that may be null what becomes of the whole.
    pub(super) fn check_empty(&mut self, operands: &[Operand<'_>], consequence: &str) {
        // Of a number that was asked whether it is 0, somebody thought.
        let is_asked = |operand: &&Operand<'_>| operand.of.nonzero && self.is_narrowed(operand.syntax);
        let open: Vec<_> = operands.iter().filter(|operand| operand.may_be_empty() && !is_asked(operand)).collect();
        for operand in open {
            let source = self.source(operand.syntax);
            let grouped = self.grouped(operand.syntax);
            let message = format!("`{source}` may be empty. {consequence}: `{grouped} ?? 0` counts with 0 instead.");
            let mut finding = Finding::new(Severity::Warning, "may_be_empty", operand.syntax.span, message);
            if operand.kind().is_number() {
                finding = finding.fixed(operand.syntax.span, format!("({grouped} ?? 0)"));
            }
            self.find(finding);
        }
    }

    /// Returns the kind of number that an operand is; what is none is found.
    fn counted(&mut self, operand: &Operand<'_>, operator: BinaryOperator) -> ValueKind {
        let span = operand.syntax.span;
        let sign = if operator == BinaryOperator::Power { "`**`" } else { sign(operator) };
        if self.check_unlike(operand, &format!("{sign} wants numbers")) {
            return ValueKind::Any;
        }
        match operand.kind() {
            ValueKind::Text if operand.of.date_kind().is_none() => self.check_numeric(operand, operator),
            ValueKind::Bool => {
                let remedy = format!("({} ? 1 : 0)", self.grouped(operand.syntax));
                let message = format!("A boolean is not a number, and {sign} counts: `{remedy}` counts a yes as 1.");
                let finding = Finding::new(Severity::Error, "wrong_operand", span, message);
                self.find(finding.fixed(span, remedy));
                ValueKind::Any
            }
            kind @ (ValueKind::Array
            | ValueKind::Object
            | ValueKind::File
            | ValueKind::Resource
            | ValueKind::Changes
            | ValueKind::Rows) => {
                let message = format!("{} cannot be counted with: {sign} wants numbers.", capital(kind.words()));
                self.error("wrong_operand", span, message);
                ValueKind::Any
            }
            ValueKind::Interval => {
                if self.is_made_interval(operand.syntax) {
                    let message = "An interval stands beside a date alone, `due + 5.days`. Numbers are counted with \
                                   first: `(2 * 5).days`.";
                    self.error("interval_counted", span, message.to_owned());
                    return ValueKind::Any;
                }
                let (remedy, is_safe) = self.interval_number(operand.syntax);
                let message = format!("An interval is not a number: `{remedy}` is one.");
                let finding = Finding::new(Severity::Error, "interval_counted", span, message);
                self.find(match is_safe {
                    true => finding.safely_fixed(span, remedy),
                    false => finding.fixed(span, remedy),
                });
                ValueKind::Any
            }
            _ if operand.of.date_kind().is_some() => {
                let source = self.source(operand.syntax);
                let message = format!("`{source}` is {}, and {sign} wants numbers.", words(operand.kind()));
                self.error("date_counted", span, message);
                ValueKind::Any
            }
            kind => kind,
        }
    }

    /// Refuses a value that is of one kind or of another, depending on a test. Returns true if it is one.
    pub(super) fn check_unlike(&mut self, operand: &Operand<'_>, wanted: &str) -> bool {
        let mut words: Vec<&str> = operand.of.unlike.iter().map(ValueKind::words).collect();
        words.dedup();
        let Some(last) = words.pop() else { return false };
        let source = self.source(operand.syntax);
        let before = if words.is_empty() { String::new() } else { format!("{} or ", words.join(", ")) };
        let message = format!("`{source}` is {before}{last}, and {wanted}: let all branches be of one kind.");
        self.error("unlike_branches", operand.syntax.span, message);
        true
    }

    /// A text counts where it is written out and a number as a whole.
    fn check_numeric(&mut self, operand: &Operand<'_>, operator: BinaryOperator) -> ValueKind {
        if operand.text().is_some_and(|text| numeric::whole(text.as_bytes()).is_some()) {
            return ValueKind::Float;
        }
        let span = operand.syntax.span;
        let source = self.source(operand.syntax);
        let sign = if operator == BinaryOperator::Power { "`**`" } else { sign(operator) };
        let message = match (operand.text(), operator) {
            (Some(_), _) => format!("{source} is a text, and {sign} counts. Texts are joined with `~`."),
            (None, _) => format!(
                "`{source}` is a text, and {sign} counts: `toInt(lastNChars({source}, 4))` reads a number from its end, \
                 better is a property of kind pInteger or pDecimal."
            ),
        };
        self.error("text_counted", span, message);
        ValueKind::Any
    }

    /// A divisor must be known not to be 0.
    fn check_divisor(&mut self, divisor: &Operand<'_>, operator: BinaryOperator, span: Span) {
        let place = divisor.syntax.span;
        let is_zero = match divisor.constant {
            Some(Value::Int(number)) => *number == 0,
            Some(Value::Float(number)) => *number == 0.0,
            Some(Value::Text(text)) => {
                numeric::whole(text.as_bytes()).is_some() && numeric::text_to_float(text.as_bytes()) == 0.0
            }
            Some(_) => false,
            None if divisor.of.nonzero || !divisor.kind().is_number() => false,
            None => {
                let source = self.source(divisor.syntax);
                let whole = self.text.get(span.from..span.to).unwrap_or("…");
                let grouped = self.grouped(divisor.syntax);
                let remedy = format!("{grouped} != 0 ? {whole} : null");
                let advice = match &divisor.syntax.kind {
                    crate::parser::SyntaxKind::Name(name) => format!(", or `min: 1` for `{name}`"),
                    _ => String::new(),
                };
                let message = format!("`{source}` may be 0: `{remedy}`{advice}.");
                let finding = Finding::new(Severity::Error, "may_divide_by_zero", place, message);
                let finding = finding.also(span, format!("{} divides here.", sign(operator)));
                self.find(finding.fixed(span, format!("({remedy})")));
                false
            }
        };
        if is_zero {
            self.error("divided_by_zero", place, "Nothing can be divided by 0.".to_owned());
        }
    }

    /// A decimal beside a floating point number of a property is no longer exact.
    fn check_exact(&mut self, operands: &[Operand<'_>]) {
        let exact = operands.iter().find(|operand| operand.kind() == ValueKind::Decimal);
        let float = operands.iter().find(|operand| operand.kind() == ValueKind::Float && operand.constant.is_none());
        let (Some(exact), Some(float)) = (exact, float) else { return };
        if !matches!(float.syntax.kind, crate::parser::SyntaxKind::Name(_) | crate::parser::SyntaxKind::Path(..)) {
            return;
        }
        let (decimal, source) = (self.source(exact.syntax), self.source(float.syntax));
        let message = format!("`{decimal}` is exact, and `{source}` of kind pFloat is not, nor is what they make.");
        self.warning("inexact", float.syntax.span, message);
    }
}

/// Returns the whole number that a sum is never below. A product or difference may be anything.
fn least(operands: &[Operand<'_>], rest: &[(BinaryOperator, SyntaxNode)]) -> Option<i64> {
    if rest.iter().any(|(operator, _)| *operator != BinaryOperator::Add) {
        return None;
    }
    operands.iter().try_fold(0i64, |sum, operand| sum.checked_add(operand.of.at_least?))
}

/// Returns the kind that an operator makes of two numbers; of what is not known nothing is.
fn result(operator: BinaryOperator, left: ValueKind, right: ValueKind) -> ValueKind {
    use ValueKind::{Any, Decimal, Float, Int, Null, Timestamp};
    match (left, right) {
        (Any, _) | (_, Any) => Any,
        (Null, _) | (_, Null) => Null,
        // It takes the whole parts of all numbers.
        _ if operator == BinaryOperator::Remainder => Int,
        (Timestamp, Timestamp) if operator == BinaryOperator::Subtract => Int,
        (Timestamp, Int) | (Int, Timestamp) if matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract) => {
            Timestamp
        }
        (Timestamp | Int, Timestamp | Int) if operator == BinaryOperator::Divide => Float,
        (Timestamp | Int, Timestamp | Int) => Int,
        (Float, _) | (_, Float) => Float,
        (Decimal, _) | (_, Decimal) => Decimal,
        _ => Any,
    }
}
