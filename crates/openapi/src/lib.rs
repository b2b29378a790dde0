//! Descriptions of operations and schemas in OpenAPI 3.1, for each route: what it takes and answers. The crate knows no
//! route; `server` puts the descriptions together in the order of its table. Also the same rights as types of TypeScript.

pub mod answers;
pub mod audit;
pub mod automations;
pub mod batch;
pub mod canvases;
pub mod collections;
pub mod commands;
pub mod components;
pub mod downloads;
pub mod explain;
pub mod extended;
pub mod keys;
mod literal;
pub mod login_as;
pub mod metadata;
pub mod model_document;
pub mod notifications;
pub mod outbox;
mod pages;
pub mod parameters;
pub mod queries;
mod query_groups;
pub mod registration;
pub mod responses;
pub mod schemas;
pub mod service;
pub mod sessions;
pub mod tags;
pub mod typescript;
pub mod uploads;
pub mod version;

use model::types::{FieldSet, Model, Property, ResourceType, TypeGrant};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The member for methods that OpenAPI 3.1 does not know. The registry of extensions has it, in the form that
/// `additionalOperations` has from 3.2 on.
pub const MORE_METHODS: &str = "x-oai-additionalOperations";

/// The rights of a caller, by type.
pub type Rights<'r> = dyn Fn(&Arc<ResourceType>) -> TypeGrant + 'r;

/// The inverses of a type that a caller with these rights may follow.
pub fn inverses<'m>(model: &'m Model, of: &ResourceType, rights: &Rights<'_>) -> Vec<&'m Property> {
    let is_shown = |inverse: &&Property| {
        let source = inverse.kind.inverse();
        let holder = source.and_then(|source| Some((source, model.type_by_id(source.type_id)?)));
        holder.is_some_and(|(source, holder)| {
            rights(holder).show.is_some_and(|fields| fields.contains(&holder.fields[source.position]))
        })
    };
    model.inverses.of_type(of.id).iter().filter(is_shown).collect()
}

/// Adds the schemas of a type as the contract has them, as far as the caller's rights go.
pub fn add_schemas(resource_type: &ResourceType, grant: &TypeGrant, components: &mut Map<String, Value>) {
    let name = &resource_type.name;
    let nothing = FieldSet::Only(Arc::new([]));
    let readable = grant.show.as_ref().unwrap_or(&nothing);
    components.insert(name.clone(), schemas::output(resource_type, readable));
    if let Some(writable) = &grant.create {
        components.insert(format!("{name}.create"), schemas::input(resource_type, writable, false));
    }
    if let Some(writable) = &grant.edit {
        components.insert(format!("{name}.replace"), schemas::input(resource_type, writable, true));
        components.insert(format!("{name}.patch"), schemas::patch(resource_type, writable));
    }
}
