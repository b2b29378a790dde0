//! Notifications: those of the caller, and where administrators make them.

use super::TenantRequest;
use context::key_text::KeyText;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use edge::{Answer, Problem, Reply};
use messages::notifications;
use messages::notifications::{NotificationListRequest, NotificationRequest, Patch};
use query::request::ItemRef;

/// GET /api/v1/collection/notifications.
pub(super) async fn list(request: TenantRequest<'_>, key: KeyText) -> Reply {
    let list = NotificationListRequest::parse(&request.parameters()?)?;
    let page =
        request.tenant.read(ReadCost::Scan, &key, move |tx, context| notifications::list(tx, context, &list)).await?;
    Ok(request.listed(page.fetched == 0, Answer::json(page.body)))
}

/// GET /api/v1/collection/notifications/{item}.
pub(super) async fn get(request: TenantRequest<'_>, key: KeyText) -> Reply {
    let asked = NotificationRequest::parse(&request.parameters()?)?;
    let item = ItemRef::parse(request.values[0]);
    let get = move |tx: &mut Tx<'_>, context: &RequestContext| notifications::get(tx, context, &item.clone()?, &asked);
    let body = request.tenant.read(ReadCost::Point, &key, get).await?;
    Ok(Answer::json(body))
}

/// PATCH /api/v1/collection/notifications/{item}.
pub(super) async fn patch(mut request: TenantRequest<'_>, key: KeyText) -> Reply {
    request.no_parameters()?;
    let preferences = request.preferences()?;
    let patch = Patch::parse(&request.object().await?)?;
    let item = ItemRef::parse(request.values[0]);
    let body =
        request.tenant.write(&key, move |tx, context| notifications::patch(tx, context, &item.clone()?, patch)).await?;
    Ok(preferences.apply(Answer::json(body)))
}

/// POST /api/ext/v1/notifications.
pub(super) async fn send(mut request: TenantRequest<'_>, key: KeyText) -> Reply {
    request.no_parameters()?;
    let (members, long_numbers) = request.written().await?;
    if let Some(name) = long_numbers.iter().find(|number| number.lost).map(|number| &number.member) {
        let message = format!("{name} holds a number with more digits than are kept. Give it as a text.");
        return Err(Problem::invalid_at(name, "number_imprecise", message));
    }
    let body = request.tenant.write(&key, move |tx, context| notifications::send(tx, context, &members)).await?;
    Ok(Answer::created(body))
}
