//! Facts about the server and our role, asked on a connection of requests.

use super::guard;
use super::pooler::ask;
use super::server_target::{ServerPooling, ServerTarget};
use super::session::ServerSession;
use super::session_settings::SessionSettings;
use crate::facts::PostgresFacts;
use crate::{Error, Result};
use std::sync::Arc;

/// A statement of one row and one column: all facts, a line each.
const FACTS: &str = "SELECT concat_ws(chr(10), current_setting('server_version'), current_user, \
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)::text, \
    has_database_privilege(current_database(), 'CREATE')::text, \
    EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relname = 'node' \
        AND n.nspname = 'plinth__nodes' AND has_schema_privilege(n.oid, 'USAGE') \
        AND has_table_privilege(c.oid, 'INSERT'))::text, pg_is_in_recovery()::text, \
    current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint, \
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()), \
    (SELECT count(*) FROM pg_stat_replication), coalesce(current_setting('synchronous_standby_names'), ''))";
/// Settings that a server needs so that it keeps what it acknowledged.
const UNSAFE: &str = "SELECT name || ' = ' || setting FROM pg_settings \
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'";

/// Asks for the facts. The sessions try locks.
pub(super) fn facts(target: &Arc<ServerTarget>, sessions: &mut [ServerSession; 2]) -> Result<PostgresFacts> {
    let mut session = ServerSession::new(Arc::clone(target), 0);
    let told = ask(&mut session, FACTS)?.pop().unwrap_or_default();
    let lines: Vec<&str> = told.split('\n').collect();
    let [version, role, superuser, create, change, standby, most, used, followers, names] = lines[..] else {
        return Err(Error::Failed("the server tells no facts about itself".into()));
    };
    let number = |text: &str| text.parse().unwrap_or_default();
    Ok(PostgresFacts {
        version: version.to_owned(),
        role: role.to_owned(),
        superuser: superuser == "true",
        may_create: create == "true",
        may_change_rows: change == "true",
        standby: standby == "true",
        most_connections: number(most),
        used_connections: number(used),
        followers: number(followers),
        synchronous_standby_names: names.to_owned(),
        unsafe_settings: ask(&mut session, UNSAFE)?,
        pooled: !matches!(target.pooling, ServerPooling::Sessions),
        guard: target.guard(),
        advisory_locks: guard::try_advisory_locks(sessions)?,
        missing_settings: ask(&mut session, &SessionSettings::of_requests().missing())?,
    })
}
