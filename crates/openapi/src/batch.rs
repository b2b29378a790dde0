//! Several operations in one request.

use super::literal::json;
use super::parameters::shared;
use super::responses::{body, operation, schema};
use serde_json::{Map, Value};

/// Describes several writes in one request.
pub fn batch() -> Value {
    let answers = [("200", body("The results, in the order of the operations.", &schema("Batch.results"), &[]))];
    let problems = ["403", "404", "409", "412", "413", "415", "503"];
    let mut batch = operation("batch", "Carry out several operations in one transaction.", &answers, &problems);
    batch["parameters"] = json!([shared("decimals"), prefer()]);
    batch["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema("Batch")}}});
    batch
}

/// The header that leaves resources out of the answer.
pub fn prefer() -> Value {
    json!({
        "name": "Prefer", "in": "header", "description": "return=minimal leaves the resources out of the answer.",
        "schema": {"type": "string"},
    })
}

/// The members that all requests of several operations have.
pub fn shared_members() -> Map<String, Value> {
    [
        ("atomic", json!({"type": "boolean", "description": "True undoes all operations where one fails.", "default": true})),
        (
            "validate",
            json!({"enum": ["first", "all"], "description": "all tells the mistakes of all operations.", "default": "first"}),
        ),
        (
            "return",
            json!({
                "enum": ["representation", "minimal"], "description": "minimal leaves the resources out of the answer.",
                "default": "representation",
            }),
        ),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

/// The schemas of batches.
pub fn schemas() -> Map<String, Value> {
    let names = || json!({"type": "array", "items": {"type": "string"}});
    let fields =
        |description: &str| json!({"type": "object", "description": description, "additionalProperties": true});
    let reference = json!({
        "type": "object", "required": ["$ref"], "additionalProperties": false,
        "description": "The id of an earlier result (t), or a field of it (t.company).",
        "properties": {"$ref": {"type": "string"}},
    });
    let one = json!({
        "type": "object", "required": ["op", "type"], "additionalProperties": false,
        "properties": {
            "op": {"enum": ["create", "replace", "patch", "delete", "upsert", "get", "tag"]},
            "as": {"type": "string", "description": "A name by which later operations refer to the result."},
            "type": {"type": "string", "description": "The name of a type."},
            "item": {
                "description": "An id, a UUID, or a reference to a result.",
                "anyOf": [{"type": "integer", "format": "int64"}, {"type": "string"}, schema("Batch.reference")],
            },
            "set": fields("Fields as in the body of the same request by itself. A value may be a reference to a result."),
            "create": fields("Fields that a new resource of an upsert gets in addition."),
            "key": {"description": "The unique property or properties of an upsert.", "anyOf": [{"type": "string"}, names()]},
            "onConflict": conflict(),
            "ifMatch": {"type": "string", "description": "As the header If-Match."},
            "operation": {"enum": ["add", "remove", "replace"], "description": "The change of tags."},
            "tags": names(),
            "showFields": names(),
            "hideFields": names(),
        },
    });
    let mut members = shared_members();
    members.insert(
        "operations".to_owned(),
        json!({"type": "array", "maxItems": 1_000, "items": schema("Batch.operation")}),
    );
    let batch = json!({
        "type": "object", "required": ["operations"], "properties": members, "additionalProperties": false,
    });
    let problem = json!({
        "type": "object", "required": ["pointer", "property", "code", "message"],
        "properties": {
            "pointer": {"type": "string", "description": "The place in the body (RFC 6901)."},
            "property": {"type": "string"}, "code": {"type": "string"}, "message": {"type": "string"},
        },
    });
    let failure = json!({
        "type": "object", "required": ["code", "detail", "errors"],
        "properties": {
            "code": {"type": "string"}, "detail": {"type": "string"},
            "errors": {"type": "array", "items": schema("Batch.problem")},
        },
    });
    let result = json!({
        "type": "object", "required": ["status"],
        "properties": {
            "status": {"type": "integer", "description": "The status of the same request by itself."},
            "id": {"type": "integer", "format": "int64"}, "uuid": {"type": "string", "format": "uuid"},
            "etag": {"type": "string"}, "error": schema("Batch.failure"),
            "data": {"type": "object", "description": "The resource.", "additionalProperties": true},
        },
    });
    let results = json!({
        "type": "object", "required": ["results"],
        "properties": {"results": {"type": "array", "items": schema("Batch.result")}},
    });
    [
        ("Batch", batch),
        ("Batch.operation", one),
        ("Batch.reference", reference),
        ("Batch.problem", problem),
        ("Batch.failure", failure),
        ("Batch.result", result),
        ("Batch.results", results),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

/// The treatment of a resource that is there already.
pub fn conflict() -> Value {
    json!({
        "enum": ["patch", "keep", "replace"], "description": "The treatment of a resource that is there already.",
        "default": "patch",
    })
}
