//! Characters of other languages, and what to write in their place.

use crate::error::{Diagnostic, Span, mistake};

/// Returns the mistake of a character that no token of the language begins with, at the start of the rest of a text.
pub(crate) fn character(first: char, rest: &str, from: usize) -> Diagnostic {
    let span = |length: usize| Span { from, to: from + length };
    let mistake =
        |length, message: String, suggestion| mistake("unexpected_character", span(length), message, suggestion);
    match first {
        '=' if rest.starts_with("=>") => {
            mistake(2, "There are no functions of one's own: write `map(items, 'name')`.".to_owned(), None)
        }
        '=' => {
            let message = "`=` sets nothing here: compare with `==`. setVar() sets a variable.";
            mistake(1, message.to_owned(), Some("==".to_owned()))
        }
        ';' => mistake(1, "Arguments are divided by commas: `if(a, b, c)`.".to_owned(), Some(",".to_owned())),
        '#' | '@' => {
            let message = format!("`{first}` means nothing here: a property stands by its name alone, `name`.");
            mistake(1, message, None)
        }
        '“' | '”' | '„' | '‟' | '‘' | '’' | '‚' | '‛' | '«' | '»' => {
            let (text, length) = quoted(rest);
            let written = text.map(|text| format!("\"{text}\""));
            let example = written.as_deref().filter(|written| written.len() <= 60).unwrap_or("\"text\"");
            mistake(length, format!("These are typographic quotes. Write `{example}`."), written)
        }
        other => mistake(other.len_utf8(), format!("`{}` means nothing here.", other.escape_debug()), None),
    }
}

/// Returns the text between typographic quotes, where it can stand between plain ones, and the length of it all.
fn quoted(rest: &str) -> (Option<&str>, usize) {
    let mut letters = rest.char_indices();
    let Some((_, opening)) = letters.next() else { return (None, 0) };
    let closing: &[char] = match opening {
        '“' | '”' | '„' | '‟' => &['“', '”', '"'],
        '«' => &['»'],
        '»' => &['«'],
        _ => &['‘', '’', '\''],
    };
    let first = opening.len_utf8();
    let Some((end, last)) = letters.find(|(_, letter)| closing.contains(letter)) else { return (None, first) };
    let text = &rest[first..end];
    (Some(text).filter(|text| !text.contains(['"', '\\'])), end + last.len_utf8())
}
