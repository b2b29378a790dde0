//! Lists that are read page by page, each page with the cursor of the next.

use super::literal::json;
use super::parameters::of_query;
use serde_json::Value;

/// Returns the parameters of such a list: its own, and those of the page. A page has the usual number of items unless
/// it is said, and the given number at most.
pub(crate) fn parameters(own: impl IntoIterator<Item = Value>, usual: u64, most: u64) -> Value {
    let limit = json!({"type": "integer", "minimum": 1, "maximum": most, "default": usual});
    let cursor = "The nextCursor of the previous page, with the same other parameters.";
    let page = [
        of_query("limit", "The most members of the page.", limit),
        of_query("cursor", cursor, json!({"type": "string"})),
    ];
    own.into_iter().chain(page).collect()
}

/// A page of items.
pub(crate) fn page(item: &Value) -> Value {
    json!({
        "type": "object", "required": ["items", "nextCursor", "hasMore"],
        "properties": {
            "items": {"type": "array", "items": item},
            "nextCursor": {"type": ["string", "null"], "description": "The cursor of the next page."},
            "hasMore": {"type": "boolean"},
        },
    })
}
