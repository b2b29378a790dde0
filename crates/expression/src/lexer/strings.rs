//! Strings: their escapes, and the mistakes of quotes.

use super::{Lexer, SpannedToken, TokenKind};
use crate::error::{Diagnostic, Span};

impl Lexer<'_> {
    pub(super) fn string(&mut self, quote: char) -> Result<TokenKind, Diagnostic> {
        let start = self.position;
        let mut text = String::new();
        self.position += 1;
        loop {
            let Some(letter) = self.rest().chars().next() else {
                let message = format!("The string does not end: add {quote}.");
                self.position = start + 1;
                let apostrophe = self.apostrophe(quote);
                return Err(apostrophe.unwrap_or_else(|| self.mistake(start, "unterminated_string", message)));
            };
            self.position += letter.len_utf8();
            match letter {
                '\\' => text.push(self.escape()?),
                _ if letter == quote => return Ok(TokenKind::Text(text)),
                _ => text.push(letter),
            }
        }
    }

    /// Returns the mistake of `'it's'`, where a string and a word that touches it come before a quote without an end.
    fn apostrophe(&self, quote: char) -> Option<Diagnostic> {
        let touches = |pair: &[SpannedToken]| {
            matches!((&pair[0].kind, &pair[1].kind), (TokenKind::Text(_), TokenKind::Word))
                && pair[0].span.to == pair[1].span.from
                && self.text[pair[0].span.from..].starts_with(quote)
        };
        let place = self.tokens.windows(2).position(touches)?;
        let string = self.tokens[place].span;
        let is_last = !self.tokens[place + 1..].iter().any(|token| matches!(token.kind, TokenKind::Text(_)));
        let span = Span { from: string.from, to: self.position };
        let (inside, rest) = (&self.text[span.from + 1..span.to - 1], &self.text[string.to..span.to]);
        let plain = is_last && inside.len() <= 60 && !inside.contains(['"', '\\', '\n']) && quote == '\'';
        let written = plain.then(|| format!("\"{inside}\""));
        let message = match &written {
            Some(written) => format!("The text ends before `{rest}`. Write `{written}`, or `\\'` inside of it."),
            None => format!("The text ends too early: write `\\{quote}` for a quote inside of it."),
        };
        Some(self.mistake(span.from, "unterminated_string", message).suggesting(written))
    }

    fn escape(&mut self) -> Result<char, Diagnostic> {
        let start = self.position - 1;
        let letter = self.rest().chars().next();
        self.position += letter.map_or(0, char::len_utf8);
        match letter {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('r') => Ok('\r'),
            Some(same @ ('\\' | '\'' | '"')) => Ok(same),
            Some('u') => {
                let unit = self.hex(start)?;
                let high = (0xD800..0xDC00).contains(&unit);
                let mut code = unit;
                if high && self.rest().starts_with("\\u") {
                    self.position += 2;
                    let low = self.hex(start)?;
                    code = match low {
                        0xDC00..0xE000 => 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00),
                        _ => unit,
                    };
                }
                let message = "Half a surrogate pair is not a character: write both halves.";
                char::from_u32(code).ok_or_else(|| self.mistake(start, "bad_escape", message))
            }
            _ => {
                let message = r#"A backslash stands before n, t, r, \, ', " or uXXXX; write `\\` for a backslash."#;
                Err(self.mistake(start, "bad_escape", message))
            }
        }
    }

    fn hex(&mut self, start: usize) -> Result<u32, Diagnostic> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.mistake(start, "bad_escape", "Four hexadecimal digits follow `\\u`."));
        };
        self.position += 4;
        Ok(code)
    }
}
