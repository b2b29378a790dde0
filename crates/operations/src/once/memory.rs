//! The outcome of a write as it is noted, and as it is told again.

use crate::batch::{OperationEffect, OperationOutcome};
use accounts::tags;
use accounts::tags::Tagged;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, ErrorKind, Result};
use query::request::{FieldsRequest, ItemRef};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The outcome of a write, as it is noted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OnceMemory {
    /// Resources: their ids, and no values.
    Results(Vec<RememberedResult>),
    /// A tag, by its id.
    Tag(OperationEffect, String),
    /// An answer without resources.
    Answer(OperationEffect, Json),
}

/// The outcome of one operation, as it is noted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RememberedResult {
    /// A resource.
    Resource(RememberedResource),
    /// A failure in a batch that was kept, as it was told.
    Failed(Json),
}

/// A resource as it is noted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RememberedResource {
    effect: OperationEffect,
    collection: String,
    id: Option<i64>,
    uuid: Option<String>,
}

/// The outcome of a write that had been done before.
#[derive(Clone, Debug, PartialEq)]
pub enum Repetition {
    /// Resources, as the caller reads them now.
    Results(Vec<ToldResult>),
    /// A tag by its id; with its JSON and ETag, unless the caller does not see it any more.
    Tag(OperationEffect, String, Option<(Vec<u8>, String)>),
    /// An answer without resources.
    Answer(OperationEffect, Json),
}

/// The outcome of one operation, as it is told.
#[derive(Clone, Debug, PartialEq)]
pub enum ToldResult {
    /// A resource. Without data, the caller does not read it any more, or does not want it.
    Done(OperationOutcome),
    /// A failure, as it was told.
    Failed(Json),
}

impl RememberedResult {
    /// The memory of an outcome.
    pub fn of(outcome: &OperationOutcome) -> Self {
        let resource = RememberedResource {
            effect: outcome.effect,
            collection: outcome.collection.clone(),
            id: outcome.id,
            uuid: outcome.uuid.clone(),
        };
        RememberedResult::Resource(resource)
    }
}

impl OnceMemory {
    /// Reads what the outcome tells of, by the rights that the caller has now.
    /// No more than so many bytes of resources are told.
    pub(super) fn repeated(self, tx: &mut Tx<'_>, context: &RequestContext, most: usize) -> Result<Repetition> {
        match self {
            OnceMemory::Answer(effect, answer) => Ok(Repetition::Answer(effect, answer)),
            OnceMemory::Tag(effect, id) => {
                let tag = seen(tags::get(tx, context, &id, &FieldsRequest::default()))?;
                let tagged = |tag: Vec<u8>| {
                    let etag = resources::etag(context, &tag);
                    (tag, etag)
                };
                Ok(Repetition::Tag(effect, id, tag.map(tagged)))
            }
            OnceMemory::Results(results) => {
                let (mut told, mut bytes) = (Vec::with_capacity(results.len()), 0);
                for result in results {
                    tx.check_deadline()?;
                    let result = match result {
                        RememberedResult::Failed(failure) => ToldResult::Failed(failure),
                        RememberedResult::Resource(resource) => {
                            ToldResult::Done(resource.read(tx, context, most > 0)?)
                        }
                    };
                    if let ToldResult::Done(OperationOutcome { data: Some(data), .. }) = &result {
                        bytes += data.len();
                    }
                    if bytes > most {
                        return Err(too_large());
                    }
                    told.push(result);
                }
                Ok(Repetition::Results(told))
            }
        }
    }
}

impl RememberedResource {
    /// Reads the resource, or its tags, where the caller wants them.
    fn read(self, tx: &mut Tx<'_>, context: &RequestContext, shows: bool) -> Result<OperationOutcome> {
        let RememberedResource { effect, collection, id, uuid } = self;
        let tagged = effect == OperationEffect::Tagged;
        let wanted = id.filter(|_| shows && effect != OperationEffect::Deleted);
        let data = match wanted {
            None => None,
            Some(id) if tagged => {
                seen(tags::object(tx, context, &Tagged { collection: collection.clone(), item: id.to_string() }))?
            }
            Some(id) => seen(resources::get(tx, context, &collection, &ItemRef::Id(id), &FieldsRequest::default()))?,
        };
        let etag = data.as_ref().filter(|_| !tagged).map(|data| resources::etag(context, data));
        Ok(OperationOutcome { effect, collection, id, uuid, etag, data })
    }
}

fn too_large() -> Error {
    let message = "The request was carried out, and its answer has too many bytes by now. Send it again with Prefer: \
                   return=minimal.";
    Error::new(ErrorKind::TooLarge, "batch_answer_too_large", message)
}

/// None for what the caller does not see any more.
fn seen(read: Result<Vec<u8>>) -> Result<Option<Vec<u8>>> {
    match read {
        Ok(body) => Ok(Some(body)),
        Err(error) if matches!(error.kind, ErrorKind::Forbidden | ErrorKind::Missing) => Ok(None),
        Err(error) => Err(error),
    }
}
