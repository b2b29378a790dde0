//! Limits of a kind's values: lengths, ranges, patterns, places, files, and the schemas of documents.

use model::kinds::Kind;
use serde_json::{Map, Value as Json};

/// Members of a kind's schema that are limits, and their names in the description.
const LIMITS: [(&str, &str); 5] = [
    ("minLength", "minLength"),
    ("maxLength", "maxLength"),
    ("pattern", "pattern"),
    ("minimum", "min"),
    ("maximum", "max"),
];

/// Adds the limits of values of a kind.
pub(super) fn add_limits(kind: &dyn Kind, told: &mut Map<String, Json>) {
    let schema = kind.schema();
    if kind.is_document() {
        // A document has a schema of its own instead of limits.
        if schema.as_object().is_some_and(|schema| !schema.is_empty()) {
            told.insert("schema".to_owned(), schema);
        }
        return;
    }
    let numeric = kind.is_number();
    for (member, limit) in LIMITS {
        // The pattern of a number is that of its text.
        if let Some(value) = schema.get(member).filter(|_| member != "pattern" || !numeric) {
            told.insert(limit.to_owned(), value.clone());
        }
    }
    if let Some(scale) = kind.scale() {
        told.insert("scale".to_owned(), scale.into());
    }
    if let Some(files) = kind.files() {
        told.insert("maxSize".to_owned(), files.max_size.into());
        told.insert("maxFiles".to_owned(), files.max_files.into());
        told.insert("accept".to_owned(), files.accept.clone().into());
    }
}
