//! JSON from clients: bounded in depth and keys, and no key twice.

use super::answer::Problem;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Arrays and objects within each other.
const DEPTH: usize = 64;
/// Keys in the whole document.
const KEYS: usize = 10_000;

/// Reads a document.
pub fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    let mut keys = KEYS;
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    Node { depth: DEPTH, keys: &mut keys }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| Problem::invalid("json_invalid", format!("The body is not JSON that is taken: {error}.")))
}

/// Reads a document that must be an object.
pub fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, Problem> {
    match parse(bytes)? {
        Value::Object(members) => Ok(members),
        _ => Err(Problem::invalid("json_no_object", "The body must be a JSON object.")),
    }
}

/// One value, so deep in the document, with what is left of the keys.
struct Node<'k> {
    depth: usize,
    keys: &'k mut usize,
}

impl Node<'_> {
    fn inner<E: Error>(&mut self) -> Result<Node<'_>, E> {
        let depth = self.depth.checked_sub(1).ok_or_else(|| E::custom(format_args!("deeper than {DEPTH} levels")))?;
        Ok(Node { depth, keys: self.keys })
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
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
            *self.keys = self.keys.checked_sub(1).ok_or_else(|| A::Error::custom("more than 10000 keys"))?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key {key:?} is there twice")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use serde_json::json;

    #[test]
    fn reads_documents() {
        let text = r#" {"a": [1, -2, 2.5, "č", null, true], "b": {"a": 18446744073709551615}} "#;
        let expected = json!({"a": [1, -2, 2.5, "č", null, true], "b": {"a": 18_446_744_073_709_551_615_u64}});
        assert_eq!(parse(text.as_bytes()).unwrap(), expected);
        assert!(parse(format!("{}{}", "[".repeat(64), "]".repeat(64)).as_bytes()).is_ok());
    }

    #[test]
    fn refuses_what_is_too_much() {
        let many = format!("{{{}}}", (0..10_001).map(|n| format!("\"{n}\":1")).collect::<Vec<_>>().join(","));
        for text in [
            "",
            "{",
            "[1] 2",
            "{\"a\":1,\"a\":1}",
            "{\"a\":{\"b\":1,\"b\":2}}",
            "nan",
            "[1,]",
            "'a'",
            "1e999",
            "\"\\ud800\"",
            &format!("{}1{}", "[".repeat(65), "]".repeat(65)),
            &"[".repeat(100_000),
            &many,
        ] {
            let shown: String = text.chars().take(40).collect();
            assert_eq!(parse(text.as_bytes()).unwrap_err().code, "json_invalid", "{shown}");
        }
        assert!(parse(b"\"\xff\"").is_err());
    }
}
