//! The tenant's own keys: they seal what the database must not show, and sign what nobody else may make.
//!
//! All are derived from one [`MasterKey`], which is never in the database: whoever has the database alone can neither
//! read what is sealed nor guess what short codes were hashed from.

mod keys;
mod master;
mod past_keys;
pub mod rotation;

pub use keys::MasterKeys;
pub use master::MasterKey;

use crate::tables;
use chacha20poly1305::aead::{Aead, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use database::{Store, Tx};
use hmac::{Hmac, Mac};
use model::environment::Random;
use model::error::{Error, Result};
use past_keys::PastKey;
use sha2::Sha256;
use std::fmt::Write as _;
use std::sync::Arc;

/// Bytes of a nonce, which stands before what is sealed.
const NONCE: usize = 24;
/// The fact that tells which master key is the tenant's.
const FACT: &str = "vault";

/// The purpose of a key. What was made for one purpose is nothing for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPurpose {
    /// Values of messages that wait to be sent.
    Outbox,
    /// Codes and link secrets of challenges.
    Challenge,
    /// Links that reset a password.
    Reset,
    /// Redirect addresses.
    Redirect,
    /// Sessions of the pages.
    Session,
    /// Forms of the pages.
    Form,
    /// The chain of the audit log.
    Audit,
    /// Named secrets of the tenant.
    Secret,
    /// Data that runs of automations know.
    Run,
    /// Digests of requests that are sent once.
    Idempotency,
    /// Challenges to a proof of work.
    Proof,
    /// The identity of the master key.
    Fact,
    /// Keys of former master keys.
    Past,
}

impl KeyPurpose {
    fn name(self) -> &'static str {
        match self {
            KeyPurpose::Outbox => "outbox",
            KeyPurpose::Challenge => "challenge",
            KeyPurpose::Reset => "reset",
            KeyPurpose::Redirect => "redirect",
            KeyPurpose::Session => "session",
            KeyPurpose::Form => "form",
            KeyPurpose::Audit => "audit",
            KeyPurpose::Secret => "secret",
            KeyPurpose::Run => "run",
            KeyPurpose::Idempotency => "idempotency",
            KeyPurpose::Proof => "proof",
            KeyPurpose::Fact => "fact",
            KeyPurpose::Past => "past",
        }
    }
}

/// The keys of one tenant.
pub struct Vault {
    key: [u8; 32],
    /// Those of former master keys, the oldest first.
    past: Vec<PastKey>,
}

impl Vault {
    /// Derives the keys of the tenant with that name.
    pub fn new(master: &MasterKey, tenant: &str) -> Self {
        let key = keyed(master.bytes(), [b"plinth vault 1".as_slice(), tenant.as_bytes()]);
        Vault { key, past: Vec::new() }
    }

    /// Seals bytes (XChaCha20-Poly1305). They open for the same purpose and context alone: a context is what they belong
    /// to, such as a row.
    pub fn seal(&self, purpose: KeyPurpose, context: &[u8], plain: &[u8], random: &dyn Random) -> Vec<u8> {
        let mut sealed = vec![0; NONCE];
        random.fill(&mut sealed);
        let nonce = XNonce::try_from(sealed.as_slice()).expect("the length is that of a nonce");
        let payload = Payload { msg: plain, aad: context };
        let bytes = cipher(&self.key, purpose).encrypt(&nonce, payload).expect("nothing near 256 GB is sealed");
        sealed.extend(bytes);
        sealed
    }

    /// Opens what was sealed; none where it was not, or was changed, or is of another purpose, context or tenant.
    ///
    /// While the tenant goes over to another master key, what the former one sealed opens, too.
    pub fn open(&self, purpose: KeyPurpose, context: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let former = || self.past.iter().rev().filter(|past| past.opens);
        self.open_now(purpose, context, sealed)
            .or_else(|| former().find_map(|past| open(&past.key, purpose, context, sealed)))
    }

    /// Opens what was sealed with the present key.
    fn open_now(&self, purpose: KeyPurpose, context: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        open(&self.key, purpose, context, sealed)
    }

    /// The code (HMAC-SHA256) of these parts, which nobody without the master key can make. To be compared in constant time.
    pub fn mac(&self, purpose: KeyPurpose, parts: &[&[u8]]) -> [u8; 32] {
        mac(&self.key, purpose, parts)
    }

    /// The same by all keys that the tenant has had, for what was made before it went over to another.
    pub fn macs(&self, purpose: KeyPurpose, parts: &[&[u8]]) -> Vec<[u8; 32]> {
        let keys = std::iter::once(&self.key).chain(self.past.iter().map(|past| &past.key));
        keys.map(|key| mac(key, purpose, parts)).collect()
    }

    /// The code of a row of the audit log, by the key that the tenant had then. Nobody who has a former key can change
    /// rows of its time for it: the first row after them, made with the next key, rests on their last digest.
    pub(crate) fn mac_of_row(&self, row: i64, parts: &[&[u8]]) -> [u8; 32] {
        let former = self.past.iter().find(|past| row <= past.until);
        mac(former.map_or(&self.key, |past| &past.key), KeyPurpose::Audit, parts)
    }

    fn fact(&self) -> String {
        let mut text = String::new();
        for byte in &self.mac(KeyPurpose::Fact, &[])[..16] {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

impl std::fmt::Debug for Vault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Vault")
    }
}

/// The error of whatever needs the vault of a tenant that has another master key, or none.
pub fn closed() -> Error {
    Error::failed("the master key (security.key_file or security.key) is not this tenant's")
}

/// Notes in a store that has no such note yet that its master key is the newest of these.
pub fn adopt(store: &Store, keys: &MasterKeys, tenant: &str) -> Result<()> {
    if store.read_blocking(|tx| tables::get(tx, FACT))?.is_some() {
        return Ok(());
    }
    store.write_blocking(|tx| {
        tx.lock_store()?;
        note(tx, keys, tenant)
    })
}

/// The same within a transaction that writes.
pub fn note(tx: &mut Tx<'_>, keys: &MasterKeys, tenant: &str) -> Result<()> {
    if tables::get(tx, FACT)?.is_none() {
        tables::put(tx, FACT, &Vault::new(&keys.newest(), tenant).fact())?;
    }
    Ok(())
}

/// Returns true if one of the keys is the tenant's; none where the tenant began with no master key yet.
pub fn fits(tx: &mut Tx<'_>, keys: Option<&MasterKeys>, tenant: &str) -> Result<Option<bool>> {
    let Some(fact) = tables::get(tx, FACT)? else { return Ok(None) };
    let mut candidates = keys.into_iter().flat_map(MasterKeys::candidates);
    Ok(Some(candidates.any(|key| Vault::new(&key, tenant).fact() == fact)))
}

/// The vault of the tenant, where one of the keys is the tenant's.
pub fn find(tx: &mut Tx<'_>, keys: Option<&MasterKeys>, tenant: &str) -> Result<Option<Arc<Vault>>> {
    let Some(keys) = keys else { return Ok(None) };
    let fact = tables::get(tx, FACT)?;
    let mut vaults = keys.candidates().map(|key| Vault::new(&key, tenant));
    let found = vaults.find(|vault| fact.as_ref().is_some_and(|fact| *fact == vault.fact()));
    let Some(mut vault) = found else {
        tracing::error!("{}", closed());
        return Ok(None);
    };
    vault.past = past_keys::read(tx, &vault)?;
    Ok(Some(Arc::new(vault)))
}

fn open(key: &[u8; 32], purpose: KeyPurpose, context: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, bytes) = sealed.split_at_checked(NONCE)?;
    let nonce = XNonce::try_from(nonce).ok()?;
    cipher(key, purpose).decrypt(&nonce, Payload { msg: bytes, aad: context }).ok()
}

fn mac(key: &[u8; 32], purpose: KeyPurpose, parts: &[&[u8]]) -> [u8; 32] {
    keyed(&derived(key, purpose, b"mac"), parts.iter().copied())
}

fn cipher(key: &[u8; 32], purpose: KeyPurpose) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&derived(key, purpose, b"seal").into())
}

fn derived(key: &[u8; 32], purpose: KeyPurpose, way: &[u8]) -> [u8; 32] {
    keyed(key, [purpose.name().as_bytes(), way])
}

/// HMAC-SHA256 of parts. With its length before each, no two sets of parts read alike.
fn keyed<'p>(key: &[u8], parts: impl IntoIterator<Item = &'p [u8]>) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::{KeyPurpose, MasterKey, Vault};
    use model::environment::Random;

    struct VaultRandom(std::sync::atomic::AtomicU8);

    impl Random for VaultRandom {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        }
    }

    #[test]
    fn what_is_sealed_opens_for_its_purpose_context_tenant_and_key_alone() {
        let random = VaultRandom(1.into());
        let (master, other) = (MasterKey::new([1; 32]), MasterKey::new([2; 32]));
        let vault = Vault::new(&master, "acme");
        let sealed = vault.seal(KeyPurpose::Outbox, b"row 1", b"482913", &random);
        assert_eq!(vault.open(KeyPurpose::Outbox, b"row 1", &sealed).as_deref(), Some(b"482913".as_slice()));
        assert_ne!(sealed, vault.seal(KeyPurpose::Outbox, b"row 1", b"482913", &random), "each nonce is its own");
        assert!(!sealed.windows(6).any(|part| part == b"482913"));
        assert_eq!(vault.open(KeyPurpose::Redirect, b"row 1", &sealed), None);
        assert_eq!(vault.open(KeyPurpose::Outbox, b"row 2", &sealed), None);
        assert_eq!(Vault::new(&master, "second").open(KeyPurpose::Outbox, b"row 1", &sealed), None);
        assert_eq!(Vault::new(&other, "acme").open(KeyPurpose::Outbox, b"row 1", &sealed), None);
        for index in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[index] ^= 1;
            assert_eq!(vault.open(KeyPurpose::Outbox, b"row 1", &changed), None, "byte {index}");
            assert_eq!(vault.open(KeyPurpose::Outbox, b"row 1", &sealed[..index]), None, "cut at {index}");
        }
    }

    #[test]
    fn codes_differ_by_part_purpose_tenant_and_key() {
        let vault = Vault::new(&MasterKey::new([1; 32]), "acme");
        let code = vault.mac(KeyPurpose::Challenge, &[b"ab", b"c"]);
        assert_eq!(code, vault.mac(KeyPurpose::Challenge, &[b"ab", b"c"]));
        assert_ne!(code, vault.mac(KeyPurpose::Challenge, &[b"a", b"bc"]));
        assert_ne!(code, vault.mac(KeyPurpose::Form, &[b"ab", b"c"]));
        assert_ne!(code, Vault::new(&MasterKey::new([1; 32]), "second").mac(KeyPurpose::Challenge, &[b"ab", b"c"]));
        assert_ne!(code, Vault::new(&MasterKey::new([2; 32]), "acme").mac(KeyPurpose::Challenge, &[b"ab", b"c"]));
    }
}
