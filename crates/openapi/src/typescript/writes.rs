//! The bodies of writes of a type.
//!
//! Patches are made of replacements: the compiler then works out only those that a program sends.

use super::ClientType;
use super::text::{OF_OBJECTS, Text, sentences, union};
use super::values::written;
use crate::schemas::{takes_plus, written as writable};
use model::kinds::ValueStorage;
use model::types::{FieldSet, Property};

/// Adds the bodies that a caller may send.
pub(super) fn add(text: &mut Text, of: &ClientType<'_>) {
    let name = &of.name;
    let created = of.grant.create.as_ref().map(|fields| whole(of, fields, |_| true));
    if let Some(created) = &created {
        text.interface(&format!("{name}Create"), created);
    }
    if let Some(fields) = &of.grant.edit {
        let replaced = whole(of, fields, |property| !property.write_once);
        match created {
            Some(created) if created == replaced => {
                text.line(&format!("export type {name}Replace = {name}Create;"));
            }
            _ => text.interface(&format!("{name}Replace"), &replaced),
        }
        patch(text, of, fields);
    }
}

/// The lines of a body with all properties.
fn whole(of: &ClientType<'_>, fields: &FieldSet, takes: fn(&Property) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    for property in writable(of.resource_type, fields).filter(|property| takes(property)) {
        let expressed = of.resource_type.rules().defaults.iter().any(|rule| rule.position == property.position);
        let is_needed = property.required && property.default.is_none() && !expressed;
        // A patch has no member that must be there, and every object has these.
        let mark = if is_needed && !OF_OBJECTS.contains(&property.name.as_str()) { "" } else { "?" };
        let null = if property.required { "" } else { " | null" };
        lines.extend(sentences(&property.name, &property.title, &property.description));
        lines.push(Text::of_member(&property.name, mark, &format!("{}{null}", written(of, property))));
    }
    lines
}

/// Adds a body that patches.
fn patch(text: &mut Text, of: &ClientType<'_>, fields: &FieldSet) {
    let base = &of.name;
    let properties: Vec<&Property> =
        writable(of.resource_type, fields).filter(|property| !property.write_once).collect();
    let names = |takes: &dyn Fn(&Property) -> bool| {
        let taken: Vec<&str> =
            properties.iter().filter(|property| takes(property)).map(|property| property.name.as_str()).collect();
        (!taken.is_empty()).then(|| union(taken.into_iter()))
    };
    let added = |names: String| format!("plinth.Additions<{base}Replace, {names}>");
    let is_list = |property: &Property| matches!(property.kind.storage(), ValueStorage::Links(_));
    let has_files = |property: &Property| property.kind.holds_files() && property.kind.holds_several();
    let parts = [
        ("_add", names(&|property| takes_plus(property.kind.as_ref())).map(added)),
        ("_addMissing", names(&is_list).map(added)),
        ("_files", names(&has_files).map(|names| format!("{{ [N in {names}]?: plinth.FileChanges }}"))),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter_map(|(part, of)| Some(Text::of_member(part, "?", &of?))).collect();
    if parts.is_empty() {
        return text.line(&format!("export type {base}Patch = Partial<{base}Replace>;"));
    }
    text.line(&format!("export type {base}Patch = Partial<{base}Replace> & {{"));
    parts.iter().for_each(|part| text.line(&format!("    {part}")));
    text.line("};");
}
