//! The secrets of challenges and resets: how they are made, and what is kept of them.

use super::method::SecretShape;
use base64ct::{Base64UrlUnpadded, Encoding};
use context::vault::{KeyPurpose, Vault};
use messages::outbox::Method;
use model::environment::Random;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

/// The stored form of a secret. Of a code it is a MAC whose key is not in the database, since there are few codes. Of
/// 256 random bits it is their SHA-256.
#[derive(Clone, Debug)]
pub(super) struct SecretDigest(pub(super) [u8; 32]);

impl SecretDigest {
    /// The digest of a method's secret, bound to its challenge.
    pub(super) fn of(vault: &Vault, identifier: &str, method: Method, secret: &str) -> Self {
        match method {
            Method::MailLink => SecretDigest::of_link(secret),
            Method::MailCode | Method::SmsCode => {
                let parts = [identifier.as_bytes(), method.name().as_bytes(), secret.as_bytes()];
                SecretDigest(vault.mac(KeyPurpose::Challenge, &parts))
            }
        }
    }

    /// Those that may be stored of a secret: by the tenant's key, and by former ones.
    pub(super) fn all(vault: &Vault, identifier: &str, method: Method, secret: &str) -> Vec<Self> {
        match method {
            Method::MailLink => vec![SecretDigest::of_link(secret)],
            Method::MailCode | Method::SmsCode => {
                let parts = [identifier.as_bytes(), method.name().as_bytes(), secret.as_bytes()];
                vault.macs(KeyPurpose::Challenge, &parts).into_iter().map(SecretDigest).collect()
            }
        }
    }

    /// The digest of the secret in a link.
    pub(super) fn of_link(secret: &str) -> Self {
        SecretDigest(Sha256::digest(secret).into())
    }

    /// Returns true if it is the stored one, in constant time.
    pub(crate) fn is(&self, stored: &[u8]) -> bool {
        self.0[..].ct_eq(stored).into()
    }
}

/// 256 random bits in URL-safe Base64.
pub(super) fn link_secret(random: &dyn Random) -> String {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    Base64UrlUnpadded::encode_string(&bytes)
}

/// A new secret of that shape.
pub(super) fn generate(shape: &SecretShape, random: &dyn Random) -> String {
    match shape {
        SecretShape::MailLink => link_secret(random),
        SecretShape::MailCode(code) | SecretShape::SmsCode(code, _) => code.generate(random),
    }
}
