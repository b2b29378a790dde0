//! What characters become: three texts, read once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::LazyLock;

static LETTERS: LazyLock<HashMap<char, &'static str>> =
    LazyLock::new(|| read(include_str!("letters.txt"), |characters| characters.chars().collect()));

static SYLLABLES: LazyLock<HashMap<char, &'static str>> =
    LazyLock::new(|| read(include_str!("pinyin.txt"), |characters| characters.chars().collect()));

static PAIRS: LazyLock<HashMap<(char, char), &'static str>> = LazyLock::new(|| {
    read(include_str!("kana.txt"), |characters| {
        let letters: Vec<char> = characters.chars().collect();
        letters.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    })
});

/// What a letter becomes where its decomposition does not tell.
pub(super) fn letter(letter: char) -> Option<&'static str> {
    LETTERS.get(&letter).copied()
}

/// The syllable of a Han character where deunicode reads it otherwise.
pub(super) fn syllable(letter: char) -> Option<&'static str> {
    SYLLABLES.get(&letter).copied()
}

/// What two kana become that are read as one.
pub(super) fn pair(first: char, second: char) -> Option<&'static str> {
    PAIRS.get(&(first, second)).copied()
}

/// Reads `value:characters` between blanks.
fn read<K: Hash + Eq>(text: &'static str, keys: impl Fn(&str) -> Vec<K>) -> HashMap<K, &'static str> {
    let entries = text.split_ascii_whitespace().filter_map(|entry| entry.split_once(':'));
    entries.flat_map(|(value, characters)| keys(characters).into_iter().map(move |key| (key, value))).collect()
}
