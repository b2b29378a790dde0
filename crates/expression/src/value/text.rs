//! Text: short ones lie inline, long ones are shared. Nearly always UTF-8; bytes where PHP has bytes.

use compact_str::CompactString;
use std::sync::Arc;

/// A string of PHP: bytes, known to be UTF-8 or not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Text {
    /// UTF-8.
    Utf8(CompactString),
    /// UTF-8 too long to copy with every clone.
    Shared(Arc<str>),
    /// Bytes that are not UTF-8.
    Bytes(Arc<[u8]>),
}

/// The longest text that is copied rather than shared, in bytes: what lies inline.
const INLINE: usize = 24;

impl Text {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Utf8(text) => text.as_bytes(),
            Text::Shared(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }

    /// The text, unless it is not UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Text::Utf8(text) => Some(text),
            Text::Shared(text) => Some(text),
            Text::Bytes(_) => None,
        }
    }

    /// Of bytes, which are checked.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Text::from(text),
            Err(_) => Text::Bytes(bytes.into()),
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        if text.len() <= INLINE { Text::Utf8(CompactString::new(text)) } else { Text::Shared(text.into()) }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text::from(text.as_str())
    }
}
