//! Resources of the tenant's types.

use super::{Served, key};
use crate::http::{Answer, Problem, Reply, Request, body, etag, query_string};
use http::header::{self, HeaderName, HeaderValue};
use platform::tenants;
use query::read_query::ReadQuery;
use query::request::{FieldsRequest, ItemRef, ListRequest};
use resources::{IfMatch, Written};
use std::sync::Arc;

/// The header of a list with the resources that it leaves out, since they are too large: `article/17, article/18`.
const OMITTED: HeaderName = HeaderName::from_static("plinth-omitted");
/// The most of them that it names.
const MOST_NAMED: usize = 100;

/// The way in which a resource is changed.
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
    let pairs = query_string::pairs(request.uri.query())?;
    let members = match request.method.as_str() {
        "SEARCH" => Some(body::optional_object(&mut request, limit).await?),
        _ => None,
    };
    let list = ListRequest::parse(&pairs, members.as_ref())?;
    let question = ReadQuery::List { collection: collection.to_owned(), request: list };
    answer(tenant, question, &request).await
}

/// GET /api/v1/collection/{collection}/{item}.
pub(super) async fn get(tenant: &Served, collection: &str, item: &str, request: &Request) -> Reply {
    key(request)?;
    let fields = FieldsRequest::parse(&query_string::pairs(request.uri.query())?)?;
    // Who may not ask is told so first.
    let item = ItemRef::parse(item).ok();
    let question = ReadQuery::One { collection: collection.to_owned(), item, fields };
    answer(tenant, question, request).await
}

/// GET /api/v1/collection/{collection}/get-by/{property}/{item}.
pub(super) async fn get_by(tenant: &Served, collection: &str, property: &str, value: &str, request: &Request) -> Reply {
    key(request)?;
    let fields = FieldsRequest::parse(&query_string::pairs(request.uri.query())?)?;
    let [collection, property, value] = [collection, property, value].map(str::to_owned);
    answer(tenant, ReadQuery::By { collection, property, value, fields }, request).await
}

/// Asks the cache or the database.
pub(super) async fn answer(tenant: &Served, question: ReadQuery, request: &Request) -> Reply {
    let answer = tenants::answer(tenant, &key(request)?, question, etag::bypasses(request)).await?;
    let reply = if answer.empty { Answer::empty() } else { Answer::of(answer.body) };
    let reply = match answer.omitted.is_empty() {
        true => reply,
        false => reply.with(OMITTED, omitted(&answer.omitted)),
    };
    Ok(match answer.logged {
        true => etag::tagged(reply, &answer.etag),
        false => etag::validated(reply, &answer.etag, request),
    })
}

/// The header of resources that were too large for their list.
fn omitted(resources: &[String]) -> HeaderValue {
    let named = resources.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    HeaderValue::try_from(named).expect("names of types and ids fit a header")
}

/// POST /api/v1/collection/{collection}.
pub(super) async fn create(tenant: &Served, collection: &str, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let (members, long_numbers) = body::written(&mut request, limit).await?;
    let body = resources::prepare(tenant, &key, collection, members).await?.with_long_numbers(long_numbers);
    let collection = collection.to_owned();
    let answer = Arc::clone(&request.answer);
    let written = tenant
        .write(&key, move |tx, call| {
            answer.admitted(|| resources::create_alone(tx, call, &collection, &body), |written| written.body.len())
        })
        .await?;
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
    query_string::none(request.uri.query())?;
    let if_match = if_match(&request)?;
    let keeps_keys = keeps_keys(&request)?;
    let (members, long_numbers) = body::written(&mut request, limit).await?;
    let body = resources::prepare(tenant, &key, collection, members).await?.with_long_numbers(long_numbers);
    let item = ItemRef::parse(item);
    let collection = collection.to_owned();
    let answer = Arc::clone(&request.answer);
    let written = tenant
        .write(&key, move |tx, call| {
            let item = item.clone()?;
            let call = &call.keeping_keys(keeps_keys);
            let work = || match change {
                Change::Replace => resources::replace(tx, call, &collection, &item, if_match.as_ref(), &body),
                Change::Patch => resources::patch(tx, call, &collection, &item, if_match.as_ref(), &body),
            };
            answer.admitted(work, |written| written.body.len())
        })
        .await?;
    Ok(tagged(Answer::json, written))
}

/// DELETE /api/v1/collection/{collection}/{item}.
pub(super) async fn delete(tenant: &Served, collection: &str, item: &str, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
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

/// Reads `X-Keep-Keys`: whether the keys that a user's old password made stay when a new one is set.
fn keeps_keys(request: &Request) -> Result<bool, Problem> {
    match request.headers.get("x-keep-keys").map(HeaderValue::as_bytes) {
        None | Some(b"false") => Ok(false),
        Some(b"true") => Ok(true),
        Some(_) => Err(Problem::invalid("keep_keys_invalid", "X-Keep-Keys must be true or false.")),
    }
}

pub(super) fn tagged(answer: impl FnOnce(Vec<u8>) -> Answer, written: Written) -> Answer {
    let tag = HeaderValue::from_str(&written.etag).expect("an ETag is hexadecimal digits in quotes");
    answer(written.body).with(header::ETAG, tag)
}
