//! The ids of the resources that an import created, for an undo: they are kept as long as its job.

use super::job_row::{JobKind, JobState};
use super::parts::{self, PartKind};
use super::view;
use crate::import::ImportPlan;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use transfer::import::ImportReport;

/// The most ids of a job: as many resources as one bulk write changes.
const MOST: u64 = 100_000;

/// Keeps the ids of a batch, given the outcome of all batches up to it.
pub(crate) fn put_created(tx: &mut Tx<'_>, job: i64, batch: &ImportReport, all: &ImportReport) -> Result<()> {
    if batch.created_ids.is_empty() || all.created > MOST {
        return Ok(());
    }
    let content = serde_json::to_vec(&batch.created_ids).map_err(|error| Error::failed(error.to_string()))?;
    parts::put(tx, job, PartKind::Created, content)
}

/// The ids of the resources of a type that an import of the caller created. Fails while it runs, and where they were too
/// many to keep.
pub(crate) fn created_by(tx: &mut Tx<'_>, context: &RequestContext, type_id: i64, job: i64) -> Result<Vec<i64>> {
    let missing = || Error::missing("job_missing", "There is no such import of this type.");
    let job = view::own(tx, context, job)?;
    if job.kind != JobKind::Import || job.type_id != type_id || ImportPlan::is_trial(&job.request) {
        return Err(missing());
    }
    match job.state {
        JobState::Done | JobState::Failed | JobState::Canceled => {}
        JobState::Uploaded => return Err(missing()),
        JobState::Waiting | JobState::Checking | JobState::Running => {
            return Err(Error::conflict(
                "import_running",
                "The import has not ended. Wait for its end, or delete the job.",
            ));
        }
    }
    let created = job.result["created"].as_u64().unwrap_or(0);
    if created > MOST {
        let message = format!("The import created more than {MOST} resources, whose ids are not kept.");
        return Err(Error::conflict("import_too_large", message));
    }
    let (mut ids, mut last) = (Vec::new(), 0);
    while let Some((number, content)) = parts::after(tx, job.id, PartKind::Created, last)? {
        let some: Vec<i64> = serde_json::from_slice(&content).map_err(|error| Error::failed(error.to_string()))?;
        ids.extend(some);
        last = number;
    }
    match ids.len() as u64 == created {
        true => Ok(ids),
        false => {
            Err(Error::conflict("import_ids_missing", "The ids of the resources that it created are not all kept."))
        }
    }
}
