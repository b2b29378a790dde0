//! Keys of arrays: integers or texts, after PHP's rule for texts that are integers.

use super::{Text, Value, decimal::truncate};
use crate::{Fault, Result};
use indexmap::Equivalent;
use std::hash::{Hash, Hasher};

/// A key. Canonical decimal texts within 64 bits are integers (`"5"`, not `"05"`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArrayKey {
    /// An integer.
    Int(i64),
    /// Any other text.
    Text(Text),
}

/// A key to look up, of borrowed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRef<'k> {
    /// An integer.
    Int(i64),
    /// Any other text.
    Text(&'k [u8]),
}

impl<'k> KeyRef<'k> {
    /// Of a text, which may be an integer.
    pub fn of(text: &'k [u8]) -> Self {
        canonical(text).map_or(KeyRef::Text(text), KeyRef::Int)
    }

    /// The steps that reading it takes, beside one.
    pub fn steps(self) -> u64 {
        match self {
            KeyRef::Int(_) => 0,
            KeyRef::Text(text) => text.len() as u64 / 64,
        }
    }
}

impl ArrayKey {
    /// The key borrowed.
    pub fn borrowed(&self) -> KeyRef<'_> {
        match self {
            ArrayKey::Int(number) => KeyRef::Int(*number),
            ArrayKey::Text(text) => KeyRef::Text(text.as_bytes()),
        }
    }

    /// The key that a value stands for; arrays and objects stand for none.
    pub fn of(value: &Value) -> Result<ArrayKey> {
        Ok(match value {
            Value::Null => ArrayKey::Text(Text::EMPTY),
            Value::Bool(flag) => ArrayKey::Int(i64::from(*flag)),
            Value::Int(number) => ArrayKey::Int(*number),
            Value::Float(number) => ArrayKey::Int(truncate(*number)),
            Value::Decimal(decimal) => ArrayKey::Int(decimal.truncated()),
            Value::Text(text) => ArrayKey::from(text.clone()),
            Value::Resource(resource) => ArrayKey::Int(resource.id()),
            other => {
                let message =
                    format!("A key is a text or an integer, not {}: take one of its properties.", other.kind());
                return Err(Fault::new("wrong_key", message));
            }
        })
    }

    /// The key as a value.
    pub fn value(&self) -> Value {
        match self {
            ArrayKey::Int(number) => Value::Int(*number),
            ArrayKey::Text(text) => Value::Text(text.clone()),
        }
    }

    /// The key as text: what a property's name is made of.
    pub fn text(&self) -> Text {
        match self {
            ArrayKey::Int(number) => Text::from(number.to_string()),
            ArrayKey::Text(text) => text.clone(),
        }
    }
}

impl From<Text> for ArrayKey {
    fn from(text: Text) -> Self {
        canonical(text.as_bytes()).map_or(ArrayKey::Text(text), ArrayKey::Int)
    }
}

impl From<&str> for ArrayKey {
    fn from(text: &str) -> Self {
        ArrayKey::from(Text::from(text))
    }
}

impl Hash for ArrayKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.borrowed().hash(state);
    }
}

impl Hash for KeyRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            KeyRef::Int(number) => number.hash(state),
            KeyRef::Text(text) => text.hash(state),
        }
    }
}

impl Equivalent<ArrayKey> for KeyRef<'_> {
    fn equivalent(&self, key: &ArrayKey) -> bool {
        *self == key.borrowed()
    }
}

/// The integer that a text writes in its one canonical way.
fn canonical(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let is_canonical = match digits {
        [] => false,
        [b'0'] => digits.len() == text.len(),
        [first, ..] => *first != b'0' && digits.len() <= 19 && digits.iter().all(u8::is_ascii_digit),
    };
    if !is_canonical {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_canonical_integers_are_integers() {
        for (text, number) in [("5", 5), ("-5", -5), ("0", 0), ("9223372036854775807", i64::MAX)] {
            assert_eq!(ArrayKey::from(text), ArrayKey::Int(number));
        }
        for text in ["", "05", "+5", "-0", " 5", "5 ", "9223372036854775808", "-", "1.5", "1e3"] {
            assert_eq!(ArrayKey::from(text), ArrayKey::Text(text.into()), "{text}");
        }
    }
}
