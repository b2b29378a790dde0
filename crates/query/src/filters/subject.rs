//! The subject of a filter: a property at the end of a path, and what was asked of it.

use crate::condition::{Condition, ValueCheck, ValueComparison, ValuePlace};
use crate::filters::table::FilterEntry;
use crate::filters::{FilterReader, FilterSource, invalid, table};
use crate::path::{PropertyPath, TypeAccess};
use context::actor::Allowed;
use database::{JsonStep, JsonType};
use jiff::Zoned;
use model::error::{Error, Result};
use model::kinds::{FilterGroup, KindClass, ValueContext, abilities};
use model::types::Property;
use serde_json::Value as Json;

/// The filters that values inside JSON documents take.
const JSON_GROUPS: &[FilterGroup] =
    &[FilterGroup::Equality, FilterGroup::Order, FilterGroup::Membership, FilterGroup::Presence, FilterGroup::Text];

/// A filter whose names are resolved.
///
/// A path through relations to one resource has one value, which is null where the way ends early. One through a
/// relation to many has several, and the filter holds where it holds for some of them. Conditions are therefore
/// built from [`FilterSubject::test`], which follows the relations behind the last of the latter, and put into
/// [`FilterSubject::some`] when done, which follows those up to it: a negation in between means what it says.
pub(super) struct FilterSubject<'s, 'm> {
    /// The type on whose rows the filter stands.
    pub(super) access: &'s TypeAccess<'m>,
    /// The level of those rows.
    pub(super) level: usize,
    pub(super) path: PropertyPath<'m>,
    pub(super) entry: &'static FilterEntry,
    pub(super) written: FilterSource<'s>,
    pub(super) reader: &'s FilterReader<'s>,
    pub(super) depth: usize,
}

/// The error of a question about a value that is not stored.
pub(crate) fn unstored(name: &str) -> Error {
    let message = format!(
        "The property {name:?} is calculated on each read and not stored: lists cannot be filtered or sorted by it."
    );
    Error::invalid("property_virtual", message)
}

impl<'m> FilterSubject<'_, 'm> {
    /// The property that is asked about.
    pub(super) fn property(&self) -> &'m Property {
        self.path.property
    }

    /// The class of the property's values.
    pub(super) fn class(&self) -> KindClass {
        self.property().kind.class()
    }

    /// Returns true if a value inside a JSON document is asked about.
    pub(super) fn inside_json(&self) -> bool {
        !self.path.keys.is_empty()
    }

    /// Returns the context in which values are read.
    pub(super) fn value_context(&self) -> &ValueContext<'_> {
        self.reader.context
    }

    /// The present in the display zone.
    pub(super) fn now(&self) -> Zoned {
        self.reader.timed.set(true);
        self.value_context().now.to_zoned(self.value_context().zone.clone())
    }

    /// The param; null where it is missing.
    pub(super) fn param(&self) -> &Json {
        self.written.param.unwrap_or(&Json::Null)
    }

    /// The param as an array of at most [`crate::filters::MAX_VALUES`].
    pub(super) fn array(&self) -> Result<&[Json]> {
        match self.param() {
            Json::Array(members) if members.len() <= crate::filters::MAX_VALUES => Ok(members),
            Json::Array(_) => Err(self.refused(&format!("takes at most {} values", crate::filters::MAX_VALUES))),
            _ => Err(self.refused("needs an array as param")),
        }
    }

    /// An error about this filter; the text completes "The filter eq on "name" …".
    pub(super) fn refused(&self, what: &str) -> Error {
        let message = format!("The filter {} on {:?} {what}.", self.entry.name, self.written.property);
        invalid("filter_param", message)
    }

    /// Fails unless the filter type serves the property.
    pub(super) fn check_served(&self) -> Result<()> {
        if self.property().is_virtual() {
            return Err(unstored(self.written.property));
        }
        let served = if self.inside_json() {
            self.entry.group.is_some_and(|group| JSON_GROUPS.contains(&group))
        } else {
            match self.entry.group {
                Some(group) => abilities(self.class()).filters.contains(&group),
                // An id is an integer; only the hierarchy of its type makes more of it.
                None => self.property().position == 0 || self.property().kind.is_relation(),
            }
        };
        if served { Ok(()) } else { Err(self.unsuitable()) }
    }

    /// The error of a filter type that does not serve the property.
    pub(super) fn unsuitable(&self) -> Error {
        let groups = if self.inside_json() { JSON_GROUPS } else { abilities(self.class()).filters };
        let taken: Vec<_> = groups.iter().flat_map(|group| table::names_in(Some(*group))).collect();
        let message = format!(
            "The filter {} does not serve the property {:?}, which takes {}.",
            self.entry.name,
            self.written.property,
            taken.join(", ")
        );
        invalid("filter_unsuitable", message)
    }

    /// A check of the value; inside a JSON document, of the value whatever its type.
    pub(super) fn test(&self, check: ValueCheck<'m>) -> Condition<'m> {
        self.test_as(JsonType::Any, check)
    }

    /// A check of the value; inside a JSON document, of a value of that type.
    pub(super) fn test_as(&self, json_type: JsonType, check: ValueCheck<'m>) -> Condition<'m> {
        let mut place = self.place();
        if self.inside_json() {
            let steps = self.path.keys.iter().map(|key| JsonStep::Key(key.clone())).collect();
            place.inside = Some((steps, json_type));
        }
        self.follow(self.access.test(self.owner(), place, check))
    }

    /// Returns true if the relation at the end of the path leads to a row for which the condition holds.
    pub(super) fn related(&self, inner: Condition<'m>) -> Condition<'m> {
        let Some(target) = self.access.follow(self.property()) else { return Condition::Any(Vec::new()) };
        self.follow(self.access.related(self.owner(), self.place(), &target, inner))
    }

    /// A comparison of the value with that of another place of the filter's own row.
    pub(super) fn test_place(&self, comparison: ValueComparison, place: ValuePlace<'m>) -> Condition<'m> {
        let guard = self.access.guard(&self.access.allowed, place.property, place.level);
        let test = self.test(ValueCheck::ComparePlace(comparison, place));
        match guard {
            Some(guard) => Condition::All(vec![guard, test]),
            None => test,
        }
    }

    /// The type of the row that the property is of.
    fn owner(&self) -> &Allowed<'m> {
        self.path.hops.last().map_or(&self.access.allowed, |hop| &hop.target)
    }

    /// The level of the rows that the relation at the end of the path leads to.
    pub(super) fn related_level(&self) -> usize {
        self.level + self.path.hops.len() + 1
    }

    /// There is a value.
    pub(super) fn present(&self) -> Condition<'m> {
        self.test(ValueCheck::Present)
    }

    /// There is a value, and it is not an empty one.
    pub(super) fn not_empty(&self) -> Condition<'m> {
        self.test(if self.property().kind.may_be_empty() { ValueCheck::NotEmpty } else { ValueCheck::Present })
    }

    /// The condition for some of the values that the path has.
    pub(super) fn some(&self, condition: Condition<'m>) -> Condition<'m> {
        self.wrap(0..self.to_many_end(), condition)
    }

    /// The condition for the row that the relations behind the last to many lead to.
    pub(super) fn follow(&self, condition: Condition<'m>) -> Condition<'m> {
        self.wrap(self.to_many_end()..self.path.hops.len(), condition)
    }

    /// Behind which hop there is one value for each row.
    fn to_many_end(&self) -> usize {
        self.path.hops.iter().rposition(|hop| hop.to_many()).map_or(0, |last| last + 1)
    }

    fn wrap(&self, hops: std::ops::Range<usize>, condition: Condition<'m>) -> Condition<'m> {
        hops.rev().fold(condition, |inner, index| {
            let hop = &self.path.hops[index];
            let owner = index.checked_sub(1).map_or(&self.access.allowed, |before| &self.path.hops[before].target);
            let place = ValuePlace { level: self.level + index, property: hop.property, inside: None };
            self.access.related(owner, place, &hop.target, inner)
        })
    }

    fn place(&self) -> ValuePlace<'m> {
        ValuePlace { level: self.level + self.path.hops.len(), property: self.property(), inside: None }
    }
}
