//! The model as a caller may see it.

use crate::literal::json;
use crate::parameters::{VALIDATORS, shared};
use crate::responses::{VALIDATED, body, not_modified, operation, schema};
use serde_json::{Map, Value};

/// Describes the model.
pub fn get() -> Value {
    let answers = [
        ("200", body("Types, queries and canvases that the caller may see.", &schema("ModelDescription"), &VALIDATED)),
        ("304", not_modified()),
    ];
    let mut get = operation("model", "Read the model: types, properties and their limits.", &answers, &["403", "503"]);
    get["parameters"] = VALIDATORS.map(shared).to_vec().into();
    get
}

/// The schemas of the model.
pub fn schemas() -> Map<String, Value> {
    let list = |name: &str| json!({"type": "array", "items": schema(name)});
    let model = json!({
        "type": "object", "required": ["types", "queries", "canvases"],
        "properties": {"types": list("ModelType"), "queries": list("ModelQuery"), "canvases": list("ModelCanvas")},
    });
    [
        ("ModelDescription", model),
        ("ModelType", resource_type()),
        ("ModelActions", actions()),
        ("ModelInverse", inverse()),
        ("ModelSection", section()),
        ("ModelRollup", rollup()),
        ("ModelProperty", property()),
        ("ModelOption", option()),
        ("ModelRelation", relation()),
        ("ModelQuery", query()),
        ("ModelCanvas", canvas()),
        ("ModelParameter", parameter()),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

fn text() -> Value {
    json!({"type": "string"})
}

fn flag() -> Value {
    json!({"type": "boolean"})
}

fn optional(description: &str) -> Value {
    json!({"type": ["string", "null"], "description": description})
}

fn resource_type() -> Value {
    let names = json!({"type": "array", "items": {"type": "array", "items": text()}});
    json!({
        "type": "object",
        "required": [
            "id", "name", "title", "description", "titleProperty", "codeProperty", "parentProperty", "orderBy",
            "searchable", "logReads", "actions", "unique", "inverses", "sections", "properties",
        ],
        "properties": {
            "id": {"type": "integer"}, "name": text(), "title": text(), "description": text(),
            "titleProperty": optional("The property that names a resource to people."),
            "codeProperty": optional("The property by which imports refer to a resource."),
            "parentProperty": optional("The relation that makes the type a hierarchy."),
            "orderBy": optional("The order of lists that ask for none."),
            "searchable": flag(), "logReads": flag(), "actions": schema("ModelActions"), "unique": names,
            "inverses": {"type": "array", "items": schema("ModelInverse")},
            "sections": {
                "type": "array", "items": schema("ModelSection"),
                "description": "The sections of forms. The properties of none come last.",
            },
            "properties": {"type": "array", "items": schema("ModelProperty")},
        },
    })
}

fn actions() -> Value {
    json!({
        "type": "object", "required": ["create", "update", "delete"],
        "properties": {"create": flag(), "update": flag(), "delete": flag()},
    })
}

fn inverse() -> Value {
    json!({
        "type": "object", "required": ["name", "title", "type", "property", "multiple"],
        "properties": {
            "name": text(), "title": text(), "type": text(), "property": text(),
            "multiple": {"type": "boolean", "description": "False if at most one resource refers to each."},
        },
    })
}

fn section() -> Value {
    json!({
        "type": "object", "required": ["title", "properties"],
        "properties": {"title": text(), "properties": {"type": "array", "items": text()}},
    })
}

fn rollup() -> Value {
    json!({
        "type": "object", "required": ["operation", "type", "relation", "own", "property", "filtered"],
        "properties": {
            "operation": {"enum": ["count", "sum", "min", "max", "avg"]},
            "type": {"type": "string", "description": "The type of the resources that count."},
            "relation": {"type": "string", "description": "The relation between them and the resource."},
            "own": {"type": "boolean", "description": "True if the relation is a property of the resource itself."},
            "property": optional("The property that is summed up; null where resources are counted."),
            "filtered": {"type": "boolean", "description": "True if only some of them count."},
            "filter": {"type": "string", "description": "The expression that chooses them, where you may read all it names."},
        },
    })
}

/// The limits of values, which properties and parameters have in common.
fn limits() -> Map<String, Value> {
    let count = || json!({"type": "integer"});
    let limits = json!({
        "minLength": count(), "maxLength": count(), "pattern": text(), "min": {"type": "number"},
        "max": {"type": "number"}, "scale": count(),
        "schema": {"type": "object", "additionalProperties": true, "description": "The JSON Schema of a document."},
    });
    limits.as_object().cloned().unwrap_or_default()
}

/// A schema with the limits of values among its properties.
fn limited(mut schema: Value) -> Value {
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.append(&mut limits());
    }
    schema
}

fn property() -> Value {
    let count = || json!({"type": "integer"});
    limited(json!({
        "type": "object",
        "required": [
            "id", "identifier", "title", "kind", "multiple", "required", "unique", "readOnly", "calculated", "default",
            "description", "sortable", "filterTypes", "write", "create", "indexed", "searchable", "conditional", "writeOnce",
        ],
        "properties": {
            "id": {"type": ["integer", "null"], "description": "Null for fields that every resource has."},
            "identifier": text(), "title": text(), "kind": text(), "multiple": flag(), "required": flag(),
            "unique": flag(), "readOnly": flag(), "calculated": flag(),
            "default": {"description": "The value without one, or null."}, "description": text(),
            "options": {"type": "array", "items": schema("ModelOption")},
            "relation": schema("ModelRelation"),
            "sortable": flag(), "filterTypes": {"type": "array", "items": text()},
            "write": {"type": "boolean", "description": "True if the caller may change it."},
            "create": {"type": "boolean", "description": "True if the caller may give it in a new resource."},
            "indexed": {"type": "boolean", "description": "True if an index serves filters and sorts by it."},
            "searchable": flag(),
            "conditional": {"type": "boolean", "description": "True if an expression decides which resources may have a value."},
            "writeOnce": flag(),
            "maxSize": {"type": ["integer", "null"], "format": "int64", "description": "The most bytes of a file; null for the server's limit."},
            "maxFiles": count(), "accept": {"type": "array", "items": text(), "description": "Media types; none for all that are harmless."},
            "rollup": schema("ModelRollup"),
            "calculation": {"type": "string", "description": "The expression, where you may read all it names."},
        },
    }))
}

fn option() -> Value {
    json!({
        "type": "object", "required": ["value", "title", "color", "archived"],
        "properties": {
            "value": text(), "title": text(), "color": {"type": ["string", "null"]}, "archived": flag(),
        },
    })
}

fn relation() -> Value {
    json!({
        "type": "object", "required": ["typeId", "type", "title"],
        "properties": {
            "typeId": {"type": "integer"}, "type": text(), "title": text(),
            "filtered": {"type": "boolean", "description": "True if a filter chooses the resources that it takes."},
        },
    })
}

fn query() -> Value {
    json!({
        "type": "object", "required": ["name", "title", "description", "type", "groups", "parameters"],
        "properties": {
            "name": text(), "title": text(), "description": text(), "type": text(),
            "groups": {"type": "boolean", "description": "True if it answers groups instead of rows."},
            "parameters": {"type": "array", "items": schema("ModelParameter")},
        },
    })
}

fn canvas() -> Value {
    json!({
        "type": "object", "required": ["name", "title", "description", "parameters"],
        "properties": {
            "name": text(), "title": text(), "description": text(),
            "parameters": {"type": "array", "items": schema("ModelParameter")},
        },
    })
}

fn parameter() -> Value {
    limited(json!({
        "type": "object", "required": ["name", "title", "description", "kind", "multiple", "required", "default"],
        "properties": {
            "name": text(), "title": text(), "description": text(), "kind": text(), "multiple": flag(),
            "required": flag(),
            "default": {"description": "The value without one; null also where an expression gives it."},
            "options": {"type": "array", "items": schema("ModelOption")}, "relation": schema("ModelRelation"),
        },
    }))
}
