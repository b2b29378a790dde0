//! Administrators who act as a user.

use super::once::{WriteOutcome, nothing};
use super::request::TenantRequest;
use accounts::keys;
use accounts::keys::Whom;
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Reply};
use serde_json::json;

/// POST /api/ext/v1/login-as: a key with which the caller acts as the user.
pub(super) async fn begin(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let members = request.object().await?;
    request.no_idempotency_key("its answer holds a key that is told once")?;
    let whom = Whom::parse(&members)?;
    let made = request.tenant.write(&key, move |tx, context| keys::login_as(tx, context, &whom)).await?;
    Ok(Answer::value(&json!({"authToken": made.json()})))
}

/// GET /api/ext/v1/login-as: the keys of this kind that work still.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let items = request.tenant.read(ReadCost::Scan, &key, keys::logins_as).await?;
    Ok(Answer::value(&json!({"items": items})))
}

/// DELETE /api/ext/v1/login-as/{id}.
pub(super) async fn end(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let id = request.id("a key")?;
    match request.write(&key, nothing, move |tx, context| keys::end_login_as(tx, context, id)).await? {
        WriteOutcome::Now(_) => Ok(Answer::empty()),
        WriteOutcome::Before(answer) => Ok(*answer),
    }
}
