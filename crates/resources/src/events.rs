//! Events, noted in the transaction that causes them. Where nothing waits for one, it costs a look-up.

use super::{Purpose, rows_of};
use context::listener::{EventOccurrence, RowChange};
use context::request_context::RequestContext;
use database::Tx;
use model::automation::AutomationEvent;
use model::error::Result;
use model::kinds::StoredValue;
use model::types::ResourceType;
use model::user_columns::USER_TYPE;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;

/// Rows as they are before something happens to them.
pub(crate) type RowsBefore = Vec<(i64, Vec<StoredValue>)>;

/// Returns true if an automation waits for an event: what is read for its sake alone need not be read else.
pub fn awaited(request: &RequestContext, event: AutomationEvent) -> bool {
    !request.quiet && !request.model.automations.waiting_for(event).is_empty()
}

/// Notes that resources were created.
pub fn created(tx: &mut Tx<'_>, request: &RequestContext, of: &ResourceType, ids: &[i64]) -> Result<()> {
    of_rows(tx, request, AutomationEvent::Created(of.id), of, ids)
}

/// Notes that resources are deleted: they are there still.
pub(crate) fn deleted(tx: &mut Tx<'_>, request: &RequestContext, of: &ResourceType, ids: &[i64]) -> Result<()> {
    of_rows(tx, request, AutomationEvent::Deleted(of.id), of, ids)
}

/// Notes that a resource was changed.
pub(crate) fn updated(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &ResourceType,
    old: &[StoredValue],
    new: &[StoredValue],
) -> Result<()> {
    let event = AutomationEvent::Updated(of.id);
    if !awaited(request, event) || unchanged(of, old, new) {
        return Ok(());
    }
    let row = RowChange { resource_type: of, values: Cow::Borrowed(new), before: Some(old) };
    request.listener.happened(tx, request, event, vec![EventOccurrence { row: Some(row), parameters: Map::new() }])
}

/// Reads rows that will change past the usual way, for [`updated_past`]; nothing where no automation waits for that.
pub(crate) fn before(tx: &mut Tx<'_>, request: &RequestContext, of: &ResourceType, ids: &[i64]) -> Result<RowsBefore> {
    if awaited(request, AutomationEvent::Updated(of.id)) { rows_of(tx, of, ids, Purpose::Look) } else { Ok(Vec::new()) }
}

/// Notes that the rows have changed.
pub(crate) fn updated_past(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &ResourceType,
    before: RowsBefore,
) -> Result<()> {
    if before.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = before.iter().map(|(id, _)| *id).collect();
    let after = rows_of(tx, of, &ids, Purpose::Look)?;
    for ((_, old), (_, new)) in before.iter().zip(&after) {
        updated(tx, request, of, old, new)?;
    }
    Ok(())
}

/// Notes that a resource got tags, or lost some: their ids are `trigger('tags')`.
pub fn tagged(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    type_id: i64,
    object: i64,
    tags: [Vec<String>; 2],
) -> Result<()> {
    let Some(of) = request.model.type_by_id(type_id) else { return Ok(()) };
    for (event, tags) in [AutomationEvent::Tagged(type_id), AutomationEvent::Untagged(type_id)].into_iter().zip(tags) {
        if tags.is_empty() || !awaited(request, event) {
            continue;
        }
        let parameters = Map::from_iter([("tags".to_owned(), Json::from(tags))]);
        let rows = rows_of(tx, of, &[object], Purpose::Look)?;
        request.listener.happened(tx, request, event, about(of, rows, &parameters))?;
    }
    Ok(())
}

/// Notes an event of a user's account.
pub fn of_user(tx: &mut Tx<'_>, request: &RequestContext, event: AutomationEvent, user: i64) -> Result<()> {
    match request.model.type_by_id(USER_TYPE) {
        Some(of) => of_rows(tx, request, event, of, &[user]),
        None => Ok(()),
    }
}

/// Notes an event that has parameters alone. They are made where an automation waits for it.
pub fn told(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    event: AutomationEvent,
    parameters: impl FnOnce() -> Vec<Map<String, Json>>,
) -> Result<()> {
    if !awaited(request, event) {
        return Ok(());
    }
    let occurrences = parameters().into_iter().map(|parameters| EventOccurrence { row: None, parameters });
    request.listener.happened(tx, request, event, occurrences.collect())
}

fn of_rows(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    event: AutomationEvent,
    of: &ResourceType,
    ids: &[i64],
) -> Result<()> {
    if !awaited(request, event) {
        return Ok(());
    }
    let rows = rows_of(tx, of, ids, Purpose::Look)?;
    request.listener.happened(tx, request, event, about(of, rows, &Map::new()))
}

/// Occurrences about rows, with the same parameters.
fn about<'a>(
    of: &'a ResourceType,
    rows: Vec<(i64, Vec<StoredValue>)>,
    parameters: &Map<String, Json>,
) -> Vec<EventOccurrence<'a>> {
    let change = |values| RowChange { resource_type: of, values: Cow::Owned(values), before: None };
    let rows = rows.into_iter().map(|(_, values)| change(values));
    rows.map(|row| EventOccurrence { row: Some(row), parameters: parameters.clone() }).collect()
}

/// Returns true if nothing differs that an automation may see: what the platform counts on each row is no change.
fn unchanged(of: &ResourceType, old: &[StoredValue], new: &[StoredValue]) -> bool {
    of.properties().iter().all(|field| field.kind.concealed() || old.get(field.position) == new.get(field.position))
}
