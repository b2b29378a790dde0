//! The text of a key (D-8): `plk_<key id>_<160 random bits>_<crc32>`, each in base 62.

use crate::base62;
use model::environment::Random;
use model::error::{Error, Result};
use sha2::{Digest, Sha256};

/// 62^27 is the first power of 62 beyond 2^160.
const SECRET_DIGITS: usize = 27;

/// A well-formed key: its id and the digest of its text. The text itself is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyText {
    /// The key record's id.
    pub id: i64,
    /// SHA-256 of the text.
    pub digest: [u8; 32],
}

impl KeyText {
    /// Reads a key. A text that is not one, or has a wrong checksum, is refused without a look-up.
    pub fn parse(text: &str) -> Result<Self> {
        parse(text).ok_or_else(refused)
    }

    /// Makes the text of a new key, which is shown once.
    pub fn generate(id: i64, random: &dyn Random) -> (Self, String) {
        let mut secret = [0; 20];
        random.fill(&mut secret);
        Self::with_secret(id, &secret)
    }

    /// Makes the text of a key out of its secret bits.
    pub fn with_secret(id: i64, secret: &[u8; 20]) -> (Self, String) {
        let body = format!("plk_{}_{}", base62::number(id.unsigned_abs()), base62::bytes(secret, SECRET_DIGITS));
        let text = format!("{body}_{}", base62::number(crc32fast::hash(body.as_bytes()).into()));
        (KeyText { id, digest: Sha256::digest(&text).into() }, text)
    }
}

/// The code of the answer to a key that cannot be used.
pub const KEY_REFUSED: &str = "key_invalid";

/// The one answer to every key that cannot be used (D-7).
pub fn refused() -> Error {
    Error::forbidden(KEY_REFUSED, "A valid API key is needed, in the header `key` or `x-api-key`.")
}

fn parse(text: &str) -> Option<KeyText> {
    let (body, checksum) = text.rsplit_once('_')?;
    let (id, secret) = body.strip_prefix("plk_")?.split_once('_')?;
    if secret.len() != SECRET_DIGITS || !base62::is(secret) {
        return None;
    }
    if base62::read(checksum)? != u64::from(crc32fast::hash(body.as_bytes())) {
        return None;
    }
    let id = i64::try_from(base62::read(id)?).ok()?;
    Some(KeyText { id, digest: Sha256::digest(text).into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct KeyTextRandom;
    impl Random for KeyTextRandom {
        fn fill(&self, bytes: &mut [u8]) {
            for (position, byte) in bytes.iter_mut().enumerate() {
                *byte = 255 - position as u8;
            }
        }
    }

    #[test]
    fn a_key_reads_back_and_no_neighbour_does() {
        for id in [1, 61, 62, 100_000, i64::MAX] {
            let (key, text) = KeyText::generate(id, &KeyTextRandom);
            assert_eq!(KeyText::parse(&text), Ok(key));
            for position in 0..text.len() {
                for replacement in ["0", "1", "z", "_", ""] {
                    let mut changed = text.clone();
                    changed.replace_range(position..=position, replacement);
                    assert!(changed == text || KeyText::parse(&changed).is_err(), "{changed}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "plk", "plk_", "plk_1", "plk_1__", "plk_1_2_3", "____", "plk_é_é_é", "key"] {
            assert_eq!(KeyText::parse(text), Err(refused()), "{text}");
        }
    }
}
