//! Passwords: what they must be, and their Argon2id hashes, few at a time.

use crate::error::{Error, ErrorKind, Result};
use crate::work::Random;
use argon2::{Algorithm, Argon2, Params, Version};
// PHC strings have base 64 without padding.
use base64ct::{Base64Unpadded as Base64, Encoding};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;

/// Hashes at once in a process; each takes 19 MiB and a core.
const AT_ONCE: usize = 2;
/// Hashes that may wait for these.
const QUEUE: usize = 64;
const MEMORY_KIB: u32 = 19_456;
const ROUNDS: u32 = 2;
const SALT: usize = 16;
const HASH: usize = 32;
/// The least length, in characters.
const LEAST: usize = 10;
/// The greatest, in bytes.
pub(super) const MOST: usize = 1_024;

/// Passwords that every attacker tries first, of those long enough; in lower case.
const COMMON: &str = include_str!("common_passwords.txt");

/// The gate before the hash, shared by all tenants of a process.
pub struct Passwords {
    permits: Arc<Semaphore>,
    inside: Arc<AtomicUsize>,
    /// What the password of an unknown user is compared with, so that it takes as long (A001).
    dummy: String,
}

/// A place in the queue for the hash.
pub(super) struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Passwords {
    /// A gate of its own for a process.
    pub(crate) fn new(random: &dyn Random) -> Self {
        let mut secret = [0; SALT];
        random.fill(&mut secret);
        let dummy = encode(&secret, &[0; HASH]);
        Passwords { permits: Arc::new(Semaphore::new(AT_ONCE)), inside: Arc::default(), dummy }
    }

    /// A place in the queue, or 429 where it is full.
    pub(super) fn queue(&self) -> Result<Place> {
        let before = self.inside.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.inside));
        if before < AT_ONCE + QUEUE {
            return Ok(place);
        }
        Err(Error::new(
            ErrorKind::TooMany { retry_after: 2, policy: None },
            "sign_in_busy",
            "Too many sign-ins at once. Try again.",
        ))
    }

    /// Compares a password with a stored hash, or with none in the same time.
    pub(super) async fn verify(&self, _place: &Place, password: String, stored: Option<String>) -> Result<bool> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.dummy.clone());
        Ok(self.blocking(move || matches(&password, &stored)).await? && known)
    }

    /// Hashes a new password.
    pub(crate) async fn hash(&self, password: String, random: &dyn Random) -> Result<String> {
        let _place = self.queue()?;
        let mut salt = [0; SALT];
        random.fill(&mut salt);
        self.blocking(move || encode(&salt, &digest(password.as_bytes(), &salt))).await
    }

    async fn blocking<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        // A hash goes on when its request is dropped, so the permit lives in the work.
        let work = move || {
            let _permit = permit;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| Error::failed(error.to_string()))
    }
}

/// The hash of a password that was checked.
#[derive(Clone, Debug)]
pub struct PasswordHash(pub(super) String);

impl PasswordHash {
    /// Checks a new password and hashes it on this thread, for commands: before their transaction, not in it.
    pub fn new(password: &str, random: &dyn Random) -> Result<Self> {
        check(password)?;
        let mut salt = [0; SALT];
        random.fill(&mut salt);
        Ok(PasswordHash(encode(&salt, &digest(password.as_bytes(), &salt))))
    }
}

/// A new password of 100 random bits, in letters and digits that are not mistaken for one another.
pub fn generate(random: &dyn Random) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 20];
    random.fill(&mut bytes);
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// Checks a new password: 10 characters to 1,024 bytes, and none of the common ones; no rules of composition.
pub(crate) fn check(password: &str) -> Result<()> {
    let refuse = |message: &str| Err(Error::invalid("password_weak", message));
    if password.len() > MOST {
        return refuse("The password may have at most 1,024 bytes.");
    }
    if password.chars().count() < LEAST {
        return refuse("The password needs at least 10 characters.");
    }
    let lower = password.to_lowercase();
    let repeated = lower.chars().all(|character| lower.starts_with(character));
    if repeated || COMMON.lines().any(|common| common == lower) {
        return refuse("The password is one of the most common ones. Choose another.");
    }
    Ok(())
}

fn matches(password: &str, stored: &str) -> bool {
    let decoded = decode(stored);
    // A damaged hash costs the same as a good one.
    let (salt, expected) = decoded.clone().unwrap_or_else(|| (vec![0; SALT], vec![0; HASH]));
    let found = digest(password.as_bytes(), &salt);
    bool::from(found[..].ct_eq(&expected)) && decoded.is_some()
}

fn digest(password: &[u8], salt: &[u8]) -> [u8; HASH] {
    let parameters = Params::new(MEMORY_KIB, ROUNDS, 1, Some(HASH)).expect("the parameters lie within their limits");
    let mut hash = [0; HASH];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
        .hash_password_into(password, salt, &mut hash)
        .expect("password, salt and hash have lengths that Argon2 takes");
    hash
}

/// The PHC string of a hash, as other programs write and read it.
fn encode(salt: &[u8], hash: &[u8]) -> String {
    format!(
        "$argon2id$v=19$m={MEMORY_KIB},t={ROUNDS},p=1${}${}",
        Base64::encode_string(salt),
        Base64::encode_string(hash)
    )
}

fn decode(stored: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let rest = stored.strip_prefix("$argon2id$v=19$")?;
    let (parameters, rest) = rest.split_once('$')?;
    if parameters != format!("m={MEMORY_KIB},t={ROUNDS},p=1") {
        return None;
    }
    let (salt, hash) = rest.split_once('$')?;
    let (salt, hash) = (Base64::decode_vec(salt).ok()?, Base64::decode_vec(hash).ok()?);
    (salt.len() >= 8 && hash.len() == HASH).then_some((salt, hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;
    impl Random for Fixed {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    #[test]
    fn hashes_are_phc_strings_and_every_byte_of_a_password_counts() {
        let long = "x".repeat(72);
        let stored = PasswordHash::new(&format!("{long}a"), &Fixed).unwrap().0;
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$BwcHBwcHBwcHBwcHBwcHBw$"), "{stored}");
        assert!(matches(&format!("{long}a"), &stored));
        assert!(!matches(&format!("{long}b"), &stored));
        assert!(!matches("", "nothing"));
    }

    #[test]
    fn only_whole_hashes_are_read() {
        let stored = encode(&[7; SALT], &[9; HASH]);
        assert_eq!(decode(&stored), Some((vec![7; SALT], vec![9; HASH])));
        let damaged = [
            stored.replace("v=19", "v=16"),
            stored.replace("t=2", "t=3"),
            format!("{stored}="),
            format!("{stored}A"),
            stored.replace("BwcH", "Bw-H"),
            stored[..stored.len() - 1].to_owned(),
            String::new(),
        ];
        for text in damaged {
            assert_eq!(decode(&text), None, "{text}");
        }
    }

    #[test]
    fn short_long_and_common_passwords_are_refused() {
        for password in ["", "short", "ninechars", "password123", "PASSWORD123", "1234567890", "aaaaaaaaaaaa"] {
            assert!(check(password).is_err(), "{password}");
        }
        assert!(check(&"ab".repeat(512)).is_ok());
        assert!(check(&"ab".repeat(513)).is_err());
        assert!(check("correct horse battery").is_ok());
    }
}
