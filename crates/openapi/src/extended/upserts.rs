//! The upserts of a type.

use crate::batch::{conflict, prefer, shared_members};
use crate::collections::operation;
use crate::literal::json;
use crate::parameters::{of_path, shared};
use crate::responses::{TAGGED, body, empty, schema};
use crate::schemas::is_readable;
use model::types::{Property, ResourceType, TypeGrant};
use serde_json::{Map, Value};

/// Describes an upsert by a unique value.
pub fn one(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let names = single_keys(resource_type, grant).filter(|names| !names.is_empty())?;
    let name = &resource_type.name;
    let answers = [
        ("200", body("The resource, which was there.", &schema(name), &TAGGED)),
        ("201", body("The created resource.", &schema(name), &TAGGED)),
        ("204", empty("Done, with return=minimal.", &TAGGED)),
    ];
    let summary = "Patch the resource that has the value, or create it.";
    let mut one = operation(resource_type, "upsertBy", summary, &answers, &["409", "412", "413", "415"]);
    let mut property = of_path("property", "A unique property.");
    property["schema"]["enum"] = names.into();
    one["parameters"] =
        json!([property, of_path("item", "Its value, as text."), shared("decimals"), shared("ifMatch"), prefer()]);
    one["requestBody"] = content(schema(&format!("{name}.upsert")));
    Some(one)
}

/// Describes many upserts.
pub fn many(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    if !has_keys(resource_type, grant) {
        return None;
    }
    let answers = [("200", body("The results, in the order of the items.", &schema("Batch.results"), &[]))];
    let summary = "Patch or create up to 1,000 resources by a unique property or set.";
    let mut many = operation(resource_type, "upsert", summary, &answers, &["409", "412", "413", "415"]);
    many["parameters"] = json!([shared("decimals"), prefer()]);
    many["requestBody"] = content(schema(&format!("{}.upserts", resource_type.name)));
    Some(many)
}

/// Adds the schemas of a type's upserts.
pub fn add_schemas(resource_type: &ResourceType, grant: &TypeGrant, components: &mut Map<String, Value>) {
    if !has_keys(resource_type, grant) {
        return;
    }
    let name = &resource_type.name;
    let fields =
        |description: &str| json!({"type": "object", "description": description, "additionalProperties": true});
    let set = || json!({"allOf": [schema(&format!("{name}.patch"))], "description": "The values that it gets in either case."});
    let create = || fields("The values that a new resource gets in addition.");
    let one = json!({
        "type": "object", "additionalProperties": false,
        "properties": {"set": set(), "create": create(), "onConflict": conflict()},
    });
    let item = json!({
        "type": "object", "required": ["set"], "additionalProperties": false,
        "properties": {"set": set(), "create": create()},
    });
    let names = json!({"type": "array", "items": {"type": "string"}});
    let mut members = shared_members();
    members.insert("key".to_owned(), json!({
        "description": "A unique property, or the properties of a unique set.", "anyOf": [{"type": "string"}, names],
    }));
    members.insert("onConflict".to_owned(), conflict());
    members.insert(
        "items".to_owned(),
        json!({"type": "array", "maxItems": 1_000, "items": schema(&format!("{name}.upsertItem"))}),
    );
    let many = json!({
        "type": "object", "required": ["key", "items"], "properties": members, "additionalProperties": false,
    });
    for (part, schema) in [("upsert", one), ("upsertItem", item), ("upserts", many)] {
        components.insert(format!("{name}.{part}"), schema);
    }
}

/// The unique sets whose properties the caller reads, where it may patch and create.
pub(crate) fn keys<'t>(resource_type: &'t ResourceType, grant: &TypeGrant) -> Vec<Vec<&'t Property>> {
    let (Some(readable), Some(_), Some(_)) = (&grant.show, &grant.edit, &grant.create) else { return Vec::new() };
    let set = |set: &Vec<usize>| set.iter().map(|position| &resource_type.fields[*position]).collect::<Vec<_>>();
    let sets = resource_type.unique.iter().map(set);
    sets.filter(|set| set.iter().all(|property| is_readable(property, readable))).collect()
}

fn has_keys(resource_type: &ResourceType, grant: &TypeGrant) -> bool {
    !keys(resource_type, grant).is_empty()
}

fn single_keys<'t>(resource_type: &'t ResourceType, grant: &TypeGrant) -> Option<Vec<&'t str>> {
    let single = |set: Vec<&'t Property>| match set[..] {
        [property] => Some(property.name.as_str()),
        _ => None,
    };
    Some(keys(resource_type, grant).into_iter().filter_map(single).collect())
}

fn content(schema: Value) -> Value {
    json!({"required": true, "content": {"application/json": {"schema": schema}}})
}
