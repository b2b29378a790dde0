//! The other ends of relations, by the type that is referred to.

use super::{Property, ResourceType};
use crate::kinds::{InverseKind, InverseSource, ValueStorage};
use std::collections::HashMap;
use std::sync::Arc;

/// The inverses of all types. Each is a property that no row stores: its position lies behind those of the fields.
#[derive(Debug, Default)]
pub struct Inverses(HashMap<i64, Vec<Property>>);

impl Inverses {
    /// The inverses that the relations of types name.
    pub(super) fn of(types: &[Arc<ResourceType>]) -> Self {
        let fields: HashMap<i64, usize> = types.iter().map(|of| (of.id, of.fields.len())).collect();
        let mut inverses: HashMap<i64, Vec<Property>> = HashMap::new();
        for holder in types {
            for relation in holder.properties().iter().filter(|property| !property.is_virtual()) {
                let Some(target) = relation.kind.relation() else { continue };
                let Some((option, before)) = target.inverse.zip(fields.get(&target.type_id)) else { continue };
                let named = inverses.entry(target.type_id).or_default();
                let source = source(holder, relation, &option.order_by);
                let is_single = relation.unique && !relation.kind.holds_several();
                let title = option.title.clone().unwrap_or_else(|| option.name.clone());
                let kind = InverseKind::new(&holder.name, source, is_single);
                named.push(inverse(before + named.len(), &option.name, title, kind));
            }
        }
        Inverses(inverses)
    }

    /// The inverses of a type, in the order of the types that refer.
    pub fn of_type(&self, type_id: i64) -> &[Property] {
        self.0.get(&type_id).map_or(&[], Vec::as_slice)
    }

    /// The inverse of a type by its name.
    pub fn named(&self, type_id: i64, name: &str) -> Option<&Property> {
        self.of_type(type_id).iter().find(|inverse| inverse.name == name)
    }
}

fn source(holder: &ResourceType, relation: &Property, order_by: &[(String, bool)]) -> InverseSource {
    let position = |name: &String| holder.by_name.get(name).copied();
    InverseSource {
        type_id: holder.id,
        position: relation.position,
        column: relation.column.clone(),
        through_links: matches!(relation.kind.storage(), ValueStorage::Links(_)),
        order_by: order_by.iter().filter_map(|(name, descending)| Some((position(name)?, *descending))).collect(),
    }
}

fn inverse(position: usize, name: &str, title: String, kind: InverseKind) -> Property {
    Property {
        id: 0,
        position,
        name: name.to_owned(),
        title,
        description: String::new(),
        required: false,
        conditional: false,
        unique: false,
        index: false,
        searchable: false,
        personal: false,
        default: None,
        calculated: None,
        read_only: true,
        write_once: false,
        // It has none: a statement with it fails at once.
        column: database::Name::fixed("inverse"),
        kind: Box::new(kind),
    }
}
