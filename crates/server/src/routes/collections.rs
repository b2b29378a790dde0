//! Resources of the tenant's types.

use super::{Served, key};
use crate::http::{Answer, Problem, Reply, Request, body, etag, query};
use http::header::{self, HeaderValue};
use platform::resources::{self, FieldsRequest, IfMatch, ItemRef, ListRequest, Question, Written};

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
    key(&request)?;
    let pairs = query::pairs(request.uri.query())?;
    let members = match request.method.as_str() {
        "SEARCH" => Some(body::optional_object(&mut request, limit).await?),
        _ => None,
    };
    let list = ListRequest::parse(&pairs, members.as_ref())?;
    let question = Question::List { collection: collection.to_owned(), request: list };
    answer(tenant, question, &request).await
}

/// GET /api/v1/collection/{collection}/{item}.
pub(super) async fn get(tenant: &Served, collection: &str, item: &str, request: &Request) -> Reply {
    key(request)?;
    let fields = FieldsRequest::parse(&query::pairs(request.uri.query())?)?;
    // Who may not ask is told so first.
    let item = ItemRef::parse(item).ok();
    let question = Question::One { collection: collection.to_owned(), item, fields };
    answer(tenant, question, request).await
}

/// GET /api/v1/collection/{collection}/get-by/{property}/{item}.
pub(super) async fn get_by(tenant: &Served, collection: &str, property: &str, value: &str, request: &Request) -> Reply {
    key(request)?;
    let fields = FieldsRequest::parse(&query::pairs(request.uri.query())?)?;
    let [collection, property, value] = [collection, property, value].map(str::to_owned);
    answer(tenant, Question::By { collection, property, value, fields }, request).await
}

/// Asks the cache or the database.
pub(super) async fn answer(tenant: &Served, question: Question, request: &Request) -> Reply {
    let answer = tenant.answer(&key(request)?, question, etag::bypasses(request)).await?;
    let reply = if answer.empty { Answer::empty() } else { Answer::json(answer.body) };
    Ok(match answer.logged {
        true => etag::tagged(reply, &answer.etag),
        false => etag::validated(reply, &answer.etag, request),
    })
}

/// POST /api/v1/collection/{collection}.
pub(super) async fn create(tenant: &Served, collection: &str, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query::none(request.uri.query())?;
    let (members, imprecise) = body::written(&mut request, limit).await?;
    let body = tenant.prepare(&key, collection, members).await?.imprecise(imprecise);
    let collection = collection.to_owned();
    let written = tenant.write(&key, move |tx, call| resources::create_alone(tx, call, &collection, &body)).await?;
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
    let (members, imprecise) = body::written(&mut request, limit).await?;
    let body = tenant.prepare(&key, collection, members).await?.imprecise(imprecise);
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

pub(super) fn if_match(request: &Request) -> Result<Option<IfMatch>, Problem> {
    let mut values = request.headers.get_all(header::IF_MATCH).iter();
    let Some(first) = values.next() else { return Ok(None) };
    let invalid = || Problem::invalid("if_match_invalid", "If-Match must be given once, readably.");
    let text = first.to_str().ok().filter(|_| values.next().is_none()).ok_or_else(invalid)?;
    Ok(Some(IfMatch::parse(text)?))
}

pub(super) fn tagged(answer: impl FnOnce(Vec<u8>) -> Answer, written: Written) -> Answer {
    let tag = HeaderValue::from_str(&written.etag).expect("an ETag is hexadecimal digits in quotes");
    answer(written.body).with(header::ETAG, tag)
}
