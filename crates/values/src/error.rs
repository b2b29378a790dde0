//! The errors of an expression: at compile time a [`Diagnostic`], at run time a [`Fault`] that becomes one.

use std::fmt;

/// The result of functions and evaluation.
pub type Result<T, E = Fault> = std::result::Result<T, E>;

/// A stable snake_case word for a sort of mistake, such as `unknown_function` or `fuel_spent`.
pub type MistakeCode = &'static str;

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
#[non_exhaustive]
pub struct Diagnostic {
    /// The sort of mistake.
    pub code: MistakeCode,
    /// The place in the text.
    pub span: Span,
    /// The message: what is wrong and what to do.
    pub message: String,
    /// The text that was probably meant; may replace the span.
    pub suggestion: Option<String>,
    /// The part of the text at the place, of what failed as it ran.
    pub part: Option<Box<str>>,
    /// The whole text with each of its mistakes replaced by what was probably meant, where it is then right. It stands
    /// at the last of several mistakes.
    pub corrected: Option<Box<str>>,
}

/// The message of a division by zero.
pub(crate) const DIVISION_BY_ZERO: &str = "Division by zero: test the divisor, b != 0 ? a / b : null.";

/// The most characters of a part that a message shows.
const SHOWN: usize = 80;

impl Diagnostic {
    /// A mistake at a place, without a suggestion.
    pub fn new(code: MistakeCode, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { code, span, message: message.into(), suggestion: None, part: None, corrected: None }
    }

    /// The mistake with the part of the text that it is about. A long one is cut.
    #[must_use]
    pub fn within(self, text: &str) -> Self {
        let whole = text.get(self.span.from..self.span.to).filter(|part| !part.is_empty());
        let part = whole.map(|whole| match whole.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", &whole[..end]).into_boxed_str(),
            None => whole.into(),
        });
        Diagnostic { part, ..self }
    }

    /// The same as a sentence.
    pub fn sentence(&self) -> String {
        capital(&self.located())
    }

    /// The message behind the part of the text that it is about: "at `a / b`: Division by zero."
    pub fn located(&self) -> String {
        match &self.part {
            Some(part) => format!("at `{part}`: {}", self.message),
            None => self.message.clone(),
        }
    }

    /// The mistake with the text that was probably meant.
    #[must_use]
    pub fn suggesting(self, suggestion: Option<String>) -> Self {
        Diagnostic { suggestion, ..self }
    }
}

/// A failed operation or call; evaluation adds the place of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The sort of mistake.
    pub code: MistakeCode,
    /// The message: kinds, places and names of the expression, never a value or a part of one. It says what is wrong
    /// and what to do. It is shown to those who may not read what the expression is about.
    pub message: String,
}

impl Fault {
    /// A fault.
    pub fn new(code: MistakeCode, message: impl Into<String>) -> Self {
        Fault { code, message: message.into() }
    }

    /// The fault with its place.
    pub fn at(self, span: Span) -> Diagnostic {
        Diagnostic { code: self.code, span, message: self.message, suggestion: None, part: None, corrected: None }
    }
}

/// A mistake, with what was probably meant.
pub fn mistake(code: &'static str, span: Span, message: impl Into<String>, suggestion: Option<String>) -> Diagnostic {
    Diagnostic { code, span, message: message.into(), suggestion, part: None, corrected: None }
}

/// Words as the beginning of a sentence.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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
