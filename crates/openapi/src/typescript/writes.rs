//! The bodies of writes of a type.

use super::ClientType;
use super::text::{Text, sentences};
use super::values::written;
use crate::schemas::{takes_plus, written as writable};
use model::kinds::ValueStorage;
use model::types::{FieldSet, Property};

/// Adds the bodies that a caller may send.
pub(super) fn add(text: &mut Text, of: &ClientType<'_>) {
    let name = &of.name;
    if let Some(fields) = &of.grant.create {
        whole(text, of, fields, &format!("{name}Create"), |_| true);
    }
    if let Some(fields) = &of.grant.edit {
        whole(text, of, fields, &format!("{name}Replace"), |property| !property.write_once);
        patch(text, of, fields);
    }
}

/// Adds a body with all properties.
fn whole(text: &mut Text, of: &ClientType<'_>, fields: &FieldSet, name: &str, takes: fn(&Property) -> bool) {
    text.block(&format!("export interface {name}"), |text| {
        for property in writable(of.resource_type, fields).filter(|property| takes(property)) {
            let expressed = of.resource_type.rules().defaults.iter().any(|rule| rule.position == property.position);
            let is_needed = property.required && property.default.is_none() && !expressed;
            member(text, of, property, if is_needed { "" } else { "?" });
        }
    });
}

fn member(text: &mut Text, of: &ClientType<'_>, property: &Property, mark: &str) {
    let null = if property.required { "" } else { " | null" };
    sentences(&property.name, &property.title, &property.description).into_iter().for_each(|title| text.line(&title));
    text.member(&property.name, mark, &format!("{}{null}", written(of, property)));
}

/// Adds a body that patches.
fn patch(text: &mut Text, of: &ClientType<'_>, fields: &FieldSet) {
    let properties: Vec<&Property> =
        writable(of.resource_type, fields).filter(|property| !property.write_once).collect();
    text.block(&format!("export interface {}Patch", of.name), |text| {
        properties.iter().for_each(|property| member(text, of, property, "?"));
        let is_list = |property: &Property| matches!(property.kind.storage(), ValueStorage::Links(_));
        part(text, of, "_add", &properties, |property| takes_plus(property.kind.as_ref()));
        part(text, of, "_addMissing", &properties, is_list);
        let files: Vec<_> = properties.iter().filter(|one| one.kind.holds_files() && one.kind.holds_several()).collect();
        if !files.is_empty() {
            text.block("_files?:", |text| {
                files.iter().for_each(|property| text.member(&property.name, "?", "plinth.FileChanges"));
            });
        }
    });
}

/// Adds the member of a patch that adds to properties, where there are some.
fn part(
    text: &mut Text,
    of: &ClientType<'_>,
    name: &str,
    properties: &[&Property],
    takes: impl Fn(&Property) -> bool,
) {
    let taken: Vec<_> = properties.iter().filter(|property| takes(property)).collect();
    if !taken.is_empty() {
        text.block(&format!("{name}?:"), |text| {
            taken.iter().for_each(|property| text.member(&property.name, "?", &written(of, property)));
        });
    }
}
