//! Work on jobs: the batches of imports and bulk changes, and exports. It stands above them.

mod batch_size;
mod bulk_job;
mod export_job;
mod import_job;

use crate::jobs::{self, ClaimedJob, JobKind, JobProgress, JobRow, JobState, LOST};
use database::ReadCost;
use model::error::{Error, ErrorKind, Result};
use serde_json::json;
use std::sync::Arc;
use tenant::Tenant;
use tenant::worker::Stop;
use transfer::import::problem_texts;

/// Carries out the jobs of a tenant that are due, one after the other; gives when the next is due. Once it is to stop, the
/// batch under way ends, and another worker goes on.
pub async fn run_due(tenant: &Arc<Tenant>, stop: &Stop) -> Result<Option<i64>> {
    while !stop.is_set() {
        let Some(job) = jobs::claim(tenant).await? else { break };
        let id = job.row.id;
        let outcome = match job.row.kind {
            JobKind::Import => import_job::run(tenant, job.clone(), stop).await,
            JobKind::Bulk => bulk_job::run(tenant, job.clone(), stop).await,
            JobKind::Export => export_job::run(tenant, &job, stop).await,
        };
        match outcome {
            Ok(()) => {}
            Err(error) if error.code == LOST => {}
            // It is tried again when its lease is over.
            Err(error) if matches!(error.kind, ErrorKind::Busy | ErrorKind::Failed) => {
                tracing::warn!(tenant = tenant.name(), job = id, %error, "a job is interrupted, and goes on within a minute");
            }
            Err(error) => end_failed(tenant, job, &error).await?,
        }
        jobs::forget_data(tenant, id).await?;
    }
    tenant.store().read(ReadCost::Point, jobs::next).await
}

/// Ends a job that cannot go on: its caller may not, or what it is about is not there.
async fn end_failed(tenant: &Arc<Tenant>, job: ClaimedJob, error: &Error) -> Result<()> {
    let (code, message) = (error.code, problem_texts::message(error.message.clone()));
    let ended = tenant
        .write_elevated(move |tx, context| {
            let Some(now) = JobRow::find(tx, job.row.id)? else { return Ok(()) };
            let mut result = now.result;
            result["error"] = json!({"code": code, "message": message});
            let JobRow { position, failed, .. } = now;
            job.advance(tx, context, &JobProgress { state: JobState::Failed, position, failed, result })
        })
        .await;
    match ended {
        Err(error) if error.code == LOST => Ok(()),
        ended => ended,
    }
}
