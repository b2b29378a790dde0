//! Values behind relations to one resource, which a statement joins. Joins never multiply rows.

use crate::condition::{Condition, TypeTree};
use crate::condition_sql;
use crate::path::{RelationHop, TypeAccess};
use context::actor::Allowed;
use database::{Name, Sql};
use model::types::{FIRST_PROPERTY, Property, ReadableRows};
use std::collections::HashMap;

/// Levels of rows that are joined lie so far apart, above all those of filters.
const LEVELS: usize = 32;

/// A value of a row, or of one that relations to one resource lead to.
#[derive(Clone)]
pub struct ValuePath<'m> {
    /// The relations to one resource that lead to the property.
    pub hops: Vec<RelationHop<'m>>,
    /// The property.
    pub property: &'m Property,
    /// The levels of the rows that the relations lead to, where not every row shows the same to the caller.
    pub levels: Vec<usize>,
    /// The condition for the way to lead to each of those.
    pub guards: Vec<Option<Condition<'m>>>,
    /// The condition for the last row to show the property: else it has no value.
    pub guard: Option<Condition<'m>>,
}

/// Settles what must hold on the ways; rows that several of them lead to are on one level.
pub fn secure<'m>(access: &TypeAccess<'m>, paths: Vec<&mut ValuePath<'m>>) {
    if paths.iter().any(|path| path.varies(&access.allowed)) {
        let mut ways = HashMap::new();
        paths.into_iter().for_each(|path| path.secure(access, &mut ways));
    }
}

impl<'m> ValuePath<'m> {
    /// A path without conditions on the way: see [`secure`].
    pub fn new(hops: Vec<RelationHop<'m>>, property: &'m Property) -> Self {
        ValuePath { hops, property, levels: Vec::new(), guards: Vec::new(), guard: None }
    }

    /// Returns true if it is the row's own id.
    pub fn is_id(&self) -> bool {
        self.hops.is_empty() && self.property.position == 0
    }

    /// Returns true if there may be no value.
    pub fn nullable(&self) -> bool {
        self.guard.is_some()
            || !(self.hops.is_empty()
                && (self.property.required && !self.property.conditional || self.property.position < FIRST_PROPERTY))
    }

    /// Appends the value in the row of an alias, as far as that row shows it to the caller.
    pub fn push(&self, sql: &mut Sql, alias: &Name) {
        match &self.guard {
            None => _ = sql.column(alias, &self.property.column),
            Some(guard) => {
                sql.push("CASE WHEN ");
                condition_sql::push(sql, guard);
                sql.push(" THEN ").column(alias, &self.property.column).push(" END");
            }
        }
    }

    /// Returns true if the rows on the way differ in what they show.
    fn varies(&self, first: &Allowed<'m>) -> bool {
        let varies = |allowed: &Allowed<'m>| matches!(allowed.shown, ReadableRows::Some(_));
        varies(first) || self.hops.iter().any(|hop| varies(&hop.target))
    }

    fn secure(&mut self, access: &TypeAccess<'m>, ways: &mut HashMap<Vec<usize>, usize>) {
        let (mut owner, mut level) = (&access.allowed, 0);
        let mut way = Vec::with_capacity(self.hops.len());
        for hop in &self.hops {
            way.push(hop.property.position);
            let next = 2 * TypeTree::LEVEL + ways.len() * LEVELS;
            let next = *ways.entry(way.clone()).or_insert(next);
            let guards = access.guard(owner, hop.property, level).into_iter();
            let guards: Vec<_> = guards.chain(access.reachable(hop.property, &hop.target, next)).collect();
            self.guards.push((!guards.is_empty()).then_some(Condition::All(guards)));
            self.levels.push(next);
            (owner, level) = (&hop.target, next);
        }
        self.guard = access.guard(owner, self.property, level);
    }
}
