//! One change of all resources that filters find.

use super::once::{WriteOutcome, value};
use super::request::TenantRequest;
use context::key_text::KeyText;
use context::request_context::RequestContext;
use database::Tx;
use edge::{Answer, Reply, body};
use operations::bulk::{self, BulkOutcome, BulkRequest};
use serde_json::{Value as Json, json};

/// The most keys of a body.
const KEYS: usize = 10_000;

/// POST /api/ext/v1/bulk/{collection}.
pub(super) async fn run(mut request: TenantRequest<'_>, key: KeyText) -> Reply {
    request.no_parameters()?;
    let (members, text) = body::large_object(&mut request.http, request.body_limit, KEYS).await?;
    let collection = request.values[0].to_owned();
    let bulk = BulkRequest::read(&collection, members, &text)?;
    bulk.prepare(&request.tenant, &key, &collection).await?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| bulk::run(tx, context, &collection, &bulk).map(told);
    Ok(match request.write(&key, value, job).await? {
        WriteOutcome::Now(told) => Answer::value(&told),
        WriteOutcome::Before(answer) => *answer,
    })
}

fn told(outcome: BulkOutcome) -> Json {
    let BulkOutcome { matched, changed, refused, deleted, digest } = outcome;
    let refused: Vec<Json> = refused.into_iter().map(|row| json!({"id": row.id, "code": row.code})).collect();
    let mut told = json!({"matched": matched, "changed": changed, "refused": refused});
    let members = [("deleted", deleted.map(|deleted| json!(deleted))), ("digest", digest.map(Json::from))];
    for (name, value) in members.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        told[name] = value;
    }
    told
}
