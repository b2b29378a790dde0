//! Commands, `module.action`.

use super::{Served, key, registration, tags};
use crate::http::{Answer, Problem, Reply, Request, query_string};
use database::Cost;
use model::kinds::write_instant;
use platform::tenants;
use serde_json::json;

/// The facts of this version: its number as an integer that grows, what is in it, and since when it is there.
const ID: i64 = 1_000;
const NOTES: &str = "Tenants' files become typed tables and a REST API, on SQLite and PostgreSQL.";
/// 2026-11-20T00:00:00Z, in milliseconds since 1970.
const RELEASED: i64 = 1_795_132_800_000;

/// Any method on /api/v1/app/{module}.{action} that the router lets through.
pub(super) async fn call(tenant: &Served, name: &str, request: Request, limit: usize) -> Reply {
    match name {
        "backend.version" => version(tenant, &request).await,
        "tags.assign" => tags::assign(tenant, request, limit).await,
        "tags.object" => tags::object(tenant, &request).await,
        "user.cancelregistration" => registration::cancel(tenant, request, limit).await,
        "user.challenge" => registration::challenge(tenant, request, limit).await,
        "user.current" => current_user(tenant, &request).await,
        "user.register" if request.method == http::Method::POST => registration::register(tenant, request, limit).await,
        "user.register" => registration::envelope(tenant, &request).await,
        "user.resetpassword" => registration::reset(tenant, request, limit).await,
        "user.retrychallenge" => registration::retry(tenant, request, limit).await,
        _ => missing(tenant, &request).await,
    }
}

/// GET backend.version.
async fn version(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let zone = tenant
        .read(Cost::Point, &key, |_, call| {
            call.actor.require_command("backend.version")?;
            Ok(call.actor.zone.clone())
        })
        .await?;
    let mut released = Vec::new();
    write_instant(&mut released, RELEASED, &zone);
    let released = String::from_utf8_lossy(&released);
    Ok(Answer::value(&json!({
        "id": ID, "code": env!("CARGO_PKG_VERSION"), "notes": NOTES, "release_time": released,
    })))
}

/// GET user.current.
async fn current_user(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    Ok(Answer::json(tenants::current_user(tenant, &key).await?))
}

/// A command that does not exist. Which do, is told to holders of a key alone.
async fn missing(tenant: &Served, request: &Request) -> Reply {
    tenant.read(Cost::Point, &key(request)?, |_, _| Ok(())).await?;
    Err(Problem::new(http::StatusCode::NOT_FOUND, "command_missing", "There is no such command."))
}
