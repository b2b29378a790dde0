//! Results of operations.

use super::OperationFailure;
use serde::{Deserialize, Serialize};

/// The effect of an operation that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OperationEffect {
    /// A job was begun (202).
    Accepted,
    /// A resource was made.
    Created,
    /// A resource was changed, read, or found as it was to be.
    Done,
    /// A resource was given tags, or lost some.
    Tagged,
    /// A resource was deleted.
    Deleted,
}

/// The outcome of an operation that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationOutcome {
    /// The effect.
    pub effect: OperationEffect,
    /// The collection of the resource, as the operation names it.
    pub collection: String,
    /// The id of the resource; none for one that was deleted by its UUID.
    pub id: Option<i64>,
    /// The UUID of the resource, where the answer shows it.
    pub uuid: Option<String>,
    /// The ETag of the resource.
    pub etag: Option<String>,
    /// The resource as JSON; none where nobody wants it.
    pub data: Option<Vec<u8>>,
}

/// The result of an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum OperationResult {
    /// It was carried out.
    Done(OperationOutcome),
    /// It failed, and the others were kept.
    Failed(OperationFailure),
}

/// The UUID that a resource shows.
#[derive(Deserialize)]
struct ShownUuid {
    uuid: Option<String>,
}

impl OperationOutcome {
    /// The outcome of an operation whose answer is a resource.
    pub fn of_resource(effect: OperationEffect, collection: &str, id: i64, body: Vec<u8>, etag: String) -> Self {
        let uuid = serde_json::from_slice::<ShownUuid>(&body).ok().and_then(|shown| shown.uuid);
        let collection = collection.to_owned();
        OperationOutcome { effect, collection, id: Some(id), uuid, etag: Some(etag), data: Some(body) }
    }
}
