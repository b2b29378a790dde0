//! The header with which a page's script proves that it may use the browser's session.

use base64ct::{Base64UrlUnpadded, Encoding};
use std::fmt;

/// The id of a session's key, and the proof of the session's token: `12.<43 letters>`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ApiProof {
    /// The id of the session's key.
    pub(super) key: i64,
    /// HMAC of the token.
    pub(super) mac: [u8; 32],
}

impl ApiProof {
    /// Reads the header.
    pub fn parse(text: &str) -> Option<Self> {
        let (key, mac) = text.split_once('.')?;
        let digits = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
        let mut bytes = [0; 32];
        let read = Base64UrlUnpadded::decode(mac, &mut bytes).ok()?;
        (digits && read.len() == bytes.len()).then_some(())?;
        Some(ApiProof { key: key.parse().ok()?, mac: bytes })
    }
}

impl fmt::Display for ApiProof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.key, Base64UrlUnpadded::encode_string(&self.mac))
    }
}

impl fmt::Debug for ApiProof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ApiProof({}, ***)", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::ApiProof;

    #[test]
    fn only_whole_proofs_are_read() {
        let proof = ApiProof { key: 12, mac: [7; 32] };
        let text = proof.to_string();
        assert_eq!(ApiProof::parse(&text), Some(proof));
        for wrong in ["", ".", "12", "12.", &text[1..text.len() - 1], &format!("+{text}"), &format!("{text}A")] {
            assert_eq!(ApiProof::parse(wrong), None, "{wrong}");
        }
    }
}
