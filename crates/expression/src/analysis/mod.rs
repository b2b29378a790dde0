//! The analysis of types: what operators and functions make of operands whose types are known, and what is found
//! there. Its errors refuse new files; mistakes of names and syntax are told apart (`check`).

mod arithmetic;
mod bits;
mod call_results;
mod calls;
mod comparison;
mod conditions;
mod date_arithmetic;
mod dates;
mod equality;
mod intervals;
mod names;
mod results;
mod rules;
mod texts;

pub(crate) use call_results::{PlacedArguments, extended};
pub(crate) use dates::foreign_format;
pub(crate) use names::is_of_files;

use crate::compile::{Compiler, TypedNode};
use crate::error::Span;
use crate::finding::{Finding, Severity};
use crate::parser::{BinaryOperator, SyntaxKind, SyntaxNode};
use crate::value::Value;
use values::types::{ValueKind, ValueType};

/// The most findings of one text: whoever mends these sees the next ones.
const MOST_FINDINGS: usize = 20;
/// The longest piece of a text that a message or a remedy repeats, in bytes.
const LONGEST_SOURCE: usize = 200;
/// The sign that stands for a longer one.
const ELLIPSIS: &str = "…";

/// An operand as far as it is known: its value, its type, its place.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'o> {
    pub(crate) constant: Option<&'o Value>,
    pub(crate) of: &'o ValueType,
    pub(crate) syntax: &'o SyntaxNode,
}

impl<'o> Operand<'o> {
    pub(crate) fn of(node: &'o TypedNode, syntax: &'o SyntaxNode) -> Self {
        Operand { constant: node.node.constant(), of: &node.of, syntax }
    }

    fn kind(&self) -> ValueKind {
        self.of.known()
    }

    /// The text, where it is written out.
    fn text(&self) -> Option<&'o str> {
        match self.constant {
            Some(Value::Text(text)) => text.as_str(),
            _ => None,
        }
    }

    /// Returns true if it may be null, and is not null itself.
    fn may_be_empty(&self) -> bool {
        self.constant.is_none() && self.of.may_be_null()
    }

    /// Returns true if it is a call of one function without arguments.
    fn calls(&self, name: &str) -> bool {
        matches!(&self.syntax.kind, SyntaxKind::Call(call) if call.name == name && call.arguments.is_empty())
    }
}

impl<'s> Compiler<'s> {
    /// Notes a finding.
    fn find(&mut self, mut finding: Finding) {
        if self.findings.len() < MOST_FINDINGS {
            finding.fixes.retain(|fix| !fix.text.contains(ELLIPSIS));
            self.findings.push(finding);
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: String) {
        self.find(Finding::new(Severity::Error, code, span, message));
    }

    fn warning(&mut self, code: &'static str, span: Span, message: String) {
        self.find(Finding::new(Severity::Warning, code, span, message));
    }

    /// The text that an expression is written with; dots where it is no part of the text.
    fn source(&self, syntax: &SyntaxNode) -> &'s str {
        let source = self.text.get(syntax.span.from..syntax.span.to);
        source.filter(|source| source.len() <= LONGEST_SOURCE).unwrap_or(ELLIPSIS)
    }

    /// The same as an operand: in parentheses where it is more than one.
    pub(crate) fn grouped(&self, syntax: &SyntaxNode) -> String {
        let source = self.source(syntax);
        match syntax.kind {
            _ if syntax.parenthesised => source.to_owned(),
            SyntaxKind::Chain(..) | SyntaxKind::Pair(..) | SyntaxKind::Conditional(..) | SyntaxKind::Minus(_) => {
                format!("({source})")
            }
            _ => source.to_owned(),
        }
    }

    /// Returns a part of the text in which a smaller part is replaced; dots where that is long.
    fn replaced(&self, whole: Span, part: Span, text: &str) -> String {
        let [before, behind] = [(whole.from, part.from), (part.to, whole.to)]
            .map(|(from, to)| self.text.get(from..to).filter(|piece| piece.len() <= LONGEST_SOURCE));
        match (before, behind) {
            (Some(before), Some(behind)) => format!("{before}{text}{behind}"),
            _ => text.to_owned(),
        }
    }

    /// Checks operators of one rank, and gives the type of what they make.
    pub(crate) fn check_chain(
        &mut self,
        operands: &[Operand<'_>],
        rest: &[(BinaryOperator, SyntaxNode)],
        span: Span,
    ) -> ValueType {
        use BinaryOperator::{Add, And, Coalesce, Divide, Join, Multiply, Or, Remainder, Subtract, Xor};
        let operator = rest.first().map_or(Add, |(operator, _)| *operator);
        self.note_counted(operator, operands, span);
        match operator {
            And | Or | Xor => {
                let is_told = operator == And && self.check_texts_beside(operands, span);
                operands.iter().filter(|_| !is_told).for_each(|operand| self.check_truth(operand));
                ValueType::of(ValueKind::Bool)
            }
            Coalesce => self.check_choice(operands),
            Join => {
                operands.iter().for_each(|operand| self.check_joined(operand));
                if self.sampling == Some(span) {
                    operands.iter().for_each(|operand| self.check_moment(operand));
                    self.sampled = self.reads_as_moment(operands);
                }
                ValueType::of(ValueKind::Text)
            }
            Add | Subtract | Multiply | Divide | Remainder => self.check_arithmetic(operands, rest, span),
            _ => self.check_bits(operands, rest, span),
        }
    }
}
