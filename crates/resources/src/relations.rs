//! Relations that are written: their targets must exist and be visible to the caller (D-24).

use super::accept::PropertyInput;
use super::hold;
use super::record::{self, Purpose};
use crate::expressions::Reading;
use context::actor::Allowed;
use context::counter;
use context::request_context::RequestContext;
use database::{ColumnType, Sql, Tx, Value, ValueRef};
use model::error::{Error, InputProblem, Result};
use model::kinds::{StoredValue, ValueFault};
use model::types::{Property, ResourceAction, ResourceType};
use query::condition::Condition;
use query::path::TypeAccess;
use query::row_alias::row_alias;
use query::{condition_sql, relation_filter};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// The targets of one type that values refer to.
#[derive(Default)]
struct RelationTargets<'m> {
    ids: BTreeSet<i64>,
    uuids: BTreeSet<[u8; 16]>,
    /// Filters of relations, each with the position of its property.
    filters: Vec<(usize, Condition<'m>)>,
    /// The ways on which these lead on to others.
    paths: Vec<Vec<String>>,
}

/// Targets that are there.
#[derive(Default)]
struct FoundTargets {
    ids: BTreeSet<i64>,
    uuids: HashMap<[u8; 16], i64>,
    /// Targets that do not pass the filter of the property at a position.
    refused: HashSet<(i64, usize)>,
}

/// Fault of a target.
enum TargetFault {
    Missing,
    Refused(String),
}

/// Checks the targets of all relations among the values, in one query for each target type, and puts ids in the
/// place of uuids. Targets that the resource referred to before, where the caller may read that, are there already
/// and need not pass the filter of the relation. The rows found stay until the transaction ends where that is wanted.
pub(super) fn resolve(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    allowed: &Allowed<'_>,
    given: &mut [PropertyInput<'_>],
    old: Option<&[StoredValue]>,
    reading: Reading,
) -> Result<()> {
    // Whoever may not read the value could find it out by what is taken.
    let known_of = |property: &Property| {
        let old = old.filter(|_| allowed.readable.contains(property));
        old.map_or(&[][..], |old| members(&old[property.position])).iter().filter_map(id).collect::<HashSet<i64>>()
    };
    let filtered = |value: &PropertyInput<'_>| value.property.kind.relation().is_some_and(|to| !to.filter.is_empty());
    let all_rights = given.iter().any(filtered).then(|| request.actor.unlimited(&request.model));
    let mut targets: BTreeMap<i64, RelationTargets<'_>> = BTreeMap::new();
    for value in given.iter() {
        let Some(relation) = value.property.kind.relation() else { continue };
        let targets = targets.entry(relation.type_id).or_default();
        let known = known_of(value.property);
        let rules = allowed.resource_type.rules();
        if let Some(old) = old.filter(|_| rules.read_others && rules.changes.contains(&relation.type_id)) {
            // What it leaves is changed, too: both are locked in one order.
            targets.ids.extend(members(&old[value.property.position]).iter().filter_map(id));
        }
        targets.paths.extend(hold::paths_of_filter(relation.filter));
        if let Some(all_rights) = &all_rights
            && let Some(filter) = relation_filter::condition(&request.model, all_rights, relation, request.now)?
        {
            targets.filters.push((value.property.position, filter));
        }
        for member in members(&value.value) {
            match member {
                Value::Integer(id) if !known.contains(id) => _ = targets.ids.insert(*id),
                Value::Uuid(uuid) => _ = targets.uuids.insert(*uuid),
                _ => {}
            }
        }
    }
    let mut found = HashMap::new();
    for (type_id, targets) in targets {
        let target = request.model.type_by_id(type_id);
        let visible = target.and_then(|target| request.actor.allowed_type(target, ResourceAction::Show).ok());
        let of_type = match visible {
            Some(target) => find(tx, request, &target, targets, allowed.resource_type, reading)?,
            None => FoundTargets::default(),
        };
        found.insert(type_id, of_type);
    }
    let mut problems = Vec::new();
    for value in given.iter_mut() {
        let Some(relation) = value.property.kind.relation() else { continue };
        let (known, position) = (known_of(value.property), value.property.position);
        let found = &found[&relation.type_id];
        let check = |member: &mut Value| found.check(member, &known, position);
        let checked = match &mut value.value {
            StoredValue::One(member) => check(member),
            StoredValue::Many(members) => members.iter_mut().try_for_each(check),
        };
        let fault = match checked {
            Ok(()) => continue,
            Err(TargetFault::Missing) => {
                ValueFault::new("relation_missing", format!("must refer to an existing {}", relation.type_name))
            }
            Err(TargetFault::Refused(target)) => relation_filter::refused(relation.type_name, target),
        };
        problems.push(fault.of(&value.property.name, &value.property.title));
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}

impl FoundTargets {
    /// Puts the id in the place of a uuid, and checks that the target may be referred to.
    fn check(&self, member: &mut Value, known: &HashSet<i64>, position: usize) -> Result<(), TargetFault> {
        let (id, spelt) = match member {
            Value::Uuid(uuid) => (*self.uuids.get(uuid).ok_or(TargetFault::Missing)?, Some(*uuid)),
            Value::Integer(id) => (*id, None),
            _ => return Ok(()),
        };
        *member = Value::Integer(id);
        if known.contains(&id) {
            return Ok(());
        }
        if !self.ids.contains(&id) {
            return Err(TargetFault::Missing);
        }
        if self.refused.contains(&(id, position)) {
            let uuid = spelt.map(|uuid| uuid::Uuid::from_bytes(uuid).to_string());
            return Err(TargetFault::Refused(uuid.unwrap_or_else(|| id.to_string())));
        }
        Ok(())
    }
}

/// Refuses a parent that would make a hierarchy a circle.
pub fn refuse_circle(
    tx: &mut Tx<'_>,
    of: &ResourceType,
    parent: &Property,
    id: i64,
    value: &StoredValue,
) -> Result<()> {
    let StoredValue::One(Value::Integer(above)) = value else { return Ok(()) };
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
    let problem = ValueFault::new("hierarchy_circle", "must not be below the resource itself");
    Err(Error::problems(vec![InputProblem { ..problem.of(&parent.name, &parent.title) }]))
}

/// The members of a value, be it one or several.
pub fn members(value: &StoredValue) -> &[Value] {
    match value {
        StoredValue::One(value) => std::slice::from_ref(value),
        StoredValue::Many(values) => values,
    }
}

/// The id in a member.
pub fn id(member: &Value) -> Option<i64> {
    match member {
        Value::Integer(id) => Some(*id),
        _ => None,
    }
}

/// The ids that a relation's value refers to.
pub(super) fn targets(value: &StoredValue) -> impl Iterator<Item = i64> {
    members(value).iter().filter_map(id)
}

/// The problem of a target that does not pass the filter of the relation at a position.
pub fn refused(of: &ResourceType, (position, target): (usize, i64)) -> InputProblem {
    let property = &of.fields[position];
    let type_name = property.kind.relation().map_or("", |relation| relation.type_name);
    relation_filter::refused(type_name, target).of(&property.name, &property.title)
}

/// Finds the targets of a type. Those of a write are locked first, with all that decides whether they may be referred to.
fn find<'m>(
    tx: &mut Tx<'_>,
    request: &'m RequestContext,
    target: &Allowed<'m>,
    targets: RelationTargets<'_>,
    written: &Arc<ResourceType>,
    reading: Reading,
) -> Result<FoundTargets> {
    if targets.ids.is_empty() && targets.uuids.is_empty() {
        return Ok(FoundTargets::default());
    }
    let visible = TypeAccess::new(request, target.clone()).visible(target, 0);
    let decides = visible.is_some() || !targets.filters.is_empty();
    let purpose = match reading {
        Reading::Look => Purpose::Look,
        Reading::Hold => Purpose::to_refer(written, target.resource_type.id, decides),
    };
    let sql = statement(tx.sql(), target, &targets, visible, purpose);
    let found = take(tx, &sql, &targets.filters)?;
    let mut paths: Vec<&[String]> = if decides { hold::paths_of_grants(target) } else { Vec::new() };
    paths.extend(targets.paths.iter().map(Vec::as_slice));
    if reading == Reading::Look || paths.is_empty() || found.ids.is_empty() {
        return Ok(found);
    }
    // The conditions look further than the rows that are locked now.
    let ids: Vec<i64> = found.ids.iter().copied().collect();
    let rows = record::rows_of(tx, target.resource_type, &ids, purpose)?.into_iter().map(|(_, values)| values);
    hold::along(tx, request, written, target.resource_type, rows.collect(), &paths)?;
    take(tx, &sql, &targets.filters)
}

fn statement(
    mut sql: Sql,
    target: &Allowed<'_>,
    targets: &RelationTargets<'_>,
    visible: Option<Condition<'_>>,
    purpose: Purpose,
) -> Sql {
    sql.push("SELECT r0.id, r0.uuid");
    for (_, filter) in &targets.filters {
        sql.push(", ");
        condition_sql::push(&mut sql, filter);
    }
    sql.push(" FROM ").table(&target.resource_type.table).push(" AS ").name(&row_alias(0)).push(" WHERE ");
    // One that the caller does not see is none.
    if let Some(visible) = visible {
        condition_sql::push(&mut sql, &visible);
        sql.push(" AND ");
    }
    sql.push("(");
    if !targets.ids.is_empty() {
        sql.push("r0.id").any_of(ColumnType::Integer, targets.ids.iter().copied().map(Value::Integer).collect());
    }
    if !targets.uuids.is_empty() {
        sql.push(if sql.text().ends_with('(') { "r0.uuid" } else { " OR r0.uuid" });
        sql.any_of(ColumnType::Uuid, targets.uuids.iter().copied().map(Value::Uuid).collect());
    }
    sql.push(")");
    if matches!(purpose, Purpose::Rule | Purpose::Change) {
        sql.push(" ORDER BY r0.id");
    }
    purpose.push(&mut sql);
    sql
}

fn take(tx: &mut Tx<'_>, sql: &Sql, filters: &[(usize, Condition<'_>)]) -> Result<FoundTargets> {
    let mut found = FoundTargets::default();
    tx.query(sql, &mut |row| {
        let id = row.integer(0)?;
        found.ids.insert(id);
        if let ValueRef::Uuid(uuid) = row.get(1, ColumnType::Uuid)? {
            found.uuids.insert(uuid, id);
        }
        for (column, (position, _)) in (2..).zip(filters) {
            // A comparison with null is null: nothing passes by it.
            if !matches!(row.get(column, ColumnType::Boolean)?, ValueRef::Boolean(true)) {
                found.refused.insert((id, *position));
            }
        }
        Ok(())
    })?;
    Ok(found)
}
