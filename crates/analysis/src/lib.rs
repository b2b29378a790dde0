//! Analysis of expressions for editors: one call reads a text, and its result answers what stands at a place.
//!
//! The text may be cut or wrong anywhere: what is open is closed, and holes stand where something is missing. The
//! crate does no I/O. Its mistakes are those of `expression`; what completes and what is shown comes from the same
//! [`Scope`] that the text is checked with.

mod completion;
mod cursor;
mod hover;
mod name_use;
mod parts;
mod property;
mod repair;
mod resolve;
mod signature;
mod surroundings;
mod text_content;
mod tokens;

pub use completion::{CompletionItem, CompletionSort};
pub use hover::HoverText;
pub use name_use::{NameSort, NameUse, TypedSpan};
pub use signature::CallSignature;
pub use surroundings::Surroundings;
pub use tokens::{TextToken, TokenSort};

use cursor::CursorContext;
use expression::scope::Scope;
use expression::{Diagnostic, MAXIMUM_LENGTH, Program};
use parts::ExpressionPart;

/// The result of reading a text.
#[derive(Debug)]
pub struct Analysis<'a> {
    text: &'a str,
    surroundings: &'a Surroundings,
    parts: Vec<ExpressionPart>,
    /// The mistakes, as the language tells them.
    pub diagnostics: Vec<Diagnostic>,
    /// The names that the text uses, in the order of their places.
    pub names: Vec<NameUse>,
    /// The types of parts of the text, the inner ones first.
    pub types: Vec<TypedSpan>,
}

/// Analyses a template, or a lone expression where the text has no `{=`.
pub fn analyse<'a>(text: &'a str, surroundings: &'a Surroundings) -> Analysis<'a> {
    let diagnostics = mistakes(text, &surroundings.scope);
    // Such a text is refused as a whole. Reading it would only take time.
    let is_long = text.len() > MAXIMUM_LENGTH && text.chars().count() > MAXIMUM_LENGTH;
    let parts = if is_long { Vec::new() } else { parts::parts(text) };
    let (mut names, mut types) = (Vec::new(), Vec::new());
    for part in &parts {
        let found = resolve::part(text, part, surroundings);
        names.extend(found.names);
        types.extend(found.types);
    }
    names.sort_by_key(|name: &NameUse| (name.span.from, name.span.to));
    Analysis { text, surroundings, parts, diagnostics, names, types }
}

fn mistakes(text: &str, scope: &Scope) -> Vec<Diagnostic> {
    let program = if text.contains("{=") { Program::template(text, scope) } else { Program::expression(text, scope) };
    program.err().unwrap_or_default()
}

impl Analysis<'_> {
    /// Returns the tokens of all expressions of the text.
    pub fn tokens(&self) -> impl Iterator<Item = &TextToken> {
        self.parts.iter().flat_map(|part| &part.tokens)
    }

    /// Returns the names that may stand at a byte, those that begin as the text there does.
    pub fn completions(&self, at: usize) -> Vec<CompletionItem> {
        let Some(context) = self.context(at) else { return Vec::new() };
        completion::items(&context, self.surroundings)
    }

    /// Returns the description of the name or the value at a byte.
    pub fn hover(&self, at: usize) -> Option<HoverText> {
        hover::at(self, at)
    }

    /// Returns the function whose arguments the byte stands in.
    pub fn signature(&self, at: usize) -> Option<CallSignature> {
        let part = self.part(at)?;
        signature::of(cursor::enclosing_call(self.text, part, at)?)
    }

    /// Returns the name at a byte, with its owner.
    pub fn definition(&self, at: usize) -> Option<&NameUse> {
        self.names.iter().filter(|name| (name.span.from..=name.span.to).contains(&at)).min_by_key(|name| name.length())
    }

    fn context(&self, at: usize) -> Option<CursorContext<'_>> {
        self.part(at).and_then(|part| CursorContext::at(self.text, part, at))
    }

    fn part(&self, at: usize) -> Option<&ExpressionPart> {
        let at_letter = self.text.is_char_boundary(at);
        self.parts.iter().find(|part| at_letter && (part.span.from..=part.span.to).contains(&at))
    }
}
