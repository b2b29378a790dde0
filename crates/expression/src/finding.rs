//! Findings: what is sure to fail, or to be another thing than it says, for ordinary values; and what is rarely meant.

use crate::error::{Diagnostic, Span};

/// The weight of a finding. Neither refuses a program: `plinth check` shows both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It is well defined, and rarely meant.
    Warning,
    /// It fails, or is another thing than it says, for a value that the type admits.
    Error,
}

/// A text that replaces a part of the expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The part.
    pub span: Span,
    /// The text in its place.
    pub text: String,
    /// True if it cannot change a right value.
    pub is_safe: bool,
}

/// Something that the types of an expression tell.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The weight.
    pub severity: Severity,
    /// The place, the code and the message.
    pub diagnostic: Diagnostic,
    /// Further places that the message is about, each with its own words.
    pub further: Vec<(Span, String)>,
    /// Replacements, each of which mends it alone.
    pub fixes: Vec<Fix>,
}

impl Finding {
    /// A finding without further places and fixes.
    pub(crate) fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Self {
        let diagnostic = Diagnostic::new(code, span, message);
        Finding { severity, diagnostic, further: Vec::new(), fixes: Vec::new() }
    }

    /// The finding with a text that mends it.
    #[must_use]
    pub(crate) fn fixed(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fixes.push(Fix { span, text: text.into(), is_safe: false });
        self
    }

    /// The finding with a text that fixes it and cannot change a right value.
    #[must_use]
    pub(crate) fn safely_fixed(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fixes.push(Fix { span, text: text.into(), is_safe: true });
        self
    }

    /// The finding with a further place.
    #[must_use]
    pub(crate) fn also(mut self, span: Span, message: impl Into<String>) -> Self {
        self.further.push((span, message.into()));
        self
    }

    /// Moves all places to one: what was read is no part of the text.
    pub(crate) fn place_at(&mut self, span: Span) {
        self.diagnostic.span = span;
        self.further.clear();
        self.fixes.clear();
    }
}
