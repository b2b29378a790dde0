//! Accounts: user.register, user.challenge, user.retrychallenge, user.cancelregistration, user.resetpassword.

use super::{Served, key};
use crate::http::{Answer, Reply, Request, body, query_string};
use accounts::registration;
use accounts::registration::{Cancellation, Proof, Registered, Reset, Retry};
use database::Cost;
use serde_json::json;

/// GET user.register.
pub(super) async fn envelope(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let envelope = tenant.read(Cost::Point, &key, |_, call| registration::envelope(call)).await?;
    Ok(Answer::value(&envelope))
}

/// POST user.register.
pub(super) async fn register(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let members = body::object(&mut request, limit).await?;
    let Registered { object, api_key, challenge } = registration::register(tenant, &key, members).await?;
    let mut answer = b"{\"object\":".to_vec();
    answer.extend(object);
    let challenge = challenge.map_or(json!(false), |identifier| json!(identifier));
    answer.extend(format!(",\"apiKey\":{},\"challenge\":{challenge}}}", json!(api_key)).into_bytes());
    Ok(Answer::json(answer))
}

/// POST user.challenge. It takes no key: the secret is what allows it.
pub(super) async fn challenge(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    query_string::none(request.uri.query())?;
    let proof = Proof::parse(&body::object(&mut request, limit).await?)?;
    let outcome = registration::verify(tenant, proof, request.client).await?;
    Ok(Answer::value(&outcome.json()))
}

/// POST user.retrychallenge.
pub(super) async fn retry(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let retry = Retry::parse(&body::object(&mut request, limit).await?);
    let answer = tenant.write(&key, move |tx, call| registration::retry(tx, call, retry.clone())).await?;
    Ok(Answer::value(&answer))
}

/// POST user.cancelregistration.
pub(super) async fn cancel(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let cancellation = Cancellation::parse(&body::object(&mut request, limit).await?);
    let answer = tenant.write(&key, move |tx, call| registration::cancel(tx, call, cancellation.clone())).await?;
    Ok(Answer::value(&answer))
}

/// POST user.resetpassword.
pub(super) async fn reset(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let reset = Reset::parse(&body::object(&mut request, limit).await?);
    let answer = tenant.write(&key, move |tx, call| registration::reset(tx, call, reset.clone())).await?;
    Ok(Answer::value(&answer))
}
