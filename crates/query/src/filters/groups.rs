//! `and`, `or`, `not`: filters of filters.

use crate::condition::Condition;
use crate::filters::{FilterSource, invalid};
use model::error::Result;
use serde_json::Value as Json;

pub(super) const GROUPS: [&str; 3] = ["and", "or", "not"];

/// Returns true if a filter type makes a group.
pub(super) fn is_group(name: &str) -> bool {
    GROUPS.contains(&name)
}

/// The filters in a group. An empty group is refused: it would say nothing, or everything.
pub(super) fn members<'w>(written: &FilterSource<'w>) -> Result<&'w [Json]> {
    let name = written.entry_name;
    if !is_group(name) {
        let message =
            format!("The property \"*\" takes the filter types and, or, not, search; there is no {name:?} among them.");
        return Err(invalid("filter_unknown", message));
    }
    match written.param {
        Some(Json::Array(filters)) if !filters.is_empty() && written.fold.is_none() => Ok(filters),
        _ => Err(invalid("filter_param", format!("The filter {name} needs a param: an array of filters, not empty."))),
    }
}

/// `not` holds where its filters do not all hold.
pub(super) fn build<'m>(written: &FilterSource<'_>, conditions: Vec<Condition<'m>>) -> Result<Condition<'m>> {
    Ok(match written.entry_name {
        "or" => Condition::Any(conditions),
        "not" => Condition::All(conditions).negated(),
        _ => Condition::All(conditions),
    })
}
