//! Notifications: those of the caller, and where administrators make them.

use super::once::WriteOutcome;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use edge::{Answer, Problem, Reply};
use messages::notifications;
use messages::notifications::{NotificationListRequest, NotificationRequest, Patch};
use operations::batch::OperationEffect;
use operations::once::OnceMemory;
use query::request::ItemRef;

/// GET /api/v1/collection/notifications.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let list = NotificationListRequest::parse(&request.parameters()?)?;
    let page =
        request.tenant.read(ReadCost::Scan, &key, move |tx, context| notifications::list(tx, context, &list)).await?;
    Ok(request.listed(page.fetched == 0, Answer::json(page.body)))
}

/// GET /api/v1/collection/notifications/{item}.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let asked = NotificationRequest::parse(&request.parameters()?)?;
    let item = ItemRef::parse(request.values[0]);
    let get = move |tx: &mut Tx<'_>, context: &RequestContext| notifications::get(tx, context, &item.clone()?, &asked);
    let body = request.tenant.read(ReadCost::Point, &key, get).await?;
    Ok(Answer::json(body))
}

/// PATCH /api/v1/collection/notifications/{item}.
pub(super) async fn patch(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let preferences = request.preferences()?;
    let patch = Patch::parse(&request.object().await?)?;
    let item = ItemRef::parse(request.values[0]);
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| notifications::patch(tx, context, &item.clone()?, patch);
    Ok(preferences.apply(match request.write(&key, |body| told(OperationEffect::Done, body), job).await? {
        WriteOutcome::Now(body) => Answer::json(body),
        WriteOutcome::Before(answer) => *answer,
    }))
}

/// POST /api/ext/v1/notifications.
pub(super) async fn send(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let (members, long_numbers) = request.written().await?;
    if let Some(name) = long_numbers.iter().find(|number| number.lost).map(|number| &number.member) {
        let message = format!("{name} holds a number with more digits than are kept. Give it as a text.");
        return Err(Problem::invalid_at(name, "number_imprecise", message));
    }
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| notifications::send(tx, context, &members);
    Ok(match request.write(&key, |body| told(OperationEffect::Created, body), job).await? {
        WriteOutcome::Now(body) => Answer::created(body),
        WriteOutcome::Before(answer) => *answer,
    })
}

/// The memory of an answer. The caller's own notifications hold nothing that its rights decide about.
fn told(effect: OperationEffect, body: &[u8]) -> OnceMemory {
    OnceMemory::Answer(effect, serde_json::from_slice(body).unwrap_or_default())
}
