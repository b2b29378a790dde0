//! The job of a bulk change of many resources: their ids are fixed at the start.

use super::BulkRequest;
use crate::jobs::{self, JobKind, JobState, NewJob};
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use serde_json::json;

/// Ids of a part.
const IDS: usize = 10_000;

/// Stores a job that changes these resources; gives its id.
pub(super) fn begin(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    type_id: i64,
    bulk: &BulkRequest,
    ids: &[i64],
) -> Result<i64> {
    let request = json!({"text": bulk.text, "action": bulk.action.word()});
    let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let state = JobState::Waiting;
    let job = NewJob { kind: JobKind::Bulk, type_id, state, request: &request, total }.insert(tx, context)?;
    for some in ids.chunks(IDS) {
        let content = serde_json::to_vec(some).map_err(|error| Error::failed(error.to_string()))?;
        jobs::put_data(tx, job, content)?;
    }
    Ok(job)
}
