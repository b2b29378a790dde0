//! Upserts: by the value of a unique property, one or many.

use super::batch::{carry_out, large_body, refused};
use super::collections::{if_match, tagged};
use super::once::WriteOutcome;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use edge::{Answer, Reply, body};
use http::header::{self, HeaderValue};
use operations::batch::{Batch, BatchInput, OperationEffect, OperationOutcome};
use operations::once::{OnceMemory, RememberedResult};
use operations::upsert::{UpsertBody, upsert_by};
use resources::{LookupKey, Written};
use std::sync::Arc;

/// The most keys of a body.
const KEYS: usize = 10_000;

/// PUT /api/ext/v1/collection/{collection}/by/{property}/{item}.
pub(super) async fn one(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.form_of_decimals()?;
    let (if_match, preferences) = (if_match(&request.http)?, request.preferences()?);
    let (members, text) = body::large_object(&mut request.http, request.body_limit, KEYS).await?;
    let [collection, property, value, _] = request.values.map(str::to_owned);
    let body = UpsertBody::read(members, &text)?.prepare(&request.tenant, &key, &collection).await?;
    let (answer, named) = (Arc::clone(&request.http.answer), collection.clone());
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let key = LookupKey { property: &property, value: &value };
        let work = || upsert_by(tx, context, &collection, key, &body, if_match.as_ref());
        answer.admitted(work, |(_, written)| written.body.len())
    };
    let remember = move |(new, written): &(bool, Written)| {
        let Written { id, body, etag } = written.clone();
        let effect = if *new { OperationEffect::Created } else { OperationEffect::Done };
        let outcome = OperationOutcome::of_resource(effect, &named, id, body, etag);
        OnceMemory::Results(vec![RememberedResult::of(&outcome)])
    };
    Ok(preferences.apply(match request.write(&key, remember, job).await? {
        WriteOutcome::Now((false, written)) => tagged(Answer::json, written),
        WriteOutcome::Now((true, written)) => {
            let location = format!("{}/{}", request.collection_path(), written.id);
            let location = HeaderValue::try_from(location).expect("a path and a number fit a header");
            tagged(Answer::created, written).with(header::LOCATION, location)
        }
        WriteOutcome::Before(answer) => *answer,
    }))
}

/// POST /api/ext/v1/collection/{collection}/upsert.
pub(super) async fn many(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.form_of_decimals()?;
    let (members, text) = large_body(&mut request).await?;
    let batch = Batch::of_upserts(BatchInput { members, text: &text }, request.values[0])
        .map_err(|refusal| refused(*refusal))?;
    carry_out(request, key, batch).await
}
