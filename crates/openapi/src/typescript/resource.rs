//! A type as it is read: its resources, its fields, its selections, and what joins them for the client.

use super::text::{Text, name, sentences, union};
use super::values::{is_user_of_write, options_union, read, written};
use super::{ClientType, ClientTypes};
use crate::answers::DecimalForm;
use crate::extended::schemas::{SHOWN_SYSTEM_FIELDS, is_always_there, may_be_null};
use crate::extended::upserts::keys;
use model::kinds::{FilterGroup, Kind, abilities};
use model::types::{FIRST_PROPERTY, Property};

/// Adds the resources, fields and selections of a type.
pub(super) fn add(text: &mut Text, of: &ClientType<'_>, types: &ClientTypes<'_>) {
    let resource_type = of.resource_type;
    for property in &resource_type.fields {
        if let Some(union) = of.unions.get(property.name.as_str()) {
            text.line(&format!("export type {union} = {};", options_union(property)));
        }
    }
    let title = sentences(&resource_type.name, &resource_type.title, &resource_type.description);
    title.into_iter().for_each(|title| text.line(&title));
    let name = &of.name;
    if of.grant.show.is_none() {
        return text.block(&format!("export interface {name}"), |text| {
            text.member("id", "", "number");
            text.member("uuid", "", "string");
        });
    }
    let is_own = |property: &&Property| property.position < SHOWN_SYSTEM_FIELDS || property.position >= FIRST_PROPERTY;
    text.block(&format!("export interface {name}"), |text| {
        of.readable().filter(is_own).for_each(|property| field(text, of, property));
    });
    text.block(&format!("export interface {name}Fields extends {name}"), |text| {
        of.readable().filter(|property| !is_own(property)).for_each(|property| field(text, of, property));
        for inverse in &of.inverses {
            let value = if inverse.kind.holds_several() { "number[]" } else { "number | null" };
            text.member(&inverse.name, "", value);
        }
    });
    text.block(&format!("export interface {name}Selection"), |text| {
        for property in of.readable().chain(of.inverses.iter().copied()) {
            text.member(&property.name, "?", &selected(property, types));
        }
    });
    if is_referred_to(of, types) {
        let fields = |is: fn(&dyn Kind) -> bool| {
            union(of.readable().filter(|property| is(property.kind.as_ref())).map(|property| property.name.as_str()))
        };
        text.line(&format!(
            "export type {name}Members = {name}Selection & plinth.Members<{name}Filter, {name}Fields, {}, {}>;",
            fields(|kind| kind.is_number()),
            fields(is_comparable)
        ));
    }
}

fn field(text: &mut Text, of: &ClientType<'_>, property: &Property) {
    let system = property.position < FIRST_PROPERTY;
    let is_null = if system { is_user_of_write(property) } else { may_be_null(of.resource_type, property) };
    let is_there = property.position < SHOWN_SYSTEM_FIELDS || is_always_there(of.resource_type, &of.grant, property);
    let null = if is_null { " | null" } else { "" };
    sentences(&property.name, &property.title, &property.description).into_iter().for_each(|title| text.line(&title));
    text.member(&property.name, if is_there { "" } else { "?" }, &format!("{}{null}", read(of, property)));
}

/// The type of a member of a selection.
fn selected(property: &Property, types: &ClientTypes<'_>) -> String {
    let is_list = is_list(property);
    match types.target(property) {
        Some(target) if is_list => format!("true | {}Members", target.name),
        Some(target) => format!("true | {}Selection", target.name),
        None => "true".to_owned(),
    }
}

fn is_list(property: &Property) -> bool {
    property.kind.inverse().is_some() && property.kind.holds_several()
}

/// Returns true if a type is behind an inverse of another that is a list.
fn is_referred_to(of: &ClientType<'_>, types: &ClientTypes<'_>) -> bool {
    let sources = types.all.iter().flat_map(|one| &one.inverses).filter(|inverse| is_list(inverse));
    sources.filter_map(|inverse| inverse.kind.inverse()).any(|source| source.type_id == of.resource_type.id)
}

/// Returns true if values have a least and a greatest.
fn is_comparable(kind: &dyn Kind) -> bool {
    abilities(kind.class()).filters.contains(&FilterGroup::Order)
}

/// Adds what the client is told of a type.
pub(super) fn add_type(text: &mut Text, of: &ClientType<'_>, types: &ClientTypes<'_>) {
    let (base, grant) = (&of.name, &of.grant);
    text.block(&format!("export interface {base}Type"), |text| {
        let fields = of.readable().chain(of.inverses.iter().copied());
        let relations = fields.filter_map(|property| Some((property, types.target(property)?)));
        let relations: Vec<String> =
            relations.map(|(property, target)| format!("{}: {}Type", name(&property.name), target.name)).collect();
        let lists = of.inverses.iter().filter(|inverse| is_list(inverse)).map(|inverse| inverse.name.as_str());
        text.member("row", "", base);
        text.member("fields", "", &if grant.show.is_some() { format!("{base}Fields") } else { base.clone() });
        text.member("relations", "", &braces(&relations));
        text.member("lists", "", &union(lists));
        match grant.show {
            Some(_) => {
                for part in ["Selection", "Filter"] {
                    text.member(&part.to_lowercase(), "", &format!("{base}{part}"));
                }
            }
            None => text.member("selection", "", "never"),
        }
        if of.decimals == DecimalForm::Text {
            text.member("decimals", "", "\"text\"");
        }
        if grant.create.is_some() {
            text.member("create", "", &format!("{base}Create"));
        }
        if grant.edit.is_some() {
            text.member("replace", "", &format!("{base}Replace"));
            text.member("patch", "", &format!("{base}Patch"));
        }
        if grant.delete {
            text.member("delete", "", "true");
        }
        let keys: Vec<String> = keys(of.resource_type, grant).iter().map(|set| key(of, set)).collect();
        if !keys.is_empty() {
            text.member("key", "", &keys.join(" | "));
        }
    });
}

/// An object of the values of a unique key.
fn key(of: &ClientType<'_>, set: &[&Property]) -> String {
    let members: Vec<String> =
        set.iter().map(|property| format!("{}: {}", name(&property.name), written(of, property))).collect();
    braces(&members)
}

fn braces(members: &[String]) -> String {
    if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join("; ")) }
}
