//! The types of values: as they are read, and as they are written.

use super::ClientType;
use super::text::union;
use crate::answers::{Calculated, DecimalForm, calculated, may_be_long};
use model::kinds::Kind;
use model::types::{FIRST_PROPERTY, Property, ResourceType};
use serde_json::Value as Json;

/// The options of a property, which are a union in the module.
pub(super) fn options(property: &Property) -> Vec<String> {
    if !property.kind.is_choice() {
        return Vec::new();
    }
    let schema = property.kind.schema();
    let options = schema["enum"].as_array().into_iter().flatten();
    options.filter_map(Json::as_str).map(str::to_owned).collect()
}

/// The union of a property's options.
pub(super) fn options_union(property: &Property) -> String {
    union(options(property).iter().map(String::as_str))
}

/// The type of a value in an answer, where it is not null.
pub(super) fn read(of: &ClientType<'_>, property: &Property) -> String {
    match property.kind.is_choice() {
        true => several(property, chosen(of, property)),
        false => several(property, answered(of.resource_type, property, of.decimals)),
    }
}

/// The type of one value in an answer, where it is not null.
pub(super) fn answered(resource_type: &ResourceType, property: &Property, decimals: DecimalForm) -> &'static str {
    let is_own = property.position >= FIRST_PROPERTY;
    match (property.kind.as_ref(), decimals) {
        (kind, DecimalForm::Text) if kind.scale().is_some() => "string",
        (kind, DecimalForm::Text) if is_own && may_be_long(kind) => "number | string",
        (kind, _) => match calculated(resource_type, property) {
            Some(Calculated::Boolean) => "boolean",
            Some(Calculated::Integer | Calculated::Number | Calculated::Resource) => "number",
            Some(Calculated::Text) => "string",
            None => one(kind),
        },
    }
}

/// The type of a value in a body, where it is not null.
pub(super) fn written(of: &ClientType<'_>, property: &Property) -> String {
    match property.kind.as_ref() {
        kind if kind.scale().is_some() => "number | string".to_owned(),
        // What is read as a text is written as one.
        kind if of.decimals == DecimalForm::Text && may_be_long(kind) => "number | string".to_owned(),
        kind if kind.is_relation() => several(property, "plinth.Link"),
        kind if kind.holds_files() => several(property, "plinth.FileInput"),
        kind if kind.is_choice() => several(property, chosen(of, property)),
        kind => several(property, one(kind)),
    }
}

/// The type of one value of a kind.
pub(super) fn one(kind: &dyn Kind) -> &'static str {
    match kind {
        kind if kind.is_relation() => "number",
        kind if kind.holds_files() => "plinth.StoredFile",
        kind if kind.is_document() => "plinth.Json",
        // Decimals are a number in answers, and may be a text in bodies.
        kind => match kind.schema()["type"].as_str() {
            Some("integer" | "number") => "number",
            Some("boolean") => "boolean",
            None if kind.scale().is_some() => "number",
            Some(_) => "string",
            None => "plinth.Json",
        },
    }
}

/// The name of the union of a property's options, or a text where there are none.
pub(super) fn chosen<'t>(of: &'t ClientType<'_>, property: &Property) -> &'t str {
    of.unions.get(property.name.as_str()).map_or("string", String::as_str)
}

fn several(property: &Property, one: &str) -> String {
    if property.kind.holds_several() { format!("{one}[]") } else { one.to_owned() }
}

/// Returns true if a field that is not a property of the tenant's may be null: the users of the first and last write.
pub(super) fn is_user_of_write(property: &Property) -> bool {
    property.position < FIRST_PROPERTY && matches!(property.name.as_str(), "createdBy" | "updatedBy")
}
