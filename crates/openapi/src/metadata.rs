//! The schemas of what `propsMeta` and `wrapFields` add to answers.

use super::literal::json;
use super::responses::schema;
use serde_json::{Map, Value};

/// Their schemas.
pub fn schemas() -> Map<String, Value> {
    let text = json!({"type": "string"});
    let flag = json!({"type": "boolean"});
    let color = json!({"type": ["string", "null"], "description": "Of an option."});
    let link = |description: &str| json!({"type": ["string", "null"], "description": description});
    [
        ("Wrapped", json!({
            "type": "object", "required": ["value", "display", "kind"],
            "description": "A value with data for people. In bodies, it is read as its value.",
            "properties": {
                "value": {"description": "The value without wrapFields."},
                "display": {"type": ["string", "null"], "description": "Plain text; null without a value."},
                "kind": text, "color": color,
                "items": {"type": "array", "description": "The values of a property with several, one by one.", "items": {
                    "type": "object", "required": ["value", "display"],
                    "properties": {
                        "value": {}, "display": text, "color": color,
                        "uuid": link("Of the related resource."), "url": link("Of the related resource."),
                    },
                }},
                "typeId": {"type": "integer", "description": "Of the related resource's type."},
                "type": {"type": "string", "description": "The related resource's type."},
                "uuid": link("Of the related resource."), "url": link("Of the related resource."),
                "utc": link("The instant of a datetime in UTC."),
            },
        })),
        ("Shaped", json!({
            "type": "object",
            "description": "A resource with wrapFields or dotted paths in showFields: wrapped values and related resources replace plain values.",
            "additionalProperties": {"anyOf": [schema("Wrapped"), {"description": "A plain value, or a related resource."}]},
        })),
        ("PropertyMetadata", json!({
            "type": "object",
            "required": [
                "id", "identifier", "title", "kind", "multiple", "required", "unique", "readOnly", "calculated",
                "default", "description", "sortable", "filterTypes", "write",
            ],
            "properties": {
                "id": {"type": ["integer", "null"], "description": "Null for fields that every resource has."},
                "identifier": text, "title": text, "kind": text, "multiple": flag, "required": flag, "unique": flag,
                "readOnly": flag, "calculated": flag, "default": {}, "description": text,
                "options": {"type": "array", "items": {
                    "type": "object", "required": ["value", "title", "color", "archived"],
                    "properties": {"value": text, "title": text, "color": color, "archived": flag},
                }},
                "relation": {
                    "type": "object", "required": ["typeId", "type", "title"],
                    "properties": {"typeId": {"type": "integer"}, "type": text, "title": text},
                },
                "sortable": flag,
                "filterTypes": {"type": "array", "items": {"enum": query::filters::names().collect::<Vec<_>>()}},
                "write": {"type": "boolean", "description": "True if the caller may change it."},
            },
        })),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

/// A resource of a type, plain or shaped.
pub fn resource(name: &str) -> Value {
    json!({"anyOf": [schema(name), schema("Shaped")]})
}

/// Metadata by the dotted path to a field.
pub fn by_path() -> Value {
    json!({"type": "object", "description": "Only with propsMeta.", "additionalProperties": schema("PropertyMetadata")})
}
