//! Sets of fields of one type.

use super::Property;
use std::sync::Arc;

/// The fields that every resource has, in their order at the front of [`super::ResourceType::fields`]:
/// id, uuid, created, updated, createdBy, updatedBy, version (D-16).
pub const SYSTEM_FIELDS: [&str; 7] = ["id", "uuid", "created", "updated", "createdBy", "updatedBy", "version"];

/// The position of a type's first own property in [`super::ResourceType::fields`].
pub const FIRST_PROPERTY: usize = SYSTEM_FIELDS.len();
/// The first id of a property that a tenant configures; those below are built in.
pub const FIRST_PROPERTY_ID: i64 = 100;

/// Fields of a type, by position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FieldSet {
    /// Every field.
    All,
    /// The fields whose position holds `true`.
    Only(Arc<[bool]>),
}

impl FieldSet {
    /// Returns true if the property is in the set.
    pub fn contains(&self, property: &Property) -> bool {
        self.has(property.position)
    }

    /// Returns whether the property at a position is one of them.
    pub fn has(&self, position: usize) -> bool {
        match self {
            FieldSet::All => true,
            FieldSet::Only(positions) => positions.get(position).copied().unwrap_or(false),
        }
    }

    /// The fields that are in either set.
    pub fn union(&self, other: &FieldSet) -> FieldSet {
        match (self, other) {
            (FieldSet::Only(left), FieldSet::Only(right)) => {
                let has = |fields: &[bool], position: usize| fields.get(position).copied().unwrap_or(false);
                let positions = 0..left.len().max(right.len());
                FieldSet::Only(positions.map(|position| has(left, position) || has(right, position)).collect())
            }
            _ => FieldSet::All,
        }
    }

    /// Returns true if the other set has all of these fields.
    pub fn within(&self, other: &FieldSet) -> bool {
        match (self, other) {
            (_, FieldSet::All) => true,
            (FieldSet::Only(left), FieldSet::Only(right)) => {
                left.iter().enumerate().all(|(at, left)| !left || right.get(at).copied().unwrap_or(false))
            }
            (FieldSet::All, FieldSet::Only(_)) => false,
        }
    }

    /// No field.
    pub fn nothing() -> FieldSet {
        FieldSet::Only(Arc::new([]))
    }
}
