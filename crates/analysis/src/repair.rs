//! Repair: makes an expression of a text that ends too early, by closing what is open.

use crate::tokens::{TextToken, TokenSort};

/// The name that stands where a value or a property is missing.
pub(crate) const HOLE: &str = "__hole";
/// The most attempts at a text that is wrong in its middle.
const MOST_ATTEMPTS: usize = 16;

/// Something that is open at the end of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenMark {
    Parenthesis,
    Bracket,
    /// `key` is true where a key comes next, or stands without its colon.
    Brace {
        key: bool,
    },
    /// `?` without its `:`.
    Question,
}

/// Returns expressions that begin as the text does, each with the byte up to which it does: the longest first, and a
/// bounded number of them.
pub(crate) fn attempts<'t>(
    text: &'t str,
    from: usize,
    tokens: &'t [TextToken],
) -> impl Iterator<Item = (String, usize)> + 't {
    let longest = tokens.len();
    (longest.saturating_sub(MOST_ATTEMPTS)..=longest).rev().map(move |count| {
        let tokens = &tokens[..count];
        (closed(text, from, tokens), tokens.last().map_or(from, |token| token.span.to))
    })
}

/// Returns the expression that some tokens become once all that they open is closed.
pub(crate) fn closed(text: &str, from: usize, tokens: &[TextToken]) -> String {
    let end = tokens.last().map_or(from, |token| token.span.to);
    let mut repaired = text[from..end].to_owned();
    let mut open: Vec<OpenMark> = Vec::new();
    // True where a value must come next.
    let mut wanting = true;
    for token in tokens {
        let written = &text[token.span.from..token.span.to];
        match token.sort {
            TokenSort::Comment { closed } => {
                if !closed {
                    repaired.push_str("*/");
                }
                continue;
            }
            TokenSort::Text { closed: false } => {
                if ends_in_escape(written) {
                    repaired.push('\\');
                }
                repaired.push_str(&written[..1]);
                wanting = false;
            }
            TokenSort::Keyword => wanting = matches!(written, "and" | "or" | "xor" | "in" | "not"),
            TokenSort::Variable if written == "$" => {
                repaired.push_str(HOLE);
                wanting = false;
            }
            TokenSort::Sign => wanting = sign(written, &mut open),
            _ => wanting = false,
        }
    }
    if wanting && open.last() != Some(&OpenMark::Brace { key: true }) {
        repaired.push(' ');
        repaired.push_str(HOLE);
    }
    let mut key_missing = !wanting;
    for mark in open.into_iter().rev() {
        repaired.push_str(match mark {
            OpenMark::Parenthesis => ")",
            OpenMark::Bracket => "]",
            OpenMark::Brace { key: true } if key_missing => ": null}",
            OpenMark::Brace { .. } => "}",
            OpenMark::Question => " : null",
        });
        key_missing = false;
    }
    repaired
}

/// Follows a sign; returns true where a value must come next.
fn sign(written: &str, open: &mut Vec<OpenMark>) -> bool {
    match written {
        "(" => open.push(OpenMark::Parenthesis),
        "[" => open.push(OpenMark::Bracket),
        "{" => open.push(OpenMark::Brace { key: true }),
        "?" => open.push(OpenMark::Question),
        ")" | "]" | "}" => {
            while open.last() == Some(&OpenMark::Question) {
                open.pop();
            }
            open.pop();
            return false;
        }
        ":" => match open.last_mut() {
            Some(OpenMark::Question) => drop(open.pop()),
            Some(OpenMark::Brace { key }) => *key = false,
            _ => {}
        },
        "," => {
            while open.last() == Some(&OpenMark::Question) {
                open.pop();
            }
            if let Some(OpenMark::Brace { key }) = open.last_mut() {
                *key = true;
            }
            // A list may end with a comma, and so may arguments.
            return open.is_empty();
        }
        _ => {}
    }
    // Empty arguments and lists need no value.
    !matches!(written, "(" | "[" | "{")
}

/// Returns true if a string that has no end stops behind the backslash of an escape.
fn ends_in_escape(written: &str) -> bool {
    let backslashes = written.bytes().rev().take_while(|byte| *byte == b'\\').count();
    backslashes % 2 == 1
}
