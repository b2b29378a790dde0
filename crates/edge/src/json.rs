//! JSON bodies: [`model::json`], and how its refusals are answered.

use super::answer::Problem;
use serde_json::{Map, Value};

/// Reads a document.
pub fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    model::json::parse(bytes).map_err(|error| invalid(&error))
}

/// Reads a document that must be an object.
pub(crate) fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, Problem> {
    object_of(bytes, model::json::parse)
}

/// The same for a document that may have so many keys.
pub(crate) fn parse_object_of(bytes: &[u8], keys: usize) -> Result<Map<String, Value>, Problem> {
    object_of(bytes, |bytes| model::json::parse_large(bytes, keys))
}

fn object_of(
    bytes: &[u8],
    parse: impl FnOnce(&[u8]) -> serde_json::Result<Value>,
) -> Result<Map<String, Value>, Problem> {
    if bytes.trim_ascii().is_empty() {
        return Err(Problem::invalid("json_invalid", "The body is empty: send a JSON object."));
    }
    match parse(bytes).map_err(|error| invalid(&error))? {
        Value::Object(members) => Ok(members),
        _ => Err(Problem::invalid("json_no_object", "The body must be a JSON object.")),
    }
}

fn invalid(error: &serde_json::Error) -> Problem {
    Problem::invalid("json_invalid", format!("The body is not valid JSON: {error}."))
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_object};
    use serde_json::json;

    #[test]
    fn reads_documents() {
        let text = r#" {"a": [1, -2, 2.5, "č", null, true], "b": {"a": 18446744073709551615}} "#;
        let expected = json!({"a": [1, -2, 2.5, "č", null, true], "b": {"a": 18_446_744_073_709_551_615_u64}});
        assert_eq!(parse(text.as_bytes()).unwrap(), expected);
        assert!(parse(format!("{}{}", "[".repeat(64), "]".repeat(64)).as_bytes()).is_ok());
    }

    #[test]
    fn an_empty_body_is_told_of_as_such() {
        for text in ["", " \n"] {
            let refused = parse_object(text.as_bytes()).unwrap_err();
            assert_eq!((refused.code, &*refused.message), ("json_invalid", "The body is empty: send a JSON object."));
        }
        assert!(parse_object(b"{}").unwrap().is_empty());
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
