//! The statements of a change: one UPDATE, and the links that differ.

use super::record::Record;
use super::{row_size, tally, unique};
use crate::events;
use crate::files;
use context::actor::Allowed;
use context::audit;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Tx, Value};
use model::error::Result;
use model::kinds::{StoredValue, ValueStorage};
use model::types::{Property, ResourceType};
use query::search;

const UPDATED: usize = 3;
const UPDATED_BY: usize = 5;
const VERSION: usize = 6;

/// Writes what differs of a locked resource; gives the resource as it is then, and whether it is another. Whoever calls
/// this notes the type's change. Where nothing differs, nothing changes, the version neither. What the caller may not
/// read always differs: or else the version would tell whether a value was guessed.
pub(super) fn update(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    allowed: &Allowed<'_>,
    old: &Record,
    changed: Vec<(&Property, StoredValue)>,
) -> Result<(Record, bool)> {
    let resource_type = allowed.resource_type;
    let changed = changed.into_iter().filter(|(property, value)| differs(allowed, old, property, value)).collect();
    let new = update_one_of_many(tx, request, resource_type, old, changed)?;
    let changed = new.values[VERSION] != old.values[VERSION];
    Ok((new, changed))
}

/// Writes what differs, for whoever notes the type's change once for many resources.
pub fn update_one_of_many(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    resource_type: &ResourceType,
    old: &Record,
    changed: Vec<(&Property, StoredValue)>,
) -> Result<Record> {
    write(tx, request, resource_type, old, changed, true)
}

/// Writes what the platform itself works out anew: that is nobody's change, so that it leaves no trace of one.
pub(super) fn put_calculated(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    resource_type: &ResourceType,
    old: &Record,
    changed: Vec<(&Property, StoredValue)>,
) -> Result<Record> {
    write(tx, request, resource_type, old, changed, false)
}

fn write(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    resource_type: &ResourceType,
    old: &Record,
    changed: Vec<(&Property, StoredValue)>,
    stamped: bool,
) -> Result<Record> {
    let mut new = old.clone();
    if changed.is_empty() {
        return Ok(new);
    }
    let id = old.id()?;
    for (property, value) in &changed {
        new.values[property.position].clone_from(value);
    }
    row_size::check(request, resource_type, new.values.iter(), Some(&old.values))?;
    if stamped {
        stamp(request, &mut new.values);
    }

    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&resource_type.table).push(" SET ");
    for position in [UPDATED, UPDATED_BY, VERSION] {
        if let StoredValue::One(value) = &new.values[position] {
            sql.push(if position > UPDATED { ", " } else { "" });
            sql.name(&resource_type.fields[position].column).push(" = ").bind(value.clone());
        }
    }
    for (property, value) in &changed {
        if let StoredValue::One(value) = value {
            sql.push(", ").name(&property.column).push(" = ").bind(value.clone());
        }
    }
    sql.push(" WHERE id = ").bind(id);
    if changed.iter().any(|(property, _)| constrained(resource_type, property)) {
        tx.execute(&sql).map_err(|error| unique::explain(error, request, resource_type))?;
    } else {
        tx.defer(sql)?;
    }
    for (property, value) in &changed {
        if let (StoredValue::Many(members), StoredValue::Many(before)) = (value, &old.values[property.position]) {
            if property.kind.files().is_some() {
                files::save(tx, property, id, before, members)?;
                continue;
            }
            if let Some(added) = members.strip_prefix(&before[..]) {
                add_links(tx, property, id, old.end(property.position), added)?;
            } else {
                remove_links(tx, property, id)?;
                add_links(tx, property, id, 0, members)?;
            }
        }
    }
    search::follow(tx, resource_type, id, Some(&old.values), &new.values)?;
    for tally in tally::statements(tx, resource_type, Some(&old.values), &new.values) {
        tx.defer(tally)?;
    }
    if resource_type.id == model::user_columns::USER_TYPE {
        let properties: Vec<i64> = changed.iter().map(|(property, _)| property.id).collect();
        request.listener.credentials_changed(tx, request, id, &properties)?;
    }
    if stamped {
        audit::changed(request, resource_type, id, &old.values, &new.values);
    }
    if resource_type.id == model::user_columns::USER_TYPE {
        tx.raise_access()?;
    }
    events::updated(tx, request, resource_type, &old.values, &new.values)?;
    Ok(new)
}

/// Notes in a resource's values that they changed.
fn stamp(request: &RequestContext, values: &mut [StoredValue]) {
    let version = match values[VERSION] {
        StoredValue::One(Value::Integer(version)) => version + 1,
        _ => 1,
    };
    values[UPDATED] = StoredValue::One(Value::Timestamp(request.now.as_millisecond()));
    values[UPDATED_BY] = StoredValue::One(request.user().into());
    values[VERSION] = StoredValue::One(Value::Integer(version));
}

/// The values that [`update`] would leave, without writing them.
pub(super) fn drawn(
    request: &RequestContext,
    allowed: &Allowed<'_>,
    old: &Record,
    changed: Vec<(&Property, StoredValue)>,
) -> Vec<StoredValue> {
    let mut values = old.values.clone();
    let changed = changed.into_iter().filter(|(property, value)| differs(allowed, old, property, value));
    let changed: Vec<_> = changed.collect();
    if !changed.is_empty() {
        stamp(request, &mut values);
    }
    for (property, value) in changed {
        values[property.position] = value;
    }
    values
}

/// Returns true if a value is a change, as far as the caller may know.
pub(super) fn differs(allowed: &Allowed<'_>, old: &Record, property: &Property, value: &StoredValue) -> bool {
    old.values[property.position] != *value || !allowed.readable.contains(property)
}

/// Returns true if a value of the property may violate a constraint of the database, which the answer then explains.
fn constrained(resource_type: &ResourceType, property: &Property) -> bool {
    property.kind.relation().is_some() || resource_type.unique.iter().any(|set| set.contains(&property.position))
}

/// Writes members of a multi-valued property, from a place on that is free.
pub(super) fn add_links(tx: &mut Tx<'_>, property: &Property, owner: i64, place: i64, members: &[Value]) -> Result<()> {
    let ValueStorage::Links(column) = property.kind.storage() else { return Ok(()) };
    if members.is_empty() {
        return Ok(());
    }
    let rows: Vec<Vec<Value>> = members
        .iter()
        .zip(place..)
        .map(|(member, position)| vec![Value::Integer(owner), Value::Integer(position), member.clone()])
        .collect();
    tx.insert_many(&property.column, &link_columns(column), &rows)?;
    Ok(())
}

/// The columns of a link table.
pub fn link_columns(value: ColumnType) -> [(Name, ColumnType); 3] {
    [
        (Name::fixed("owner"), ColumnType::Integer),
        (Name::fixed("position"), ColumnType::Integer),
        (Name::fixed("value"), value),
    ]
}

fn remove_links(tx: &mut Tx<'_>, property: &Property, owner: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&property.column).push(" WHERE owner = ").bind(owner);
    tx.execute(&sql)?;
    Ok(())
}
