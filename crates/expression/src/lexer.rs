//! Tokens: an expression's text cut into words, numbers, strings and signs.

mod strings;

use crate::error::{Diagnostic, Span};
use crate::foreign_characters;

/// A token with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SpannedToken {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The kind of a token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    /// A name or keyword; its text is the span's.
    Word,
    /// `$name`; the name is the span's without the dollar.
    Variable,
    /// A whole number.
    Int(i64),
    /// A number with a fraction or exponent, or too large for 64 bits.
    Float(f64),
    /// A string, its escapes resolved.
    Text(String),
    /// An operator or bracket.
    Sign(&'static str),
    /// The end of the expression.
    End,
}

/// Longer signs come first.
const SIGNS: &[&str] = &[
    "...", "===", "!==", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "??", "**", "<", ">", "!", "?", ":", "~", "+",
    "-", "*", "/", "%", "&", "|", "^", ".", ",", "(", ")", "[", "]", "{", "}",
];

/// Cuts the text from a byte on. Inside a template (`closed`), the `}` that belongs to no `{` ends the expression,
/// and the last token lies on it.
pub(crate) fn tokens(text: &str, from: usize, closed: bool) -> Result<Vec<SpannedToken>, Diagnostic> {
    let mut lexer = Lexer { text, position: from, tokens: Vec::new() };
    let mut braces = 0usize;
    loop {
        lexer.blanks()?;
        let start = lexer.position;
        let Some(first) = lexer.rest().chars().next() else { break };
        if first == '}' && braces == 0 && closed {
            break;
        }
        let kind = lexer.token(first)?;
        match kind {
            TokenKind::Sign("{") => braces += 1,
            TokenKind::Sign("}") => braces = braces.saturating_sub(1),
            _ => {}
        }
        lexer.tokens.push(SpannedToken { kind, span: Span { from: start, to: lexer.position } });
    }
    let end = lexer.position;
    lexer.tokens.push(SpannedToken { kind: TokenKind::End, span: Span { from: end, to: end } });
    Ok(lexer.tokens)
}

pub(crate) fn is_name_start(letter: char) -> bool {
    letter == '_' || letter.is_alphabetic()
}

pub(crate) fn is_name_part(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    tokens: Vec<SpannedToken>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    fn mistake(&self, from: usize, code: &'static str, message: impl Into<String>) -> Diagnostic {
        let span = Span { from, to: self.position.max(from) };
        Diagnostic::new(code, span, message)
    }

    fn blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.position = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            let from = self.position;
            match self.rest()[2..].find("*/") {
                Some(length) => self.position += length + 4,
                None => {
                    self.position += 2;
                    return Err(self.mistake(from, "unterminated_comment", "The comment does not end: add `*/`."));
                }
            }
        }
    }

    fn token(&mut self, first: char) -> Result<TokenKind, Diagnostic> {
        if is_name_start(first) {
            self.name();
            return Ok(TokenKind::Word);
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if first == '\'' || first == '"' {
            return self.string(first);
        }
        let start = self.position;
        if first == '$' {
            self.position += 1;
            if !self.rest().starts_with(is_name_start) {
                let message = "A variable's name follows `$`. A property stands by its name alone, `name`.";
                return Err(self.mistake(start, "unexpected", message));
            }
            self.name();
            return Ok(TokenKind::Variable);
        }
        if let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) {
            self.position += sign.len();
            return Ok(TokenKind::Sign(sign));
        }
        let before = self.text[..start].trim_end();
        let begins = before.is_empty() || before.ends_with("{=");
        if first == '=' && begins && !self.rest().starts_with("=>") {
            let message = "An expression begins without `=`, as in `price * pieces`.";
            return Err(Diagnostic::new("unexpected_character", Span { from: start, to: start + 1 }, message));
        }
        Err(foreign_characters::character(first, self.rest(), start))
    }

    fn name(&mut self) {
        let rest = self.rest();
        self.position += rest.find(|letter| !is_name_part(letter)).unwrap_or(rest.len());
    }

    fn digits(&mut self) {
        let bytes = self.text.as_bytes();
        let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
        while digit(self.position) || (bytes.get(self.position) == Some(&b'_') && digit(self.position + 1)) {
            self.position += 1;
        }
    }

    fn number(&mut self) -> Result<TokenKind, Diagnostic> {
        let (start, bytes) = (self.position, self.text.as_bytes());
        let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
        self.digits();
        let mut whole = true;
        if bytes.get(self.position) == Some(&b'.') && digit(self.position + 1) {
            whole = false;
            self.position += 1;
            self.digits();
        }
        if matches!(bytes.get(self.position), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(self.position + 1), Some(b'+' | b'-')));
            if digit(self.position + 1 + sign) {
                whole = false;
                self.position += 1 + sign;
                self.digits();
            }
        }
        if self.rest().starts_with(is_name_part) {
            self.name();
            return Err(self.mistake(start, "bad_number", "A number is written as 12, 1.5, 1e3 or 1_000."));
        }
        let digits = self.text[start..self.position].replace('_', "");
        if whole && let Ok(number) = digits.parse() {
            return Ok(TokenKind::Int(number));
        }
        let number = digits.parse();
        number.map(TokenKind::Float).map_err(|_| self.mistake(start, "bad_number", "This number cannot be read."))
    }
}
