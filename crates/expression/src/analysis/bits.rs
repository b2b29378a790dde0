//! The operators of bits, which are mostly meant as others.

use super::Operand;
use crate::compile::Compiler;
use crate::error::Span;
use crate::error::capital;
use crate::finding::{Finding, Severity};
use crate::parser::{BinaryOperator, SyntaxNode};
use crate::value::Value;
use values::types::{ValueKind, ValueType};

impl Compiler<'_> {
    /// Checks `& | ^ << >>`: bits are those of integers, and of two texts that are written out.
    pub(super) fn check_bits(
        &mut self,
        operands: &[Operand<'_>],
        rest: &[(BinaryOperator, SyntaxNode)],
        span: Span,
    ) -> ValueType {
        let operator = rest.first().map_or(BinaryOperator::BitAnd, |(operator, _)| *operator);
        let before = self.findings.len();
        let written = operator.is_bitwise() && operands.iter().all(|operand| operand.text().is_some());
        if !written {
            if let Some(operand) = operands.iter().find(|operand| operand.kind() == ValueKind::Text) {
                self.bits_of_text(operand, operands, operator, span);
            } else {
                operands.iter().for_each(|operand| self.check_bit_operand(operand));
            }
        }
        for (operand, (operator, _)) in operands.iter().skip(1).zip(rest) {
            let shifts = matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
            if shifts && matches!(operand.constant, Some(Value::Int(count)) if *count < 0) {
                let message = "Bits are moved by 0 places or more; the other way by the other operator.".to_owned();
                self.error("negative_shift", operand.syntax.span, message);
            }
        }
        if self.findings.len() == before {
            self.check_empty(operands, "The result is then empty, too");
        }
        let nullable = operands.iter().any(|operand| operand.of.nullable);
        let all_int = operands.iter().all(|operand| operand.kind() == ValueKind::Int);
        ValueType::default().told(if all_int { ValueKind::Int } else { ValueKind::Any }).or_null(nullable)
    }

    /// Gives the mistake of a text that `+` or `&` stands beside the text with `~` in its place.
    pub(crate) fn suggest_joining(
        &mut self,
        from: usize,
        operands: &[Operand<'_>],
        rest: &[(BinaryOperator, SyntaxNode)],
        span: Span,
    ) {
        let adds = rest.iter().all(|(operator, _)| *operator == BinaryOperator::Add);
        let combines = rest.iter().all(|(operator, _)| *operator == BinaryOperator::BitAnd);
        let has_text = operands.iter().any(|operand| operand.text().is_some());
        if !(adds || combines) || !has_text || self.mistakes.len() == from {
            return;
        }
        let joined = self.joined(operands);
        let is_long = joined.contains(super::ELLIPSIS);
        self.mistakes.truncate(from + 1);
        if let Some(mistake) = self.mistakes.last_mut().filter(|mistake| mistake.code == "wrong_operand" && !is_long) {
            mistake.span = span;
            let sign = if adds { "`+` counts" } else { "`&` combines bits" };
            mistake.message = format!("{sign}. Texts are joined with `~`: `{joined}`.");
            mistake.suggestion = Some(joined);
        }
    }

    /// Returns operands as one text would be made of them.
    pub(super) fn joined(&self, operands: &[Operand<'_>]) -> String {
        let joined: Vec<String> = operands.iter().map(|operand| self.grouped(operand.syntax)).collect();
        joined.join(" ~ ")
    }

    fn bits_of_text(&mut self, text: &Operand<'_>, operands: &[Operand<'_>], operator: BinaryOperator, span: Span) {
        let sign = match operator {
            BinaryOperator::BitAnd => "`&`",
            BinaryOperator::BitOr => "`|`",
            BinaryOperator::BitXor => "`^`",
            BinaryOperator::ShiftLeft => "`<<`",
            _ => "`>>`",
        };
        let joined = self.joined(operands);
        let message = format!("{sign} combines bits. Texts are joined with `~`: `{joined}`.");
        let finding = Finding::new(Severity::Error, "bits_of_text", span, message);
        let finding = finding.also(text.syntax.span, format!("`{}` is a text.", self.source(text.syntax)));
        self.find(finding.fixed(span, joined));
    }

    fn check_bit_operand(&mut self, operand: &Operand<'_>) {
        if self.check_unlike(operand, "bits are of integers") {
            return;
        }
        let kind = operand.kind();
        if !matches!(kind, ValueKind::Any | ValueKind::Null | ValueKind::Int | ValueKind::Timestamp) {
            let message = format!("{} has no bits: these are of integers.", capital(kind.words()));
            self.error("wrong_operand", operand.syntax.span, message);
        }
    }
}
