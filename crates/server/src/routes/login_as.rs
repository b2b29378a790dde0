//! Administrators who act as a user.

use super::{Served, key};
use crate::http::{Answer, Problem, Reply, Request, body, query_string};
use accounts::keys;
use accounts::keys::Whom;
use database::Cost;
use serde_json::json;

/// POST /api/ext/v1/login-as: a key with which the caller acts as the user.
pub(super) async fn begin(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let members = body::object(&mut request, limit).await?;
    let whom = Whom::parse(&members)?;
    let made = tenant.write(&key, move |tx, call| keys::login_as(tx, call, &whom)).await?;
    Ok(Answer::value(&json!({"authToken": made.json()})))
}

/// GET /api/ext/v1/login-as: the keys of this kind that work still.
pub(super) async fn list(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let items = tenant.read(Cost::Scan, &key, keys::logins_as).await?;
    Ok(Answer::value(&json!({"items": items})))
}

/// DELETE /api/ext/v1/login-as/{id}.
pub(super) async fn end(tenant: &Served, id: &str, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let id = id.parse().ok().filter(|_| digits);
    let id: i64 = id.ok_or_else(|| Problem::invalid("id_invalid", "The id of a key is a number."))?;
    tenant.write(&key, move |tx, call| keys::end_login_as(tx, call, id)).await?;
    Ok(Answer::empty())
}
