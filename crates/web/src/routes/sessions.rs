//! The session of a browser, for scripts of our own pages: what it is, beginning and ending it (E-136, E-137).

use super::describe;
use super::request::TenantRequest;
use crate::browser_session::{self, BrowserSession};
use accounts::keys::{self, NamedUser};
use accounts::sessions::{self, PageSignIn, Session, Visit};
use context::audit::RequestChannel;
use context::caller_key::CallerKey;
use context::key_text::refused;
use context::reads::ReadWay;
use context::request_context::RequestContext;
use context::validity;
use database::{ReadCost, Tx};
use edge::{Answer, Problem, Reply};
use http::header::{CACHE_CONTROL, HeaderValue, SET_COOKIE};
use messages::notifications;
use model::error::{Error, Result};
use model::types::SystemPermission;
use serde_json::{Value, json};
use std::sync::Arc;
use tenant::Tenant;

/// GET /api/ext/v1/session: who is there, and the proof with which requests use the session. With the key of an
/// administrator who acts as a user: the user, and who acts.
pub(super) async fn get(request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    if let Some(told) = acted(&request).await? {
        return Ok(told);
    }
    let headers = &request.http.headers;
    if !browser_session::is_own(headers) {
        return Err(refused().into());
    }
    let browser = BrowserSession::of(&request.tenant, headers, request.http.client).await?;
    let visit = browser.visit.ok_or_else(refused)?;
    let cookie = if browser.told { browser_session::keep(request.tenant.name(), &visit.token) } else { None };
    with_cookie(answer(&request.tenant, &visit).await, cookie)
}

/// POST /api/ext/v1/session: signs in, in the place of the session that the browser had.
pub(super) async fn begin(mut request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    let mut members = request.object().await?;
    request.no_idempotency_key("it begins a session")?;
    if !browser_session::is_own(&request.http.headers) {
        return Err(refused().into());
    }
    let mut text = |name: &str| match members.remove(name) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(Problem::invalid_at(name, "property_invalid", format!("{name} must be a text."))),
    };
    let (login, password) = (text("user")?, text("password")?);
    if let Some(name) = members.keys().next() {
        return Err(Problem::invalid_at(name, "property_unknown", format!("There is no property {name:?}.")));
    }
    let tenant = &request.tenant;
    let browser = browser_session::browser(request.http.client, &request.http.headers);
    let before = browser_session::token(tenant.name(), &request.http.headers);
    let token = sessions::sign_in_to_pages(tenant, PageSignIn { login, password, browser, before }).await?;
    // Who may not use the API is signed in all the same, for the account page.
    let cookie = browser_session::keep(tenant.name(), &token);
    let reply = match sessions::visit(tenant, &token, request.http.client).await {
        Ok(Some(visit)) => answer(tenant, &visit).await,
        Ok(None) => Err(refused().into()),
        Err(error) => Err(error.into()),
    };
    with_cookie(reply, cookie)
}

/// DELETE /api/ext/v1/session: signs out.
pub(super) async fn end(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let job = |tx: &mut Tx<'_>, context: &RequestContext| {
        let (owner, own) = (owner(context)?, context.source.key);
        match sessions::list(tx, owner, context.now)?.iter().find(|session| session.key == own) {
            Some(session) => sessions::end(tx, context, owner, session.id),
            None => Ok(()),
        }
    };
    request.tenant.write_noting(ReadWay::Change, &key, job).await?;
    with_cookie(Ok(Answer::empty()), browser_session::forget(request.tenant.name()))
}

/// GET /api/ext/v1/session/list: the sessions of the caller.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let job = |tx: &mut Tx<'_>, context: &RequestContext| {
        let sessions = sessions::list(tx, owner(context)?, context.now)?;
        Ok(sessions.iter().map(|session| member(session, context)).collect::<Vec<_>>())
    };
    let sessions = request.tenant.read(ReadCost::Scan, &key, job).await?;
    Ok(Answer::value(&json!({"data": sessions})))
}

/// DELETE /api/ext/v1/session/{id}: ends a session of the caller.
pub(super) async fn end_one(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let id = request.id("a session")?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| sessions::end(tx, context, owner(context)?, id);
    request.tenant.write_noting(ReadWay::Change, &key, job).await?;
    Ok(Answer::empty())
}

/// The caller, whose request came by a session.
fn owner(context: &RequestContext) -> Result<i64> {
    match (context.source.via, context.user()) {
        (RequestChannel::Page, Some(user)) => Ok(user),
        _ => {
            Err(Error::forbidden("session_needed", "Sessions are listed and ended in a session alone. Sign in first."))
        }
    }
}

fn member(session: &Session, context: &RequestContext) -> Value {
    let zone = &context.actor.zone;
    json!({
        "id": session.id, "agent": session.agent, "address": session.address,
        "created": validity::text(session.created, zone), "seen": validity::text(session.seen, zone),
        "current": session.key.is_some() && session.key == context.source.key,
    })
}

/// The answer to a given key with which an administrator acts as a user; none where the key is another one.
async fn acted(request: &TenantRequest<'_>) -> Result<Option<Answer>, Problem> {
    if request.http.is_keyless() {
        return Ok(None);
    }
    let tenant = &request.tenant;
    let caller = CallerKey::parse(request.http.key().unwrap_or(""))?.sent_from(request.http.client);
    let name = tenant.name().to_owned();
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let Some(acting) = keys::acting_key(tx, context)? else { return Ok(None) };
        let mut told = members(tx, context, &name, &acting.user)?;
        told["actor"] = json!({"id": acting.actor.id, "login": acting.actor.login, "name": acting.actor.name});
        told["ends"] = validity::text(acting.ends, &context.actor.zone).into();
        Ok(Some(told))
    };
    let Some(told) = tenant.read(ReadCost::Scan, &caller, job).await? else { return Ok(None) };
    Ok(Some(with_schema(tenant, &caller, told)))
}

/// Returns what is told of the user of a request, whatever the request came by.
fn members(tx: &mut Tx<'_>, context: &RequestContext, tenant: &str, user: &NamedUser) -> Result<Value> {
    let (actor, model) = (&context.actor, &context.model);
    actor.require(SystemPermission::RestApi).map_err(|error| Error { code: "rest_api_missing", ..error })?;
    let permissions = SystemPermission::ALL.iter().filter(|(_, permission)| actor.system.contains(permission));
    Ok(json!({
        "user": {
            "id": actor.user, "login": user.login, "name": user.name, "roles": actor.roles,
            "permissions": permissions.map(|(name, _)| name).collect::<Vec<_>>(),
        },
        "zone": actor.zone.iana_name().unwrap_or("UTC"),
        "tenant": {
            "name": tenant, "title": model.settings.title, "locale": model.settings.locale,
            "perPage": model.settings.api.per_page, "maxPageLength": model.settings.api.max_page_length,
            "resets": model.settings.api.allow_api_password_reset,
        },
        "unread": notifications::unread(tx, context)?,
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

/// The answer with the version of the description for a caller who was answered a moment ago.
fn with_schema(tenant: &Tenant, caller: &CallerKey, mut told: Value) -> Answer {
    if let Some(version) = describe::version(tenant, caller) {
        told["schema"] = version.to_str().unwrap_or_default().into();
    }
    Answer::value(&told).with(CACHE_CONTROL, HeaderValue::from_static("no-store"))
}

/// The answer that tells of a session.
async fn answer(tenant: &Arc<Tenant>, visit: &Visit) -> Reply {
    let key = visit.session.key.ok_or_else(refused)?;
    let caller = CallerKey::from(visit.token.key_text(key).0);
    let name = tenant.name().to_owned();
    let session = visit.session.clone();
    let user = NamedUser { id: session.owner, login: visit.login.clone(), name: visit.name.clone() };
    let proof = visit.token.api_proof(key).to_string();
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let mut told = members(tx, context, &name, &user)?;
        told["proof"] = proof.as_str().into();
        told["ends"] = validity::text(session.ends(), &context.actor.zone).into();
        Ok(told)
    };
    let told = sessions::read_visit(tenant, visit, job).await?.ok_or_else(refused)?;
    // The rights of the key become known with its first request.
    tenant.read(ReadCost::Point, &caller, |_, _| Ok(())).await?;
    Ok(with_schema(tenant, &caller, told))
}

/// Has the browser keep a cookie, whatever the answer is: the token that it had leads nowhere any more.
fn with_cookie(reply: Reply, cookie: Option<HeaderValue>) -> Reply {
    let Some(cookie) = cookie else { return reply };
    match reply {
        Ok(mut answer) => {
            answer.headers.append(SET_COOKIE, cookie);
            Ok(answer)
        }
        Err(problem) => Err(problem.with(SET_COOKIE, cookie)),
    }
}
