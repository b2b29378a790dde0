//! POST /api/v1/upload/{typeId}/{propertyId}: files come in, promises go out.

use super::request::TenantRequest;
use context::caller_key::CallerKey;
use edge::multipart::Multipart;
use edge::stream::BodyStream;
use edge::{Answer, Problem, Reply, body};
use model::error::Result;
use resources::files;
use resources::files::{Received, Target};
use serde_json::Value;
use settings::LimitSettings;
use std::sync::Arc;
use std::time::Duration;
use tenant::Tenant;
use tenant::limits::UploadTurns;

/// The one field of the form.
const FIELD: &str = "file";

/// Receives files for a property. Whether the caller may is seen before any of them is read.
pub(super) async fn receive(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let [type_id, property, ..] = request.values;
    let (tenant, limits) = (&request.tenant, &request.app.settings.limits);
    let target = files::upload_target(tenant, &key, type_id, property).await?;
    let boundary = body::boundary(&request.http.headers)?.to_owned();
    let stream = BodyStream::new(request.http, limits.upload_bytes, limits.upload_rate, tenant.files().in_memory())?
        .with_step(longest_step(tenant));
    let mut received = Vec::new();
    let read = read(tenant, &target, Multipart::new(stream, &boundary), limits, &mut received).await;
    if let Err(problem) = read {
        files::discard(tenant, received).await;
        return Err(problem);
    }
    let promises = files::write_promises(tenant, &key, type_id, property, received).await?;
    Ok(Answer::value(&Value::from(promises)))
}

/// Returns the longest that a step waits, beyond what a request may take: for its turn, or for the storage.
fn longest_step(tenant: &Tenant) -> Duration {
    if tenant.files().is_local() { UploadTurns::LONGEST } else { tenant.files().longest_step() }
}

/// Does a piece of work with bytes, in the turn of the tenant where there are others. Work on a bucket takes no turn: it
/// waits for the network.
async fn in_turn<T>(tenant: &Tenant, work: impl Future<Output = Result<T>>) -> Result<T> {
    let turn = if tenant.files().is_local() { tenant.upload_turn().await } else { None };
    let done = work.await;
    if let Some(turn) = turn {
        turn.end().await;
    }
    done
}

async fn read(
    tenant: &Arc<Tenant>,
    target: &Target,
    mut parts: Multipart<BodyStream>,
    limits: &LimitSettings,
    received: &mut Vec<Received>,
) -> Result<(), Problem> {
    while let Some(part) = parts.part().await? {
        if part.name != FIELD {
            let message = format!("There is no field {:?}; files are sent as {FIELD}.", part.name);
            return Err(Problem::invalid_at(&part.name, "field_unknown", message));
        }
        if received.len() == limits.upload_files {
            let message = format!("An upload has at most {} files.", limits.upload_files);
            return Err(Problem::invalid("too_many_files", message));
        }
        let name = part.filename.as_deref().unwrap_or_default();
        let declared = part.content_type.as_deref();
        let mut file = files::receive(tenant, target, name, declared, limits.upload_file_bytes).await?;
        while let Some(chunk) = parts.chunk().await? {
            match file.writes_on(chunk.len()) {
                true => in_turn(tenant, file.push(&chunk)).await?,
                false => file.push(&chunk).await?,
            }
        }
        received.push(in_turn(tenant, file.finish()).await?);
        // Small files come together, and each may wait for its turn.
        parts.source().renew_step();
    }
    if received.is_empty() {
        return Err(Problem::invalid("file_missing", "The form has no file."));
    }
    Ok(())
}
