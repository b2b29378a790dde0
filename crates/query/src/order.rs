//! In which order a list comes (D-18).

use crate::condition::{Condition, TypeTree};
use crate::filters;
use crate::path::{PropertyPath, RelationHop, TypeAccess};
use crate::request::ListRequest;
use context::actor::Allowed;
use model::error::{Error, Result};
use model::kinds::abilities;
use model::types::Property;
use model::types::ReadableRows;
use std::collections::HashMap;

/// The most keys that a list may be sorted by: each may lead through three relations, which are joined.
const MAX_KEYS: usize = 16;

/// One key of an order.
#[derive(Clone)]
pub struct SortKey<'m> {
    /// The to-one relations that lead to the property.
    pub hops: Vec<RelationHop<'m>>,
    /// The property.
    pub property: &'m Property,
    /// True for the greatest value first.
    pub descending: bool,
    /// The levels of the rows that the relations lead to, where not every row shows the same to the caller.
    pub levels: Vec<usize>,
    /// And for each of those what must hold for the way to lead there.
    pub guards: Vec<Option<Condition<'m>>>,
    /// The condition for the last row to show the property: else it is sorted as one without a value.
    pub guard: Option<Condition<'m>>,
}

/// Levels of rows that are joined lie so far apart, above all those of filters.
const LEVELS: usize = 32;

impl<'m> SortKey<'m> {
    fn new(hops: Vec<RelationHop<'m>>, property: &'m Property, descending: bool) -> Self {
        SortKey { hops, property, descending, levels: Vec::new(), guards: Vec::new(), guard: None }
    }

    /// Returns true if the rows on the way differ in what they show.
    fn varies(&self, first: &Allowed<'m>) -> bool {
        let varies = |allowed: &Allowed<'m>| matches!(allowed.shown, ReadableRows::Some(_));
        varies(first) || self.hops.iter().any(|hop| varies(&hop.target))
    }

    /// Settles what must hold on the way; rows that several keys lead to are on one level.
    fn secure(&mut self, access: &TypeAccess<'m>, ways: &mut HashMap<Vec<usize>, usize>) {
        let (mut owner, mut level) = (&access.allowed, 0);
        let mut way = Vec::with_capacity(self.hops.len());
        for hop in &self.hops {
            way.push(hop.property.position);
            let next = 2 * TypeTree::LEVEL + ways.len() * LEVELS;
            let next = *ways.entry(way.clone()).or_insert(next);
            let guards = access.guard(owner, hop.property, level).into_iter().chain(access.visible(&hop.target, next));
            let guards: Vec<_> = guards.collect();
            self.guards.push((!guards.is_empty()).then_some(Condition::All(guards)));
            self.levels.push(next);
            (owner, level) = (&hop.target, next);
        }
        self.guard = access.guard(owner, self.property, level);
    }

    /// Returns true if no two resources have the same value, so that further keys decide nothing.
    pub fn decides(&self) -> bool {
        self.hops.is_empty() && self.property.position == 0
    }

    /// Returns true if there may be no value.
    pub fn nullable(&self) -> bool {
        self.guard.is_some()
            || !(self.hops.is_empty()
                && (self.property.required && !self.property.conditional
                    || self.property.position < model::types::FIRST_PROPERTY))
    }
}

/// The keys of a list. `id` is always the last, so that paging is stable.
pub fn keys<'m>(access: &TypeAccess<'m>, request: &ListRequest) -> Result<Vec<SortKey<'m>>> {
    let resource_type = access.allowed.resource_type;
    if request.order_by.len() > MAX_KEYS {
        let message = format!("A list can be sorted by at most {MAX_KEYS} properties.");
        return Err(Error::invalid("order_too_long", message));
    }
    let mut keys = Vec::with_capacity(request.order_by.len() + 1);
    for (name, descending) in &request.order_by {
        let PropertyPath { hops, property, keys: inside } = access.resolve(name)?;
        if property.is_virtual() {
            return Err(filters::unstored(name));
        }
        let orderable = inside.is_empty()
            && sortable(property)
            && !hops.iter().any(RelationHop::to_many)
            && !hops.iter().any(|hop| hop.property.kind.files().is_some());
        if !orderable {
            let message = format!("The property {name:?} cannot be sorted by.");
            return Err(Error::invalid("property_unsortable", message));
        }
        keys.push(SortKey::new(hops, property, *descending));
    }
    if request.order_by.is_empty() && request.descending.is_none() {
        // What the caller may not read must not show in the order either (D-3).
        let own =
            resource_type.order_by.iter().map(|(position, descending)| (&resource_type.fields[*position], descending));
        let readable = own.filter(|(property, _)| access.allowed.field(&property.name).is_ok() && sortable(property));
        keys.extend(readable.map(|(property, descending)| SortKey::new(Vec::new(), property, *descending)));
    }
    // What comes after a unique key decides nothing.
    match keys.iter().position(SortKey::decides) {
        Some(last) => keys.truncate(last + 1),
        None => {
            let descending = request.descending.unwrap_or(false);
            keys.push(SortKey::new(Vec::new(), &resource_type.fields[0], descending));
        }
    }
    if keys.iter().any(|key| key.varies(&access.allowed)) {
        let mut ways = HashMap::new();
        keys.iter_mut().for_each(|key| key.secure(access, &mut ways));
    }
    Ok(keys)
}

/// Returns true if values of the property have an order.
fn sortable(property: &Property) -> bool {
    abilities(property.kind.class()).sortable
}
