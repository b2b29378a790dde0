//! Bulk changes of many resources, in batches.

use super::batch_size::BatchSize;
use crate::bulk::{self, BulkRequest};
use crate::jobs::{self, ClaimedJob, JobKind, JobProgress, JobState, PartKind, RowProblems};
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use model::error::{Error, Result};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Instant;
use tenant::Tenant;
use tenant::worker::Stop;

/// The refusals that are told.
const TOLD: usize = 20;

/// Carries out a bulk change from where it stands.
pub(super) async fn run(tenant: &Arc<Tenant>, mut job: ClaimedJob, stop: &Stop) -> Result<()> {
    let text = job.row.request["text"].as_str().unwrap_or_default().to_owned();
    let ids = ids(tenant, job.row.id).await?;
    let start = usize::try_from(job.row.position).unwrap_or(0).min(ids.len());
    let (mut rest, mut size) = (&ids[start..], BatchSize::of(tenant.store()));
    loop {
        if stop.is_set() {
            return job.release(tenant).await;
        }
        let began = Instant::now();
        let (some, others) = rest.split_at(size.rows().min(rest.len()));
        let (some, text, held, is_last) = (some.to_vec(), text.clone(), job.clone(), others.is_empty());
        let batch = move |tx: &mut Tx<'_>, context: &RequestContext| {
            let collection = held.row.collection(context)?;
            let bulk = BulkRequest::of_text(&collection, &text)?;
            let outcome = bulk::run_some(tx, &context.in_job(), &collection, &bulk, &some)?;
            let state = if is_last { JobState::Done } else { JobState::Running };
            let problems = jobs::problems_of_refused(&outcome.refused);
            let before = held.row.result["problemCount"].as_u64().unwrap_or(0);
            jobs::put_problems(tx, held.row.id, before, &problems)?;
            let progress = after(&held, state, some.len(), &outcome, &problems);
            held.advance(tx, context, &progress)?;
            Ok(progress)
        };
        let progress = tenant.write(&job.current_key(tenant).await?, batch).await?;
        (job.row.position, job.row.failed, job.row.result) = (progress.position, progress.failed, progress.result);
        rest = others;
        if rest.is_empty() {
            return Ok(());
        }
        size.learn(began.elapsed());
    }
}

/// The progress behind a batch.
fn after(
    job: &ClaimedJob,
    state: JobState,
    count: usize,
    outcome: &bulk::BulkOutcome,
    refused: &RowProblems,
) -> JobProgress {
    let mut result = job.row.result.clone();
    let add = |name: &str, more: usize| json!(result[name].as_u64().unwrap_or(0) + more as u64);
    let (matched, changed) = (add("matched", outcome.matched), add("changed", outcome.changed));
    let mut problems: Vec<Json> = result["problems"].as_array().cloned().unwrap_or_default();
    result["problemCount"] = add("problemCount", refused.len());
    problems.extend(refused.told(JobKind::Bulk).take(TOLD.saturating_sub(problems.len())));
    result["matched"] = matched;
    result["changed"] = changed;
    result["problems"] = problems.into();
    JobProgress {
        state,
        position: job.row.position + count as i64,
        failed: job.row.failed + outcome.refused.len() as i64,
        result,
    }
}

/// The ids of a job, in their order.
async fn ids(tenant: &Arc<Tenant>, job: i64) -> Result<Vec<i64>> {
    let read = move |tx: &mut Tx<'_>| {
        let (mut ids, mut last) = (Vec::new(), 0);
        while let Some((number, content)) = jobs::part_after(tx, job, PartKind::Data, last)? {
            let some: Vec<i64> = serde_json::from_slice(&content).map_err(|error| Error::failed(error.to_string()))?;
            ids.extend(some);
            last = number;
        }
        Ok(ids)
    };
    tenant.store().read(ReadCost::Scan, read).await
}
