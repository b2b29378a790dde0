//! The schemas of a type: as it is read, created, replaced and patched.

use super::literal::json;
use model::kinds::{AdditionEffect, FileRules, Kind, ValueStorage, abilities};
use model::types::{FIRST_PROPERTY, FieldSet, Property, ResourceType};
use serde_json::{Map, Value};

/// The schema of a resource in answers. A field may always be missing: `showFields` and rights decide.
pub fn output(resource_type: &ResourceType, readable: &FieldSet) -> Value {
    let mut properties = Map::new();
    for property in resource_type.fields.iter().filter(|property| is_readable(property, readable)) {
        let mut schema = nullable(of(property));
        describe(property, &mut schema);
        let given = property.calculated.is_none() && !property.read_only;
        schema["readOnly"] = (!given).into();
        properties.insert(property.name.clone(), schema);
    }
    let description = match resource_type.description.as_str() {
        "" => resource_type.title.clone(),
        description => format!("{}. {description}", resource_type.title),
    };
    json!({"type": "object", "title": resource_type.title, "description": description, "properties": properties})
}

/// The schema of a body that creates or replaces.
pub fn input(resource_type: &ResourceType, writable: &FieldSet, replaces: bool) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for property in written(resource_type, writable) {
        if replaces && property.write_once {
            continue;
        }
        let expressed = resource_type.rules().defaults.iter().any(|rule| rule.position == property.position);
        let is_required = property.required && property.default.is_none() && !expressed;
        let mut schema = given(property);
        describe(property, &mut schema);
        if let Some(default) = &property.default {
            schema["default"] = default.clone();
        }
        properties.insert(property.name.clone(), schema);
        if is_required {
            required.push(property.name.as_str());
        }
    }
    add_ignored(&mut properties);
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// The schema of a body that patches, with the operators that each kind takes (D-23).
pub fn patch(resource_type: &ResourceType, writable: &FieldSet) -> Value {
    let mut properties = Map::new();
    for property in written(resource_type, writable).filter(|property| !property.write_once) {
        let schema = edited(property, given(property));
        let kind = property.kind.as_ref();
        let is_many = matches!(kind.storage(), ValueStorage::Links(_));
        if takes_plus(kind) {
            let verb = if is_many { "Appends the members." } else { "Adds to a number, appends to a text." };
            let mut plus = of(property);
            plus["description"] = verb.into();
            properties.insert(format!("{}+=", property.name), plus);
        }
        if is_many {
            let mut missing = of(property);
            missing["description"] = "Appends the members that are missing.".into();
            properties.insert(format!("{}+==", property.name), missing);
        }
        properties.insert(property.name.clone(), schema);
    }
    add_ignored(&mut properties);
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// The fields that a caller with these rights can name.
pub fn is_readable(property: &Property, readable: &FieldSet) -> bool {
    readable.contains(property) && !property.kind.concealed()
}

/// The properties that a body of a caller with these rights may have.
pub fn written<'t>(resource_type: &'t ResourceType, writable: &'t FieldSet) -> impl Iterator<Item = &'t Property> {
    let may = |property: &&Property| {
        let given = property.calculated.is_none() && property.kind.autonumber().is_none();
        writable.contains(property) && !property.read_only && given
    };
    resource_type.fields[FIRST_PROPERTY..].iter().filter(may)
}

/// Returns true if `+=` is something for a kind.
pub fn takes_plus(kind: &dyn Kind) -> bool {
    let addition = abilities(kind.class()).addition;
    matches!(addition, Some(AdditionEffect::Sum | AdditionEffect::Append))
        || matches!(kind.storage(), ValueStorage::Links(_))
}

/// The schema of a property's value.
pub fn of(property: &Property) -> Value {
    let one = property.kind.schema();
    match property.kind.storage() {
        ValueStorage::Column(_) => one,
        ValueStorage::Attachments if !property.kind.holds_several() => one,
        ValueStorage::Links(_) | ValueStorage::Attachments => json!({"type": "array", "items": one}),
    }
}

/// The schema of a value in a body: of a required property, it is neither null nor empty.
pub fn given(property: &Property) -> Value {
    let mut schema = match property.kind.files() {
        Some(rules) => files(property.kind.holds_several(), rules),
        None => of(property),
    };
    if !property.required {
        return nullable(schema);
    }
    let least = match schema["type"].as_str() {
        Some("array") => "minItems",
        Some("string") if schema.get("enum").is_none() && schema.get("minLength").is_none() => "minLength",
        _ => return schema,
    };
    schema[least] = 1.into();
    schema
}

/// Files in a body: promises, and those that are there as they were read.
fn files(several: bool, rules: &FileRules) -> Value {
    let promise = json!({"type": "string", "pattern": "^up_[a-z2-7]{26}$", "description": "A promise of an upload."});
    let kept =
        json!({"type": "object", "required": ["name"], "description": "A present file, as it was read, which stays."});
    let one = json!({"anyOf": [promise, kept]});
    if several { json!({"type": "array", "items": one, "maxItems": rules.max_files}) } else { one }
}

/// Files in a body that patches: also some to add and to remove.
fn edited(property: &Property, schema: Value) -> Value {
    if !(property.kind.holds_files() && property.kind.holds_several()) {
        return schema;
    }
    let edit = json!({
        "type": "object", "minProperties": 1, "additionalProperties": false,
        "properties": {
            "add": {"type": "array", "uniqueItems": true, "items": {"type": "string", "pattern": "^up_[a-z2-7]{26}$"}},
            "remove": {"type": "array", "uniqueItems": true, "items": {"type": "string", "description": "A file's name."}},
        },
    });
    json!({"anyOf": [schema, edit]})
}

/// The schema, or null.
pub fn nullable(mut schema: Value) -> Value {
    // A schema that says nothing takes null, too.
    if schema.as_object().is_some_and(Map::is_empty) {
        return schema;
    }
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut) {
        if types.last().is_some_and(|last| last != "null") {
            types.push("null".into());
        }
        return schema;
    }
    match schema["type"].as_str() {
        Some(name) if schema.get("enum").is_none() => {
            schema["type"] = json!([name, "null"]);
            schema
        }
        _ => json!({"anyOf": [schema, {"type": "null"}]}),
    }
}

/// Adds the words of the tenant to a schema.
pub fn describe(property: &Property, schema: &mut Value) {
    schema["title"] = property.title.clone().into();
    let mut sentences: Vec<String> = Vec::new();
    sentences.extend((!property.description.is_empty()).then(|| property.description.clone()));
    sentences.extend(schema["description"].as_str().map(str::to_owned));
    sentences.extend(property.unique.then(|| "Unique.".to_owned()));
    if let Some(relation) = property.kind.relation() {
        sentences.push(format!("Refers to {}.", relation.type_name));
    }
    if sentences.is_empty() {
        schema.as_object_mut().map(|schema| schema.remove("description"));
    } else {
        schema["description"] = sentences.join(" ").into();
    }
}

/// The contract's rule that both are ignored on input.
fn add_ignored(properties: &mut Map<String, Value>) {
    for name in ["id", "uuid"] {
        properties.insert(name.to_owned(), json!({"description": "Ignored."}));
    }
}
