//! Tags, and the commands that give them to resources.

use super::collections::{Change, if_match, tagged};
use super::{Served, key};
use crate::http::{Answer, Reply, Request, body, etag, query_string};
use database::Cost;

use accounts::tags;
use accounts::tags::{Assignment, Deletion, TagListRequest, Tagged};
use query::request::FieldsRequest;

/// GET and SEARCH /api/v1/collection/tags.
pub(super) async fn list(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    let pairs = query_string::pairs(request.uri.query())?;
    let members = match request.method.as_str() {
        "SEARCH" => Some(body::optional_object(&mut request, limit).await?),
        _ => None,
    };
    let list = TagListRequest::parse(&pairs, members.as_ref())?;
    let (page, tag) = tenant
        .read(Cost::Scan, &key, move |tx, call| {
            let page = tags::list(tx, call, &list)?;
            let tag = resources::etag(call, &page.body);
            Ok((page, tag))
        })
        .await?;
    let answer = if page.fetched == 0 { Answer::empty() } else { Answer::json(page.body) };
    Ok(etag::validated(answer, &tag, &request))
}

/// GET /api/v1/collection/tags/{item}.
pub(super) async fn get(tenant: &Served, item: &str, request: &Request) -> Reply {
    let key = key(request)?;
    let fields = FieldsRequest::parse(&query_string::pairs(request.uri.query())?)?;
    let item = item.to_owned();
    let (body, tag) = tenant
        .read(Cost::Scan, &key, move |tx, call| {
            let body = tags::get(tx, call, &item, &fields)?;
            let tag = resources::etag(call, &body);
            Ok((body, tag))
        })
        .await?;
    Ok(etag::validated(Answer::json(body), &tag, request))
}

/// POST /api/v1/collection/tags.
pub(super) async fn create(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let members = body::object(&mut request, limit).await?;
    let written = tenant.write(&key, move |tx, call| tags::create(tx, call, &members)).await?;
    Ok(tagged(Answer::created, written))
}

/// PUT and PATCH /api/v1/collection/tags/{item}.
pub(super) async fn change(tenant: &Served, change: Change, item: &str, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let if_match = if_match(&request)?;
    let members = body::object(&mut request, limit).await?;
    let item = item.to_owned();
    let written = tenant
        .write(&key, move |tx, call| match change {
            Change::Replace => tags::replace(tx, call, &item, if_match.as_ref(), &members),
            Change::Patch => tags::patch(tx, call, &item, if_match.as_ref(), &members),
        })
        .await?;
    Ok(tagged(Answer::json, written))
}

/// DELETE /api/v1/collection/tags/{item}.
pub(super) async fn delete(tenant: &Served, item: &str, request: &Request) -> Reply {
    let key = key(request)?;
    let deletion = Deletion::parse(&query_string::pairs(request.uri.query())?)?;
    let if_match = if_match(request)?;
    let item = item.to_owned();
    tenant.write(&key, move |tx, call| tags::delete(tx, call, &item, if_match.as_ref(), deletion)).await?;
    Ok(Answer::empty())
}

/// GET tags.object.
pub(super) async fn object(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    let of = Tagged::parse(&query_string::pairs(request.uri.query())?)?;
    let body = tenant.read(Cost::Point, &key, move |tx, call| tags::object(tx, call, &of)).await?;
    Ok(Answer::json(body))
}

/// POST tags.assign.
pub(super) async fn assign(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let assignment = Assignment::parse(&body::object(&mut request, limit).await?)?;
    let body = tenant.write(&key, move |tx, call| tags::assign(tx, call, &assignment)).await?;
    Ok(Answer::json(body))
}
