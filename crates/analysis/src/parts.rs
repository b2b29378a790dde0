//! The parts `{=...}` of a template, however broken they are.

use crate::tokens::{TextToken, tokens};
use expression::Span;

/// A part of a text that is an expression.
#[derive(Debug)]
pub(crate) struct ExpressionPart {
    /// The place of the expression, without `{=` and `}`.
    pub(crate) span: Span,
    pub(crate) tokens: Vec<TextToken>,
}

/// Returns the expressions of a text: its parts, or all of it where it has none.
pub(crate) fn parts(text: &str) -> Vec<ExpressionPart> {
    if !text.contains("{=") {
        let (tokens, _) = tokens(text, 0);
        return vec![ExpressionPart { span: Span { from: 0, to: text.len() }, tokens }];
    }
    let (mut found, mut position) = (Vec::new(), 0);
    while let Some(start) = text[position..].find("{=").map(|place| position + place) {
        // As in the language: a backslash makes plain text of it, but not at the very beginning.
        if start > position && text[..start].ends_with('\\') {
            position = start + 2;
            continue;
        }
        let (tokens, end) = tokens(text, start + 2);
        found.push(ExpressionPart { span: Span { from: start + 2, to: end }, tokens });
        position = (end + 1).min(text.len());
    }
    found
}
