//! Plan of groups, settled before a connection is touched: names are properties, rights are checked, limits kept.

use crate::buckets::BucketCalendar;
use crate::cell;
use crate::columns::{PlannedKey, PlannedValue, unknown};
use crate::having::{Having, HavingColumns};
use crate::members::{SeveralValues, SplitPath, ValuesBehind};
use database::ColumnType;
use model::error::{Error, Result};
use model::groups::{DatePart, GroupKey, GroupValue};
use model::kinds::{ValueContext, ValueStorage};
use model::types::{Property, ResourceType};
use query::aggregate_request::AggregateRequest;
use query::condition::Condition;
use query::filters;
use query::path::{PropertyPath, RelationHop, TypeAccess};
use query::related_total::check_function;
use query::value_path::{self, ValuePath};
use serde_json::Value as Json;
use std::collections::HashSet;
use std::sync::Arc;

/// Groups where no length of a page is asked for.
const PER_PAGE: u64 = 200;
/// The most groups of a page.
const MOST_PER_PAGE: u64 = 10_000;

/// The most relations that are joined: SQLite joins 64 tables.
const MOST_WAYS: usize = 32;

/// Groups, ready to become statements.
pub struct AggregatePlan<'m> {
    /// The type whose rows are grouped.
    pub resource_type: &'m Arc<ResourceType>,
    /// Condition that a row must satisfy to count; none where all do.
    pub(crate) condition: Option<Condition<'m>>,
    /// True if the answer depends on the present.
    pub(crate) timed: bool,
    pub(crate) keys: Vec<PlannedKey<'m>>,
    pub(crate) values: Vec<PlannedValue<'m>>,
    pub(crate) having: Having,
    /// Columns of a group, keys first, by which groups are sorted, and whether descending.
    pub(crate) order: Vec<(usize, bool)>,
    pub(crate) fill: bool,
    pub(crate) totals: bool,
    pub(crate) page: u64,
    pub(crate) per_page: u64,
}

/// The relation by whose target rows are grouped, and whether it has several.
#[derive(Clone, Copy)]
pub(crate) struct OwnerKey<'m> {
    pub(crate) relation: &'m Property,
    pub(crate) each: bool,
}

impl<'m> AggregatePlan<'m> {
    /// Plans groups of a type for the caller; `tagged` is the condition of the request's tags.
    pub(crate) fn new(
        access: &TypeAccess<'m>,
        asked: &AggregateRequest,
        tagged: Option<Condition<'m>>,
    ) -> Result<AggregatePlan<'m>> {
        let context = access.value_context();
        let (mut condition, mut timed) = filters::parse_noting(access, &asked.filters, &context)?;
        for more in tagged.into_iter().chain(access.visible(&access.allowed, 0)) {
            condition = Some(condition.map_or(more.clone(), |condition| condition.and(more)));
        }
        let keys: Vec<_> = asked.keys.iter().map(|key| plan_key(access, key)).collect::<Result<_>>()?;
        let mut values = Vec::with_capacity(asked.values.len());
        for value in &asked.values {
            values.push(plan_value(access, &context, value, &mut timed)?);
        }
        let names: Vec<&str> =
            keys.iter().map(|key| &key.name[..]).chain(values.iter().map(|value| &value.name[..])).collect();
        let forms = cell::forms(&keys, &values);
        let columns = HavingColumns { names: &names, forms: &forms, context: &context };
        let having = Having::parse(&columns, &asked.having)?;
        let order = order(&names, keys.len(), &asked.order_by)?;
        if asked.fill {
            check_fill(&keys)?;
        }
        let mut plan = AggregatePlan {
            resource_type: access.allowed.resource_type,
            condition,
            timed: timed || access.actor.timed,
            having,
            order,
            keys,
            values,
            fill: asked.fill,
            totals: asked.totals,
            page: asked.page.unwrap_or(1),
            per_page: asked.per_page.unwrap_or(PER_PAGE).min(MOST_PER_PAGE),
        };
        plan.secure(access);
        plan.check_ways()?;
        Ok(plan)
    }

    /// Plans values of rows that refer to others, for each of these.
    pub(crate) fn by_owner(
        access: &TypeAccess<'m>,
        owner: OwnerKey<'m>,
        filters: &[Json],
        values: &[GroupValue],
    ) -> Result<AggregatePlan<'m>> {
        let context = access.value_context();
        let (condition, mut timed) = filters::parse_noting(access, filters, &context)?;
        let path = ValuePath::new(Vec::new(), owner.relation);
        let several = owner.each.then_some(SeveralValues::Members(owner.relation));
        let key = PlannedKey { name: String::new(), path, calendar: None, several };
        let mut planned = Vec::with_capacity(values.len());
        for value in values {
            planned.push(plan_value(access, &context, value, &mut timed)?);
        }
        let mut plan = AggregatePlan {
            resource_type: access.allowed.resource_type,
            condition,
            timed: timed || access.actor.timed,
            having: Having::All(Vec::new()),
            order: Vec::new(),
            keys: vec![key],
            values: planned,
            fill: false,
            totals: false,
            page: 1,
            per_page: 1,
        };
        plan.secure(access);
        Ok(plan)
    }

    fn secure(&mut self, access: &TypeAccess<'m>) {
        let paths = self.keys.iter_mut().map(|key| &mut key.path);
        let paths = paths.chain(self.values.iter_mut().filter_map(|value| value.path.as_mut())).collect();
        value_path::secure(access, paths);
    }

    /// Refuses what joins more tables than an engine takes.
    fn check_ways(&self) -> Result<()> {
        let ways: HashSet<Vec<usize>> =
            self.joined().flat_map(|path| (1..=path.hops.len()).map(|length| way(&path.hops[..length]))).collect();
        let behind: usize = self.behind().map(|behind| 1 + behind.path.hops.len()).sum();
        if ways.len() + behind > MOST_WAYS {
            let message =
                format!("The keys and values lead along more than {MOST_WAYS} relations. Ask for fewer at a time.");
            return Err(Error::invalid("groups_too_wide", message));
        }
        Ok(())
    }

    /// The values that are joined, keys first.
    pub(crate) fn joined(&self) -> impl Iterator<Item = &ValuePath<'m>> {
        self.keys.iter().map(|key| &key.path).chain(self.values.iter().filter_map(|value| value.path.as_ref()))
    }

    /// The rows behind keys with several values.
    fn behind(&self) -> impl Iterator<Item = &ValuesBehind<'m>> {
        self.keys.iter().filter_map(|key| key.several.as_ref()).flat_map(SeveralValues::behind)
    }

    /// All values that are read.
    pub fn paths(&self) -> impl Iterator<Item = &ValuePath<'m>> {
        self.joined().chain(self.behind().map(|behind| &behind.path))
    }

    /// The types whose values the groups show.
    pub fn types(&self) -> impl Iterator<Item = &'m ResourceType> {
        let hops = self.paths().flat_map(|path| &path.hops).map(|hop| &**hop.target.resource_type);
        let behind = self.behind().map(|behind| behind.member);
        std::iter::once(&**self.resource_type).chain(behind).chain(hops)
    }

    /// The names of all columns, keys first.
    pub(crate) fn names(&self) -> Vec<&str> {
        let keys = self.keys.iter().map(|key| &key.name[..]);
        keys.chain(self.values.iter().map(|value| &value.name[..])).collect()
    }

    /// The conditions on rows.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition<'m>> {
        let of_values = self.values.iter().filter_map(|value| value.condition.as_ref());
        self.condition.iter().chain(of_values).chain(self.behind().flat_map(|behind| &behind.conditions))
    }
}

fn way(hops: &[RelationHop<'_>]) -> Vec<usize> {
    hops.iter().map(|hop| hop.property.position).collect()
}

pub(crate) fn plan_key<'m>(access: &TypeAccess<'m>, key: &GroupKey) -> Result<PlannedKey<'m>> {
    let found = access.resolve(&key.property)?;
    check_stored(&key.property, &found)?;
    let SplitPath { path, several } = SplitPath::new(access, found);
    let property = several.as_ref().map_or(path.property, SeveralValues::property);
    let kind = &property.kind;
    if kind.holds_files() || kind.is_document() || kind.concealed() {
        return Err(unsuitable(&key.property, "cannot be a key of groups"));
    }
    if several.is_some() != key.each {
        let what = match several {
            Some(_) => "has several values: give \"each\": true to count each",
            None => "has one value: leave out \"each\"",
        };
        return Err(unsuitable(&key.property, what));
    }
    let calendar = match key.by {
        None => None,
        Some(part) => Some(calendar(access, property, part).ok_or_else(|| {
            unsuitable(&key.property, "has no such part; dates have no hours, and months no weeks and days")
        })?),
    };
    Ok(PlannedKey { name: key.name.clone(), path, calendar, several })
}

/// The calendar of a part of dates; none where values of the property have no such part.
fn calendar<'m>(access: &TypeAccess<'m>, property: &Property, part: DatePart) -> Option<BucketCalendar<'m>> {
    use DatePart::{Hour, HourOfDay, Month, Quarter, Year};
    let kind = &property.kind;
    let has = match kind.storage() {
        _ if kind.is_month() => matches!(part, Year | Quarter | Month),
        _ if kind.is_instant() => true,
        ValueStorage::Column(ColumnType::Date) => !matches!(part, Hour | HourOfDay),
        _ => false,
    };
    has.then(|| BucketCalendar {
        part,
        instants: property.kind.is_instant(),
        zone: &access.actor.zone,
        week_start: access.model.settings.week_start,
    })
}

pub(crate) fn plan_value<'m>(
    access: &TypeAccess<'m>,
    context: &ValueContext<'_>,
    value: &GroupValue,
    timed: &mut bool,
) -> Result<PlannedValue<'m>> {
    let (condition, is_timed) = filters::parse_noting(access, &value.filters, context)?;
    *timed |= is_timed;
    let path = value.property.as_ref().map(|name| resolve(access, name).map(|path| (name, path))).transpose()?;
    let path = match path {
        None => None,
        Some((name, path)) => {
            check_function(name, path.property, value.function)?;
            Some(path)
        }
    };
    Ok(PlannedValue { name: value.name.clone(), function: value.function, path, condition })
}

/// Resolves a name whose value a row has once.
fn resolve<'m>(access: &TypeAccess<'m>, name: &str) -> Result<ValuePath<'m>> {
    let found = access.resolve(name)?;
    check_stored(name, &found)?;
    if found.property.kind.inverse().is_some() {
        return Err(unsuitable(
            name,
            "is the other end of a relation: group by it with \"each\": true, or filter by it",
        ));
    }
    if found.hops.iter().any(|hop| hop.property.kind.holds_several()) {
        return Err(unsuitable(name, "lies behind a relation to several resources"));
    }
    Ok(ValuePath::new(found.hops, found.property))
}

/// Refuses what no row stores.
fn check_stored(name: &str, found: &PropertyPath<'_>) -> Result<()> {
    if found.property.is_virtual() {
        let message =
            format!("The property {name:?} is calculated on each read and not stored: rows cannot be grouped by it.");
        return Err(Error::invalid("property_virtual", message));
    }
    if !found.keys.is_empty() || found.hops.iter().any(|hop| hop.property.kind.files().is_some()) {
        return Err(unsuitable(name, "lies inside a document or a file"));
    }
    Ok(())
}

/// Returns the columns by which groups are sorted: those that are asked for, then all keys, so that paging is stable.
pub(crate) fn order(names: &[&str], keys: usize, asked: &[(String, bool)]) -> Result<Vec<(usize, bool)>> {
    let mut order = Vec::with_capacity(asked.len() + keys);
    for (name, descending) in asked {
        let place = names.iter().position(|known| known == name).ok_or_else(|| unknown(names, name))?;
        if order.iter().all(|(known, _)| *known != place) {
            order.push((place, *descending));
        }
    }
    for key in 0..keys {
        if order.iter().all(|(known, _)| *known != key) {
            order.push((key, false));
        }
    }
    Ok(order)
}

/// Periods are added between the first and the last, which takes one key whose values follow each other.
pub(crate) fn check_fill(keys: &[PlannedKey<'_>]) -> Result<()> {
    let parts: Vec<DatePart> = keys.iter().filter_map(|key| Some(key.calendar?.part)).collect();
    match parts[..] {
        [part] if !part.repeats() => Ok(()),
        _ => Err(Error::invalid("parameter_invalid", "The parameter fill needs one key by a period, such as month.")),
    }
}

fn unsuitable(name: &str, what: &str) -> Error {
    Error::invalid("property_unsuitable", format!("The property {name:?} {what}."))
}
