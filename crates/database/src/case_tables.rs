//! Upper and lower case as Rust has it, as tables: for an engine whose own idea of letters is another, or changes.

use std::sync::OnceLock;

/// A case, as tables of the characters that it changes.
pub(crate) struct CaseTable {
    /// Characters that become one other character, and these in the same order.
    pub(crate) from: String,
    pub(crate) to: String,
    /// Characters that become several, and what they become.
    pub(crate) long: Vec<(String, String)>,
    /// A class of a regular expression with the latter.
    pub(crate) class: String,
}

/// Upper case.
pub(crate) fn upper() -> &'static CaseTable {
    static CASE: OnceLock<CaseTable> = OnceLock::new();
    CASE.get_or_init(|| CaseTable::of(|character| character.to_uppercase().collect()))
}

/// Lower case; a sigma at the end of a word is told apart by [`final_sigma`].
pub(crate) fn lower() -> &'static CaseTable {
    static CASE: OnceLock<CaseTable> = OnceLock::new();
    CASE.get_or_init(|| CaseTable::of(|character| character.to_lowercase().collect()))
}

/// A regular expression for a capital sigma that ends a word: behind a letter that has cases, not before one, whatever
/// marks lie between.
pub(crate) fn final_sigma() -> &'static str {
    static PATTERN: OnceLock<String> = OnceLock::new();
    PATTERN.get_or_init(|| {
        let ends = |text: String| text.to_lowercase().ends_with('ς');
        let cased = |character: &char| ends(format!("{character}Σ"));
        let skipped = |character: &char| !cased(character) && ends(format!("A{character}Σ"));
        let (cased, skipped) = (class(characters().filter(cased)), class(characters().filter(skipped)));
        format!("(?<={cased}{skipped}*)Σ(?!{skipped}*{cased})")
    })
}

impl CaseTable {
    fn of(change: impl Fn(char) -> String) -> Self {
        let mut case = CaseTable { from: String::new(), to: String::new(), long: Vec::new(), class: String::new() };
        for character in characters() {
            let changed = change(character);
            let mut letters = changed.chars();
            match (letters.next(), letters.next()) {
                (Some(only), None) if only == character => {}
                (Some(only), None) => {
                    case.from.push(character);
                    case.to.push(only);
                }
                _ => case.long.push((character.to_string(), changed)),
            }
        }
        case.class = class(case.long.iter().filter_map(|(from, _)| from.chars().next()));
        case
    }
}

/// The characters that may have a case or be marks: those of the planes that have letters, and the tags.
fn characters() -> impl Iterator<Item = char> {
    ('\u{1}'..='\u{1ffff}').chain('\u{e0000}'..='\u{e01ef}')
}

/// A class of a regular expression with these characters, which come in order.
fn class(characters: impl Iterator<Item = char>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for character in characters.map(u32::from) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == character => *last = character,
            _ => ranges.push((character, character)),
        }
    }
    let mut text = String::from("[");
    for (first, last) in ranges {
        text += &format!("\\U{first:08x}-\\U{last:08x}");
    }
    text + "]"
}
