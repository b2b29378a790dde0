//! The form of a document that generators of clients agree on.

use super::names::{FixedOperations, Names, fixed_operation, is_of_type, letters, pascal, shared};
use crate::MORE_METHODS;
use crate::literal::json;
use model::types::Model;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const SCHEMAS: &str = "#/components/schemas/";
/// The description of members that the contract takes and ignores.
const IGNORED: &str = "Ignored.";

/// Gives a document its form, part by part.
pub struct NormalForm<'m> {
    model: &'m Model,
    /// The components that were made of objects and enums within others.
    made: Map<String, Value>,
    /// The component or operation that is at work, and the beginning of the names of its type.
    place: (String, String),
}

impl<'m> NormalForm<'m> {
    /// The form for the types of a model.
    pub fn new(model: &'m Model) -> Self {
        NormalForm { model, made: Map::new(), place: Default::default() }
    }

    /// Gives all parts their names, and objects and enums components of their own.
    pub fn apply(mut self, paths: &mut Map<String, Value>, components: &mut Map<String, Value>) {
        let is_of_type = |name: &String| {
            let of = name.split('.').next().unwrap_or_default();
            self.model.types.iter().any(|resource_type| resource_type.name == of)
        };
        let fixed = components.keys().filter(|name| !is_of_type(name)).map(|name| shared(name));
        let mut fixed_operations = FixedOperations::default();
        for (path, item) in paths.iter() {
            let raw =
                item.as_object().into_iter().flat_map(Map::values).filter_map(|told| told["operationId"].as_str());
            raw.for_each(|raw| fixed_operations.add(path, raw));
        }
        let mut names = Names::new(self.model, fixed, &fixed_operations);
        for (raw, mut schema) in std::mem::take(components) {
            let name = names.component(&raw);
            let base = raw.split('.').next().and_then(|of| names.of_type(of)).unwrap_or(&name);
            self.place = (name.clone(), base.to_owned());
            self.schema(&mut schema, &name, &mut names, true);
            components.insert(name, schema);
        }
        let mut operations = BTreeSet::new();
        for (path, item) in paths.iter_mut() {
            let Some(item) = item.as_object_mut() else { continue };
            item.remove(MORE_METHODS);
            for (_, operation) in item.iter_mut().filter(|(method, _)| *method != "parameters") {
                self.operation(path, operation, &mut names, &mut operations);
            }
        }
        paths.retain(|_, item| item.as_object().is_some_and(|item| item.keys().any(|key| key != "parameters")));
        components.append(&mut self.made);
    }

    fn operation(&mut self, path: &str, operation: &mut Value, names: &mut Names, taken: &mut BTreeSet<String>) {
        let raw = operation["operationId"].as_str().unwrap_or_default();
        let mut id = if is_of_type(path, raw) { names.operation(raw) } else { fixed_operation(raw) };
        while !taken.insert(letters(&id)) {
            id.push('2');
        }
        let name = pascal(&id);
        self.place = (name.clone(), name.clone());
        operation["operationId"] = id.into();
        for described in operation["parameters"].as_array_mut().into_iter().flatten() {
            parameter(described);
            if let Some(schema) = described.get_mut("schema") {
                refer(schema, names);
            }
        }
        if operation["parameters"].is_null() {
            operation.as_object_mut().map(|operation| operation.remove("parameters"));
        }
        let body = operation.get_mut("requestBody").and_then(|body| body.get_mut("content"));
        self.content(body, &format!("{name}Body"), names);
        for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
            let name = if status.starts_with('2') { format!("{name}Answer") } else { format!("{name}Answer{status}") };
            self.content(answer.get_mut("content"), &name, names);
        }
    }

    fn content(&mut self, content: Option<&mut Value>, name: &str, names: &mut Names) {
        let Some(forms) = content.and_then(Value::as_object_mut) else { return };
        // Generators write one form: that of pages, where people are answered; else JSON, or what stands first.
        let named = |name: &str| forms.keys().find(|form| *form == name);
        let first = named("text/html").or(named("application/json")).or(forms.keys().next()).cloned();
        forms.retain(|form, _| Some(form) == first.as_ref());
        // Generators know no form that may be any, but one of bytes.
        if let Some(bytes) = forms.shift_remove("*/*") {
            forms.insert("application/octet-stream".to_owned(), bytes);
        }
        for (_, media) in forms {
            if let Some(schema) = media.get_mut("schema") {
                self.schema(schema, name, names, false);
            }
        }
    }

    /// Gives a schema its form. One that is a component stays where it is.
    fn schema(&mut self, schema: &mut Value, name: &str, names: &mut Names, component: bool) {
        if schema.get("$ref").is_some() {
            return refer(schema, names);
        }
        type_enum(schema);
        tell_bytes(schema);
        self.parts(schema, name, names);
        let nullable = is_nullable(schema);
        let is_object = schema.get("properties").is_some();
        let is_enum = schema.get("enum").is_some();
        let whole = component && !nullable;
        if whole || !(is_object || is_enum) {
            tell_title(schema);
            return open(schema);
        }
        let mut own = schema.take();
        let (mut beside, mut members) = (Map::new(), own.as_object_mut());
        for key in ["title", "description", "default", "readOnly"] {
            let moved = members.as_mut().and_then(|members| members.shift_remove(key));
            moved.into_iter().for_each(|value| _ = beside.insert(key.to_owned(), value));
        }
        if nullable {
            own["type"] = own["type"][0].clone();
        }
        // An enum of a property is one for all uses of its type.
        let (component, base) = &self.place;
        let short = name.strip_prefix(component).filter(|_| is_enum).map(|rest| format!("{base}{rest}"));
        let name = short.unwrap_or_else(|| name.to_owned());
        let known = self.made.iter().find(|(made, known)| made.starts_with(&name) && **known == own);
        let name = known.map(|(made, _)| made.clone()).unwrap_or_else(|| names.take(&name));
        self.made.insert(name.clone(), own);
        let reference = json!({"$ref": format!("{SCHEMAS}{name}")});
        *schema = if nullable { json!({"anyOf": [reference, {"type": "null"}]}) } else { reference };
        schema.as_object_mut().into_iter().for_each(|schema| schema.append(&mut beside));
    }

    fn parts(&mut self, schema: &mut Value, name: &str, names: &mut Names) {
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.retain(|_, part| part["description"] != IGNORED);
            properties.values_mut().for_each(tell_default);
        }
        for (property, part) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
            self.schema(part, &format!("{name}{}", pascal(property)), names, false);
        }
        for key in ["items", "additionalProperties"] {
            if let Some(part) = schema.get_mut(key).filter(|part| part.is_object()) {
                self.schema(part, &format!("{name}Item"), names, false);
            }
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            let several = schema.get(key).and_then(Value::as_array).map_or(0, Vec::len) > 2;
            for (number, part) in schema.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten().enumerate() {
                let name = if several || number > 0 { format!("{name}{}", number + 1) } else { name.to_owned() };
                self.schema(part, &name, names, false);
            }
        }
    }
}

/// Gives the references in a schema the names of components.
fn refer(schema: &mut Value, names: &Names) {
    let reference = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix(SCHEMAS));
    if let Some(name) = reference.map(|raw| names.component(raw)) {
        schema["$ref"] = format!("{SCHEMAS}{name}").into();
    }
    if let Some(items) = schema.get_mut("items") {
        refer(items, names);
    }
}

/// Tells the default of a member in words: some generators take a member with a default for one that must be given.
fn tell_default(schema: &mut Value) {
    let Some(default) = schema.as_object_mut().and_then(|schema| schema.shift_remove("default")) else { return };
    let words = match schema["description"].as_str() {
        Some(description) => format!("{description} "),
        None => String::new(),
    };
    schema["description"] = format!("{words}Without it: {default}.").into();
}

/// Gives a parameter its form.
pub fn parameter(described: &mut Value) {
    let Some(schema) = described.get_mut("schema") else { return };
    type_enum(schema);
    if let Some(items) = schema.get_mut("items") {
        type_enum(items);
    }
    // An empty parameter is as one that is not given.
    if schema.get("enum").is_some() && described["in"] == "query" {
        described["allowEmptyValue"] = true.into();
    }
}

/// Tells the title of an object in its description: some generators name objects by their titles, which may be equal.
fn tell_title(schema: &mut Value) {
    let is_object = schema["type"] == "object" || schema["type"] == json!(["object", "null"]);
    let members = schema.as_object_mut().filter(|_| is_object);
    let Some((title, members)) = members.and_then(|members| Some((members.shift_remove("title")?, members))) else {
        return;
    };
    members.entry("description").or_insert(title);
}

/// Says that an object may have any members: some generators take one without a word about them for one without members.
fn open(schema: &mut Value) {
    let is_object = schema["type"] == "object" || schema["type"] == json!(["object", "null"]);
    if is_object && schema.get("properties").is_none() && schema.get("additionalProperties").is_none() {
        schema["additionalProperties"] = true.into();
    }
}

/// Gives bytes the word for them that generators know.
fn tell_bytes(schema: &mut Value) {
    let members = schema.as_object_mut().filter(|members| members.contains_key("contentMediaType"));
    let Some(members) = members else { return };
    members.shift_remove("contentMediaType");
    members.insert("format".to_owned(), "binary".into());
}

fn type_enum(schema: &mut Value) {
    let Some(values) = schema.get("enum").and_then(Value::as_array) else { return };
    if values.is_empty() {
        schema.as_object_mut().map(|schema| schema.shift_remove("enum"));
    }
    if schema.get("type").is_none() {
        schema["type"] = "string".into();
    }
}

/// Returns true if null stands beside the one type of a schema.
fn is_nullable(schema: &Value) -> bool {
    schema["type"].as_array().is_some_and(|types| types.len() == 2 && types[1] == "null")
}
