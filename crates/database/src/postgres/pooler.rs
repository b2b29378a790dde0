//! The pooler in front of a server: found, and checked for the settings of its role.
//!
//! PgBouncer refuses the options of a connection, or drops them when it is told to ignore them. A server that has our
//! mark afterwards is reached without a pooler, or with one that keeps sessions apart.

use super::server_target::ServerTarget;
use super::session::{PostgresTransaction, ServerSession};
use super::session_settings::{MARK, SessionSettings};
use crate::sql::SqlDialect;
use crate::{Error, PoolerMode, PostgresOptions, Result, Sql};
use std::sync::Arc;

/// The targets of requests and of commands.
pub(super) struct ServerTargets {
    pub(super) requests: Arc<ServerTarget>,
    pub(super) commands: Arc<ServerTarget>,
}

/// Finds out how requests and commands reach the server. It asks the server, where the options do not say it.
pub(super) fn find(options: &PostgresOptions) -> Result<ServerTargets> {
    let pooled = match options.pooler {
        PoolerMode::None => false,
        PoolerMode::Transaction => true,
        PoolerMode::Auto => is_pooled(&options.url)?,
    };
    let (url, commands) = (options.url.as_str(), SessionSettings::of_commands());
    let requests = match pooled {
        true => pooled_requests(url)?,
        false => ServerTarget::of_sessions(url, &SessionSettings::of_requests())?,
    };
    let commands = match (options.direct_url.as_str(), pooled) {
        ("", true) => ServerTarget::of_transactions(url, Some(commands))?,
        ("", false) => ServerTarget::of_sessions(url, &commands)?,
        (direct, _) => ServerTarget::of_sessions(direct, &commands)?,
    };
    Ok(ServerTargets { requests: Arc::new(requests), commands: Arc::new(commands) })
}

/// Returns true if the options of a connection do not reach the server.
fn is_pooled(url: &str) -> Result<bool> {
    let target = ServerTarget::of_sessions(url, &SessionSettings::of_requests())?;
    let mut session = ServerSession::new(Arc::new(target), 0);
    match session.reach() {
        Ok(()) => {}
        Err(reason) if reason.contains("startup parameter") => return Ok(true),
        Err(reason) => return Err(unreachable(&reason)),
    }
    let marked = ask(&mut session, &format!("SELECT 'on' WHERE current_setting('{MARK}', true) = 'on'"))?;
    Ok(marked.is_empty())
}

/// Returns the target of requests behind a pooler: the settings of the role do, or each transaction says them.
fn pooled_requests(url: &str) -> Result<ServerTarget> {
    let silent = Arc::new(ServerTarget::of_transactions(url, None)?);
    let settings = SessionSettings::of_requests().overridden(&silent.address)?;
    let mut session = ServerSession::new(silent, 0);
    session.reach().map_err(|reason| unreachable(&reason))?;
    let missing = ask(&mut session, &settings.missing())?;
    if missing.is_empty() {
        tracing::info!("PostgreSQL is reached through a pooler, and the role has the settings");
        return ServerTarget::of_transactions(url, None);
    }
    let missing = missing.join(", ");
    tracing::info!(
        missing,
        "PostgreSQL is reached through a pooler: transactions begin with what the role does not set"
    );
    ServerTarget::of_transactions(url, Some(SessionSettings::of_requests()))
}

/// Returns the texts of a column.
pub(super) fn ask(session: &mut ServerSession, text: &str) -> Result<Vec<String>> {
    let mut sql = Sql::new(SqlDialect::Postgres { prefix: "".into() });
    sql.append(text);
    let mut found = Vec::new();
    PostgresTransaction::reading(session, "".into()).query(&sql, &mut |row| {
        found.push(row.text(0)?.to_owned());
        Ok(())
    })?;
    Ok(found)
}

/// Returns the error of a server that cannot be reached.
pub(super) fn unreachable(reason: &str) -> Error {
    let advice = match reason.contains("startup parameter") {
        true => ". A pooler refuses the settings of the connection: set postgres.pooler to \"auto\" or \"transaction\"",
        false => "",
    };
    Error::Failed(format!("PostgreSQL cannot be reached: {reason}{advice}"))
}
