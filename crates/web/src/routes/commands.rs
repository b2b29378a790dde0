//! Commands, `module.action`.

use super::request::TenantRequest;
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Problem, Reply};
use model::kinds::write_instant;
use platform::tenants;
use serde_json::json;

/// The facts of this version: its number as an integer that grows, what is in it, and since when it is there.
const ID: i64 = 1_000;
const NOTES: &str = "Tenants' files become typed tables and a REST API, on SQLite and PostgreSQL.";
/// 2026-11-20T00:00:00Z, in milliseconds since 1970.
const RELEASED: i64 = 1_795_132_800_000;

/// GET backend.version.
pub(super) async fn version(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let zone = request
        .tenant
        .read(ReadCost::Point, &key, |_, context| {
            context.actor.require_command("backend.version")?;
            Ok(context.actor.zone.clone())
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
pub(super) async fn current_user(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    Ok(Answer::json(tenants::current_user(&request.tenant, &key).await?))
}

/// A command that does not exist. Which do, is told to holders of a key alone.
pub(super) async fn missing(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.tenant.read(ReadCost::Point, &key, |_, _| Ok(())).await?;
    Err(Problem::new(http::StatusCode::NOT_FOUND, "command_missing", "There is no such command."))
}
