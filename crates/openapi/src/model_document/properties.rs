//! Properties of types: their metadata, what a caller may do with them, their limits and where their values come from.

use super::ModelReader;
use super::derived_values::{calculation, rollup};
use super::limits::add_limits;
use model::types::{FIRST_PROPERTY_ID, Property, ResourceAction, ResourceType, tables};
use query::path::TypeAccess;
use serde_json::Value as Json;
use std::sync::Arc;

/// Describes a property: its metadata and the limits of its kind.
pub(super) fn describe_property(reader: &ModelReader<'_>, access: &TypeAccess<'_>, property: &Property) -> Json {
    let of: &Arc<ResourceType> = access.allowed.resource_type;
    let mut told = resources::describe_property(access, of, property);
    if let Some(title) = (property.id < FIRST_PROPERTY_ID).then(|| (reader.titles)(&property.name)).flatten() {
        told["title"] = title.into();
    }
    told["create"] = resources::may_write(access, of, property, ResourceAction::Create).into();
    told["indexed"] = is_indexed(of, property).into();
    told["searchable"] = property.searchable.into();
    told["conditional"] = property.conditional.into();
    told["writeOnce"] = property.write_once.into();
    if let (Some(relation), Some(shown)) = (property.kind.relation(), told.get_mut("relation")) {
        shown["filtered"] = (!relation.filter.is_empty()).into();
    }
    if let Some(told) = told.as_object_mut() {
        add_limits(property.kind.as_ref(), told);
        let rollup = rollup(access, property).map(|rollup| ("rollup", rollup));
        let calculation = calculation(access, property).map(|text| ("calculation", text.into()));
        told.extend(rollup.into_iter().chain(calculation).map(|(name, value)| (name.to_owned(), value)));
    }
    told
}

/// Returns true if an index serves filters and sorts by the property alone.
fn is_indexed(of: &ResourceType, property: &Property) -> bool {
    let leads = |set: &Vec<usize>| set.first() == Some(&property.position);
    let stored = property.index || property.unique || property.kind.relation().is_some();
    let built_in = property.id == 0 && ["id", "uuid"].contains(&property.name.as_str());
    let linked = tables::links_of(of, property).is_some();
    !property.is_virtual()
        && (built_in
            || linked
            || stored && property.id != 0
            || of.unique.iter().any(leads)
            || of.indexes.iter().any(leads))
}
