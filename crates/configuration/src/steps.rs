//! Steps on tables by which one model becomes another: pure data out of two models.

use super::ROLES_PROPERTY;
use super::fingerprint::{calculation_steps, clear_steps};
use database::{IndexSpec, Name};
use model::kinds::{Kind, ValueStorage, convertible};
use model::types::{Model, Property, ResourceType, tables};
use query::search;
use std::collections::BTreeSet;

/// One change of tables. Types and properties are meant by id: of the new model, for drops of the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableStep {
    /// An index goes.
    DropIndex(IndexSpec),
    /// A property goes, with its values.
    DropProperty {
        /// The type.
        type_id: i64,
        /// The property.
        property: i64,
    },
    /// A type goes, with its resources.
    DropType {
        /// The type.
        type_id: i64,
    },
    /// A type comes; its properties follow as steps of their own.
    CreateType {
        /// The type.
        type_id: i64,
    },
    /// A property comes, without values.
    AddProperty {
        /// The type.
        type_id: i64,
        /// The property.
        property: i64,
    },
    /// A property's kind changes to one that its values cannot become: they go.
    ReplaceProperty {
        /// The type.
        type_id: i64,
        /// The property.
        property: i64,
    },
    /// A property's kind or its options change: each value becomes one of the new kind.
    ConvertProperty {
        /// The type.
        type_id: i64,
        /// The property.
        property: i64,
    },
    /// Every resource must have a value from here on: those without get the default.
    RequireProperty {
        /// The type.
        type_id: i64,
        /// The property.
        property: i64,
    },
    /// An index comes.
    AddIndex(IndexSpec),
    /// A type's full text index goes.
    DropSearch {
        /// The type.
        type_id: i64,
    },
    /// A type's full text index is built of all its resources.
    BuildSearch {
        /// The type.
        type_id: i64,
    },
    /// Calculated values are calculated anew for all resources of a type.
    Recalculate {
        /// The type.
        type_id: i64,
    },
    /// Values go for which a property's condition, which is another one, does not hold.
    ClearInapplicable {
        /// The type.
        type_id: i64,
        /// The property.
        property: i64,
    },
    /// A type has another system name: its view is named anew.
    RenameType {
        /// The type.
        type_id: i64,
    },
    /// A property has another system name.
    RenameProperty {
        /// The type.
        type_id: i64,
        /// The property.
        property: i64,
    },
}

impl TableStep {
    /// The type that it is about, where it may change resources.
    pub(super) fn type_id(&self) -> Option<i64> {
        match *self {
            TableStep::DropIndex(_) | TableStep::AddIndex(_) => None,
            TableStep::DropProperty { type_id, .. }
            | TableStep::DropType { type_id }
            | TableStep::CreateType { type_id }
            | TableStep::AddProperty { type_id, .. }
            | TableStep::ReplaceProperty { type_id, .. }
            | TableStep::ConvertProperty { type_id, .. }
            | TableStep::RequireProperty { type_id, .. }
            | TableStep::DropSearch { type_id }
            | TableStep::BuildSearch { type_id }
            | TableStep::Recalculate { type_id }
            | TableStep::ClearInapplicable { type_id, .. }
            | TableStep::RenameType { type_id }
            | TableStep::RenameProperty { type_id, .. } => Some(type_id),
        }
    }
}

/// The steps from one model (or from nothing) to another, in the order in which they can be run.
pub fn steps(old: Option<&Model>, new: &Model) -> Vec<TableStep> {
    let mut rebuilt = BTreeSet::new();
    let mut rewritten = BTreeSet::new();
    let mut revalued = BTreeSet::new();
    let mut drops = Vec::new();
    let mut dropped_types = Vec::new();
    let mut creates = Vec::new();
    let mut changes = Vec::new();
    let mut requires = Vec::new();
    let mut renames = Vec::new();
    for old_type in old.iter().flat_map(|old| &old.types) {
        let Some(new_type) = new.type_by_id(old_type.id) else {
            dropped_types.push(TableStep::DropType { type_id: old_type.id });
            continue;
        };
        for property in old_type.properties().iter().filter(|old| by_id(new_type, old.id).is_none()) {
            drops.push(TableStep::DropProperty { type_id: old_type.id, property: property.id });
        }
        if old_type.name != new_type.name {
            renames.push(TableStep::RenameType { type_id: new_type.id });
        }
    }
    let mut adds = Vec::new();
    for new_type in &new.types {
        let type_id = new_type.id;
        let old_type = old.and_then(|old| old.type_by_id(type_id));
        if old_type.is_none() {
            creates.push(TableStep::CreateType { type_id });
        }
        for new_property in new_type.properties() {
            let property = new_property.id;
            let Some(old_property) = old_type.and_then(|old| by_id(old, property)) else {
                adds.push(TableStep::AddProperty { type_id, property });
                if old_type.is_some() && new_property.required {
                    requires.push(TableStep::RequireProperty { type_id, property });
                }
                continue;
            };
            // A tenant without roles has a stand-in for them, which no user can have.
            let unfilled = property == ROLES_PROPERTY && old_property.kind.choices().iter().all(|role| role.archived);
            let change = match unfilled {
                true => KindChange::None,
                false => kind_change(old_property.kind.as_ref(), new_property.kind.as_ref()),
            };
            if change == KindChange::Replace {
                changes.push(TableStep::ReplaceProperty { type_id, property });
            } else if change != KindChange::None {
                changes.push(TableStep::ConvertProperty { type_id, property });
            }
            if matches!(change, KindChange::Replace | KindChange::Rebuild) {
                rebuilt.extend([old_property.column.clone(), new_property.column.clone()]);
            }
            let emptied = change == KindChange::Replace;
            let requires_now = new_property.required && (!old_property.required || emptied);
            if requires_now {
                requires.push(TableStep::RequireProperty { type_id, property });
            }
            if requires_now || change == KindChange::InPlace {
                rewritten.insert(new_property.column.clone());
            }
            if change != KindChange::None || (requires_now && new_property.default.is_some()) {
                revalued.insert(property);
            }
            if old_property.name != new_property.name {
                renames.push(TableStep::RenameProperty { type_id, property });
            }
        }
    }
    let (drop_indexes, add_indexes) = index_steps(old, new, &rebuilt, &rewritten);
    let (drop_searches, builds) = search_steps(old, new, &revalued);
    let valued: BTreeSet<i64> = changes.iter().chain(&requires).filter_map(TableStep::type_id).collect();
    let columns = [drops, dropped_types, creates, adds, changes, requires].concat();
    let calculations = calculation_steps(old, new, &valued);
    let clears = clear_steps(old, new);
    [drop_searches, drop_indexes, columns, add_indexes, builds, clears, calculations, renames].concat()
}

/// The property with that id.
pub(crate) fn by_id(resource_type: &ResourceType, id: i64) -> Option<&Property> {
    resource_type.properties().iter().find(|property| property.id == id)
}

/// Effect of a change of kind on the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KindChange {
    /// Nothing.
    None,
    /// Values are looked at and changed where they lie.
    InPlace,
    /// Values move to a column or link table of another form.
    Rebuild,
    /// Values are lost.
    Replace,
}

/// Returns the effect of the change from one kind to another.
pub(crate) fn kind_change(old: &dyn Kind, new: &dyn Kind) -> KindChange {
    if old.files().is_some() && new.files().is_some() && convertible(old, new) {
        // Files that are there stay, whatever would be taken now.
        return KindChange::None;
    }
    if old.rollup().is_some() && new.rollup().is_some() {
        // What it sums up is summed up anew anyway.
        return if old.storage() == new.storage() { KindChange::None } else { KindChange::Replace };
    }
    if new.rollup().is_some() {
        return KindChange::Replace;
    }
    let target = |kind: &dyn Kind| kind.relation().map(|relation| relation.type_id);
    let same_form = old.storage() == new.storage() && target(old) == target(new);
    if same_form && target(old).is_some() {
        // What a relation does on deletion, and what its target is called, are not in the rows.
        return KindChange::None;
    }
    // A kind's options are all that it holds, so its debug form tells them apart.
    let same_kind = old.name() == new.name() && same_form;
    if same_kind && (format!("{old:?}") == format!("{new:?}") || offers_all(old, new)) {
        KindChange::None
    } else if !convertible(old, new) {
        KindChange::Replace
    } else if same_form {
        KindChange::InPlace
    } else {
        KindChange::Rebuild
    }
}

/// Returns true if all values that could be chosen still can be, so that no row needs a look.
fn offers_all(old: &dyn Kind, new: &dyn Kind) -> bool {
    // The schema of a pJson may have other rules beside an `enum`.
    if !old.is_choice() {
        return false;
    }
    let values = |kind: &dyn Kind| kind.schema().get("enum").and_then(|values| values.as_array().cloned());
    values(old).zip(values(new)).is_some_and(|(old, new)| old.iter().all(|value| new.contains(value)))
}

/// Indexes on columns that are made anew go and come back. So do unique ones on columns whose values change:
/// rows that then agree are found and named when they come back.
fn index_steps(
    old: Option<&Model>,
    new: &Model,
    rebuilt: &BTreeSet<Name>,
    rewritten: &BTreeSet<Name>,
) -> (Vec<TableStep>, Vec<TableStep>) {
    let before = old.map(tables::indexes).unwrap_or_default();
    let after = tables::indexes(new);
    let touched = |index: &IndexSpec| {
        let of = |names: &BTreeSet<Name>| index.columns.iter().any(|name| names.contains(name));
        rebuilt.contains(&index.table) || of(rebuilt) || (index.unique && of(rewritten))
    };
    let drops = before.iter().filter(|index| !after.contains(*index) || touched(index));
    let adds = after.iter().filter(|index| !before.contains(*index) || touched(index));
    (drops.cloned().map(TableStep::DropIndex).collect(), adds.cloned().map(TableStep::AddIndex).collect())
}

/// Full text indexes are built anew where other properties are searchable, or values of those that are have changed.
fn search_steps(old: Option<&Model>, new: &Model, revalued: &BTreeSet<i64>) -> (Vec<TableStep>, Vec<TableStep>) {
    let searchable = |of: &ResourceType| search::searchable(of).map(|property| property.id).collect::<BTreeSet<i64>>();
    let before = |type_id| old.and_then(|old| old.type_by_id(type_id)).map(|of| searchable(of)).unwrap_or_default();
    let after = |type_id| new.type_by_id(type_id).map(|of| searchable(of)).unwrap_or_default();
    let changes = |type_id| before(type_id) != after(type_id) || !revalued.is_disjoint(&after(type_id));
    let of = |model: &Model, asked: &dyn Fn(i64) -> bool| {
        model.types.iter().map(|of| of.id).filter(|id| changes(*id) && asked(*id)).collect::<Vec<i64>>()
    };
    let drops = old.map(|old| of(old, &|type_id| !before(type_id).is_empty())).unwrap_or_default();
    let builds = of(new, &|type_id| !after(type_id).is_empty());
    let drop = |type_id| TableStep::DropSearch { type_id };
    let build = |type_id| TableStep::BuildSearch { type_id };
    (drops.into_iter().map(drop).collect(), builds.into_iter().map(build).collect())
}

/// Returns true if the property's values lie in a link table.
pub(crate) fn is_multiple(property: &Property) -> bool {
    matches!(property.kind.storage(), ValueStorage::Links(_))
}
