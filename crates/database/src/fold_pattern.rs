//! Regular expressions of PostgreSQL that find a folded text in one that is not folded.
//!
//! To fold a text costs PostgreSQL some eight times as much as to match it. So each character of the text that is
//! looked for becomes a class of all those that [`crate::fold`] makes it of, and the marks that it takes off may follow.

use crate::text::fold;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use unicode_normalization::char::canonical_combining_class;

/// The place of a part in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartPlace {
    /// Anywhere.
    Within,
    /// At the beginning.
    Start,
    /// At the end.
    End,
}

/// The most characters of a part that a pattern is made for.
const LONGEST: usize = 64;

/// The most characters of the parts of one pattern: PostgreSQL compiles it for each statement.
const MOST_CHARACTERS: usize = 1_024;

/// The marks that [`crate::fold`] takes off.
const MARKS: &str = "[\u{300}-\u{36f}]*";

/// The characters after the last one that [`crate::fold`] changes: those of the supplement for compatibility end here.
const UNCHANGED: char = '\u{2fa20}';

/// The characters that others become when they are folded.
struct FoldSources {
    /// The characters that become one, where it is not that one alone.
    classes: HashMap<char, String>,
    /// Parts of what one character becomes: a class cannot match a part of a character.
    parts: HashSet<char>,
}

static SOURCES: LazyLock<FoldSources> = LazyLock::new(|| {
    let mut sources = FoldSources { classes: HashMap::new(), parts: HashSet::new() };
    let mut buffer = [0; 4];
    for character in '\0'..UNCHANGED {
        let folded = fold(character.encode_utf8(&mut buffer));
        let mut characters = folded.chars();
        match (characters.next(), characters.next()) {
            (Some(only), None) if only != character => {
                sources.classes.entry(only).or_insert_with(|| String::from(only)).push(character);
            }
            (Some(_), Some(_)) => sources.parts.extend(folded.chars()),
            _ => {}
        }
    }
    sources
});

/// Returns patterns of which one matches where a folded text has one of the parts at its place; none where a part has no
/// pattern. To look for many parts by one pattern costs hardly more than to look for one.
pub(crate) fn fold_patterns(parts: &[(PartPlace, &str)]) -> Option<Vec<String>> {
    let mut patterns: Vec<String> = Vec::new();
    let mut characters = MOST_CHARACTERS;
    for (place, part) in parts {
        let pattern = fold_pattern(part, *place)?;
        characters += part.chars().count();
        match patterns.last_mut() {
            Some(last) if characters <= MOST_CHARACTERS => {
                last.push('|');
                last.push_str(&pattern);
            }
            _ => {
                characters = part.chars().count();
                patterns.push(pattern);
            }
        }
    }
    Some(patterns)
}

/// Returns a pattern that matches the texts whose folded form has a part, which is folded, at that place; none where the
/// part is long, or has characters of which a pattern cannot tell.
pub(crate) fn fold_pattern(part: &str, place: PartPlace) -> Option<String> {
    if part.is_empty() || part.chars().nth(LONGEST).is_some() {
        return None;
    }
    let mut pattern = String::from(if place == PartPlace::Start { "^" } else { "" });
    if place == PartPlace::Start {
        pattern.push_str(MARKS);
    }
    for (index, character) in part.chars().enumerate() {
        // Where several marks follow a letter, folding may put them into another order.
        if SOURCES.parts.contains(&character) || canonical_combining_class(character) != 0 {
            return None;
        }
        if index > 0 {
            pattern.push_str(MARKS);
        }
        push_class(&mut pattern, character);
    }
    if place == PartPlace::End {
        pattern.push_str(MARKS);
        pattern.push('$');
    }
    Some(pattern)
}

fn push_class(pattern: &mut String, character: char) {
    match SOURCES.classes.get(&character) {
        Some(class) => {
            pattern.push('[');
            pattern.push_str(class);
            pattern.push(']');
        }
        None => {
            if character.is_ascii_punctuation() {
                pattern.push('\\');
            }
            pattern.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_beyond_the_last_one_is_changed_by_folding() {
        for character in UNCHANGED..=char::MAX {
            assert_eq!(fold(&character.to_string()), character.to_string(), "{:X}", u32::from(character));
        }
    }

    #[test]
    fn only_marks_vanish_and_no_class_has_a_sign_of_the_pattern() {
        for character in '\0'..UNCHANGED {
            let mark = ('\u{300}'..='\u{36f}').contains(&character);
            assert_eq!(fold(&character.to_string()).is_empty(), mark, "{:X}", u32::from(character));
        }
        for (character, class) in &SOURCES.classes {
            assert!(!class.contains(['[', ']', '\\', '^', '-']), "{character}: {class}");
        }
    }

    #[test]
    fn a_part_that_a_pattern_cannot_tell_of_has_none() {
        let none = ["", "\u{1100}", "\u{5b0}", &"a".repeat(65)];
        assert!(none.iter().all(|part| fold_pattern(part, PartPlace::Within).is_none()));
        assert_eq!(fold_pattern("1.", PartPlace::Within).unwrap(), format!("1{MARKS}\\."));
        assert_eq!(fold_pattern("\u{e9e}1", PartPlace::End).unwrap(), format!("\u{e9e}{MARKS}1{MARKS}$"));
    }
}
