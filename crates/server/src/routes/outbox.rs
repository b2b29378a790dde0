//! The outbox, for administrators.

use super::{Served, key};
use crate::http::{Answer, Problem, Reply, Request, body, query_string};
use database::Cost;
use messages::outbox;
use messages::outbox::OutboxRequest;
use serde_json::json;

/// GET /api/ext/v1/outbox.
pub(super) async fn list(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    let list = OutboxRequest::parse(&query_string::pairs(request.uri.query())?)?;
    let page = tenant.read(Cost::Scan, &key, move |tx, call| outbox::list(tx, call, &list)).await?;
    Ok(Answer::value(&json!({"items": page.items, "nextCursor": page.next, "hasMore": page.next.is_some()})))
}

/// GET /api/ext/v1/outbox/{id}.
pub(super) async fn get(tenant: &Served, id: &str, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let id = number(id)?;
    let row = tenant.read(Cost::Point, &key, move |tx, call| outbox::get(tx, call, id)).await?;
    Ok(Answer::value(&row))
}

/// POST /api/ext/v1/outbox/{id}/retry.
pub(super) async fn retry(tenant: &Served, id: &str, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    body::none(&mut request, limit).await?;
    let id = number(id)?;
    let row = tenant.write(&key, move |tx, call| outbox::retry(tx, call, id)).await?;
    Ok(Answer::value(&row))
}

fn number(id: &str) -> Result<i64, Problem> {
    let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    id.parse().ok().filter(|_| digits).ok_or_else(|| Problem::invalid("id_invalid", "The id of a row is a number."))
}
