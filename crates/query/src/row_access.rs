//! The rows, and their fields, that the caller may read, as conditions: whatever reads a type takes them from here.

use crate::condition::{Condition, ValueCheck, ValueComparison, ValuePlace};
use crate::condition_sql;
use crate::path::TypeAccess;
use crate::pushdown;
use crate::pushdown::RuleBindings;
use context::actor::{Allowed, RightsProviders};
use context::request_context::RequestContext;
use database::{ColumnType, Row, Sql, Tx, Value, ValueRef};
use model::error::Result;
use model::types::{ActionGrant, GrantedRows, Property, ReadableRows, RowRule};
use std::collections::HashSet;

/// The conditions in a statement on the rows that it reads, where not every row shows the same to the caller.
#[derive(Debug)]
pub struct RowConditions<'m> {
    /// The condition for a row to be there; none where all are.
    pub visible: Option<Condition<'m>>,
    /// The grants that decide about fields, each a column of the statement; none where all rows have the same.
    pub grants: Vec<Condition<'m>>,
}

impl<'m> RowConditions<'m> {
    /// Returns the conditions on the list's own rows; none where all show all of what the caller may read.
    pub fn new(access: &TypeAccess<'m>, allowed: &Allowed<'m>) -> Option<Box<Self>> {
        let ReadableRows::Some(rows) = &allowed.shown else { return None };
        let varies = allowed
            .resource_type
            .fields
            .iter()
            .any(|property| allowed.readable.contains(property) && rows.guarding(property).is_some());
        let grants = if varies { &rows.some[..] } else { &[] };
        let grants = grants.iter().map(|grant| access.grant(grant, 0)).collect();
        Some(Box::new(RowConditions { visible: access.visible(allowed, 0), grants }))
    }
}

/// Of which grants one must hold for a visible row to show a property; none where every row does.
pub fn guarding(allowed: &Allowed<'_>, property: &Property) -> Option<Box<[usize]>> {
    match &allowed.shown {
        ReadableRows::Some(rows) => rows.guarding(property).map(Vec::into_boxed_slice),
        ReadableRows::Everything | ReadableRows::Nothing => None,
    }
}

/// Returns true if a row shows what is guarded so; its grants begin at a column.
pub fn shows(row: &Row<'_>, first: usize, guard: &[usize]) -> database::Result<bool> {
    for index in guard {
        if matches!(row.get(first + index, ColumnType::Boolean)?, ValueRef::Boolean(true)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Appends what gives the ids of the rows that the caller sees.
pub fn push_visible<'m>(sql: &mut Sql, context: &'m RequestContext, allowed: &Allowed<'m>) {
    sql.push("SELECT r0.id FROM ").table(&allowed.resource_type.table).push(" AS r0 WHERE ");
    let visible = TypeAccess::new(context, allowed.clone()).visible(allowed, 0);
    condition_sql::push(sql, &visible.unwrap_or(Condition::All(Vec::new())));
}

/// Returns those of some rows that the caller sees.
pub fn visible_among<'m>(
    tx: &mut Tx<'_>,
    context: &'m RequestContext,
    allowed: &Allowed<'m>,
    ids: Vec<i64>,
) -> Result<HashSet<i64>> {
    let mut sql = tx.sql();
    push_visible(&mut sql, context, allowed);
    sql.push(" AND r0.id").any_of(ColumnType::Integer, ids.into_iter().map(Value::Integer).collect());
    let mut found = HashSet::new();
    tx.query(&sql, &mut |row| {
        found.insert(row.integer(0)?);
        Ok(())
    })?;
    Ok(found)
}

impl<'m> TypeAccess<'m> {
    /// Returns the condition for a row on a level to be there for the caller; none where all rows are.
    pub fn visible(&self, allowed: &Allowed<'m>, level: usize) -> Option<Condition<'m>> {
        match &allowed.shown {
            ReadableRows::Everything => None,
            ReadableRows::Nothing => Some(Condition::Any(Vec::new())),
            ReadableRows::Some(rows) if rows.every() => None,
            ReadableRows::Some(rows) => Some(self.any(rows, level, |_| true)),
        }
    }

    /// Returns the condition for a visible row on a level to show a property to the caller; none where all do.
    pub fn guard(&self, allowed: &Allowed<'m>, property: &Property, level: usize) -> Option<Condition<'m>> {
        let ReadableRows::Some(rows) = &allowed.shown else { return None };
        if property.kind.inverse().is_some() {
            return None;
        }
        let guards = rows.guarding(property)?;
        Some(self.any(rows, level, |index| guards.contains(&index)))
    }

    /// A condition on a property's value: what a row does not show is no value.
    pub fn test(&self, allowed: &Allowed<'m>, place: ValuePlace<'m>, check: ValueCheck<'m>) -> Condition<'m> {
        if place.property.kind.inverse().is_some() {
            return self.test_members(allowed, place, check);
        }
        let Some(guard) = self.guard(allowed, place.property, place.level) else {
            return Condition::Test(place, check);
        };
        match &check {
            // What nothing passes but has no member passes as well.
            ValueCheck::AllMembers(members) if members.is_empty() => Condition::Test(place, check),
            ValueCheck::MemberCount(comparison, number) if comparison.holds_of_none(*number) => {
                Condition::Any(vec![guard.clone().negated(), Condition::Test(place, check)])
            }
            _ => Condition::All(vec![guard, Condition::Test(place, check)]),
        }
    }

    /// The relation at the place leads to a row that the caller sees, and for which the condition holds.
    pub fn related(
        &self,
        allowed: &Allowed<'m>,
        place: ValuePlace<'m>,
        target: &Allowed<'m>,
        inner: Condition<'m>,
    ) -> Condition<'m> {
        let (level, property) = (place.level, place.property);
        let inner = self
            .reachable(property, target, level + 1)
            .into_iter()
            .rev()
            .fold(inner, |inner, condition| Condition::All(vec![condition, inner]));
        let related = Condition::Related(place, Box::new(inner));
        match self.guard(allowed, property, level) {
            Some(guard) => Condition::All(vec![guard, related]),
            None => related,
        }
    }

    /// Returns the conditions on a row on a level for a relation to lead there: the caller sees it, and behind an inverse
    /// it shows the relation.
    pub fn reachable(&self, relation: &Property, target: &Allowed<'m>, level: usize) -> Vec<Condition<'m>> {
        let source = relation.kind.inverse().map(|source| &target.resource_type.fields[source.position]);
        let shown = source.and_then(|source| self.guard(target, source, level));
        self.visible(target, level).into_iter().chain(shown).collect()
    }

    /// A condition on the rows that an inverse leads to, as far as the caller sees them.
    fn test_members(&self, allowed: &Allowed<'m>, place: ValuePlace<'m>, check: ValueCheck<'m>) -> Condition<'m> {
        let Some(target) = self.follow(place.property) else { return Condition::NEVER };
        let id = ValuePlace { level: place.level + 1, property: &target.resource_type.fields[0], inside: None };
        let member = |check| self.related(allowed, place.clone(), &target, Condition::Test(id.clone(), check));
        match check {
            ValueCheck::Present | ValueCheck::NotEmpty => {
                self.related(allowed, place.clone(), &target, Condition::ALWAYS)
            }
            ValueCheck::AnyMember(ids) => member(ValueCheck::OneOf(ids)),
            ValueCheck::AllMembers(ids) if ids.is_empty() => Condition::ALWAYS,
            ValueCheck::AllMembers(ids) => {
                let number = ids.len() as i64;
                let mut conditions = self.reachable(place.property, &target, place.level + 1);
                conditions.push(Condition::Test(id.clone(), ValueCheck::OneOf(ids)));
                Condition::RelatedCount(place, Box::new(Condition::All(conditions)), ValueComparison::Equal, number)
            }
            ValueCheck::MemberCount(comparison, number) => {
                let reachable = self.reachable(place.property, &target, place.level + 1);
                Condition::RelatedCount(place, Box::new(Condition::All(reachable)), comparison, number)
            }
            check => member(check),
        }
    }

    /// That one of some grants holds for a row on a level.
    fn any(&self, rows: &GrantedRows, level: usize, which: impl Fn(usize) -> bool) -> Condition<'m> {
        let grants = rows.some.iter().enumerate().filter(|(index, _)| which(*index));
        let mut conditions: Vec<_> = grants.map(|(_, grant)| self.grant(grant, level)).collect();
        match conditions.len() {
            1 => conditions.remove(0),
            _ => Condition::Any(conditions),
        }
    }

    /// That a grant is for a row on a level.
    pub fn grant(&self, grant: &ActionGrant, level: usize) -> Condition<'m> {
        grant.rows.as_ref().map_or(Condition::All(Vec::new()), |rule| self.rule(rule, level))
    }

    /// That a rule holds for a row on a level. One that fails holds for none, which is logged.
    pub fn rule(&self, rule: &RowRule, level: usize) -> Condition<'m> {
        let bindings = RuleBindings {
            providers: &RightsProviders { actor: self.actor, via: self.via },
            now: self.now,
            zone: &self.actor.zone,
            place: [&rule.file, &rule.key],
        };
        pushdown::condition(&rule.condition, self.model, &bindings, level).unwrap_or_else(|error| {
            tracing::error!(file = rule.file, key = rule.key, %error, "a grant cannot be judged, and holds for nothing");
            Condition::Any(Vec::new())
        })
    }
}
