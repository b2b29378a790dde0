//! Texts of problems, cut where they are long: names and values of files and requests may be as long as these.

use serde_json::Value as Json;

/// The most characters of a value.
const VALUE: usize = 60;
/// The most characters of a property's name.
const NAME: usize = 100;
/// The most characters of a message.
const MESSAGE: usize = 500;

/// Returns the name of a property as problems tell it.
pub fn name(name: String) -> String {
    cut(name, NAME)
}

/// Returns a message as problems tell it.
pub fn message(message: String) -> String {
    cut(message, MESSAGE)
}

/// Returns a value as problems tell it.
pub fn value(value: &str) -> String {
    match value.char_indices().nth(VALUE) {
        None => value.to_owned(),
        Some((end, _)) => format!("{}…", &value[..end]),
    }
}

/// Returns a value of JSON as problems tell it; none for null.
pub fn json_value(json: &Json) -> Option<String> {
    match json {
        Json::Null => None,
        Json::String(text) => Some(value(text)),
        // A large value is not written out to be cut.
        Json::Array(_) => Some("[…]".to_owned()),
        Json::Object(_) => Some("{…}".to_owned()),
        Json::Bool(_) | Json::Number(_) => Some(json.to_string()),
    }
}

/// Returns a text without what is beyond so many characters.
fn cut(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{json_value, message, name, value};
    use serde_json::json;

    #[test]
    fn long_texts_are_cut() {
        let count = |text: String| text.chars().count();
        assert_eq!((count(name("é".repeat(1_000))), count(message("ž".repeat(100_000)))), (101, 501));
        assert_eq!(value(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
        assert_eq!(value(&"é".repeat(60)), "é".repeat(60));
        let told = [json!(null), json!("a"), json!(1.5), json!([1]), json!({})].map(|json| json_value(&json));
        assert_eq!(told, [None, Some("a"), Some("1.5"), Some("[…]"), Some("{…}")].map(|text| text.map(str::to_owned)));
    }
}
