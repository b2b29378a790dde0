//! Columns of groups: keys and values, as they are planned.

use crate::buckets::BucketCalendar;
use crate::members::SeveralValues;
use model::error::Error;
use model::groups::AggregateFunction;
use model::types::Property;
use query::condition::Condition;
use query::value_path::ValuePath;

/// A key of groups.
pub(crate) struct PlannedKey<'m> {
    pub(crate) name: String,
    pub(crate) path: ValuePath<'m>,
    pub(crate) calendar: Option<BucketCalendar<'m>>,
    /// The values behind the path's property, each of which counts; none where there is one.
    pub(crate) several: Option<SeveralValues<'m>>,
}

/// A value of groups.
pub(crate) struct PlannedValue<'m> {
    pub(crate) name: String,
    pub(crate) function: AggregateFunction,
    pub(crate) path: Option<ValuePath<'m>>,
    pub(crate) condition: Option<Condition<'m>>,
}

impl<'m> PlannedKey<'m> {
    /// The property whose values it has.
    pub(crate) fn property(&self) -> &'m Property {
        self.several.as_ref().map_or(self.path.property, SeveralValues::property)
    }

    /// Returns true if it is a property of the row that is grouped, as each row shows it.
    pub(crate) fn is_whole(&self) -> bool {
        self.calendar.is_none() && self.several.is_none() && self.path.hops.is_empty() && self.path.guard.is_none()
    }
}

impl PlannedValue<'_> {
    /// Returns true if it is the number of all rows of a group.
    pub(crate) fn is_number_of_rows(&self) -> bool {
        self.path.is_none() && self.condition.is_none()
    }
}

/// The error of a name that is neither a key nor a value.
pub(crate) fn unknown(names: &[&str], name: &str) -> Error {
    let message = format!("There is no key or value {name:?}; there are {}.", names.join(", "));
    Error::invalid("property_unknown", message)
}
