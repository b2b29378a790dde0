//! Parts of expressions that may give something else by the rules of version 1: an apply that moves a tenant to the
//! newest rules names them.

use super::Operand;
use crate::catalogue::FunctionEntry;
use crate::compile::Compiler;
use crate::error::Span;
use crate::finding::{Finding, Severity};
use crate::parser::{BinaryOperator, FunctionCall};
use crate::value::Value;
use values::types::{ValueKind, ValueType};

/// The functions of texts that refused null.
const OF_TEXTS: [&str; 5] = ["upper", "lower", "firstUpper", "firstLower", "trim"];

/// The difference in arithmetic.
const TEXTS: &str = "A text that only begins with a number counted as that number, and is an error now.";
const DATES: &str = "Dates counted with the years that they begin with, and differ by days now.";

impl Compiler<'_> {
    /// Notes a chain of operators that count: a text counted as the number that it begins with.
    pub(super) fn note_counted(&mut self, operator: BinaryOperator, operands: &[Operand<'_>], span: Span) {
        use BinaryOperator::{Add, Divide, Multiply, Power, Remainder, ShiftLeft, ShiftRight, Subtract};
        let counts =
            matches!(operator, Add | Subtract | Multiply | Divide | Remainder | Power | ShiftLeft | ShiftRight);
        if !(counts || operator.is_bitwise()) || operands.iter().all(|operand| operand.constant.is_some()) {
            return;
        }
        // An interval never stood there.
        let has_interval = operands.iter().any(|operand| operand.kind() == ValueKind::Interval);
        let is_text = |operand: &Operand<'_>| {
            let text = matches!(operand.constant, None | Some(Value::Text(_)));
            text && matches!(operand.kind().at_run_time(), ValueKind::Text | ValueKind::Any)
        };
        if !has_interval && operands.iter().any(is_text) {
            let dated = operands.iter().all(|operand| operand.of.date_kind().is_some());
            self.note(span, if dated { DATES } else { TEXTS });
        }
    }

    /// Notes a comparison of a datetime or an interval: they were 1 beside a number.
    pub(super) fn note_compared(
        &mut self,
        operator: BinaryOperator,
        left: &Operand<'_>,
        right: &Operand<'_>,
        span: Span,
    ) {
        use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
        let is_order = matches!(operator, Less | LessOrEqual | Greater | GreaterOrEqual);
        let known = |operand: &Operand<'_>| operand.constant.is_some() || operand.of.date_kind().is_some();
        let kinds = [(left, right), (right, left)];
        for (own, other) in kinds {
            let is_read = known(other);
            let (own, other) = (own.kind(), other.kind());
            let is_number = other.is_number() || matches!(other, ValueKind::Timestamp | ValueKind::Any);
            if own == ValueKind::DateTime && is_number {
                return self.note(span, "A datetime was 1 beside a number, and is the instant in seconds now.");
            }
            if is_order && !is_read && own == ValueKind::DateTime && other == ValueKind::Text {
                return self
                    .note(span, "A text that is not a date was never before or after a datetime, and fails now.");
            }
            if own == ValueKind::Interval && (is_number || other == ValueKind::Interval) {
                return self.note(span, "Intervals had no order, and are compared by their length now.");
            }
        }
    }

    /// Notes a call that null is given to. The receiver is what a step is taken of.
    pub(crate) fn note_call(
        &mut self,
        function: &FunctionEntry,
        call: &FunctionCall,
        first: Option<&ValueType>,
        second: Option<&ValueType>,
    ) {
        let may_be_null = |of: Option<&ValueType>| of.is_some_and(|of| of.nullable);
        let message = match function.name {
            name if OF_TEXTS.contains(&name) && may_be_null(first) => {
                "An empty value was an error, and gives an empty text now."
            }
            "formatDate" if may_be_null(first) => "An empty date showed the present, and gives an empty text now.",
            "compareDates" if may_be_null(first) => "An empty date was the present, and its comparison is false now.",
            "dateDiff" if may_be_null(first) || may_be_null(second) => {
                "An empty date was the present, and gives an empty result now."
            }
            _ => return,
        };
        self.note(call.name_span, message);
    }

    fn note(&mut self, span: Span, message: &str) {
        if self.rule_notes.len() < super::MOST_FINDINGS {
            self.rule_notes.push(Finding::new(Severity::Warning, "rules_differ", span, message.to_owned()));
        }
    }
}
