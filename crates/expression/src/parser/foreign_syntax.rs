//! Syntax of other languages, looked up where the parser finds a token that it does not expect: a right text never
//! comes here.

use super::Parser;
use crate::catalogue;
use crate::error::{Diagnostic, Span};
use crate::lexer::TokenKind;

const LONE_NAME: &str = "An expression is `{=name}`: a property stands by its name alone.";
/// The longest text of a replacement's part.
const LONGEST: usize = 200;

impl Parser<'_> {
    /// Returns the mistake of an unexpected token that begins or ends something of another language.
    pub(super) fn foreign(&self) -> Option<Diagnostic> {
        self.signs().or_else(|| self.operator_word()).or_else(|| self.statement())
    }

    /// `<>`, `a++`, `'a' . name`, `1,5`, `in ('a', 'b')`, `{{ name }}`.
    fn signs(&self) -> Option<Diagnostic> {
        let (at, before) = (self.position, self.before(1)?);
        let joined = self.span(at - 1).joined(self.span(at));
        let adjacent = self.span(at - 1).to == self.span(at).from;
        match (before, &self.peek().kind) {
            (TokenKind::Sign("<"), TokenKind::Sign(">")) if adjacent => {
                Some(replaced(joined, "`<>` is written `!=`.", Some("!=".to_owned())))
            }
            (TokenKind::Sign("+"), TokenKind::Sign("+")) if adjacent => {
                Some(replaced(joined, "There is no `++`: a write adds with `name+=`.", None))
            }
            (TokenKind::Sign("%"), TokenKind::End | TokenKind::Sign(")" | "}" | "," | "]" | "?" | ":")) => {
                let number = self.tokens.get(at.checked_sub(2)?)?;
                let written = self.piece(number.span).filter(|_| matches!(number.kind, TokenKind::Int(_)));
                let percent = written.and_then(|written| written.parse::<u16>().ok());
                let fraction = percent.map(|percent| format!("{}.{:02}", percent / 100, percent % 100));
                let shown = fraction.as_deref().unwrap_or("0.10");
                let message = format!("`%` is the remainder of a division. A part of a hundred is written `{shown}`.");
                Some(replaced(number.span.joined(self.span(at - 1)), &message, fraction))
            }
            (TokenKind::Sign("."), TokenKind::Text(_)) => {
                let message = "In this language texts are joined with `~`: `name ~ 'a'`.";
                Some(replaced(self.span(at - 1), message, Some("~".to_owned())))
            }
            (TokenKind::Text(_), TokenKind::Sign("," | "}")) if self.is_sign(at.checked_sub(2)?, "{") => {
                let message =
                    "Braces hold keys with values, `{CZ: 0.21, SK: 0.23}`. A list stands in brackets: `['a', 'b']`.";
                Some(replaced(self.span(at - 2).joined(joined), message, None))
            }
            (before, TokenKind::Sign(",")) => {
                let is_number = adjacent && matches!(before, TokenKind::Int(_));
                self.list_in_parentheses().or_else(|| if is_number { self.decimal_comma() } else { None })
            }
            (TokenKind::Sign("{"), TokenKind::Sign("{")) => Some(replaced(joined, LONE_NAME, None)),
            (TokenKind::Word, TokenKind::Sign("}")) if self.is_sign(at.checked_sub(2)?, "{") => {
                Some(replaced(self.span(at - 2).joined(joined), LONE_NAME, None))
            }
            _ => None,
        }
    }

    /// `1,5`: the token is the comma. Three digits behind it may be thousands.
    fn decimal_comma(&self) -> Option<Diagnostic> {
        let (before, next) = (self.span(self.position - 1), self.tokens.get(self.position + 1)?);
        if !matches!(next.kind, TokenKind::Int(_)) || next.span.from != self.peek().span.to {
            return None;
        }
        let number = format!("{}.{}", self.piece(before)?, self.piece(next.span)?);
        let is_clear = next.span.to - next.span.from != 3;
        if !is_clear {
            let whole = format!("{}{}", self.piece(before)?, self.piece(next.span)?);
            let message = format!("Nothing stands between thousands: `{whole}`. A fraction has a point: `{number}`.");
            return Some(replaced(before.joined(next.span), &message, None));
        }
        let message = format!("A number has a point, and nothing between thousands: `{number}`.");
        Some(replaced(before.joined(next.span), &message, Some(number)))
    }

    /// `status in ('a', 'b')`: the token is the first comma.
    fn list_in_parentheses(&self) -> Option<Diagnostic> {
        let open = (0..self.position).rev().find(|place| self.is_sign(*place, "("))?;
        if !self.word(self.tokens.get(open.checked_sub(1)?)?).eq_ignore_ascii_case("in") {
            return None;
        }
        let mut depth = 0;
        let close = (self.position..self.tokens.len()).find(|place| {
            depth += usize::from(self.is_sign(*place, "("));
            let closes = self.is_sign(*place, ")");
            let is_own = closes && depth == 0;
            depth -= usize::from(closes && !is_own);
            is_own
        });
        let whole = self.span(open).joined(self.span(close.unwrap_or(self.position)));
        let inner = close.and_then(|close| self.piece(Span { from: self.span(open).to, to: self.span(close).from }));
        let list = inner.map(|inner| format!("[{inner}]"));
        let message = format!("A list stands in brackets: `in {}`.", list.as_deref().unwrap_or("['a', 'b']"));
        Some(replaced(whole, &message, list))
    }

    /// A word in the place of an operator.
    fn operator_word(&self) -> Option<Diagnostic> {
        let (token, word) = (self.peek(), self.word(self.peek()));
        let lower = word.to_ascii_lowercase();
        match lower.as_str() {
            "and" | "or" | "xor" | "in" if lower != word => {
                let message = format!("Operators are written small: `{lower}`.");
                return Some(replaced(token.span, &message, Some(lower)));
            }
            "not" if self.second().eq_ignore_ascii_case("in") => {
                let span = token.span.joined(self.peek_second().span);
                return Some(replaced(span, "Operators are written small: `not in`.", Some("not in".to_owned())));
            }
            "is" => return Some(self.is_null(token.span)),
            "like" | "ilike" => return Some(self.like(token.span)),
            "between" => return Some(self.between(token.span)),
            _ => {}
        }
        let before = self.word(self.tokens.get(self.position.checked_sub(1)?)?);
        if before.eq_ignore_ascii_case("not") && token.kind != TokenKind::End {
            let message = "Operators are written small: `not`.";
            return Some(replaced(self.span(self.position - 1), message, Some("not".to_owned())));
        }
        let function = catalogue::find(word)?;
        let is_operand = matches!(self.peek_second().kind, TokenKind::Text(_) | TokenKind::Word | TokenKind::Int(_));
        let call = self.operand_before(self.position + 2).and_then(|left| {
            let right = self.peek_second().span;
            let call = format!("{}({}, {})", function.name, self.piece(left)?, self.piece(right)?);
            Some((left.joined(right), call))
        });
        let (span, replacement) = call.map_or((token.span, None), |(span, call)| (span, Some(call)));
        let shown = replacement.clone().unwrap_or_else(|| format!("{}(name, 'a')", function.name));
        let message = format!("`{}` is a function: `{shown}`.", function.name);
        is_operand.then(|| replaced(span, &message, replacement))
    }

    /// `is null`, `is not null`.
    fn is_null(&self, from: Span) -> Diagnostic {
        let rest: Vec<String> =
            self.tokens[self.position..].iter().take(3).map(|token| self.word(token).to_ascii_lowercase()).collect();
        let (length, operator) = match rest.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["is", "not", "null"] => (3, Some("!= null")),
            ["is", "null", ..] => (2, Some("== null")),
            ["is", "not", ..] => (2, Some("!=")),
            _ => (1, Some("==")),
        };
        let span = from.joined(self.span(self.position + length - 1));
        replaced(span, "Write `name == null`, or `name != null`.", operator.map(str::to_owned))
    }

    /// `name like 'A%'`.
    fn like(&self, from: Span) -> Diagnostic {
        let pattern = match &self.peek_second().kind {
            TokenKind::Text(pattern) => pattern.as_str(),
            _ => "",
        };
        let inner = pattern.trim_matches('%');
        let is_exact = self.word(self.peek()).eq_ignore_ascii_case("like");
        let plain = is_exact && !inner.is_empty() && !inner.contains(['%', '_', '\'', '\\']);
        let left = self.operand_before(self.position + 2).filter(|_| plain);
        let call = left.and_then(|left| {
            let name = self.piece(left)?;
            let call = match (pattern.starts_with('%'), pattern.ends_with('%')) {
                (false, true) => format!("startsWith({name}, '{inner}')"),
                (true, false) => format!("endsWith({name}, '{inner}')"),
                (true, true) => format!("contains({name}, '{inner}')"),
                (false, false) => format!("{name} == '{inner}'"),
            };
            Some((left.joined(self.peek_second().span), call))
        });
        let message = "There is no `like`: write `startsWith(name, 'A')`, `endsWith` or `contains`.";
        match call {
            Some((span, call)) => replaced(span, message, Some(call)),
            None => replaced(from, message, None),
        }
    }

    /// `x between 1 and 5`.
    fn between(&self, from: Span) -> Diagnostic {
        let message = "Write `x >= 1 and x <= 5`.";
        let bounds = || {
            let left = self.operand_before(self.position + 4)?;
            let [low, and, high] = [1, 2, 3].map(|step| self.tokens.get(self.position + step));
            let (low, high) = (low?, high?);
            let simple = [low, high].into_iter().all(|bound| {
                matches!(bound.kind, TokenKind::Int(_) | TokenKind::Float(_) | TokenKind::Text(_) | TokenKind::Word)
            });
            if !simple || !self.word(and?).eq_ignore_ascii_case("and") {
                return None;
            }
            let name = self.piece(left)?;
            let text = format!("({name} >= {} and {name} <= {})", self.piece(low.span)?, self.piece(high.span)?);
            Some((left.joined(high.span), text))
        };
        match bounds() {
            Some((span, text)) => replaced(span, message, Some(text)),
            None => replaced(from, message, None),
        }
    }

    /// `case when a then b end`, `if a then b`, `new Date()`.
    fn statement(&self) -> Option<Diagnostic> {
        let place = self.position.checked_sub(1)?;
        let before = self.word(self.tokens.get(place)?);
        let is = |word: &str| before.eq_ignore_ascii_case(word);
        let next = matches!(self.peek().kind, TokenKind::Word | TokenKind::Int(_) | TokenKind::Text(_));
        let then = ["then", "else", "end"].iter().any(|word| self.word(self.peek()).eq_ignore_ascii_case(word));
        if next && (is("case") || is("if")) || then {
            let from = (0..=place).rev().find(|place| {
                ["case", "if"].iter().any(|word| self.word(&self.tokens[*place]).eq_ignore_ascii_case(word))
            });
            let span = self.span(from.unwrap_or(self.position)).joined(self.peek().span);
            return Some(replaced(span, "Write `if(a, b, c)`, or `a ? b : c`.", None));
        }
        let message = "The present is `time()` in seconds, `date('Y-m-d')` as a day.";
        (is("new") && next).then(|| replaced(self.span(place).joined(self.peek().span), message, None))
    }

    /// The path that ends before the token, names with points between them, where it and all up to the token `behind`
    /// stand for themselves: no operator binds more tightly.
    fn operand_before(&self, behind: usize) -> Option<Span> {
        let mut place = self.position.checked_sub(1)?;
        let end = self.tokens.get(place).filter(|token| token.kind == TokenKind::Word)?.span;
        let mut from = end;
        while place >= 2 && self.is_sign(place - 1, ".") && self.tokens[place - 2].kind == TokenKind::Word {
            place -= 2;
            from = self.span(place);
        }
        let opens = match place.checked_sub(1).map(|before| &self.tokens[before]) {
            None => true,
            Some(token) => match token.kind {
                TokenKind::Sign(sign) => ["(", "[", ",", "?", ":", "&&", "||"].contains(&sign),
                _ => ["and", "or", "xor"].contains(&self.word(token)),
            },
        };
        let closes = self.tokens.get(behind).is_none_or(|token| match token.kind {
            TokenKind::Sign(sign) => [")", "]", ",", "?", ":", "&&", "||", "}"].contains(&sign),
            TokenKind::End => true,
            _ => ["and", "or", "xor"].iter().any(|word| self.word(token).eq_ignore_ascii_case(word)),
        });
        (opens && closes).then(|| from.joined(end))
    }

    fn before(&self, steps: usize) -> Option<&TokenKind> {
        Some(&self.tokens.get(self.position.checked_sub(steps)?)?.kind)
    }

    fn second(&self) -> &str {
        self.word(self.peek_second())
    }

    fn is_sign(&self, place: usize, sign: &str) -> bool {
        self.tokens.get(place).is_some_and(|token| matches!(token.kind, TokenKind::Sign(found) if found == sign))
    }

    fn span(&self, place: usize) -> Span {
        self.tokens[place.min(self.tokens.len() - 1)].span
    }

    /// The text of a part, where it is short enough to be shown again.
    fn piece(&self, span: Span) -> Option<&str> {
        self.text.get(span.from..span.to).filter(|piece| piece.len() <= LONGEST)
    }
}

fn replaced(span: Span, message: &str, replacement: Option<String>) -> Diagnostic {
    Diagnostic::new("unexpected", span, message).suggesting(replacement)
}
