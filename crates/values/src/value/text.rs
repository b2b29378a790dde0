//! Text: short ones lie inline, long ones are shared. Nearly always UTF-8; bytes where PHP has bytes.

use compact_str::CompactString;
use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A string of PHP: bytes, known to be UTF-8 or not. Equality, order and hash are those of the bytes.
#[derive(Debug, Clone)]
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
    /// The empty text.
    pub const EMPTY: Text = Text::Utf8(CompactString::const_new(""));

    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Utf8(text) => text.as_bytes(),
            Text::Shared(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }

    /// The text, unless it is not UTF-8.
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Text::Utf8(text) => Some(text),
            Text::Shared(text) => Some(text),
            Text::Bytes(_) => None,
        }
    }

    /// The text for people and names: bytes that are not UTF-8 become U+FFFD.
    pub fn lossy(&self) -> Cow<'_, str> {
        match self {
            Text::Utf8(text) => Cow::Borrowed(text),
            Text::Shared(text) => Cow::Borrowed(text),
            Text::Bytes(bytes) => String::from_utf8_lossy(bytes),
        }
    }

    /// Returns the number of bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    /// Returns true if it has none.
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }

    /// Of bytes, which are checked.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Text::from(text),
            Err(_) => Text::Bytes(bytes.into()),
        }
    }
}

impl Default for Text {
    fn default() -> Self {
        Text::EMPTY
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

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.lossy())
    }
}
