//! Tokens of any text: unlike the language's own, these never end in a mistake.

use expression::Span;

/// A token with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextToken {
    /// The sort of token.
    pub sort: TokenSort,
    /// The place in the text.
    pub span: Span,
}

/// The sort of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenSort {
    /// A name.
    Word,
    /// `and`, `or`, `not`, `true`, `null` and their like.
    Keyword,
    /// `$name`, or `$` alone.
    Variable,
    /// A number.
    Number,
    /// A string. `closed` is false where its quote is missing.
    Text {
        /// True if it ends with its quote.
        closed: bool,
    },
    /// A comment. `closed` is false where its end is missing.
    Comment {
        /// True if it ends with `*/`.
        closed: bool,
    },
    /// An operator or bracket.
    Sign,
    /// A character that no expression has.
    Other,
}

/// Longer signs come first.
const SIGNS: [&str; 11] = ["...", "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "??", "**"];
const KEYWORDS: [&str; 8] = ["and", "or", "xor", "in", "not", "true", "false", "null"];

/// Cuts a text from a byte on, up to the `}` that belongs to no `{`, or to the end. Returns the place of that end, too.
pub(crate) fn tokens(text: &str, from: usize) -> (Vec<TextToken>, usize) {
    let (mut found, mut position, mut braces) = (Vec::new(), from, 0_usize);
    loop {
        position = text.len() - text[position..].trim_start().len();
        let rest = &text[position..];
        let Some(first) = rest.chars().next() else { break };
        if first == '}' && braces == 0 {
            break;
        }
        let (sort, length) = token(rest, first);
        match &rest[..length] {
            "{" => braces += 1,
            "}" => braces -= 1,
            _ => {}
        }
        found.push(TextToken { sort, span: Span { from: position, to: position + length } });
        position += length;
    }
    (found, position)
}

/// Returns the sort and the length of the first token. The length is at least one character.
fn token(rest: &str, first: char) -> (TokenSort, usize) {
    match first {
        _ if is_name_start(first) => {
            let length = name_length(rest);
            let sort = if KEYWORDS.contains(&&rest[..length]) { TokenSort::Keyword } else { TokenSort::Word };
            (sort, length)
        }
        '0'..='9' => (TokenSort::Number, number_length(rest)),
        '\'' | '"' => string(rest, first),
        '$' => {
            (TokenSort::Variable, 1 + if rest[1..].starts_with(is_name_start) { name_length(&rest[1..]) } else { 0 })
        }
        '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
            Some(length) => (TokenSort::Comment { closed: true }, length + 4),
            None => (TokenSort::Comment { closed: false }, rest.len()),
        },
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len());
            let plain = "<>!?:~+-*/%&|^.,()[]{}=".contains(first);
            (if plain { TokenSort::Sign } else { TokenSort::Other }, sign)
        }
    }
}

/// Returns true if a name may begin with the letter.
fn is_name_start(letter: char) -> bool {
    letter == '_' || letter.is_alphabetic()
}

fn name_length(rest: &str) -> usize {
    rest.find(|letter: char| letter != '_' && !letter.is_alphanumeric()).unwrap_or(rest.len())
}

/// A number with its fraction; a point that no digit follows is a step of a path.
fn number_length(rest: &str) -> usize {
    let digits = |text: &str| text.find(|letter: char| letter != '_' && !letter.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(rest);
    match rest[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|first: char| first.is_ascii_digit()) => whole + 1 + digits(fraction),
        _ => whole,
    }
}

fn string(rest: &str, quote: char) -> (TokenSort, usize) {
    let mut letters = rest.char_indices().skip(1);
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            _ if letter == quote => return (TokenSort::Text { closed: true }, place + 1),
            _ => {}
        }
    }
    (TokenSort::Text { closed: false }, rest.len())
}
