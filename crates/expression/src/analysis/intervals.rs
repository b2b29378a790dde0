//! Intervals in the place of numbers: the number that was meant.

use super::Operand;
use crate::compile::Compiler;
use crate::error::Span;
use crate::finding::{Finding, Severity};
use crate::parser::{PathStep, SyntaxKind, SyntaxNode};
use datetime::IntervalUnit;

impl Compiler<'_> {
    /// Says that an interval is not a number.
    pub(super) fn interval_beside(&mut self, interval: Operand<'_>, span: Span) {
        let place = interval.syntax.span;
        let (remedy, is_safe) = self.interval_number(interval.syntax);
        let message = format!("An interval is not a number: `{}`.", self.replaced(span, place, &remedy));
        let finding = Finding::new(Severity::Error, "interval_counted", place, message);
        self.find(match is_safe {
            true => finding.safely_fixed(Span { from: place.to, to: place.to }, ".days"),
            false => finding.fixed(place, remedy),
        });
    }

    /// Returns true for an interval of a number: `5.days`.
    pub(super) fn is_made_interval(&self, syntax: &SyntaxNode) -> bool {
        unit(syntax).is_some()
    }

    /// Returns the number that an interval stands for, and true if it is that for certain.
    pub(super) fn interval_number(&self, syntax: &SyntaxNode) -> (String, bool) {
        let source = self.source(syntax);
        match (unit(syntax), &syntax.kind) {
            // The number of days that it was made of.
            (Some((behind, "days")), _) => {
                let number = self.text.get(syntax.span.from..behind).map(|text| text.trim_start_matches('(').trim());
                (number.unwrap_or(source).trim_end_matches('.').trim_end().to_owned(), false)
            }
            (Some(_), _) => (format!("{source}.totalDays"), false),
            // Between two datetimes, with a sign.
            (None, SyntaxKind::Chain(..)) => (format!("{}.totalDays", self.grouped(syntax)), false),
            (None, _) => {
                (format!("{}.days", self.grouped(syntax)), !matches!(syntax.kind, SyntaxKind::Conditional(..)))
            }
        }
    }
}

/// Returns the unit of an interval of a number, and the place where it is written.
fn unit(syntax: &SyntaxNode) -> Option<(usize, &str)> {
    let SyntaxKind::Path(_, steps) = &syntax.kind else { return None };
    match steps.last() {
        Some(PathStep::Property(name, span)) if IntervalUnit::of(name).is_some() => Some((span.from, name)),
        _ => None,
    }
}
