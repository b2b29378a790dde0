//! The token that a browser keeps, and the proofs that a form came from a page that was made for it.

use super::ApiProof;
use base64ct::{Base64UrlUnpadded, Encoding};
use context::key_text::KeyText;
use hmac::{Hmac, KeyInit, Mac};
use model::environment::Random;
use sha2::{Digest, Sha256};
use std::fmt;
use subtle::ConstantTimeEq;

/// 256 random bits in a browser's cookie. With a session behind it, it is the session's secret; without one, it does
/// no more than tie forms to the browser that they were made for.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken([u8; 32]);

impl SessionToken {
    /// A new one.
    pub fn generate(random: &dyn Random) -> Self {
        let mut bytes = [0; 32];
        random.fill(&mut bytes);
        SessionToken(bytes)
    }

    /// Reads the text of a cookie.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        let read = Base64UrlUnpadded::decode(text, &mut bytes).ok()?;
        (read.len() == bytes.len()).then_some(SessionToken(bytes))
    }

    /// The text for a cookie.
    pub fn text(&self) -> String {
        Base64UrlUnpadded::encode_string(&self.0)
    }

    /// The proof that a form carries: nobody without the cookie can make it, and it tells nothing of the cookie.
    pub fn form_proof(&self, form: &str) -> String {
        Base64UrlUnpadded::encode_string(&self.mac("form ", form))
    }

    /// Returns true if a form carries its proof.
    pub fn proves(&self, form: &str, given: &str) -> bool {
        self.form_proof(form).as_bytes().ct_eq(given.as_bytes()).into()
    }

    /// Returns the proof with which requests to the API carry this token: nobody without the cookie can make it.
    pub fn api_proof(&self, key: i64) -> ApiProof {
        ApiProof { key, mac: self.mac("proof ", "") }
    }

    /// Returns the text of the session's key where a request carries its proof.
    pub fn proven_key(&self, proof: &ApiProof) -> Option<String> {
        let proves = bool::from(self.mac("proof ", "").ct_eq(&proof.mac));
        proves.then(|| self.key_text(proof.key).1)
    }

    /// Returns the session's key of that id. Its text is never sent: cookie and proof stand for it.
    pub fn key_text(&self, id: i64) -> (KeyText, String) {
        let mac = self.mac("key ", "");
        let mut secret = [0; 20];
        secret.copy_from_slice(&mac[..20]);
        KeyText::with_secret(id, &secret)
    }

    /// Returns the digest that is stored of it.
    pub(super) fn digest(&self) -> Vec<u8> {
        Sha256::digest(self.0).to_vec()
    }

    fn mac(&self, purpose: &str, name: &str) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(purpose.as_bytes());
        mac.update(name.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SessionToken(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::{ApiProof, SessionToken};
    use context::key_text::KeyText;

    #[test]
    fn tokens_read_back_and_prove_their_own_forms_alone() {
        let (one, other) = (SessionToken([7; 32]), SessionToken([8; 32]));
        assert_eq!(SessionToken::parse(&one.text()), Some(one.clone()));
        for text in ["", "a", &one.text()[1..], &format!("{}A", one.text()), &format!("{}=", one.text())] {
            assert_eq!(SessionToken::parse(text), None, "{text}");
        }
        let proof = one.form_proof("sign-in");
        assert!(one.proves("sign-in", &proof));
        assert!(!one.proves("sign-out", &proof) && !other.proves("sign-in", &proof) && !one.proves("sign-in", ""));
        assert_eq!(format!("{one:?}"), "SessionToken(***)");
    }

    #[test]
    fn the_key_of_a_session_needs_the_cookie_and_its_proof() {
        let (one, other) = (SessionToken([7; 32]), SessionToken([8; 32]));
        let proof = ApiProof::parse(&one.api_proof(12).to_string()).unwrap();
        let (text, _) = one.key_text(12);
        assert_eq!(one.proven_key(&proof).and_then(|key| KeyText::parse(&key).ok()), Some(text));
        assert_eq!(other.proven_key(&proof), None);
        assert_ne!(one.key_text(12).0, one.key_text(13).0);
    }
}
