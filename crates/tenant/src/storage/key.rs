//! The names under which bytes lie: made at random, never of anything that a user gave.

use model::environment::Random;
use std::fmt;

/// Five bits a character: 128 random bits and two that are zero.
const LENGTH: usize = 26;
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The generated name of a file's bytes: 26 characters of base32.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// A new one.
    pub fn new(random: &dyn Random) -> Self {
        Key(token(random))
    }

    /// Reads one; nothing but what [`Key::new`] makes is one, so that none ever leads out of its folder.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte))).then(|| Key(text.to_owned()))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// 128 random bits in base32.
pub fn token(random: &dyn Random) -> String {
    let mut bytes = [0; 16];
    random.fill(&mut bytes);
    let bits = u128::from_be_bytes(bytes);
    let digit = |place: usize| {
        let place = 5 * place;
        let value = if place + 5 <= 128 { bits >> (123 - place) } else { bits << (place + 5 - 128) };
        char::from(ALPHABET[usize::try_from(value & 31).unwrap_or(0)])
    };
    (0..LENGTH).map(digit).collect()
}

/// Returns true if a text has the form of [`token`].
pub fn is_token(text: &str) -> bool {
    Key::parse(text).is_some()
}
