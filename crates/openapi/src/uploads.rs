//! Uploads for the properties of a type that hold files.

use super::literal::json;
use super::parameters::of_path;
use super::responses::{body, operation};
use model::types::{FieldSet, ResourceType, TypeGrant};
use serde_json::Value;

/// The upload, where the caller may write files of the type.
pub fn receive(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let writable =
        |fields: &Option<FieldSet>, property| fields.as_ref().is_some_and(|fields| fields.contains(property));
    let files =
        resource_type.properties().iter().filter(|property| property.kind.files().is_some() && !property.read_only);
    let names: Vec<&str> = files
        .filter(|property| writable(&grant.edit, property) || writable(&grant.create, property))
        .map(|property| property.name.as_str())
        .collect();
    if names.is_empty() {
        return None;
    }
    let promises = json!({
        "type": "array", "minItems": 1, "items": {"type": "string", "pattern": "^up_[a-z2-7]{26}$"},
    });
    let answers = [("200", body("A promise for each file, in order.", &promises, &[]))];
    let id = format!("{}.upload", resource_type.name);
    let mut upload = operation(
        &id,
        "Upload files; the promises are values of the property.",
        &answers,
        &["403", "404", "413", "415", "503"],
    );
    upload["tags"] = json!([resource_type.name]);
    let mut property = of_path("propertyId", "The property, by system name or id.");
    property["schema"]["enum"] = names.into();
    upload["parameters"] = json!([property]);
    let form = json!({
        "type": "object", "required": ["file"], "additionalProperties": false,
        "properties": {"file": {
            "type": "array", "minItems": 1, "items": {"type": "string", "contentMediaType": "application/octet-stream"},
        }},
    });
    upload["requestBody"] = json!({"required": true, "content": {"multipart/form-data": {"schema": form}}});
    Some(upload)
}
