//! Creates the resources of new rows, many at once.

use super::ready_rows::ReadyRow;
use super::uuids::RowUuids;
use context::audit;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Tx, Value};
use model::error::Result;
use model::kinds::{StoredValue, ValueStorage};
use model::types::{FIRST_PROPERTY, Property, ResourceType};
use query::search;
use resources::events;
use resources::expressions::Reading;
use resources::record;
use resources::ripple::WritePropagation;
use resources::{numbering, row_size, settle, store, tally, unique};
use std::sync::Arc;

/// Creates all rows at once; gives their ids.
pub(super) fn insert(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    uuids: &mut RowUuids,
    ripple: &mut WritePropagation,
    rows: &[ReadyRow],
) -> Result<Vec<i64>> {
    let settled = settled(tx, context, resource_type, rows)?;
    let rows = settled.as_deref().unwrap_or(rows);
    for row in rows {
        let absent = StoredValue::One(Value::Null);
        row_size::check(
            context,
            resource_type,
            row.values.iter().map(|value| value.as_ref().unwrap_or(&absent)),
            None,
        )?;
    }
    // The engine gives the id, which is the first.
    let fields: Vec<(&Property, ColumnType)> = record::columns(resource_type).skip(1).collect();
    let columns: Vec<(Name, ColumnType)> =
        fields.iter().map(|(property, column)| (property.column.clone(), *column)).collect();
    let mut values: Vec<Vec<Value>> = Vec::with_capacity(rows.len());
    for row in rows {
        let uuid = Value::Uuid(uuids.next(context));
        values.push(fields.iter().map(|(property, _)| value(context, property, row, &uuid)).collect());
    }
    for (column, (property, _)) in fields.iter().enumerate() {
        // Where expressions complete rows, they have their numbers already.
        if let Some(pattern) = property.kind.autonumber().filter(|_| settled.is_none()) {
            let numbers = numbering::take(tx, context, property, pattern, rows.len())?;
            values.iter_mut().zip(numbers).for_each(|(row, number)| row[column] = number);
        }
    }
    let ids = tx
        .insert_many(&resource_type.table, &columns, &values)
        .map_err(|error| unique::explain(error, context, resource_type))?;
    for property in resource_type.properties() {
        insert_links(tx, property, rows, &ids)?;
    }
    search::put(tx, resource_type, || {
        let place = |property: &Property| fields.iter().position(|(field, _)| field.position == property.position);
        let rows = ids.iter().zip(&values);
        rows.map(|(id, row)| search::document(resource_type, *id, |property| row.get(place(property)?))).collect()
    })?;
    tally::count(tx, resource_type, &ids, 1)?;
    for (place, id) in ids.iter().enumerate() {
        audit::created(context, resource_type, *id, |position| rows[place].values.get(position)?.as_ref());
        if resource_type.rules().watch_new() {
            let mut stored: Vec<StoredValue> = resource_type.fields.iter().map(record::empty).collect();
            for (field, value) in resource_type.fields.iter().zip(&rows[place].values) {
                if let Some(value) = value {
                    stored[field.position] = value.clone();
                }
            }
            for ((field, _), value) in fields.iter().zip(&values[place]) {
                stored[field.position] = StoredValue::One(value.clone());
            }
            stored[0] = StoredValue::One(Value::Integer(*id));
            ripple.note(tx, context, resource_type, [None, Some(&stored)])?;
        }
    }
    events::created(tx, context, resource_type, &ids)?;
    Ok(ids)
}

/// The rows as expressions complete and check them; nothing where the type has none.
fn settled(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    rows: &[ReadyRow],
) -> Result<Option<Vec<ReadyRow>>> {
    if resource_type.rules().concern_no_write() {
        return Ok(None);
    }
    let mut settled = rows.to_vec();
    for row in &mut settled {
        let mut drafts = Vec::with_capacity(resource_type.fields.len());
        for property in &resource_type.fields {
            let own = property.position >= FIRST_PROPERTY;
            let given = row.values[property.position].take();
            let number = property.kind.autonumber().filter(|_| given.is_none());
            let number = number.map(|pattern| numbering::take(tx, context, property, pattern, 1)).transpose()?;
            let number = number.and_then(|mut numbers| numbers.pop()).map(StoredValue::One);
            let value = given.or(number);
            drafts.push(settle::DraftValue {
                given: !own || value.is_some(),
                value: value.unwrap_or_else(|| match property.name.as_str() {
                    "created" | "updated" if !own => StoredValue::One(Value::Timestamp(context.now.as_millisecond())),
                    "version" if !own => StoredValue::One(Value::Integer(1)),
                    "createdBy" | "updatedBy" if !own => StoredValue::One(context.user().into()),
                    _ => record::empty(property),
                }),
            });
        }
        settle::new(tx, context, resource_type, &mut drafts, Reading::Hold)?;
        let values = drafts.into_iter().zip(&resource_type.fields);
        row.values = values.map(|(draft, field)| (field.position >= FIRST_PROPERTY).then_some(draft.value)).collect();
    }
    Ok(Some(settled))
}

/// The value of a column of a new row.
fn value(context: &RequestContext, property: &Property, row: &ReadyRow, uuid: &Value) -> Value {
    match property.name.as_str() {
        "uuid" if property.position < FIRST_PROPERTY => uuid.clone(),
        "created" | "updated" if property.position < FIRST_PROPERTY => Value::Timestamp(context.now.as_millisecond()),
        "version" if property.position < FIRST_PROPERTY => Value::Integer(1),
        _ if property.position < FIRST_PROPERTY => context.user().into(),
        _ => match &row.values[property.position] {
            Some(StoredValue::One(value)) => value.clone(),
            _ => Value::Null,
        },
    }
}

fn insert_links(tx: &mut Tx<'_>, property: &Property, rows: &[ReadyRow], ids: &[i64]) -> Result<()> {
    let ValueStorage::Links(column) = property.kind.storage() else { return Ok(()) };
    let mut links = Vec::new();
    for (row, id) in rows.iter().zip(ids) {
        let Some(Some(StoredValue::Many(members))) = row.values.get(property.position) else { continue };
        for (member, position) in members.iter().zip(0_i64..) {
            links.push(vec![Value::Integer(*id), Value::Integer(position), member.clone()]);
        }
    }
    if !links.is_empty() {
        tx.insert_many(&property.column, &store::link_columns(column), &links)?;
    }
    Ok(())
}
