//! Resources of the tenant's types.

use super::{Served, key};
use crate::http::{Answer, Problem, Reply, Request, body, etag, query};
use database::Cost;
use http::header::{self, HeaderValue};
use platform::resources::{self, FieldsRequest, IfMatch, ItemRef, ListRequest, Written};

/// How a resource is changed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// PUT.
    Replace,
    /// PATCH.
    Patch,
}

/// GET and SEARCH /api/v1/collection/{collection}.
pub(super) async fn list(tenant: &Served, collection: &str, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    let pairs = query::pairs(request.uri.query())?;
    let members = match request.method.as_str() {
        "SEARCH" => Some(body::optional_object(&mut request, limit).await?),
        _ => None,
    };
    let list = ListRequest::parse(&pairs, members.as_ref())?;
    let collection = collection.to_owned();
    let (page, tag) = tenant
        .read(Cost::Scan, &key, move |tx, call| {
            let page = resources::list(tx, call, &collection, &list)?;
            let tag = resources::etag(call, &page.body);
            Ok((page, tag))
        })
        .await?;
    let answer = if page.fetched == 0 { Answer::empty() } else { Answer::json(page.body) };
    Ok(etag::validated(answer, &tag, &request))
}

/// GET /api/v1/collection/{collection}/{item}.
pub(super) async fn get(tenant: &Served, collection: &str, item: &str, request: &Request) -> Reply {
    let key = key(request)?;
    let fields = FieldsRequest::parse(&query::pairs(request.uri.query())?)?;
    let item = ItemRef::parse(item);
    let collection = collection.to_owned();
    let (body, tag) = tenant
        .read(Cost::Point, &key, move |tx, call| {
            let body = resources::get(tx, call, &collection, &item.clone()?, &fields)?;
            let tag = resources::etag(call, &body);
            Ok((body, tag))
        })
        .await?;
    Ok(etag::validated(Answer::json(body), &tag, request))
}

/// GET /api/v1/collection/{collection}/get-by/{property}/{item}.
pub(super) async fn get_by(tenant: &Served, collection: &str, property: &str, value: &str, request: &Request) -> Reply {
    let key = key(request)?;
    let fields = FieldsRequest::parse(&query::pairs(request.uri.query())?)?;
    let [collection, property, value] = [collection, property, value].map(str::to_owned);
    let (body, tag) = tenant
        .read(Cost::Scan, &key, move |tx, call| {
            let body = resources::get_by(tx, call, &collection, &property, &value, &fields)?;
            let tag = resources::etag(call, &body);
            Ok((body, tag))
        })
        .await?;
    Ok(etag::validated(Answer::json(body), &tag, request))
}

/// POST /api/v1/collection/{collection}.
pub(super) async fn create(tenant: &Served, collection: &str, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query::none(request.uri.query())?;
    let members = body::object(&mut request, limit).await?;
    let body = tenant.prepare(&key, collection, members).await?;
    let collection = collection.to_owned();
    let written = tenant.write(&key, move |tx, call| resources::create(tx, call, &collection, &body)).await?;
    Ok(tagged(Answer::created, written))
}

/// PUT and PATCH /api/v1/collection/{collection}/{item}.
pub(super) async fn change(
    tenant: &Served,
    change: Change,
    collection: &str,
    item: &str,
    mut request: Request,
    limit: usize,
) -> Reply {
    let key = key(&request)?;
    query::none(request.uri.query())?;
    let if_match = if_match(&request)?;
    let members = body::object(&mut request, limit).await?;
    let body = tenant.prepare(&key, collection, members).await?;
    let item = ItemRef::parse(item);
    let collection = collection.to_owned();
    let written = tenant
        .write(&key, move |tx, call| {
            let item = item.clone()?;
            match change {
                Change::Replace => resources::replace(tx, call, &collection, &item, if_match.as_ref(), &body),
                Change::Patch => resources::patch(tx, call, &collection, &item, if_match.as_ref(), &body),
            }
        })
        .await?;
    Ok(tagged(Answer::json, written))
}

/// DELETE /api/v1/collection/{collection}/{item}.
pub(super) async fn delete(tenant: &Served, collection: &str, item: &str, request: &Request) -> Reply {
    let key = key(request)?;
    query::none(request.uri.query())?;
    let if_match = if_match(request)?;
    let item = ItemRef::parse(item);
    let collection = collection.to_owned();
    tenant
        .write(&key, move |tx, call| resources::delete(tx, call, &collection, &item.clone()?, if_match.as_ref()))
        .await?;
    Ok(Answer::empty())
}

fn if_match(request: &Request) -> Result<Option<IfMatch>, Problem> {
    let mut values = request.headers.get_all(header::IF_MATCH).iter();
    let Some(first) = values.next() else { return Ok(None) };
    let invalid = || Problem::invalid("if_match_invalid", "If-Match must be given once, readably.");
    let text = first.to_str().ok().filter(|_| values.next().is_none()).ok_or_else(invalid)?;
    Ok(Some(IfMatch::parse(text)?))
}

fn tagged(answer: impl FnOnce(Vec<u8>) -> Answer, written: Written) -> Answer {
    let tag = HeaderValue::from_str(&written.etag).expect("an ETag is hexadecimal digits in quotes");
    answer(written.body).with(header::ETAG, tag)
}
