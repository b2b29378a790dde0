//! Columns of groups: keys and values, as they are planned.

use crate::buckets::BucketCalendar;
use model::error::Error;
use model::groups::AggregateFunction;
use query::condition::Condition;
use query::value_path::ValuePath;

/// A key of groups.
pub(crate) struct PlannedKey<'m> {
    pub(crate) name: String,
    pub(crate) path: ValuePath<'m>,
    pub(crate) calendar: Option<BucketCalendar<'m>>,
    /// True if each of several values counts.
    pub(crate) each: bool,
}

/// A value of groups.
pub(crate) struct PlannedValue<'m> {
    pub(crate) name: String,
    pub(crate) function: AggregateFunction,
    pub(crate) path: Option<ValuePath<'m>>,
    pub(crate) condition: Option<Condition<'m>>,
}

/// The error of a name that is neither a key nor a value.
pub(crate) fn unknown(names: &[&str], name: &str) -> Error {
    let message = format!("There is no key or value {name:?}; there are {}.", names.join(", "));
    Error::invalid("property_unknown", message)
}
