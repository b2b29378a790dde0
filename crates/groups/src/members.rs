//! Several rows behind a row that is grouped: a relation to several, or the rows that refer to it. Each different value of
//! theirs is a key.

use database::{Name, Sql};
use model::kinds::ValueStorage;
use model::types::{Property, ResourceType};
use query::condition::Condition;
use query::condition_sql;
use query::joined_rows;
use query::path::{PropertyPath, RelationHop, TypeAccess};
use query::row_alias::row_alias;
use query::value_path::{self, ValuePath};

const OWNER: Name = Name::fixed("owner");
const VALUE: Name = Name::fixed("value");
const ID: Name = Name::fixed("id");
const LINKS: Name = Name::fixed("links");
const FURTHER: Name = Name::fixed("further");

/// Several values of a row: members of a property, or values of the rows behind one.
pub(crate) enum SeveralValues<'m> {
    /// The members of a property with several values.
    Members(&'m Property),
    /// Values of rows that a property leads to.
    Behind(Box<ValuesBehind<'m>>),
}

/// Values of the rows that a relation to several leads to, or its other end.
pub(crate) struct ValuesBehind<'m> {
    relation: &'m Property,
    /// The type of the rows.
    pub(crate) member: &'m ResourceType,
    /// The conditions for a row to be among them.
    pub(crate) conditions: Vec<Condition<'m>>,
    /// The value of each.
    pub(crate) path: ValuePath<'m>,
    /// The values, where each row has several itself.
    further: Option<SeveralValues<'m>>,
}

/// A path, up to the first row of which there may be several.
pub(crate) struct SplitPath<'m> {
    /// The row that the path leads to, and its property.
    pub(crate) path: ValuePath<'m>,
    /// The values behind that property, where it has several.
    pub(crate) several: Option<SeveralValues<'m>>,
}

impl<'m> SplitPath<'m> {
    /// Splits a path that the caller may follow.
    pub(crate) fn new(access: &TypeAccess<'m>, found: PropertyPath<'m>) -> Self {
        let PropertyPath { mut hops, mut property, .. } = found;
        if let Some(place) = hops.iter().position(|hop| hop.property.kind.holds_several()) {
            let rest = hops.split_off(place + 1);
            if let Some(hop) = hops.pop() {
                let behind = PropertyPath { hops: rest, property, keys: Vec::new() };
                let several = ValuesBehind::of(&access.at(hop.target), hop.property, behind);
                return SplitPath { path: ValuePath::new(hops, hop.property), several: Some(several) };
            }
        }
        if let Some(target) = access.follow(property).filter(|_| property.kind.inverse().is_some()) {
            let id = &target.resource_type.fields[0];
            if property.kind.holds_several() {
                let behind = PropertyPath { hops: Vec::new(), property: id, keys: Vec::new() };
                let several = ValuesBehind::of(&access.at(target), property, behind);
                return SplitPath { path: ValuePath::new(hops, property), several: Some(several) };
            }
            hops.push(RelationHop { property, target });
            property = id;
        }
        let is_several = matches!(property.kind.storage(), ValueStorage::Links(_));
        let several = is_several.then_some(SeveralValues::Members(property));
        SplitPath { path: ValuePath::new(hops, property), several }
    }
}

impl<'m> SeveralValues<'m> {
    /// The property whose values they are.
    pub(crate) fn property(&self) -> &'m Property {
        match self {
            SeveralValues::Members(property) => property,
            SeveralValues::Behind(behind) => behind.further.as_ref().map_or(behind.path.property, Self::property),
        }
    }

    /// Appends a query for the ids of the rows that have them, and the values, each once for a row.
    pub(crate) fn push(&self, sql: &mut Sql) {
        match self {
            SeveralValues::Members(property) => {
                // A member that occurs twice is one.
                sql.push("SELECT DISTINCT ")
                    .name(&OWNER)
                    .push(", ")
                    .name(&VALUE)
                    .push(" FROM ")
                    .table(&property.column);
            }
            SeveralValues::Behind(behind) => behind.push(sql),
        }
    }

    /// The rows behind a relation, from the first on.
    pub(crate) fn behind(&self) -> impl Iterator<Item = &ValuesBehind<'m>> {
        std::iter::successors(self.first(), |behind| behind.further.as_ref()?.first())
    }

    fn first(&self) -> Option<&ValuesBehind<'m>> {
        match self {
            SeveralValues::Members(_) => None,
            SeveralValues::Behind(behind) => Some(behind),
        }
    }
}

/// Appends the condition that several values, under a name, are those of a row, as far as that row shows them.
pub(crate) fn push_tie(sql: &mut Sql, several: &Name, row: &Name, guard: Option<&Condition<'_>>) {
    sql.push(" ON ").column(several, &OWNER).push(" = ").column(row, &ID);
    if let Some(guard) = guard {
        sql.push(" AND ");
        condition_sql::push(sql, guard);
    }
}

impl<'m> ValuesBehind<'m> {
    fn of(members: &TypeAccess<'m>, relation: &'m Property, behind: PropertyPath<'m>) -> SeveralValues<'m> {
        let SplitPath { mut path, several } = SplitPath::new(members, behind);
        value_path::secure(members, vec![&mut path]);
        SeveralValues::Behind(Box::new(ValuesBehind {
            relation,
            member: members.allowed.resource_type,
            conditions: members.reachable(relation, &members.allowed, 0),
            path,
            further: several,
        }))
    }

    /// Returns true if no two of its rows have the same row and value.
    fn is_distinct(&self) -> bool {
        let refers_once = self.relation.kind.inverse().is_some_and(|source| !source.through_links);
        refers_once && self.path.is_id() && self.further.is_none()
    }

    fn push(&self, sql: &mut Sql) {
        let (row, links, inverse) = (row_alias(0), LINKS, self.relation.kind.inverse());
        let table = inverse.map_or(&self.relation.column, |source| &source.column);
        let own = inverse.filter(|source| !source.through_links);
        let [owner, member] = if inverse.is_some() { [&VALUE, &OWNER] } else { [&OWNER, &VALUE] };
        let owner = own.map_or([&links, owner], |source| [&row, &source.column]);
        let alias = joined_rows::alias(&self.path);
        sql.push(if self.is_distinct() { "SELECT " } else { "SELECT DISTINCT " });
        sql.column(owner[0], owner[1]).push(" AS ").name(&OWNER).push(", ");
        match self.further {
            Some(_) => _ = sql.column(&FURTHER, &VALUE),
            None => self.path.push(sql, &alias),
        }
        sql.push(" AS ").name(&VALUE).push(" FROM ").table(&self.member.table).push(" AS ").name(&row);
        if own.is_none() {
            sql.push(" JOIN ").table(table).push(" AS ").name(&links).push(" ON ");
            sql.column(&links, member).push(" = ").column(&row, &ID);
        }
        joined_rows::push(sql, std::iter::once(&self.path));
        if let Some(further) = &self.further {
            sql.push(" LEFT JOIN (");
            further.push(sql);
            sql.push(") AS ").name(&FURTHER);
            push_tie(sql, &FURTHER, &alias, self.path.guard.as_ref());
        }
        sql.push(" WHERE ").column(owner[0], owner[1]).push(" IS NOT NULL");
        for condition in &self.conditions {
            sql.push(" AND ");
            condition_sql::push(sql, condition);
        }
    }
}
