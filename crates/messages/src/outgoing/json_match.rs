//! Comparison of JSON with what a test of a configuration expects.

use serde_json::Value as Json;

/// Returns true if JSON is what was expected: of objects, the members that are named.
pub fn alike(expected: &Json, found: &Json) -> bool {
    match (expected, found) {
        // Beyond 2^53 several integers are one float.
        (Json::Number(expected), Json::Number(found)) if expected.is_f64() || found.is_f64() => {
            expected.as_f64().is_some_and(|expected| Some(expected) == found.as_f64())
        }
        (Json::Array(expected), Json::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(expected, found)| alike(expected, found))
        }
        (Json::Object(expected), Json::Object(found)) => {
            expected.iter().all(|(name, expected)| found.get(name).is_some_and(|found| alike(expected, found)))
        }
        (expected, found) => expected == found,
    }
}

#[cfg(test)]
mod tests {
    use super::alike;
    use serde_json::json;

    #[test]
    fn numbers_are_alike_as_they_are() {
        assert!(alike(&json!(12.0), &json!(12)) && alike(&json!(12.5), &json!(12.50)));
        assert!(alike(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_993_i64)));
        assert!(!alike(&json!(9_007_199_254_740_992_i64), &json!(9_007_199_254_740_993_i64)));
        assert!(!alike(&json!(u64::MAX), &json!(-1)));
    }

    #[test]
    fn of_objects_the_members_that_are_named_count() {
        assert!(alike(&json!({"a": [{"b": 1}]}), &json!({"c": 2, "a": [{"d": 3, "b": 1}]})));
        assert!(!alike(&json!({"a": null}), &json!({})), "absent is not null");
        assert!(!alike(&json!([1]), &json!([1, 2])), "lists are whole");
    }
}
