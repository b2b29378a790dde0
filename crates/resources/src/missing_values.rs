//! Required values that a write lacks before its expressions run.

use super::accept;
use model::error::InputProblem;
use model::kinds::StoredValue;
use model::types::{Property, ResourceType, TypeRules};

/// Returns what a write lacks that no default fills. `touched` are the fields that it is about, `open` those that get
/// their default.
pub(super) fn before_defaults(
    of: &ResourceType,
    values: &[StoredValue],
    touched: &[usize],
    open: &[usize],
) -> Vec<InputProblem> {
    let has_default = |position: usize| TypeRules::about(&of.rules().defaults, position).is_some();
    let is_filled = |position: usize| open.contains(&position) && has_default(position);
    let due = of.properties().iter().filter(|property| touched.contains(&property.position));
    let due = due.filter(|property| !is_filled(property.position) && lacks(of, values, property));
    due.map(accept::missing).collect()
}

/// Returns true if a property lacks its required value, and no later step gives it or decides that it does not apply.
pub(super) fn lacks(of: &ResourceType, values: &[StoredValue], property: &Property) -> bool {
    let has_condition = TypeRules::about(&of.rules().conditions, property.position).is_some();
    let comes_later = property.calculated.is_some() || property.kind.rollup().is_some() || has_condition;
    property.required && !comes_later && accept::is_empty(&values[property.position])
}
