//! Corrections: an expression with mistakes is read again with each of them replaced by what was probably meant.
//!
//! The first mistake of syntax hides those behind it, and mistakes of names hide those of types. Reading on tells all
//! at once, and finds the text that is accepted.

use expression::scope::Scope;
use expression::{Diagnostic, Program, Severity, Span};
use std::collections::HashSet;

/// The longest text that is read again, in bytes.
const LONGEST: usize = 2_000;
/// The most times that a text is read.
const MOST_ROUNDS: usize = 24;

/// Returns the mistakes of a template or a lone expression, with those that hide behind them. The last one holds the corrected text, where
/// that is accepted and is more than one mistake's suggestion.
pub fn complete(text: &str, scope: &Scope, first: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut draft = CorrectedText::new(text);
    let mut edits = draft.suggested(&first);
    // Findings behind a guessed name may be nonsense.
    let mut is_telling = first.iter().all(|mistake| is_syntax(mistake.code));
    let is_single = first.len() == 1;
    let mut found = first;
    for round in 0..MOST_ROUNDS {
        if draft.text.len() > LONGEST || edits.is_empty() {
            break;
        }
        draft.replace(edits);
        edits = match compiled(&draft.text, scope) {
            Err(mistakes) => {
                if is_telling {
                    let told = mistakes.iter().map(|mistake| draft.placed(mistake));
                    let news: Vec<_> = told.filter(|mistake| !is_told(&found, mistake)).collect();
                    found.extend(news);
                }
                is_telling &= mistakes.iter().all(|mistake| is_syntax(mistake.code));
                draft.suggested(&mistakes)
            }
            Ok(program) => {
                let errors = || program.findings().iter().filter(|finding| finding.severity == Severity::Error);
                if errors().next().is_none() {
                    return if round > 0 || !is_single { gathered(found, draft.text) } else { found };
                }
                // A finding without a fix may be a consequence of another one.
                let fixes = errors().filter_map(|finding| finding.fixes.first());
                fixes.map(|fix| (fix.span, fix.text.clone())).collect()
            }
        };
    }
    found
}

fn compiled(text: &str, scope: &Scope) -> Result<Program, Vec<Diagnostic>> {
    if text.contains("{=") { Program::template(text, scope) } else { Program::expression(text, scope) }
}

/// Returns mistakes in the order of the text, each message once, with the corrected text at the last one.
fn gathered(mut found: Vec<Diagnostic>, corrected: String) -> Vec<Diagnostic> {
    found.sort_by_key(|mistake| mistake.span.from);
    let mut told = HashSet::new();
    found.retain(|mistake| told.insert((mistake.code, mistake.message.clone())));
    if let Some(last) = found.last_mut() {
        last.corrected = Some(corrected.into_boxed_str());
    }
    found
}

/// Returns a suggestion as it is written in the place of a text: a name in the quotes of the one that stands there.
pub fn requoted(written: &str, suggestion: &str) -> String {
    match written.chars().next().filter(|quote| ['\'', '"'].contains(quote)) {
        Some(quote) if !suggestion.contains(['\'', '"', '(']) => format!("{quote}{suggestion}{quote}"),
        _ => suggestion.to_owned(),
    }
}

fn is_syntax(code: &str) -> bool {
    matches!(code, "unexpected" | "unexpected_character")
}

fn is_told(found: &[Diagnostic], mistake: &Diagnostic) -> bool {
    found.iter().any(|other| other.code == mistake.code && other.span == mistake.span)
}

/// A text with replacements, which knows where its bytes come from.
struct CorrectedText {
    text: String,
    /// For each byte, the part of the first text that it stands for.
    origins: Vec<Span>,
}

impl CorrectedText {
    fn new(text: &str) -> Self {
        let text = if text.len() > LONGEST { "" } else { text };
        let origins = (0..text.len()).map(|byte| Span { from: byte, to: byte + 1 }).collect();
        CorrectedText { text: text.to_owned(), origins }
    }

    /// The suggestions of mistakes, each with its place.
    fn suggested(&self, mistakes: &[Diagnostic]) -> Vec<(Span, String)> {
        let suggestions = mistakes.iter().filter_map(|mistake| {
            let written = self.text.get(mistake.span.from..mistake.span.to)?;
            Some((mistake.span, requoted(written, mistake.suggestion.as_deref()?)))
        });
        suggestions.collect()
    }

    /// Puts texts in their places. Of those that lie in one another the outer one is taken.
    fn replace(&mut self, mut edits: Vec<(Span, String)>) {
        edits.sort_by_key(|(span, _)| (span.from, std::cmp::Reverse(span.to)));
        let mut behind = 0;
        edits.retain(|(span, _)| {
            let is_free = span.from >= behind;
            behind = behind.max(span.to);
            is_free
        });
        for (span, text) in edits.iter().rev() {
            let origin = self.origin(*span);
            self.text.replace_range(span.from..span.to, text);
            self.origins.splice(span.from..span.to, std::iter::repeat_n(origin, text.len()));
        }
    }

    /// The part of the first text that a part stands for.
    fn origin(&self, span: Span) -> Span {
        let before = |byte: usize| byte.checked_sub(1).and_then(|byte| self.origins.get(byte));
        let from = self.origins.get(span.from).map(|origin| origin.from);
        let from = from.or_else(|| before(span.from).map(|origin| origin.to)).unwrap_or_default();
        let to = before(span.to).filter(|_| span.to > span.from).map_or(from, |origin| origin.to);
        Span { from, to: to.max(from) }
    }

    /// A mistake at its place in the first text.
    fn placed(&self, mistake: &Diagnostic) -> Diagnostic {
        let mut placed = mistake.clone();
        placed.span = self.origin(mistake.span);
        placed
    }
}
