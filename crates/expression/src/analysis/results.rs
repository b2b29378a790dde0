//! Results: a rule that gives a text, and a branch of another kind than the place wants.

use super::Operand;
use crate::compile::{Compiler, TypedNode};
use crate::error::{Span, capital};
use crate::finding::{Finding, Severity};
use crate::parser::SyntaxNode;
use values::types::ValueKind;

impl Compiler<'_> {
    /// Notes that the value of an expression is the result of all.
    pub(crate) fn expect_result(&mut self, syntax: &SyntaxNode) {
        if self.scope.wants != ValueKind::Any || self.scope.decides {
            self.results.push(syntax.span);
        }
    }

    /// Notes that the branches of a choice are results, where the choice is one. Returns true if they are.
    pub(crate) fn expect_branches(&mut self, whole: Span, branches: &[&SyntaxNode]) -> bool {
        let is_result = self.results.contains(&whole);
        if is_result {
            self.results.extend(branches.iter().map(|branch| branch.span));
        }
        is_result
    }

    /// Checks a branch of a result: one of a wrong kind is refused when it is chosen.
    pub(crate) fn check_branch(&mut self, branch: &TypedNode, syntax: &SyntaxNode) {
        let (wanted, kind) = (self.scope.wants, branch.of.known());
        if kind.serves(wanted) || self.scope.decides {
            return;
        }
        let source = self.source(syntax);
        let (wanted, found) = (wanted.words(), kind.words());
        let message = format!("{} is wanted here, and `{source}` is {found}.", capital(wanted));
        let mut finding = Finding::new(Severity::Error, "wrong_branch", syntax.span, message);
        if branch.node.constant().is_some() {
            finding = finding.fixed(syntax.span, "null");
        }
        self.find(finding);
    }

    /// Checks the result of a rule, which is a yes or a no: most texts are always a yes.
    pub(crate) fn check_decision(&mut self, result: &Operand<'_>) {
        if !self.scope.decides {
            return;
        }
        let is_text = result.of.known() == ValueKind::Text && result.of.date_kind().is_none();
        if !is_text || crate::reference::reference(result.syntax).is_some() {
            return self.check_truth(result);
        }
        let message = "A rule gives true or false, and this gives a text, which is almost always a yes: compare it, \
                       `… == 'a'`.";
        self.error("text_as_rule", result.syntax.span, message.to_owned());
    }

    /// Checks a rule that is a text with parts; returns true where it is one.
    pub(crate) fn check_decided_text(&mut self) -> bool {
        if !self.scope.decides {
            return false;
        }
        let trimmed = self.text.trim();
        let is_block = trimmed.len() < self.text.len() && trimmed.starts_with("{=") && trimmed.ends_with('}');
        let remedy = if is_block { " A block without a line break at its end begins with `|-`." } else { "" };
        let message = format!("A rule is one expression alone, `{{=a == b}}`: a text is almost always a yes.{remedy}");
        self.error("text_as_rule", Span { from: 0, to: trimmed.len() }, message);
        true
    }
}
