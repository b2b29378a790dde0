//! Conditions: what counts as yes, and what always does.

use super::Operand;
use crate::compile::{Compiler, TypedNode};
use crate::error::Span;
use crate::error::capital;
use crate::finding::{Finding, Severity};
use crate::parser::{BinaryOperator, SyntaxKind, SyntaxNode};
use crate::value::Value;
use values::types::{ValueKind, ValueType};

impl Compiler<'_> {
    /// Checks the condition of a choice.
    pub(crate) fn check_condition(&mut self, condition: &TypedNode, syntax: &SyntaxNode) {
        self.check_truth(&Operand::of(condition, syntax));
    }

    /// Checks an operand that counts as yes or no.
    pub(super) fn check_truth(&mut self, operand: &Operand<'_>) {
        let span = operand.syntax.span;
        match operand.kind() {
            ValueKind::Null => {
                self.warning("always_no", span, "This is always empty, which counts as no.".to_owned());
            }
            ValueKind::Text | ValueKind::Int | ValueKind::Float if operand.constant.is_some() => {
                self.check_written(operand);
            }
            ValueKind::Text if operand.constant.is_none() && operand.of.date_kind().is_none() => {
                let source = self.grouped(operand.syntax);
                let remedy = format!("{source} != null and {source} != ''");
                let message = format!("The texts '' and '0' count as no: `{remedy}` asks for a text.");
                let finding = Finding::new(Severity::Warning, "text_as_condition", span, message);
                self.find(finding.fixed(span, format!("({remedy})")));
            }
            kind if never_no(kind) && !operand.of.nullable => {
                let message = format!("{} that is there always counts as yes.", capital(kind.words()));
                self.warning("always_yes", span, message);
            }
            _ => {}
        }
    }

    /// Says of a text or number that is written out what it counts as: mostly it was to be compared.
    fn check_written(&mut self, operand: &Operand<'_>) {
        let (span, source) = (operand.syntax.span, self.source(operand.syntax));
        let is_no = match operand.constant {
            Some(Value::Int(number)) => *number == 0,
            Some(Value::Float(number)) => *number == 0.0,
            Some(Value::Text(text)) => matches!(text.as_bytes(), b"" | b"0"),
            _ => return,
        };
        let (code, word) = if is_no { ("always_no", "no") } else { ("always_yes", "yes") };
        let message = format!(
            "`{source}` alone always counts as {word}. Each comparison is written in full, `a == 1 or a == 2`, or as a \
             list: `a in [1, 2]`."
        );
        self.warning(code, span, message);
    }

    /// Says of texts between `&&` that they may have been meant to be joined. Returns true if it did.
    pub(super) fn check_texts_beside(&mut self, operands: &[Operand<'_>], span: Span) -> bool {
        let is_text = |operand: &Operand<'_>| operand.kind() == ValueKind::Text && operand.of.date_kind().is_none();
        let whole = self.text.get(span.from..span.to).unwrap_or_default();
        if !whole.contains("&&") || !operands.iter().all(is_text) {
            return false;
        }
        let joined = self.joined(operands);
        let message =
            format!("`&&` asks for a yes of both, and gives true or false. Texts are joined with `~`: `{joined}`.");
        let finding = Finding::new(Severity::Warning, "text_as_condition", span, message);
        self.find(finding.fixed(span, joined));
        true
    }

    /// Checks what `!` turns round: a comparison with an empty value is false, and so its contrary true.
    pub(crate) fn check_not(&mut self, operand: &TypedNode, syntax: &SyntaxNode, span: Span) {
        use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
        let SyntaxKind::Pair(operator @ (Less | LessOrEqual | Greater | GreaterOrEqual), left, right) = &syntax.kind
        else {
            return;
        };
        if !operand.compares_empty {
            return;
        }
        let (turned, left, right) = match operator {
            Less => (">=", left, right),
            LessOrEqual => (">", left, right),
            Greater => ("<=", left, right),
            _ => ("<", left, right),
        };
        let remedy = format!("{} {turned} {}", self.grouped(left), self.grouped(right));
        let message = format!("This holds where a value is empty, too: `{remedy}` does not.");
        let finding = Finding::new(Severity::Warning, "holds_when_empty", span, message);
        self.find(finding.fixed(span, format!("({remedy})")));
    }

    /// Checks `??`, and gives the type of what is chosen.
    pub(super) fn check_choice(&mut self, operands: &[Operand<'_>]) -> ValueType {
        let Some((_, before)) = operands.split_last() else { return ValueType::default() };
        for operand in before {
            let is_there = !operand.of.nullable && operand.kind() != ValueKind::Any;
            let is_written = operand.constant.is_some_and(|value| !matches!(value, Value::Null));
            // People copy a text with its test to several places.
            if is_there && self.is_narrowed(operand.syntax) {
                continue;
            }
            if is_there || is_written {
                let source = self.source(operand.syntax);
                let message = format!("`{source}` is never empty: what stands behind `??` is never used.");
                self.warning("never_empty", operand.syntax.span, message);
            }
        }
        let is_first = |operand: &Operand<'_>| !operand.of.nullable && operand.kind() != ValueKind::Any;
        let used = before.iter().position(is_first).map_or(operands, |place| &operands[..=place]);
        let Some((last, before)) = used.split_last() else { return ValueType::default() };
        let mut of = last.of.clone();
        let nullable = used.iter().all(|operand| operand.of.nullable);
        for operand in before.iter().rev() {
            of = operand.of.clone().or_null(false).joined(&of);
        }
        let told = of.known();
        // The kind that refuses is not known of a choice, as before there were findings.
        ValueType { kind: ValueKind::Any, told, nullable, ..of }
    }
}

/// Returns true if each value of a kind counts as yes.
fn never_no(kind: ValueKind) -> bool {
    kind.is_date()
        || matches!(
            kind,
            ValueKind::Resource | ValueKind::File | ValueKind::Interval | ValueKind::Changes | ValueKind::Rows
        )
}
