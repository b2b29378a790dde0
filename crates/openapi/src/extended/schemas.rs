//! The schemas of a type for generated clients: one for each use, so that none is read in two ways.

use crate::answers::{DecimalForm, may_be_long, read};
use crate::literal::json;
use crate::responses::schema;
use crate::schemas::{describe, given, input, is_readable, nullable, of, takes_plus, written};
use model::groups::{AggregateFunction, DatePart};
use model::kinds::{Kind, ValueStorage};
use model::types::{FIRST_PROPERTY, FieldSet, Property, ResourceType, TypeGrant};
use serde_json::{Map, Value};
use std::sync::Arc;

/// `id` and `uuid`, which every resource shows.
pub(crate) const SHOWN_SYSTEM_FIELDS: usize = 2;

/// The schemas that no type is part of.
pub fn shared() -> Map<String, Value> {
    let filter = schema("Filter");
    let parameter = json!({
        "description": "The value for the filter's type: a value, several, other filters, or an object.",
        "anyOf": [
            {"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"},
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, filter]}},
            {"type": "object", "additionalProperties": true},
        ],
    });
    let filter = json!({
        "type": "object", "required": ["property", "type"], "additionalProperties": false,
        "properties": {
            "property": {"type": "string", "description": "A property, a dotted path through relations, or * for and, or, not, search."},
            "type": {"type": "string", "enum": query::filters::names().collect::<Vec<_>>()},
            "param": schema("FilterParam"),
            "fold": {"type": "boolean", "description": "True ignores case and diacritics."},
        },
    });
    let direction = json!({"type": "string", "enum": ["asc", "desc"]});
    let mode = json!({"type": "string", "enum": ["any", "all"], "default": "any"});
    let tag = json!({"type": "object", "required": ["id", "code", "title", "color"], "properties": {
        "id": {"type": "string"}, "code": {"type": ["string", "null"]}, "title": {"type": "string"},
        "color": {"type": ["string", "null"]},
    }});
    let own = [
        ("BulkAnswer", super::bulk::answer()),
        ("TagOfResource", tag),
        ("Filter", filter),
        ("FilterParam", parameter),
        ("OrderDir", direction),
        ("TagsMode", mode),
    ];
    own.into_iter().chain(groups()).map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// The schemas of groups.
fn groups() -> [(&'static str, Value); 4] {
    let functions: Vec<&str> = AggregateFunction::ALL.iter().map(|(name, _)| *name).collect();
    let parts: Vec<&str> = DatePart::ALL.iter().map(|(name, _)| *name).collect();
    let text = json!({"type": "string"});
    let key = json!({"type": "object", "required": ["property"], "additionalProperties": false, "properties": {
        "property": text,
        "by": {"type": "string", "enum": parts, "description": "A part of a date, in the caller's zone."},
        "as": {"type": "string", "description": "Its name in the answer."},
        "each": {"type": "boolean", "description": "True counts a row once for each of several values."},
    }});
    let value = json!({"type": "object", "required": ["function"], "additionalProperties": false, "properties": {
        "function": {"type": "string", "enum": functions},
        "property": {"type": "string", "description": "None for the number of rows."},
        "filters": {"type": "array", "items": schema("Filter")},
    }});
    let group = json!({"type": "object", "additionalProperties": {"anyOf": [
        {"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"},
    ]}});
    let page = json!({"type": "object", "required": ["stats", "data"], "properties": {
        "stats": schema("Stats"),
        "data": {"type": "array", "items": schema("Group")},
        "totals": schema("Group"),
    }});
    [("GroupKey", key), ("GroupValue", value), ("Group", group), ("GroupPage", page)]
}

/// Adds the schemas of a type, as far as the caller's rights go.
pub fn add(
    resource_type: &ResourceType,
    grant: &TypeGrant,
    inverses: &[&Property],
    decimals: DecimalForm,
    components: &mut Map<String, Value>,
) {
    let name = &resource_type.name;
    let mut put = |part: &str, schema: Value| _ = components.insert(format!("{name}{part}"), schema);
    // A write by a caller who reads nothing answers with `id` and `uuid`.
    let nothing = FieldSet::Only(Arc::new([]));
    put("", resource(resource_type, grant, grant.show.as_ref().unwrap_or(&nothing), decimals));
    if let Some(readable) = &grant.show {
        put(".partial", partial(resource_type, readable, inverses, decimals));
        put(".page", page(name));
        put(".partialPage", page(&format!("{name}.partial")));
        let fields = || resource_type.fields.iter().filter(|property| is_readable(property, readable));
        let names: Vec<&str> = fields().map(|property| property.name.as_str()).collect();
        let keys: Vec<String> = names.iter().flat_map(|name| [(*name).to_owned(), format!("-{name}")]).collect();
        put(
            ".sort",
            json!({"type": "string", "examples": keys, "description": "A field or a path; -name is descending."}),
        );
        put(
            ".filter",
            json!({"allOf": [schema("Filter")], "description": format!("A filter by {}.", names.join(", "))}),
        );
    }
    if let Some(fields) = &grant.create {
        put(".create", with_texts(resource_type, decimals, input(resource_type, fields, false)));
    }
    if let Some(fields) = &grant.edit {
        put(".replace", with_texts(resource_type, decimals, input(resource_type, fields, true)));
        put(".patch", with_texts(resource_type, decimals, patch(resource_type, fields)));
    }
}

/// A resource as it comes when nothing is asked for. A field that all rows show is there; one that may be empty is null.
fn resource(resource_type: &ResourceType, grant: &TypeGrant, readable: &FieldSet, decimals: DecimalForm) -> Value {
    // The other system fields come only when they are named (D-16).
    let by_default = |property: &&Property| {
        property.position < SHOWN_SYSTEM_FIELDS
            || property.position >= FIRST_PROPERTY && is_readable(property, readable)
    };
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for property in resource_type.fields.iter().filter(by_default) {
        let mut schema = read(resource_type, property, decimals);
        let system = property.position < SHOWN_SYSTEM_FIELDS;
        if may_be_null(resource_type, property) {
            schema = nullable(schema);
        }
        describe(property, &mut schema);
        if system || is_always_there(resource_type, grant, property) {
            required.push(property.name.as_str());
        }
        properties.insert(property.name.clone(), schema);
    }
    json!({
        "type": "object", "description": described(resource_type), "required": required, "properties": properties,
    })
}

/// Returns true if every row that the caller sees shows a property.
pub(crate) fn is_always_there(resource_type: &ResourceType, grant: &TypeGrant, property: &Property) -> bool {
    grant.always_shows(property) && !has_condition(resource_type, property)
}

/// Returns true if a property may be null where it is shown.
pub(crate) fn may_be_null(resource_type: &ResourceType, property: &Property) -> bool {
    let is_there = property.required && !has_condition(resource_type, property);
    property.position >= SHOWN_SYSTEM_FIELDS && !is_there && !property.kind.holds_several()
}

fn has_condition(resource_type: &ResourceType, property: &Property) -> bool {
    resource_type.rules().conditions.iter().any(|rule| rule.position == property.position)
}

/// A resource of which fields are chosen: a relation may be a resource, too.
fn partial(resource_type: &ResourceType, readable: &FieldSet, inverses: &[&Property], decimals: DecimalForm) -> Value {
    let mut properties = Map::new();
    let fields = resource_type.fields.iter().filter(|property| is_readable(property, readable));
    for property in fields.chain(inverses.iter().copied()) {
        let schema = match property.kind.relation() {
            Some(_) => {
                let one = json!({"anyOf": [
                    {"type": "integer", "format": "int64"}, {"type": "object", "additionalProperties": true}, {"type": "null"},
                ]});
                if property.kind.holds_several() { json!({"type": "array", "items": one}) } else { one }
            }
            None if property.kind.holds_several() => read(resource_type, property, decimals),
            None => nullable(read(resource_type, property, decimals)),
        };
        properties.insert(property.name.clone(), schema);
    }
    properties.insert("tags".to_owned(), json!({"type": "array", "items": schema("TagOfResource")}));
    json!({
        "type": "object", "properties": properties,
        "description": "A resource with the fields that were chosen. A dotted path puts a resource where its id stands. \
            Totals have names such as comments.$count, and a list that was cut has $more beside it.",
    })
}

fn page(of: &str) -> Value {
    json!({
        "type": "object", "required": ["stats", "data"],
        "properties": {"stats": schema("Stats"), "data": {"type": "array", "items": schema(of)}},
    })
}

/// The schema of a body that patches. What the contract writes behind a name stands in a member of its own.
fn patch(resource_type: &ResourceType, fields: &FieldSet) -> Value {
    let (mut properties, mut add, mut missing, mut files) = (Map::new(), Map::new(), Map::new(), Map::new());
    for property in written(resource_type, fields).filter(|property| !property.write_once) {
        let kind: &dyn Kind = property.kind.as_ref();
        let mut schema = given(property);
        describe(property, &mut schema);
        properties.insert(property.name.clone(), schema);
        if takes_plus(kind) {
            add.insert(property.name.clone(), of(property));
        }
        if matches!(kind.storage(), ValueStorage::Links(_)) {
            missing.insert(property.name.clone(), of(property));
        }
        if kind.holds_files() && kind.holds_several() {
            files.insert(property.name.clone(), file_changes());
        }
    }
    for (name, members, description) in [
        ("_add", add, "Adds to numbers and texts, appends members."),
        ("_addMissing", missing, "Appends the members that are missing."),
        ("_files", files, "Adds and removes files."),
    ] {
        if !members.is_empty() {
            let schema = json!({"type": "object", "description": description, "properties": members, "additionalProperties": false});
            properties.insert(name.to_owned(), schema);
        }
    }
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// The schema of a body for callers whose answers have decimals as texts: what they read as a text, they write as one.
fn with_texts(resource_type: &ResourceType, decimals: DecimalForm, mut body: Value) -> Value {
    if decimals == DecimalForm::Number {
        return body;
    }
    let long: Vec<&Property> =
        resource_type.properties().iter().filter(|property| may_be_long(property.kind.as_ref())).collect();
    for place in ["/properties", "/properties/_add/properties"] {
        let Some(members) = body.pointer_mut(place).and_then(Value::as_object_mut) else { continue };
        for property in &long {
            let Some(schema) = members.get_mut(&property.name) else { continue };
            // Limits of numbers say nothing of texts.
            schema["type"] = match &schema["type"] {
                Value::Array(types) => types.iter().cloned().chain(["string".into()]).collect(),
                one => json!([one, "string"]),
            };
            schema["pattern"] = r"^-?\d+$".into();
        }
    }
    body
}

fn file_changes() -> Value {
    let names = |description: &str| json!({"type": "array", "items": {"type": "string"}, "description": description});
    json!({
        "type": "object", "additionalProperties": false,
        "properties": {"add": names("Promises of uploads."), "remove": names("Names of files.")},
    })
}

fn described(resource_type: &ResourceType) -> String {
    match resource_type.description.as_str() {
        "" => resource_type.title.clone(),
        description => format!("{}. {description}", resource_type.title),
    }
}
