//! The key of a caller, which proves whose rights a request has; or none, for the public role.

use crate::key_text::KeyText;
use model::error::Result;
use std::net::IpAddr;

/// The key that came with a request, and the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallerKey {
    /// The key; none where the caller acts by the public role (E-110).
    pub text: Option<KeyText>,
    /// The address of the request, where that is known.
    pub address: Option<IpAddr>,
}

impl CallerKey {
    /// No key: the caller acts by the public role, where the tenant has one.
    pub fn public() -> Self {
        CallerKey { text: None, address: None }
    }

    /// Reads a key. A text that is not one, or has a wrong checksum, is refused without a look-up.
    pub fn parse(text: &str) -> Result<Self> {
        KeyText::parse(text).map(CallerKey::from)
    }

    /// The key of a request that came from this address.
    #[must_use]
    pub fn sent_from(self, address: IpAddr) -> Self {
        CallerKey { address: Some(address), ..self }
    }

    /// Returns the key record's id.
    pub fn id(&self) -> Option<i64> {
        self.text.map(|text| text.id)
    }
}

impl From<KeyText> for CallerKey {
    fn from(text: KeyText) -> Self {
        CallerKey { text: Some(text), address: None }
    }
}
