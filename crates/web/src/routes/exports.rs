//! Exports: all rows of a list as a file.

use super::once::WriteOutcome;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use context::spool::ReadBody;
use database::Tx;
use edge::{Answer, Outgoing, Problem, Reply, packing};
use http::StatusCode;
use http::header::{self, HeaderValue};
use operations::batch::OperationEffect;
use operations::exports;
use operations::once::OnceMemory;
use serde_json::Value as Json;
use std::sync::Arc;
use transfer::export::{ExportRequest, export_spooled};

/// The requests of a key's rate that an export counts for.
const COST: u32 = 10;

/// GET /api/ext/v1/export/{collection}.
pub(super) async fn run(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.tenant.admit_more(request.http.client, request.http.key(), COST - 1).await?;
    let asked = ExportRequest::parse(&request.parameters()?)?;
    let (collection, format) = (request.values[0], asked.format);
    let packs = format.packs() && packing::takes_gzip(&request.http.headers);
    let exported = export_spooled(&request.tenant, &key, collection, asked, packs, None).await?;
    let answer = file(exported.body, format.media_type(), &format!("{collection}.{}", format.name()))?;
    Ok(packing::coded(answer, packs))
}

/// POST /api/ext/v1/export/{collection}: a job makes the file.
pub(super) async fn begin(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.tenant.admit_more(request.http.client, request.http.key(), COST - 1).await?;
    let (collection, query) = (request.values[0].to_owned(), request.parameters()?);
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| exports::begin(tx, context, &collection, &query);
    let remember = |job: &Json| OnceMemory::Answer(OperationEffect::Accepted, job.clone());
    Ok(match request.write(&key, remember, job).await? {
        WriteOutcome::Now(job) => {
            request.tenant.wake_jobs();
            Answer { status: StatusCode::ACCEPTED, ..Answer::value(&job) }
        }
        WriteOutcome::Before(answer) => *answer,
    })
}

/// GET /api/ext/v1/export/{link}/{name}: the file that a job made. The signature of the address is the key.
pub(super) async fn linked(request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    let [token, name, ..] = request.values;
    let exported = exports::open(&request.tenant, token, packing::takes_gzip(&request.http.headers)).await?;
    let name: String = name.chars().filter(|char| char.is_ascii_alphanumeric() || "._-".contains(*char)).collect();
    let answer = file(exported.body, exported.format.media_type(), &name)?;
    let answer = answer.with(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(packing::coded(answer, exported.is_packed))
}

/// The answer that is a file.
pub(super) fn file(body: ReadBody, media_type: &'static str, name: &str) -> Result<Answer, Problem> {
    let answer = match body {
        ReadBody::Whole(bytes) => Answer::json(bytes),
        ReadBody::Spooled(spooled) => Answer { body: Outgoing::spooled(Arc::new(spooled)), ..Answer::json("") },
    };
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    Ok(answer
        .with(header::CONTENT_TYPE, HeaderValue::from_static(media_type))
        .with(header::CONTENT_DISPOSITION, disposition.map_err(|_| Problem::failed())?))
}
