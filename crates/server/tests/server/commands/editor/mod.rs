//! `plinth lsp` as an editor meets it: a client over standard input and output, and a copy of the shop.

mod client;
mod hostile;
mod places;
mod problems;
mod renaming;

pub(crate) use client::EditorClient;

use serde_json::{Value as Json, json};

/// Returns the position of the last mark `|` of a text, and the text without it.
fn cursor(marked: &str) -> (String, Json) {
    let place = marked.rfind('|').unwrap();
    let before = &marked[..place];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let position = json!({"line": before.matches('\n').count(), "character": before[line..].encode_utf16().count()});
    (format!("{before}{}", &marked[place + 1..]), position)
}

/// Returns the part of a text that a range marks.
fn marked<'t>(text: &'t str, range: &Json) -> &'t str {
    let byte = |position: &Json| {
        let line = position["line"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = position["character"].as_u64().unwrap() as usize;
        let letters = text[start..].chars().take_while(|letter| {
            let goes_on = units > 0;
            units = units.saturating_sub(letter.len_utf16());
            goes_on
        });
        start + letters.map(char::len_utf8).sum::<usize>()
    };
    &text[byte(&range["start"])..byte(&range["end"])]
}
