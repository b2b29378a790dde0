//! Texts that values are put into, and steps from values that have no members.

use super::Operand;
use crate::compile::Compiler;
use crate::error::Span;
use crate::error::capital;
use crate::finding::{Finding, Severity};
use crate::parser::{PathStep, SyntaxKind, SyntaxNode};
use crate::scope::{ValueKind, ValueType};
use crate::value::Value;

impl Compiler<'_> {
    /// Checks a value that is put into a template.
    pub(crate) fn check_part(&mut self, of: &ValueType, syntax: &SyntaxNode) {
        self.check_joined(&Operand { constant: None, of, syntax });
    }

    /// Checks an operand of `~`.
    pub(super) fn check_joined(&mut self, operand: &Operand<'_>) {
        let span = operand.syntax.span;
        let source = self.source(operand.syntax);
        let grouped = self.grouped(operand.syntax);
        let (message, remedy) = match operand.kind() {
            ValueKind::Bool if operand.constant.is_none() => {
                let remedy = format!("({grouped} ? 'yes' : 'no')");
                let message = format!("In a text a boolean is `1` or nothing: `{remedy}`.");
                let finding = Finding::new(Severity::Warning, "boolean_in_text", span, message);
                return self.find(finding.fixed(span, remedy));
            }
            ValueKind::Array => {
                let remedy = format!("join(', ', {source})");
                (format!("An array is no text: `{remedy}`."), Some(remedy))
            }
            ValueKind::Interval => {
                let remedy = format!("{grouped}.days");
                (format!("An interval is no text: `{remedy}`."), Some(remedy))
            }
            ValueKind::Resource => {
                let remedy = format!("getTitle({source})");
                (format!("A resource is no text: `{remedy}`, or one of its properties."), Some(remedy))
            }
            kind @ (ValueKind::Object | ValueKind::Changes | ValueKind::Rows) => {
                (format!("{} is no text.", capital(kind.words())), None)
            }
            _ => return,
        };
        let mut finding = Finding::new(Severity::Error, "no_text", span, message);
        if let Some(remedy) = remedy.filter(|_| operand.kind() != ValueKind::Resource || !operand.of.nullable) {
            finding = finding.fixed(span, remedy);
        }
        self.find(finding);
    }

    /// Checks a step from a value: changes have no members, nor have dates and texts places to look at.
    pub(crate) fn check_step(&mut self, step: &PathStep, of: &ValueType) {
        let span = match step {
            PathStep::Property(_, span) => *span,
            PathStep::Index(key) => key.span,
            PathStep::Call(_) => return,
        };
        match (of.known(), step) {
            (ValueKind::Changes, _) => {
                let property = match step {
                    PathStep::Property(name, _) => name.as_str(),
                    _ => "status",
                };
                let message =
                    format!("Changes have no members: `hasChanged('{property}')`, or `changedFrom('{property}', …)`.");
                self.error("no_members", span, message);
            }
            (kind, PathStep::Index(_)) if kind.is_scalar() || kind.is_date() => {
                let message = format!("{} has no members.", capital(kind.words()));
                self.error("no_members", span, message);
            }
            _ => {}
        }
    }

    /// Checks an index of an array that is written out.
    pub(crate) fn check_index(&mut self, array: &SyntaxNode, key: &SyntaxNode) {
        if let (SyntaxKind::Array(items), SyntaxKind::Literal(Value::Int(place))) = (&array.kind, &key.kind)
            && usize::try_from(*place).map_or(true, |place| place >= items.len())
        {
            let Span { from, to } = key.span;
            let message = format!("The array has {} items, the first with the index 0: this gives null.", items.len());
            self.warning("beyond_array", Span { from, to }, message);
        }
    }
}
