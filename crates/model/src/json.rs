//! JSON from clients: bounded in depth and keys, and no key twice.

mod digits;

pub(crate) use digits::imprecise;
pub use digits::numbers;
pub use digits::{LongNumber, long_numbers, plain};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Arrays and objects within each other.
const DEPTH: usize = 64;
/// Keys in the whole document.
const KEYS: usize = 10_000;

/// Reads a document.
pub fn parse(bytes: &[u8]) -> serde_json::Result<Value> {
    parse_large(bytes, KEYS)
}

/// Reads a document that may have so many keys.
pub fn parse_large(bytes: &[u8], mut keys: usize) -> serde_json::Result<Value> {
    let most = keys;
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = JsonNode { depth: DEPTH, most, keys: &mut keys }.deserialize(&mut deserializer)?;
    deserializer.end().map(|()| value)
}

/// One value, so deep in the document, with what is left of the keys.
struct JsonNode<'k> {
    depth: usize,
    most: usize,
    keys: &'k mut usize,
}

impl JsonNode<'_> {
    fn inner<E: Error>(&mut self) -> Result<JsonNode<'_>, E> {
        let depth = self.depth.checked_sub(1).ok_or_else(|| E::custom(format_args!("deeper than {DEPTH} levels")))?;
        Ok(JsonNode { depth, most: self.most, keys: self.keys })
    }
}

impl<'de> DeserializeSeed<'de> for JsonNode<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonNode<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self.inner()?)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let value = members.next_value_seed(self.inner()?)?;
            let too_many = || A::Error::custom(format_args!("more than {} keys", self.most));
            *self.keys = self.keys.checked_sub(1).ok_or_else(too_many)?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key {key:?} is given twice")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}
