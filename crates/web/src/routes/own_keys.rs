//! The keys of the caller, who is in a session: listed, made and revoked (E-138).

use super::request::TenantRequest;
use accounts::keys::own::{self, KeyRequest};
use context::caller_key::CallerKey;
use context::reads::ReadWay;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use edge::{Answer, Reply};
use serde_json::json;

/// GET /api/ext/v1/key.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let keys = request.tenant.read(ReadCost::Scan, &key, own::list_own).await?;
    Ok(Answer::value(&json!({"data": keys})))
}

/// POST /api/ext/v1/key: a new key, whose text is shown once.
pub(super) async fn make(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let asked = KeyRequest::parse(&request.optional_object().await?)?;
    request.no_idempotency_key("its answer holds a key that is told once")?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| own::make_own(tx, context, &asked);
    let made = request.tenant.write(&key, job).await?;
    Ok(Answer::created(own::made(&made).to_string().into_bytes()))
}

/// DELETE /api/ext/v1/key/{id}.
pub(super) async fn revoke(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let id = request.id("a key")?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| own::revoke_one_own(tx, context, id);
    request.tenant.write_noting(ReadWay::Change, &key, job).await?;
    Ok(Answer::empty())
}
