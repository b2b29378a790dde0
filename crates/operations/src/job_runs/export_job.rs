//! Exports as jobs: the rows of a list become a file, which is kept in parts.

use crate::exports;
use crate::jobs::{self, ClaimedJob, JobProgress, JobState, PART, PartKind};
use context::request_context::RequestContext;
use context::spool::ReadBody;
use database::Tx;
use model::error::{Error, Result};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tenant::Tenant;
use tenant::worker::Stop;
use transfer::export::{SpooledExport, export_spooled};

/// The most bytes of a file as it is kept.
const LARGEST: u64 = 200 << 20;
/// The code of the error of a read that took too long.
const TIMEOUT: &str = "timeout";
/// The lease is renewed so often while rows are read.
const RENEWAL: Duration = Duration::from_secs(3);

/// Makes the file of an export. One that was interrupted begins anew: its rows are of one moment.
pub(super) async fn run(tenant: &Arc<Tenant>, job: &ClaimedJob, stop: &Stop) -> Result<()> {
    let id = job.row.id;
    let mine = job.clone();
    // A worker whose lease is over leaves alone what the next one made.
    let begin_anew = move |tx: &mut Tx<'_>, context: &RequestContext| {
        mine.advance(tx, context, &progress(false, 0, 0))?;
        jobs::remove_some(tx, id, Some(PartKind::File))
    };
    while tenant.write_elevated(begin_anew.clone()).await? {}
    let (of, request) = (job.clone(), exports::request_of(&job.row)?);
    let collection = tenant.write_elevated(move |_, context| of.row.collection(context)).await?;
    let packs = request.format.packs();
    let export = async {
        let exported = export_spooled(tenant, &job.key, &collection, request, packs, Some(LARGEST)).await;
        exported.map_err(|error| match error.code {
            // It would take as long the next time.
            TIMEOUT => Error::invalid(TIMEOUT, error.message),
            _ => error,
        })
    };
    let SpooledExport { body, rows } = held(tenant, job, export).await?;
    let (body, rows, mut from) = (Arc::new(body), i64::try_from(rows).unwrap_or(i64::MAX), 0);
    loop {
        if stop.is_set() {
            return job.release(tenant).await;
        }
        let (part, is_last) = part(&body, from)?;
        from += part.len() as u64;
        let held = job.clone();
        let keep = move |tx: &mut Tx<'_>, context: &RequestContext| {
            jobs::put_part(tx, id, PartKind::File, part.clone())?;
            if is_last {
                held.note_total(tx, rows)?;
            }
            held.advance(tx, context, &progress(is_last, rows, from))
        };
        tenant.write_elevated(keep).await?;
        if is_last {
            return Ok(());
        }
    }
}

/// Renews the lease until the rows are read. Ends where the job is another's.
async fn held(
    tenant: &Arc<Tenant>,
    job: &ClaimedJob,
    export: impl Future<Output = Result<SpooledExport>>,
) -> Result<SpooledExport> {
    let mut export = std::pin::pin!(export);
    loop {
        if let Ok(exported) = tokio::time::timeout(RENEWAL, &mut export).await {
            return exported;
        }
        let held = job.clone();
        tenant.write_elevated(move |tx, context| held.advance(tx, context, &progress(false, 0, 0))).await?;
    }
}

fn progress(is_last: bool, rows: i64, bytes: u64) -> JobProgress {
    let (state, position, result) = match is_last {
        true => (JobState::Done, rows, json!({"rows": rows, "bytes": bytes})),
        false => (JobState::Running, 0, json!({})),
    };
    JobProgress { state, position, failed: 0, result }
}

/// The part of a file behind so many bytes; true if it is the last.
fn part(body: &ReadBody, from: u64) -> Result<(Vec<u8>, bool)> {
    let mut part = Vec::new();
    match body {
        ReadBody::Whole(bytes) => {
            let rest = usize::try_from(from).ok().and_then(|from| bytes.get(from..)).unwrap_or_default();
            part.extend_from_slice(&rest[..rest.len().min(PART)]);
        }
        ReadBody::Spooled(spooled) => {
            while part.len() < PART && from + (part.len() as u64) < spooled.len() {
                part.extend(spooled.read(from + part.len() as u64)?);
            }
        }
    }
    let is_last = from + part.len() as u64 >= body.len();
    Ok((part, is_last))
}
