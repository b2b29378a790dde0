//! Schemas that no type is part of.

use super::literal::json;
use serde_json::{Map, Value};

/// Schemas that no type is part of.
pub fn schemas() -> Map<String, Value> {
    let instant = json!({"type": "string", "format": "date-time"});
    [
        ("Problem", json!({"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}})),
        ("ProblemDetails", json!({
            "type": "object", "required": ["status", "detail", "code", "requestId", "errors"],
            "properties": {
                "type": {"type": "string"}, "title": {"type": ["string", "null"]}, "status": {"type": "integer"},
                "detail": {"type": "string"}, "code": {"type": "string"}, "requestId": {"type": "string"},
                "operation": {"type": "integer", "description": "The index of the operation, for a request of several."},
                "errors": {"type": "array", "items": {
                    "type": "object", "required": ["property", "code", "message"],
                    "properties": {
                        "property": {"type": "string"}, "code": {"type": "string"}, "message": {"type": "string"},
                        "pointer": {"type": "string", "description": "The place in the body of a request of several operations (RFC 6901)."},
                    },
                }},
            },
        })),
        ("Stats", json!({
            "type": "object", "required": ["page", "itemsPerPage", "fetched", "total"],
            "properties": {
                "page": {"type": "integer"}, "itemsPerPage": {"type": "integer"},
                "fetched": {"type": "integer"}, "total": {"type": "integer"},
            },
        })),
        ("Filter", json!({
            "type": "object", "required": ["property", "type"],
            "properties": {
                "property": {"type": "string", "description": "A property, a dotted path through relations, or * for and, or, not, search."},
                "type": {"enum": query::filters::names().collect::<Vec<_>>()},
                "param": {"description": "The value for the filter type; for and, or, not an array of filters."},
                "fold": {"type": "boolean", "description": "True ignores case and diacritics."},
            },
            "additionalProperties": false,
        })),
        ("ApiKey", json!({
            "type": "object",
            "required": ["id", "userId", "keyString", "validFrom", "validTo", "description", "permissions"],
            "properties": {
                "id": {"type": "integer"}, "userId": {"type": "integer"}, "keyString": {"type": "string"},
                "validFrom": instant, "validTo": instant, "description": {"type": "string"},
                "permissions": {"type": "array", "items": {"type": "string"}},
            },
        })),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}
