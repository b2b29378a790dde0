//! Notifications: those of the caller, and where administrators make them.

use super::{Served, key};
use crate::http::{Answer, Problem, Reply, Request, body, query_string};
use context::call::Call;
use database::{Cost, Tx};
use messages::notifications;
use messages::notifications::{NotificationListRequest, NotificationRequest, Patch};
use query::request::ItemRef;

/// GET /api/v1/collection/notifications.
pub(super) async fn list(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    let list = NotificationListRequest::parse(&query_string::pairs(request.uri.query())?)?;
    let page = tenant.read(Cost::Scan, &key, move |tx, call| notifications::list(tx, call, &list)).await?;
    Ok(if page.fetched == 0 { Answer::empty() } else { Answer::json(page.body) })
}

/// GET /api/v1/collection/notifications/{item}.
pub(super) async fn get(tenant: &Served, item: &str, request: &Request) -> Reply {
    let key = key(request)?;
    let asked = NotificationRequest::parse(&query_string::pairs(request.uri.query())?)?;
    let item = ItemRef::parse(item);
    let get = move |tx: &mut Tx<'_>, call: &Call| notifications::get(tx, call, &item.clone()?, &asked);
    let body = tenant.read(Cost::Point, &key, get).await?;
    Ok(Answer::json(body))
}

/// PATCH /api/v1/collection/notifications/{item}.
pub(super) async fn patch(tenant: &Served, item: &str, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let patch = Patch::parse(&body::object(&mut request, limit).await?)?;
    let item = ItemRef::parse(item);
    let body = tenant.write(&key, move |tx, call| notifications::patch(tx, call, &item.clone()?, patch)).await?;
    Ok(Answer::json(body))
}

/// POST /api/ext/v1/notifications.
pub(super) async fn send(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let (members, long_numbers) = body::written(&mut request, limit).await?;
    if let Some(name) = long_numbers.iter().find(|number| number.lost).map(|number| &number.member) {
        let message = format!("{name} holds a number with more digits than are kept. Give it as a text.");
        return Err(Problem::invalid_at(name, "number_imprecise", message));
    }
    let body = tenant.write(&key, move |tx, call| notifications::send(tx, call, &members)).await?;
    Ok(Answer::created(body))
}
