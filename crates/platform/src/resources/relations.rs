//! Relations that are written: their targets must exist and be visible to the caller (D-24).

use super::accept::Given;
use super::counter;
use crate::error::{Error, Problem, Result};
use crate::kinds::{Fault, Stored};
use crate::tenants::Call;
use crate::types::{Action, Property, Type};
use database::{ColumnType, Tx, Value, ValueRef};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The targets of one type that values refer to.
#[derive(Default)]
struct Targets {
    ids: BTreeSet<i64>,
    uuids: BTreeSet<[u8; 16]>,
}

/// What of them is there.
#[derive(Default)]
struct Found {
    ids: BTreeSet<i64>,
    uuids: HashMap<[u8; 16], i64>,
}

/// Checks the targets of all relations among the values, in one query for each target type, and puts ids in the
/// place of uuids. Targets that the resource referred to before are there already. The rows found stay until the
/// transaction ends.
pub(super) fn resolve(tx: &mut Tx<'_>, call: &Call, given: &mut [Given<'_>], old: Option<&[Stored]>) -> Result<()> {
    let mut targets: BTreeMap<i64, Targets> = BTreeMap::new();
    for value in given.iter() {
        let Some(relation) = value.property.kind.relation() else { continue };
        let targets = targets.entry(relation.type_id).or_default();
        let known = old.map_or(&[][..], |old| members(&old[value.property.position]));
        for member in members(&value.value) {
            match member {
                Value::Integer(id) if !known.contains(member) => _ = targets.ids.insert(*id),
                Value::Uuid(uuid) => _ = targets.uuids.insert(*uuid),
                _ => {}
            }
        }
    }
    let mut found = HashMap::new();
    for (type_id, targets) in targets {
        let target = call.model.type_by_id(type_id);
        let visible = target.filter(|target| call.actor.allowed_type(target, Action::Show).is_ok());
        let of_type = match visible {
            Some(target) => find(tx, target, targets)?,
            None => Found::default(),
        };
        found.insert(type_id, of_type);
    }
    let mut problems = Vec::new();
    for value in given.iter_mut() {
        let Some(relation) = value.property.kind.relation() else { continue };
        let known = old.map_or(&[][..], |old| members(&old[value.property.position])).to_vec();
        let found = &found[&relation.type_id];
        let there = |member: &mut Value| match member {
            Value::Uuid(uuid) => found.uuids.get(uuid).map(|id| *member = Value::Integer(*id)).is_some(),
            Value::Integer(id) => found.ids.contains(id) || known.contains(member),
            _ => true,
        };
        let all = match &mut value.value {
            Stored::One(member) => there(member),
            Stored::Many(members) => members.iter_mut().all(there),
        };
        if !all {
            let message = format!("must refer to a {} that exists", relation.type_name);
            problems.push(Fault::new("relation_missing", message).of(&value.property.name, &value.property.title));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}

/// Refuses a parent that would make a hierarchy a circle.
pub(super) fn refuse_circle(tx: &mut Tx<'_>, of: &Type, parent: &Property, id: i64, value: &Stored) -> Result<()> {
    let Stored::One(Value::Integer(above)) = value else { return Ok(()) };
    // Two moves side by side may close a circle that neither of them sees: moves go one after the other.
    counter::lock(tx, of.id)?;
    let mut sql = tx.sql();
    sql.push("WITH RECURSIVE above(id) AS (SELECT ").bind_as(ColumnType::Integer, *above);
    sql.push(" UNION SELECT r.").name(&parent.column).push(" FROM above a JOIN ").table(&of.table);
    sql.push(" r ON r.id = a.id WHERE r.").name(&parent.column).push(" IS NOT NULL) SELECT id FROM above WHERE id = ");
    sql.bind(id);
    let mut circle = false;
    tx.query(&sql, &mut |_| {
        circle = true;
        Ok(())
    })?;
    if !circle {
        return Ok(());
    }
    let problem = Fault::new("hierarchy_circle", "must not be below the resource itself");
    Err(Error::problems(vec![Problem { ..problem.of(&parent.name, &parent.title) }]))
}

/// The members of a value, be it one or several.
pub(super) fn members(value: &Stored) -> &[Value] {
    match value {
        Stored::One(value) => std::slice::from_ref(value),
        Stored::Many(values) => values,
    }
}

fn find(tx: &mut Tx<'_>, target: &Type, targets: Targets) -> Result<Found> {
    let mut found = Found::default();
    if targets.ids.is_empty() && targets.uuids.is_empty() {
        return Ok(found);
    }
    let mut sql = tx.sql();
    sql.push("SELECT id, uuid FROM ").table(&target.table).push(" WHERE ");
    if !targets.ids.is_empty() {
        sql.push("id").any_of(ColumnType::Integer, targets.ids.into_iter().map(Value::Integer).collect());
    }
    if !targets.uuids.is_empty() {
        sql.push(if sql.text().ends_with("WHERE ") { "uuid" } else { " OR uuid" });
        sql.any_of(ColumnType::Uuid, targets.uuids.into_iter().map(Value::Uuid).collect());
    }
    sql.for_share();
    tx.query(&sql, &mut |row| {
        let id = row.integer(0)?;
        found.ids.insert(id);
        if let ValueRef::Uuid(uuid) = row.get(1, ColumnType::Uuid)? {
            found.uuids.insert(uuid, id);
        }
        Ok(())
    })?;
    Ok(found)
}
