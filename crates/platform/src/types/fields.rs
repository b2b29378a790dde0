//! Sets of fields of one type.

use super::Property;
use std::sync::Arc;

/// The fields that every resource has, in their order at the front of [`super::Type::fields`]:
/// id, uuid, created, updated, createdBy, updatedBy, version (D-16).
pub const SYSTEM_FIELDS: [&str; 7] = ["id", "uuid", "created", "updated", "createdBy", "updatedBy", "version"];

/// The position of a type's first own property in [`super::Type::fields`].
pub const FIRST_PROPERTY: usize = SYSTEM_FIELDS.len();

/// Fields of a type, by position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fields {
    /// Every field.
    All,
    /// The fields whose position holds `true`.
    Only(Arc<[bool]>),
}

impl Fields {
    /// Whether the property is in the set.
    pub fn contains(&self, property: &Property) -> bool {
        match self {
            Fields::All => true,
            Fields::Only(positions) => positions.get(property.position).copied().unwrap_or(false),
        }
    }

    /// The fields that are in either set.
    pub fn union(&self, other: &Fields) -> Fields {
        match (self, other) {
            (Fields::Only(left), Fields::Only(right)) => {
                let has = |fields: &[bool], position: usize| fields.get(position).copied().unwrap_or(false);
                let positions = 0..left.len().max(right.len());
                Fields::Only(positions.map(|position| has(left, position) || has(right, position)).collect())
            }
            _ => Fields::All,
        }
    }

    /// Whether the other set has all of these fields.
    pub(crate) fn within(&self, other: &Fields) -> bool {
        match (self, other) {
            (_, Fields::All) => true,
            (Fields::Only(left), Fields::Only(right)) => {
                left.iter().zip(right.iter()).all(|(left, right)| !left || *right)
            }
            (Fields::All, Fields::Only(_)) => false,
        }
    }

    /// No field.
    pub(crate) fn nothing() -> Fields {
        Fields::Only(Arc::new([]))
    }
}
