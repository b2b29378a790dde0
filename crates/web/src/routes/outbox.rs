//! The outbox, for administrators.

use super::once::{WriteOutcome, value};
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Reply};
use messages::outbox;
use messages::outbox::OutboxRequest;
use serde_json::json;

/// GET /api/ext/v1/outbox.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let list = OutboxRequest::parse(&request.parameters()?)?;
    let page = request.tenant.read(ReadCost::Scan, &key, move |tx, context| outbox::list(tx, context, &list)).await?;
    Ok(Answer::value(&json!({"items": page.items, "nextCursor": page.next, "hasMore": page.next.is_some()})))
}

/// GET /api/ext/v1/outbox/{id}.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let id = request.id("a row")?;
    let row = request.tenant.read(ReadCost::Point, &key, move |tx, context| outbox::get(tx, context, id)).await?;
    Ok(Answer::value(&row))
}

/// POST /api/ext/v1/outbox/{id}/retry.
pub(super) async fn retry(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    request.no_members().await?;
    let id = request.id("a row")?;
    Ok(match request.write(&key, value, move |tx, context| outbox::retry(tx, context, id)).await? {
        WriteOutcome::Now(row) => Answer::value(&row),
        WriteOutcome::Before(answer) => *answer,
    })
}
