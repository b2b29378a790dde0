//! What is wrong with an expression: at compile time a [`Diagnostic`], at run time a [`Fault`] that becomes one.

use std::fmt;

/// What functions and evaluation give.
pub type Result<T, E = Fault> = std::result::Result<T, E>;

/// A stable snake_case word for a sort of mistake, such as `unknown_function` or `fuel_spent`.
pub type Code = &'static str;

/// A part of the text, in bytes: from, and to (exclusive).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub from: usize,
    /// The byte behind the last.
    pub to: usize,
}

impl Span {
    /// From the first byte of this to the last of the other.
    pub fn joined(self, other: Span) -> Span {
        Span { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}

/// A mistake with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What sort it is.
    pub code: Code,
    /// Where it is.
    pub span: Span,
    /// What is wrong and what to do.
    pub message: String,
    /// What was probably meant; may replace the span.
    pub suggestion: Option<String>,
}

/// A failed operation or call; evaluation adds the place of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What sort it is.
    pub code: Code,
    /// What is wrong and what to do; never a secret's text.
    pub message: String,
}

impl Fault {
    /// A fault.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Fault { code, message: message.into() }
    }

    /// The fault with its place.
    pub fn at(self, span: Span) -> Diagnostic {
        Diagnostic { code: self.code, span, message: self.message, suggestion: None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
impl std::error::Error for Diagnostic {}
