//! Jobs of many rows: how far they are, and their end.

use super::exports;
use super::once::nothing;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use edge::{Answer, Problem, Reply};
use operations::jobs;
use serde_json::json;
use transfer::export::ExportFormat;

/// GET /api/ext/v1/job.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let mut before = None;
    for (name, value) in request.parameters()? {
        match name.as_str() {
            "before" if before.is_none() => {
                let number = value.parse().map_err(|_| invalid("before", "before must be the id of a job."))?;
                before = Some(number);
            }
            _ => return Err(unknown(&name)),
        }
    }
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| jobs::list(tx, context, before);
    let page = request.tenant.read(ReadCost::Scan, &key, job).await?;
    Ok(Answer::value(&json!({"items": page.items, "next": page.next})))
}

/// GET /api/ext/v1/job/{id}.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let id = request.id("a job")?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| jobs::get(tx, context, id);
    Ok(Answer::value(&request.tenant.read(ReadCost::Point, &key, job).await?))
}

/// DELETE /api/ext/v1/job/{id}.
pub(super) async fn cancel(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let id = request.id("a job")?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| jobs::cancel(tx, context, id);
    request.write(&key, nothing, job).await?;
    jobs::forget_data(&request.tenant, id).await?;
    Ok(Answer::empty())
}

/// GET /api/ext/v1/job/{id}/problems.
pub(super) async fn problems(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let mut safe = false;
    for (name, value) in request.parameters()? {
        match (name.as_str(), value.as_str()) {
            ("safe", "1" | "true") => safe = true,
            ("safe", "0" | "false") | ("format", "csv") => {}
            ("safe", _) => return Err(invalid("safe", "safe must be true or false, or 1 or 0.")),
            ("format", _) => return Err(invalid("format", "format must be csv.")),
            _ => return Err(unknown(&name)),
        }
    }
    let id = request.id("a job")?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| jobs::problems_csv(tx, context, id, safe);
    let csv = request.tenant.read(ReadCost::Scan, &key, job).await?;
    exports::file(csv, ExportFormat::Csv.media_type(), &format!("problems-{id}.csv"))
}

fn invalid(name: &str, message: &str) -> Problem {
    Problem::invalid_at(name, "parameter_invalid", message.to_owned())
}

fn unknown(name: &str) -> Problem {
    Problem::invalid_at(name, "parameter_unknown", format!("There is no parameter {name:?}."))
}
