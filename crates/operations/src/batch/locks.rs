//! The locks of a batch: its turn among the writes of the store, then the rows that it names, in one order. Two batches
//! that name the same rows then wait for each other, and meet in no deadlock.

use super::operation::{ItemTarget, OperationAction};
use super::request::Batch;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::kinds::PatchOperator;
use model::types::ResourceAction;
use query::request::ItemRef;
use resources::{IfMatch, Purpose, WriteTurn};
use std::collections::BTreeMap;

/// Locks what the operations of a batch name.
pub(super) fn take(tx: &mut Tx<'_>, request: &RequestContext, batch: &Batch) -> Result<()> {
    if batch.operations.len() < 2 {
        return Ok(());
    }
    // Beside the turns that its operations need, a batch takes one among those that met others in a deadlock.
    let turns = batch.operations.iter().flat_map(|operation| turns(request, &operation.collection, &operation.action));
    turns.max().unwrap_or_default().max(WriteTurn::Beside).take(tx)?;
    let mut rows: BTreeMap<i64, (Vec<ItemRef>, Purpose)> = BTreeMap::new();
    for operation in &batch.operations {
        let (action, purpose) = match &operation.action {
            OperationAction::Replace { .. } | OperationAction::Patch { .. } | OperationAction::Tag { .. } => {
                (ResourceAction::Edit, Purpose::Change)
            }
            OperationAction::Delete { .. } => (ResourceAction::Delete, Purpose::Deletion),
            _ => continue,
        };
        let Some(ItemTarget::Item(Ok(item))) = operation.action.item() else { continue };
        let Ok(allowed) = request.actor.allowed(&request.model, &operation.collection, action) else { continue };
        let (items, lock) = rows.entry(allowed.resource_type.id).or_insert((Vec::new(), purpose));
        items.push(*item);
        if purpose == Purpose::Deletion {
            *lock = purpose;
        }
    }
    for (type_id, (items, purpose)) in rows {
        if let Some(of) = request.model.type_by_id(type_id) {
            resources::lock_rows(tx, of, &items, purpose)?;
        }
    }
    Ok(())
}

/// The turns that an operation may need.
fn turns(request: &RequestContext, collection: &str, action: &OperationAction) -> Vec<WriteTurn> {
    let fields = action.fields();
    let bodies = || fields.iter().filter_map(|(_, fields)| fields.body.as_ref().ok());
    let named = |name: &str| {
        let mut members = bodies().flat_map(|body| body.members().keys());
        members.any(|member| PatchOperator::split(member).0 == name)
    };
    let ahead = |action, names: &dyn Fn(&str) -> bool, if_match: &Option<IfMatch>| {
        let whole = matches!(if_match, Some(IfMatch::Listed(_)));
        resources::turn_ahead(request, collection, action, names, whole)
    };
    match action {
        OperationAction::Create { .. } => vec![ahead(ResourceAction::Create, &named, &None)],
        OperationAction::Replace { if_match, .. } => vec![ahead(ResourceAction::Edit, &|_| true, if_match)],
        OperationAction::Patch { if_match, .. } => vec![ahead(ResourceAction::Edit, &named, if_match)],
        OperationAction::Delete { if_match, .. } => vec![ahead(ResourceAction::Delete, &named, if_match)],
        OperationAction::Upsert { .. } => {
            vec![ahead(ResourceAction::Create, &named, &None), ahead(ResourceAction::Edit, &|_| true, &None)]
        }
        OperationAction::Get { .. } => Vec::new(),
        OperationAction::Tag { .. } => vec![WriteTurn::Beside],
    }
}
