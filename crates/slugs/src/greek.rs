//! Greek letters that depend on their neighbours.

use super::SlugBuilder;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Returns what a letter becomes between its neighbours, where that is not what it becomes alone.
pub(super) fn between(previous: Option<char>, letter: char, next: Option<char>) -> Option<&'static str> {
    let before_guttural = matches!(next, Some('Γ' | 'Κ' | 'Ξ' | 'Χ' | 'γ' | 'κ' | 'ξ' | 'χ' | 'ϰ'));
    match base(letter) {
        'γ' | 'Γ' if before_guttural => Some("n"),
        'ν' | 'Ν' if before_guttural => Some("n-"),
        'σ' | 'ς' | 'Σ' if matches!(previous, Some('π' | 'Π' | 'p' | 'P')) => Some("-s"),
        'υ' | 'Υ' if previous.is_some_and(ends_with_vowel) && !is_rough(letter) => Some("u"),
        _ => None,
    }
}

/// Returns true if a letter has a rough breathing.
pub(super) fn is_rough(letter: char) -> bool {
    let mut is_rough = false;
    if matches!(letter, '\u{1f00}'..='\u{1fff}') {
        decompose_canonical(letter, |part| is_rough |= part == '\u{314}');
    }
    is_rough
}

/// Adds a vowel with a rough breathing, whose h stands before a vowel that it forms a diphthong with.
pub(super) fn add_rough(slug: &mut SlugBuilder, previous: Option<char>, value: &str) {
    let is_diphthong = previous.is_some_and(|previous| {
        matches!(previous, 'α' | 'ε' | 'η' | 'ι' | 'ο' | 'υ' | 'ω' | 'Α' | 'Ε' | 'Η' | 'Ι' | 'Ο' | 'Υ' | 'Ω')
    });
    match value.strip_prefix('h') {
        Some(vowel) if is_diphthong => {
            slug.text.insert(slug.text.len().saturating_sub(1), 'h');
            slug.add(if vowel == "y" { "u" } else { vowel });
        }
        _ => slug.add(value),
    }
}

/// Returns true if what a letter becomes ends with a vowel without marks; eta and omega become vowels with a macron.
fn ends_with_vowel(letter: char) -> bool {
    let has_iota = matches!(letter, '\u{1f80}'..='\u{1fff}') && {
        let mut last = letter;
        decompose_canonical(letter, |part| last = part);
        last == '\u{345}'
    };
    has_iota || matches!(letter, 'α' | 'ε' | 'ι' | 'ο' | 'υ' | 'Α' | 'Ε' | 'Ι' | 'Ο' | 'Υ')
}

/// The letter without its marks.
fn base(letter: char) -> char {
    let mut base = letter;
    if matches!(letter, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}') {
        decompose_canonical(letter, |part| {
            if !is_combining_mark(part) {
                base = part;
            }
        });
    }
    base
}
