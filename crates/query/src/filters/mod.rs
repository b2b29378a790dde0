//! Filters of a request become a condition.
//!
//! What a filter type takes and serves is a row of a table; names and rights are resolved as everywhere else.
//! Nothing here knows SQL.

mod compare;
mod dates;
mod groups;
mod many;
mod operand;
mod search;
mod subject;
mod table;
mod text;
mod tree;
mod value;

pub(crate) use crate::filters::subject::unstored;
pub use crate::filters::value::has_value;

use crate::condition::Condition;
use crate::filters::subject::FilterSubject;
use crate::filters::table::{FilterEntry, FilterParameter};
use crate::path::TypeAccess;
use model::error::{Error, Result};
use model::kinds::{FilterGroup, ValueContext, abilities};
use model::types::Property;
use serde_json::{Map, Value as Json};
use std::cell::Cell;

/// The most filter objects of a request in all.
const MAX_FILTERS: usize = 100;

/// The most arrays of filters that may stand inside one another.
const MAX_LEVELS: usize = 5;

/// The most values of an array.
const MAX_VALUES: usize = 1_000;

/// Reads the array of a request; none where there are no filters.
pub fn parse<'m>(
    access: &TypeAccess<'m>,
    filters: &[Json],
    context: &ValueContext<'_>,
) -> Result<Option<Condition<'m>>> {
    parse_noting(access, filters, context).map(|(condition, _)| condition)
}

/// The same, and whether the condition depends on the present.
pub fn parse_noting<'m>(
    access: &TypeAccess<'m>,
    filters: &[Json],
    context: &ValueContext<'_>,
) -> Result<(Option<Condition<'m>>, bool)> {
    if filters.is_empty() {
        return Ok((None, false));
    }
    let reader = FilterReader { context, read: Cell::new(0), timed: Cell::new(false) };
    let mut conditions = reader.array(access, filters, 0, 1)?;
    let condition = match conditions.len() {
        1 => conditions.pop(),
        _ => Some(Condition::All(conditions)),
    };
    Ok((condition, reader.timed.get()))
}

/// The names of all filter types, groups included.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::names().chain(groups::GROUPS)
}

/// The filter types that a property takes, for the caller.
pub fn taken(access: &TypeAccess<'_>, property: &Property) -> Vec<&'static str> {
    if property.is_virtual() {
        return Vec::new();
    }
    let groups = abilities(property.kind.class()).filters.iter().filter(|group| match group {
        FilterGroup::Search => property.searchable,
        FilterGroup::Related => access.follow(property).is_some(),
        _ => true,
    });
    let hierarchical = tree::hierarchy(access, property).into_iter().flat_map(|_| table::names_in(None));
    groups.flat_map(|group| table::names_in(Some(*group))).chain(hierarchical).collect()
}

/// Reads arrays of filters, and counts what it reads.
struct FilterReader<'c> {
    context: &'c ValueContext<'c>,
    read: Cell<usize>,
    /// True if the present was asked for.
    timed: Cell<bool>,
}

impl FilterReader<'_> {
    /// Reads filters on rows of the type in `access`, which stand on that level.
    fn array<'m>(
        &self,
        access: &TypeAccess<'m>,
        filters: &[Json],
        level: usize,
        depth: usize,
    ) -> Result<Vec<Condition<'m>>> {
        if depth > MAX_LEVELS {
            return Err(invalid("filter_too_deep", format!("Filters may be nested {MAX_LEVELS} levels deep.")));
        }
        filters.iter().map(|filter| self.filter(access, filter, level, depth)).collect()
    }

    fn filter<'m>(&self, access: &TypeAccess<'m>, filter: &Json, level: usize, depth: usize) -> Result<Condition<'m>> {
        self.read.set(self.read.get() + 1);
        if self.read.get() > MAX_FILTERS {
            return Err(invalid("filter_too_many", format!("There may be at most {MAX_FILTERS} filters.")));
        }
        let members = filter.as_object().ok_or_else(|| invalid("filter_malformed", "A filter must be an object."))?;
        let written = FilterSource::new(members)?;
        if written.property == "*" && written.entry_name == search::NAME {
            written.check(table::find(access, search::NAME)?)?;
            return search::everywhere(access, &written, level);
        }
        if written.property == "*" {
            let conditions = self.array(access, groups::members(&written)?, level, depth + 1)?;
            return groups::build(&written, conditions);
        }
        if groups::is_group(written.entry_name) {
            let message = format!("The filter type {:?} needs the property \"*\".", written.entry_name);
            return Err(invalid("filter_unsuitable", message));
        }
        let entry = table::find(access, written.entry_name)?;
        written.check(entry)?;
        let path = access.resolve(written.property)?;
        let subject = FilterSubject { access, level, path, entry, written, reader: self, depth };
        subject.check_served()?;
        (entry.build)(&subject).map(|condition| subject.some(condition))
    }
}

/// A filter object as it was written.
struct FilterSource<'w> {
    property: &'w str,
    entry_name: &'w str,
    param: Option<&'w Json>,
    fold: Option<bool>,
}

impl<'w> FilterSource<'w> {
    fn new(members: &'w Map<String, Json>) -> Result<Self> {
        let known = ["property", "type", "param", "fold"];
        if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(invalid("filter_malformed", format!("A filter has no member {name:?}.")));
        }
        let text = |name: &str| {
            let text = members.get(name).and_then(Json::as_str);
            text.ok_or_else(|| invalid("filter_malformed", format!("A filter needs {name:?}, a string.")))
        };
        let fold = match members.get("fold") {
            None => None,
            Some(Json::Bool(fold)) => Some(*fold),
            Some(_) => return Err(invalid("filter_malformed", "In a filter, fold must be true or false.")),
        };
        Ok(FilterSource { property: text("property")?, entry_name: text("type")?, param: members.get("param"), fold })
    }

    fn check(&self, entry: &FilterEntry) -> Result<()> {
        let name = entry.name;
        match (entry.parameter, self.param) {
            (FilterParameter::None, Some(param)) if !param.is_null() => {
                return Err(invalid("filter_param", format!("The filter {name} takes no param.")));
            }
            (FilterParameter::Needed, None) => {
                return Err(invalid("filter_param", format!("The filter {name} needs a param.")));
            }
            _ => {}
        }
        if self.fold.is_some() && !entry.folds {
            return Err(invalid("filter_malformed", format!("The filter {name} takes no fold.")));
        }
        Ok(())
    }
}

fn invalid(code: &'static str, message: impl Into<String>) -> Error {
    Error::invalid(code, message)
}
