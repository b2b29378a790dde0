//! The values that travel between statements and rows, and the types of columns.

use std::hash::{Hash, Hasher};

/// The type of a column. Both engines store the same values; how, is theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// True or false.
    Boolean,
    /// 64 bits, signed.
    Integer,
    /// 64-bit binary floating point; never NaN or infinite.
    Float,
    /// UTF-8 text without NUL, ordered by code point on both engines.
    Text,
    /// A JSON document, kept as the text that was given.
    Json,
    /// Raw bytes.
    Bytes,
    /// 128 bits.
    Uuid,
    /// Days since 1970-01-01.
    Date,
    /// Milliseconds since 1970-01-01T00:00:00Z.
    Timestamp,
}

/// A value to bind. [`Value::Null`] fits every column.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// A value for [`ColumnType::Boolean`].
    Boolean(bool),
    /// A value for [`ColumnType::Integer`].
    Integer(i64),
    /// A value for [`ColumnType::Float`].
    Float(f64),
    /// A value for [`ColumnType::Text`] and [`ColumnType::Json`].
    Text(String),
    /// A value for [`ColumnType::Bytes`].
    Bytes(Vec<u8>),
    /// A value for [`ColumnType::Uuid`].
    Uuid([u8; 16]),
    /// Days since 1970-01-01, for [`ColumnType::Date`].
    Date(i32),
    /// Milliseconds since 1970-01-01T00:00:00Z, for [`ColumnType::Timestamp`].
    Timestamp(i64),
}

/// A value as it lies in a row, borrowed from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueRef<'r> {
    /// No value.
    Null,
    /// A value of [`ColumnType::Boolean`].
    Boolean(bool),
    /// A value of [`ColumnType::Integer`].
    Integer(i64),
    /// A value of [`ColumnType::Float`].
    Float(f64),
    /// A value of [`ColumnType::Text`] and [`ColumnType::Json`].
    Text(&'r str),
    /// A value of [`ColumnType::Bytes`].
    Bytes(&'r [u8]),
    /// A value of [`ColumnType::Uuid`].
    Uuid([u8; 16]),
    /// Days since 1970-01-01.
    Date(i32),
    /// Milliseconds since 1970-01-01T00:00:00Z.
    Timestamp(i64),
}

/// Floats are never NaN, so that each equals itself.
impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Null => {}
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) | Value::Timestamp(value) => value.hash(state),
            // Both zeros are equal.
            Value::Float(value) => (value + 0.0).to_bits().hash(state),
            Value::Text(value) => value.hash(state),
            Value::Bytes(value) => value.hash(state),
            Value::Uuid(value) => value.hash(state),
            Value::Date(value) => value.hash(state),
        }
    }
}

impl Value {
    /// The same value, borrowed.
    pub fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Value::Null => ValueRef::Null,
            Value::Boolean(value) => ValueRef::Boolean(*value),
            Value::Integer(value) => ValueRef::Integer(*value),
            Value::Float(value) => ValueRef::Float(*value),
            Value::Text(value) => ValueRef::Text(value),
            Value::Bytes(value) => ValueRef::Bytes(value),
            Value::Uuid(value) => ValueRef::Uuid(*value),
            Value::Date(value) => ValueRef::Date(*value),
            Value::Timestamp(value) => ValueRef::Timestamp(*value),
        }
    }

    /// Returns true if this is [`Value::Null`].
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns true if both engines can hold it; if not, why.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        match self {
            Value::Text(text) if text.as_bytes().contains(&0) => Err("a text must not contain the character NUL"),
            Value::Float(number) if !number.is_finite() => Err("a number must be finite"),
            _ => Ok(()),
        }
    }
}

impl ValueRef<'_> {
    /// The same value, owned.
    pub fn to_value(self) -> Value {
        match self {
            ValueRef::Null => Value::Null,
            ValueRef::Boolean(value) => Value::Boolean(value),
            ValueRef::Integer(value) => Value::Integer(value),
            ValueRef::Float(value) => Value::Float(value),
            ValueRef::Text(value) => Value::Text(value.to_owned()),
            ValueRef::Bytes(value) => Value::Bytes(value.to_owned()),
            ValueRef::Uuid(value) => Value::Uuid(value),
            ValueRef::Date(value) => Value::Date(value),
            ValueRef::Timestamp(value) => Value::Timestamp(value),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}
impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Integer(value)
    }
}
impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}
impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
