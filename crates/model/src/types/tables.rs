//! The tables, columns and indexes that a model asks for.

use super::{FIRST_PROPERTY, Model, Property, ResourceType};
use crate::kinds::ValueStorage;
use database::{ColumnSpec, ColumnType, IndexSpec, Name, SearchSpec, TableSpec};
use std::collections::BTreeSet;

/// The key of every type's table.
pub const ID: Name = Name::fixed("id");
/// In a link table, the row that the members belong to.
pub const OWNER: Name = Name::fixed("owner");
/// In a link table, a member's place, from 0.
pub const POSITION: Name = Name::fixed("position");
/// In a link table, a member.
pub const VALUE: Name = Name::fixed("value");

/// The table of a new type: the system fields, without properties.
pub fn table(resource_type: &ResourceType) -> TableSpec {
    let fields = &resource_type.fields[1..FIRST_PROPERTY];
    TableSpec {
        name: resource_type.table.clone(),
        identity: true,
        columns: fields.iter().map(|field| column(field, ColumnType::Integer)).collect(),
        primary_key: Vec::new(),
    }
}

/// The column of a property that is not multi-valued; `other` is the type for those that are.
fn column(property: &Property, other: ColumnType) -> ColumnSpec {
    let column = match property.kind.storage() {
        ValueStorage::Column(column) => column,
        ValueStorage::Links(_) | ValueStorage::Attachments => other,
    };
    ColumnSpec { name: property.column.clone(), column, references: references(property) }
}

/// The column of a property, where it has one.
pub fn column_of(property: &Property) -> Option<ColumnSpec> {
    match property.kind.storage() {
        ValueStorage::Column(of) => Some(column(property, of)),
        ValueStorage::Links(_) | ValueStorage::Attachments => None,
    }
}

/// The link table of a property, where it has one.
pub fn links_of(resource_type: &ResourceType, property: &Property) -> Option<TableSpec> {
    let ValueStorage::Links(value) = property.kind.storage() else { return None };
    let owner = Some(resource_type.table.clone());
    Some(TableSpec {
        name: property.column.clone(),
        identity: false,
        columns: vec![
            ColumnSpec { name: OWNER, column: ColumnType::Integer, references: owner },
            ColumnSpec { name: POSITION, column: ColumnType::Integer, references: None },
            ColumnSpec { name: VALUE, column: value, references: references(property) },
        ],
        primary_key: vec![OWNER, POSITION],
    })
}

/// All tables of a type: its own with the columns of all properties, and its link tables.
pub fn tables_of(resource_type: &ResourceType) -> Vec<TableSpec> {
    let stored = || resource_type.properties().iter().filter(|property| !property.is_virtual());
    let mut own = table(resource_type);
    own.columns.extend(stored().filter_map(column_of));
    std::iter::once(own).chain(stored().filter_map(|property| links_of(resource_type, property))).collect()
}

/// The table that a property refers to. System fields name users that may be gone: they refer to nothing.
pub fn references(property: &Property) -> Option<Name> {
    property.kind.relation().map(|relation| Name::numbered("t", relation.type_id))
}

/// The full text index of a type, where it has searchable properties.
pub fn search(resource_type: &ResourceType) -> Option<SearchSpec> {
    Some(search_of(resource_type)).filter(|index| !index.columns.is_empty())
}

/// The same of a type that is known to have some.
pub fn search_of(resource_type: &ResourceType) -> SearchSpec {
    let searchable = resource_type.properties().iter().filter(|property| property.searchable);
    let columns = searchable.map(|property| property.column.clone()).collect();
    SearchSpec { name: Name::numbered("f", resource_type.id), columns }
}

/// All indexes of a model.
pub fn indexes(model: &Model) -> BTreeSet<IndexSpec> {
    model.types.iter().flat_map(|resource_type| type_indexes(resource_type)).collect()
}

/// The indexes of a type's table and of its link tables.
fn type_indexes(resource_type: &ResourceType) -> Vec<IndexSpec> {
    let table = &resource_type.table;
    let index = |columns: Vec<Name>, unique| IndexSpec { table: table.clone(), columns, unique };
    let mut indexes = vec![index(vec![Name::fixed("uuid")], true)];
    for set in &resource_type.unique {
        let columns = set.iter().map(|position| resource_type.fields[*position].column.clone());
        indexes.push(index(columns.collect(), true));
    }
    for property in resource_type.properties() {
        if links_of(resource_type, property).is_some() {
            let columns = vec![VALUE, OWNER];
            indexes.push(IndexSpec { table: property.column.clone(), columns, unique: false });
        } else if (property.index || property.kind.relation().is_some()) && !property.unique {
            // The id is the last key of every order, so that lists are read from the index alone.
            indexes.push(index(vec![property.column.clone(), ID], false));
        }
    }
    for several in &resource_type.indexes {
        let columns = several.iter().map(|position| resource_type.fields[*position].column.clone());
        indexes.push(index(columns.chain([ID]).collect(), false));
    }
    indexes
}
