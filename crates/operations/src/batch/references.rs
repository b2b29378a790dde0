//! References to earlier results: checked before anything runs, and replaced when their operation is carried out.

use super::OperationFailure;
use super::operation::{ItemTarget, Operation, OperationAction, reference_of};
use super::request::Batch;
use context::actor::Allowed;
use context::request_context::RequestContext;
use model::kinds::PatchOperator;
use model::types::ResourceAction;
use serde_json::Value as Json;
use std::collections::HashMap;

/// A reference to a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResultReference {
    /// The index of the earlier operation.
    pub(super) operation: usize,
    /// The field of its resource; none for its id.
    pub(super) field: Option<String>,
}

/// The place of a reference in an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReferencePlace {
    /// The resource that the operation names.
    Item,
    /// A value of a member, or of an array in it: `set` or `create`, the member, and the place in the array.
    Value(&'static str, String, Option<usize>),
}

/// The references of an operation.
pub(super) type OperationReferences = Vec<(ReferencePlace, ResultReference)>;

impl ReferencePlace {
    /// The place below the operation, as a JSON pointer.
    pub(super) fn pointer(&self, operation: &Operation) -> String {
        match self {
            ReferencePlace::Item => "/item".to_owned(),
            ReferencePlace::Value(part, member, index) => {
                let fields = operation.action.fields();
                let place = fields.iter().find(|(name, _)| name == part).map(|(_, fields)| fields.place(member));
                let index = index.map(|index| format!("/{index}")).unwrap_or_default();
                format!("/{part}{}{index}", place.unwrap_or_default())
            }
        }
    }
}

/// Returns the references of each operation, or all that are wrong. Each leads to an earlier operation, so there is no
/// circle.
pub(super) fn check(
    request: &RequestContext,
    batch: &Batch,
) -> Result<Vec<OperationReferences>, Vec<OperationFailure>> {
    let aliases: HashMap<&str, usize> = batch
        .operations
        .iter()
        .enumerate()
        .filter_map(|(index, operation)| Some((operation.alias.as_deref()?, index)))
        .collect();
    let (mut all, mut failures) = (Vec::with_capacity(batch.operations.len()), Vec::new());
    for (index, operation) in batch.operations.iter().enumerate() {
        let mut own = Vec::new();
        for (place, text) in written(request, operation) {
            let (alias, field) = text.split_once('.').map_or((text, None), |(alias, field)| (alias, Some(field)));
            let refused = match aliases.get(alias) {
                Some(target) if *target < index && field.is_none_or(|field| !field.is_empty()) => {
                    own.push((place, ResultReference { operation: *target, field: field.map(str::to_owned) }));
                    continue;
                }
                Some(target) if *target < index => ("reference_invalid", "A field must follow the point.".to_owned()),
                Some(_) => {
                    ("reference_later", format!("{alias} is no earlier operation: only these can be referred to."))
                }
                None => ("reference_unknown", format!("No operation has the name {alias}.")),
            };
            let pointer = place.pointer(operation);
            failures.push(OperationFailure::at(batch.place, index, &pointer, refused.0, refused.1));
        }
        all.push(own);
    }
    if failures.is_empty() { Ok(all) } else { Err(failures) }
}

/// The references that an operation has.
fn written<'b>(request: &RequestContext, operation: &'b Operation) -> Vec<(ReferencePlace, &'b str)> {
    let mut found = Vec::new();
    if let Some(ItemTarget::Reference(text)) = operation.action.item() {
        found.push((ReferencePlace::Item, text.as_str()));
    }
    let mut allowed: Option<Option<Allowed<'_>>> = None;
    for (part, fields) in operation.action.fields() {
        for (member, value) in fields.body.iter().flat_map(|body| body.members()) {
            let values: Vec<(Option<usize>, &str)> = match value {
                Json::Array(members) => {
                    let place = |(index, member)| Some((Some(index), reference_of(member)?));
                    members.iter().enumerate().filter_map(place).collect()
                }
                value => reference_of(value).map(|text| (None, text)).into_iter().collect(),
            };
            if values.is_empty() {
                continue;
            }
            let allowed = allowed.get_or_insert_with(|| {
                let action = if writes_new(&operation.action) { ResourceAction::Create } else { ResourceAction::Edit };
                request.actor.allowed(&request.model, &operation.collection, action).ok()
            });
            // A document may hold anything, `$ref` too.
            if allowed.as_ref().is_some_and(|allowed| is_document(allowed, member)) {
                continue;
            }
            let place = |index| ReferencePlace::Value(part, member.clone(), index);
            found.extend(values.into_iter().map(|(index, text)| (place(index), text)));
        }
    }
    found
}

fn writes_new(action: &OperationAction) -> bool {
    matches!(action, OperationAction::Create { .. } | OperationAction::Upsert { .. })
}

fn is_document(allowed: &Allowed<'_>, member: &str) -> bool {
    let (name, _) = PatchOperator::split(member);
    allowed.given(name).is_ok_and(|property| property.kind.is_document())
}
