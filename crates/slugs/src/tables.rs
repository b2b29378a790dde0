//! Tables of what characters become: three texts, read once.

use std::sync::LazyLock;

/// A table of what characters, or several of them, become, in their order.
type CharacterTable<K> = LazyLock<Vec<(K, &'static str)>>;

static LETTERS: CharacterTable<char> =
    LazyLock::new(|| read(include_str!("letters.txt"), |characters| characters.chars().collect()));

static SYLLABLES: CharacterTable<char> =
    LazyLock::new(|| read(include_str!("pinyin.txt"), |characters| characters.chars().collect()));

static PAIRS: CharacterTable<(char, char)> = LazyLock::new(|| {
    read(include_str!("kana.txt"), |characters| {
        let letters: Vec<char> = characters.chars().collect();
        letters.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    })
});

/// Returns what a letter becomes where its decomposition does not tell.
pub(super) fn letter(letter: char) -> Option<&'static str> {
    find(&LETTERS, letter)
}

/// The syllable of a Han character where deunicode reads it otherwise.
pub(super) fn syllable(letter: char) -> Option<&'static str> {
    find(&SYLLABLES, letter)
}

/// Returns what two kana become that are read as one.
pub(super) fn pair(first: char, second: char) -> Option<&'static str> {
    find(&PAIRS, (first, second))
}

/// Most characters lie outside of the tables, which the ends tell at once.
fn find<K: Ord + Copy>(table: &CharacterTable<K>, key: K) -> Option<&'static str> {
    let ((first, _), (last, _)) = table.first().zip(table.last())?;
    if key < *first || key > *last {
        return None;
    }
    table.binary_search_by_key(&key, |(key, _)| *key).ok().map(|place| table[place].1)
}

/// Reads `value:characters` between blanks.
fn read<K: Ord + Copy>(text: &'static str, keys: impl Fn(&str) -> Vec<K>) -> Vec<(K, &'static str)> {
    let entries = text.split_ascii_whitespace().filter_map(|entry| entry.split_once(':'));
    let mut table: Vec<_> =
        entries.flat_map(|(value, characters)| keys(characters).into_iter().map(move |key| (key, value))).collect();
    table.sort_by_key(|(key, _)| *key);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_two_things() {
        assert!(LETTERS.is_sorted_by(|first, second| first.0 < second.0));
        assert!(SYLLABLES.is_sorted_by(|first, second| first.0 < second.0));
        assert!(PAIRS.is_sorted_by(|first, second| first.0 < second.0));
        assert_eq!([LETTERS.len(), SYLLABLES.len(), PAIRS.len()].map(|count| count > 0), [true; 3]);
    }
}
