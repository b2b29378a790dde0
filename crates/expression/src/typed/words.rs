//! Words that are known: a text is held against each by two numbers, without a look at its bytes.

use super::places::ValuePlace;
use super::{BoolNode, TypedRow};
use crate::value::{Text, Value};

/// The longest text that its key tells whole, in bytes.
const TOLD: usize = 16;

/// The length of a text, and its first and last bytes, which may be the same ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WordKey {
    length: usize,
    first: u64,
    last: u64,
}

impl WordKey {
    #[inline]
    fn of(bytes: &[u8]) -> Self {
        let length = bytes.len();
        let (first, last) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
                (Some(first), Some(last)) => (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()),
                // Of three bytes the first, the middle and the last.
                _ => match (bytes.first(), bytes.get(length / 2), bytes.last()) {
                    (Some(first), Some(middle), Some(last)) => {
                        (u64::from(*first) | u64::from(*middle) << 8, u64::from(*last))
                    }
                    _ => (0, 0),
                },
            },
        };
        WordKey { length, first, last }
    }
}

/// A word that is known.
#[derive(Debug)]
struct KnownWord {
    key: WordKey,
    text: Text,
}

/// `status == 'paid'`, `status in ['new', 'paid']`, of texts that begin with a letter, so that none is a number.
#[derive(Debug)]
pub(super) struct WordTest {
    place: ValuePlace,
    words: Vec<KnownWord>,
    negated: bool,
}

/// Returns true if a text is compared with another as it is written: no number begins so.
pub(super) fn is_word(text: &Text) -> bool {
    text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
}

impl WordTest {
    pub(super) fn of(place: ValuePlace, words: Vec<Text>, negated: bool) -> Self {
        let words = words.into_iter().map(|text| KnownWord { key: WordKey::of(text.as_bytes()), text });
        WordTest { place, words: words.collect(), negated }
    }

    #[inline]
    fn finds(&self, bytes: &[u8]) -> bool {
        let key = WordKey::of(bytes);
        self.words.iter().any(|word| word.key == key && (key.length <= TOLD || word.text.as_bytes() == bytes))
    }
}

impl BoolNode for WordTest {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        self.place.look(row, |value| match value {
            Value::Text(text) => {
                let bytes = text.as_bytes();
                row.count(bytes.len() as u64 / 64);
                Some(self.finds(bytes) != self.negated)
            }
            Value::Null => Some(self.negated),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::WordKey;

    /// Texts of up to 16 bytes have one key exactly if they are the same.
    #[test]
    fn keys_tell_short_texts_apart() {
        for length in 0..=16 {
            let text: Vec<u8> = (0..length).map(|place| b'a' + place).collect();
            assert_eq!(WordKey::of(&text), WordKey::of(&text.clone()));
            for place in 0..text.len() {
                let mut other = text.clone();
                other[place] ^= 1;
                assert_ne!(WordKey::of(&text), WordKey::of(&other), "{length} bytes, another one at {place}");
            }
            assert_ne!(WordKey::of(&text), WordKey::of(&[&text[..], b"a"].concat()));
        }
    }
}
