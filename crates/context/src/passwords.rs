//! Passwords: what they must be, and their Argon2id hashes, few at a time. They are compared in the normal form C, as
//! NIST SP 800-63B has it: however a keyboard composes a letter, it is the same password.

use argon2::{Algorithm, Argon2, Params, Version};
use model::environment::Random;
use model::error::{Error, ErrorKind, Result};
// PHC strings have base 64 without padding.
use base64ct::{Base64Unpadded as Base64, Encoding};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

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
pub const MOST: usize = 1_024;

/// The most times by which a form may be longer that is not the normal one.
const LONGER: usize = 4;

/// Passwords that every attacker tries first, of those long enough; in lower case.
const COMMON: &str = include_str!("common_passwords.txt");

/// The gate before the hash, shared by all tenants of a process.
pub struct PasswordGate {
    permits: Arc<Semaphore>,
    inside: Arc<AtomicUsize>,
    /// The hash that the password of an unknown user is compared with, so that it takes as long (A001).
    dummy: String,
}

/// A place in the queue for the hash.
pub struct QueuePlace(Arc<AtomicUsize>);

impl Drop for QueuePlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the refusal of one sign-in too many.
pub fn busy() -> Error {
    let message = "Too many sign-ins at once. Try again.";
    Error::new(ErrorKind::TooMany { retry_after: 2, policy: None }, "sign_in_busy", message)
}

impl PasswordGate {
    /// A gate of its own for a process.
    pub fn new(random: &dyn Random) -> Self {
        let mut secret = [0; SALT];
        random.fill(&mut secret);
        let dummy = encode(&secret, &[0; HASH]);
        PasswordGate { permits: Arc::new(Semaphore::new(AT_ONCE)), inside: Arc::default(), dummy }
    }

    /// A place in the queue, or 429 where it is full.
    pub fn queue(&self) -> Result<QueuePlace> {
        let before = self.inside.fetch_add(1, Ordering::Relaxed);
        let place = QueuePlace(Arc::clone(&self.inside));
        if before < AT_ONCE + QUEUE {
            return Ok(place);
        }
        Err(busy())
    }

    /// Compares a password with a stored hash, or with none in the same time.
    pub async fn verify(
        &self,
        _place: &QueuePlace,
        password: String,
        stored: Option<String>,
        random: &dyn Random,
    ) -> Result<PasswordVerdict> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.dummy.clone());
        let salt = salt(random);
        let verdict = self.blocking(move || judge(&password, &stored, &salt)).await?;
        Ok(if known { verdict } else { PasswordVerdict::Wrong })
    }

    /// Checks a new password, of the account with that login where there is one, and hashes it.
    pub async fn hash(&self, password: String, login: Option<&str>, random: &dyn Random) -> Result<PasswordHash> {
        let normal = check(&password, login)?;
        let _place = self.queue()?;
        let salt = salt(random);
        self.blocking(move || PasswordHash::of(normal, &salt)).await
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

/// The result of comparing a password with a stored hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasswordVerdict {
    /// It is another one.
    Wrong,
    /// It is this one.
    Right,
    /// It is this one, whose hash was made before passwords had a normal form. With the hash to store instead.
    Outdated(String),
}

/// The hash of a new password that was checked, with what it must not be equal to kept at hand.
#[derive(Clone)]
pub struct PasswordHash {
    hash: String,
    /// The password as a login would be stored, until it is known of which account it is.
    as_login: String,
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PasswordHash")
    }
}

impl PasswordHash {
    /// Checks a new password and hashes it on this thread, for commands: before their transaction, not in it.
    pub fn new(password: &str, random: &dyn Random) -> Result<Self> {
        Ok(PasswordHash::of(check(password, None)?, &salt(random)))
    }

    fn of(normal: String, salt: &[u8]) -> Self {
        PasswordHash { hash: encode(salt, &digest(normal.as_bytes(), salt)), as_login: normal_login(&normal) }
    }

    /// The hash, as it is stored.
    pub fn text(&self) -> &str {
        &self.hash
    }

    /// Fails where the password is the login of its account.
    pub fn check_login(&self, login: &str) -> Result<()> {
        if self.as_login == normal_login(login) { Err(own_login()) } else { Ok(()) }
    }
}

fn salt(random: &dyn Random) -> [u8; SALT] {
    let mut salt = [0; SALT];
    random.fill(&mut salt);
    salt
}

fn own_login() -> Error {
    let message = "The password is the login or e-mail address of its account. Choose another.";
    Error::invalid("password_weak", message)
}

/// A new password of 100 random bits, in letters and digits that are not mistaken for one another.
pub fn generate(random: &dyn Random) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 20];
    random.fill(&mut bytes);
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// The normal form of a password; none where it is too long. It is measured as it is compared: letters that are composed
/// of several characters are longer in another form.
fn normal(password: &str) -> Option<String> {
    let bounded = password.len() <= MOST * LONGER;
    bounded.then(|| password.nfc().collect::<String>()).filter(|normal| normal.len() <= MOST)
}

/// Returns whether a password may be one that was set. Those of former versions were measured in the form they had.
pub fn may_be_one(password: &str) -> bool {
    !password.is_empty() && (password.len() <= MOST || normal(password).is_some())
}

/// Checks a new password: 10 characters to 1,024 bytes, none of the common ones, and not the login of its account; no
/// rules of composition. Returns its normal form.
pub fn check(password: &str, login: Option<&str>) -> Result<String> {
    let refuse = |message: &str| Err(Error::invalid("password_weak", message));
    let Some(normal) = normal(password) else {
        return refuse("The password may have at most 1,024 bytes.");
    };
    if normal.chars().count() < LEAST {
        return refuse("The password needs at least 10 characters.");
    }
    if login.is_some_and(|login| normal_login(login) == normal_login(&normal)) {
        return Err(own_login());
    }
    let lower = normal.to_lowercase();
    let repeated = lower.chars().all(|character| lower.starts_with(character));
    if repeated || COMMON.lines().any(|common| common == lower) {
        return refuse("The password is one of the most common ones. Choose another.");
    }
    Ok(normal)
}

/// Compares the normal form, and where the password has another one, that as well: hashes were made of it once. How much
/// is worked out depends on the password alone.
fn judge(password: &str, stored: &str, salt: &[u8]) -> PasswordVerdict {
    let normal: String = password.nfc().collect();
    let right = matches(&normal, stored);
    if right || normal == password {
        return if right { PasswordVerdict::Right } else { PasswordVerdict::Wrong };
    }
    if matches(password, stored) {
        return PasswordVerdict::Outdated(encode(salt, &digest(normal.as_bytes(), salt)));
    }
    PasswordVerdict::Wrong
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

/// A login as it is stored and counted: trimmed and in lower case (A006).
pub fn normal_login(login: &str) -> String {
    login.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct FixedRandom;
    impl Random for FixedRandom {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    #[test]
    fn hashes_are_phc_strings_and_every_byte_of_a_password_counts() {
        let long = "x".repeat(72);
        let stored = PasswordHash::new(&format!("{long}a"), &FixedRandom).unwrap().hash;
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
            assert!(check(password, None).is_err(), "{password}");
        }
        assert!(check(&"ab".repeat(512), None).is_ok());
        assert!(check(&"ab".repeat(513), None).is_err());
        assert!(check("correct horse battery", Some("ann@example.com")).is_ok());
    }

    #[test]
    fn a_password_is_not_the_login_of_its_account() {
        for password in ["ann@example.com", "ANN@Example.com", " ann@example.com "] {
            assert!(check(password, Some("ann@example.com")).is_err(), "{password}");
            assert!(
                PasswordHash::new(password, &FixedRandom).unwrap().check_login("Ann@example.com").is_err(),
                "{password}"
            );
        }
        assert!(check("ann@example.com1", Some("ann@example.com")).is_ok());
    }

    #[test]
    fn hashes_that_were_made_of_another_form_are_outdated() {
        let (composed, decomposed) = ("heslo s h\u{e1}\u{10d}kem", "heslo s ha\u{301}c\u{30c}kem");
        let normal = encode(&[1; SALT], &digest(composed.as_bytes(), &[1; SALT]));
        let former = encode(&[1; SALT], &digest(decomposed.as_bytes(), &[1; SALT]));
        assert_eq!(judge(composed, &normal, &[2; SALT]), PasswordVerdict::Right);
        assert_eq!(judge(decomposed, &normal, &[2; SALT]), PasswordVerdict::Right);
        assert_eq!(judge("heslo s h\u{e1}ckem", &normal, &[2; SALT]), PasswordVerdict::Wrong);
        let PasswordVerdict::Outdated(renewed) = judge(decomposed, &former, &[2; SALT]) else { panic!("it is right") };
        assert_eq!(judge(composed, &renewed, &[3; SALT]), PasswordVerdict::Right);
    }
}
