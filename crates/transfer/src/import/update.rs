//! Changes the resources of rows that find some: they are read at once, and those that differ are changed.

use super::journal::RowChange;
use super::ready_rows::ReadyRow;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, Result};
use model::kinds;
use model::types::ResourceType;
use query::request::item_missing;
use resources::expressions::Reading;
use resources::record::Record;
use resources::ripple::WritePropagation;
use resources::{relations, settle, store};
use std::collections::HashMap;
use std::sync::Arc;

/// Changes what differs of resources, each of which is there once; gives those that differ, as they were and as they
/// are.
pub(super) fn update(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    ripple: &mut WritePropagation,
    rows: &[ReadyRow],
) -> Result<Vec<RowChange>> {
    let mut ids: Vec<i64> = rows.iter().filter_map(|row| row.id).collect();
    ids.sort_unstable();
    let found = Record::lock_all(tx, resource_type, &ids)?;
    let mut old: HashMap<i64, Record> =
        found.into_iter().map(|record| Ok((record.id()?, record))).collect::<Result<_>>()?;
    let mut changed = Vec::new();
    for row in rows {
        let old = row.id.and_then(|id| old.remove(&id)).ok_or_else(item_missing)?;
        changed.extend(update_one(tx, context, resource_type, old, ripple, row)?);
    }
    Ok(changed)
}

/// Changes what differs of a locked resource; gives it as it was and as it is, where anything does.
fn update_one(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    old: Record,
    ripple: &mut WritePropagation,
    row: &ReadyRow,
) -> Result<Option<RowChange>> {
    for (position, target) in &row.refused {
        if !relations::members(&old.values[*position]).contains(&Value::Integer(*target)) {
            return Err(Error::problems(vec![relations::refused(resource_type, (*position, *target))]));
        }
    }
    let mut changed = Vec::new();
    for property in resource_type.properties() {
        let given = row.values[property.position].as_ref();
        if let Some(value) = given.filter(|value| **value != old.values[property.position]) {
            kinds::check_choice(property.kind.as_ref(), value, Some(&old.values[property.position]))
                .map_err(|fault| Error::problems(vec![fault.of(&property.name, &property.title)]))?;
            if resource_type.parent_property == Some(property.position) {
                relations::refuse_circle(tx, resource_type, property, old.id()?, value)?;
            }
            changed.push((property, value.clone()));
        }
    }
    if changed.is_empty() {
        return Ok(None);
    }
    let draft = settle::ChangeDraft { resource_type, old: &old, values: changed, left_out: &[] };
    let changed = settle::change(tx, context, draft, Reading::Hold)?;
    let new = store::update_one_of_many(tx, context, resource_type, &old, changed)?;
    ripple.note(tx, context, resource_type, [Some(&old.values), Some(&new.values)])?;
    Ok(Some(RowChange { old, new }))
}
