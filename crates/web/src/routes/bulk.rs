//! One change of all resources that filters find.

use super::once::WriteOutcome;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use edge::{Answer, Reply, body};
use http::StatusCode;
use operations::batch::OperationEffect;
use operations::bulk::{self, BulkRequest};
use operations::jobs;
use operations::once::OnceMemory;
use serde_json::Value as Json;

/// The most keys of a body.
const KEYS: usize = 10_000;

/// POST /api/ext/v1/bulk/{collection}.
pub(super) async fn run(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let (members, text) = body::large_object(&mut request.http, request.body_limit, KEYS).await?;
    let collection = request.values[0].to_owned();
    let bulk = BulkRequest::read(&collection, members, &text)?;
    bulk.prepare(&request.tenant, &key, &collection).await?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let outcome = bulk::run(tx, context, &collection, &bulk)?;
        Ok(match outcome.job {
            Some(id) => (OperationEffect::Accepted, jobs::get(tx, context, id)?),
            None => (OperationEffect::Done, outcome.told()),
        })
    };
    let remember =
        |(effect, told): &(OperationEffect, Json)| OnceMemory::Answer(*effect, bulk::remembered(told.clone()));
    Ok(match request.write(&key, remember, job).await? {
        WriteOutcome::Now((OperationEffect::Accepted, job)) => {
            request.tenant.wake_jobs();
            Answer { status: StatusCode::ACCEPTED, ..Answer::value(&job) }
        }
        WriteOutcome::Now((_, told)) => Answer::value(&told),
        WriteOutcome::Before(answer) => *answer,
    })
}
