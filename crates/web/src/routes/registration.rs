//! Accounts: user.register, user.challenge, user.retrychallenge, user.cancelregistration, user.resetpassword.

use super::request::TenantRequest;
use accounts::registration;
use accounts::registration::{Cancellation, Proof, Registered, Reset, Retry};
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Reply};
use serde_json::json;

/// GET user.register.
pub(super) async fn envelope(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let envelope = request.tenant.read(ReadCost::Point, &key, |_, context| registration::envelope(context)).await?;
    Ok(Answer::value(&envelope))
}

/// POST user.register.
pub(super) async fn register(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let members = request.object().await?;
    let Registered { object, api_key, challenge } = registration::register(&request.tenant, &key, members).await?;
    let mut answer = b"{\"object\":".to_vec();
    answer.extend(object);
    let challenge = challenge.map_or(json!(false), |identifier| json!(identifier));
    answer.extend(format!(",\"apiKey\":{},\"challenge\":{challenge}}}", json!(api_key)).into_bytes());
    Ok(Answer::json(answer))
}

/// POST user.challenge. It takes no key: the secret is what allows it.
pub(super) async fn challenge(mut request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    let proof = Proof::parse(&request.object().await?)?;
    let outcome = registration::verify(&request.tenant, proof, request.http.client).await?;
    Ok(Answer::value(&outcome.json()))
}

/// POST user.retrychallenge.
pub(super) async fn retry(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let retry = Retry::parse(&request.object().await?);
    let answer = request.tenant.write(&key, move |tx, context| registration::retry(tx, context, retry.clone())).await?;
    Ok(Answer::value(&answer))
}

/// POST user.cancelregistration.
pub(super) async fn cancel(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let cancellation = Cancellation::parse(&request.object().await?);
    let answer =
        request.tenant.write(&key, move |tx, context| registration::cancel(tx, context, cancellation.clone())).await?;
    Ok(Answer::value(&answer))
}

/// POST user.resetpassword.
pub(super) async fn reset(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let reset = Reset::parse(&request.object().await?);
    let answer = request.tenant.write(&key, move |tx, context| registration::reset(tx, context, reset.clone())).await?;
    Ok(Answer::value(&answer))
}
