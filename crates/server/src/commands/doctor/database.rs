//! Checks of the database: version, clock, rights and settings of the role, standbys, pooler, connections.

use super::{Finding, tenants};
use crate::settings::Settings;
use database::{PostgresFacts, ServerFacts, StoreGuard};
use model::environment::Environment;
use platform::tenants::Platform;

/// The differences of clocks from which on they are told, in milliseconds. Beyond the second, jobs are not shared well.
const OFF: [i64; 2] = [1_000, 30_000];

/// Makes all of them.
pub(super) fn look(settings: &Settings, platform: &Platform, environment: &Environment) -> Vec<Finding> {
    let facts = match platform.server_facts() {
        Ok(facts) => facts,
        Err(error) => {
            let message = format!("The database does not answer: {error}.");
            return vec![Finding::error("database", message, "Is it running, and is data.postgres right?")];
        }
    };
    let facts = match facts {
        ServerFacts::Sqlite { version } => {
            let mut findings = vec![Finding::fine("database", format!("SQLite {version}."))];
            findings.extend(tenants::keys(settings, platform));
            findings.push(tenants::damage(platform));
            findings.extend(tenants::lost(platform));
            return findings;
        }
        ServerFacts::Postgres(facts) => facts,
    };
    let mut findings = vec![Finding::fine("database", format!("PostgreSQL {}.", facts.version))];
    findings.extend(tenants::keys(settings, platform));
    let before = environment.clock.now().as_millisecond();
    let present = platform.server_present();
    let after = environment.clock.now().as_millisecond();
    findings.extend(present.ok().flatten().map(|present| clock(present / 1_000, before, after)));
    findings.extend([role(&facts), timeouts(&facts), durability(&facts), standbys(&facts), pooler(settings, &facts)]);
    findings.extend([guard(&facts), connections(settings, &facts)]);
    findings
}

/// Compares the clocks: the server told its own between two looks at ours.
fn clock(server: i64, before: i64, after: i64) -> Finding {
    const CHECK: &str = "clock";
    // Anything within the two looks is no difference.
    let off = if server < before { before - server } else { (server - after).max(0) };
    let message = format!("This machine's clock and the database's differ by {:.1} s.", off as f64 / 1e3);
    let advice = "Set both by NTP, such as chrony: the database's clock counts for all nodes.";
    match off {
        off if off >= OFF[1] => Finding::error(CHECK, message, advice),
        off if off >= OFF[0] => Finding::warning(CHECK, message, advice),
        _ => Finding::fine(CHECK, message),
    }
}

fn role(facts: &PostgresFacts) -> Finding {
    const CHECK: &str = "role";
    let PostgresFacts { role, .. } = facts;
    if facts.standby {
        let advice = "Name the primary, or all hosts: postgresql://…@db1,db2/plinth.";
        return Finding::error(CHECK, "The server is a standby, which takes no writes.", advice);
    }
    if !facts.may_create && facts.may_change_rows {
        let message = format!("The role {role} changes rows alone; commands need the role that owns the tables.");
        return Finding::fine(CHECK, message);
    }
    if !facts.may_create {
        let message = format!("The role {role} may not make schemas: no tenant can be created.");
        return Finding::error(CHECK, message, format!("As owner: GRANT CREATE ON DATABASE … TO {role}."));
    }
    if facts.superuser {
        let message = format!("The role {role} is a superuser: it may do more than Plinth needs.");
        return Finding::warning(CHECK, message, "Make a role without rights on the server, which owns the database.");
    }
    Finding::fine(CHECK, format!("The role {role} has the rights that it needs."))
}

fn timeouts(facts: &PostgresFacts) -> Finding {
    const CHECK: &str = "timeouts";
    if facts.missing_settings.is_empty() {
        return Finding::fine(CHECK, "The timeouts and settings of requests are in force.");
    }
    let message = format!("These settings of requests are not in force: {}.", facts.missing_settings.join(", "));
    Finding::error(
        CHECK,
        message,
        "Remove them from the options of data.postgres; see \"Behind PgBouncer\" in docs/operation.md.",
    )
}

fn durability(facts: &PostgresFacts) -> Finding {
    const CHECK: &str = "durability";
    if !facts.unsafe_settings.is_empty() {
        let message = format!("The server may lose what it acknowledged: {}.", facts.unsafe_settings.join(", "));
        return Finding::error(CHECK, message, "Switch these on in postgresql.conf.");
    }
    Finding::fine(CHECK, "The server keeps what it acknowledges.")
}

fn standbys(facts: &PostgresFacts) -> Finding {
    const CHECK: &str = "standbys";
    if facts.followers > 0 && facts.synchronous_standby_names.is_empty() {
        let message =
            format!("{} standbys follow, and commits wait for none: a fail-over may lose writes.", facts.followers);
        return Finding::warning(CHECK, message, "Set synchronous_standby_names, or synchronous_mode of Patroni.");
    }
    Finding::fine(CHECK, format!("{} standbys follow.", facts.followers))
}

fn pooler(settings: &Settings, facts: &PostgresFacts) -> Finding {
    const CHECK: &str = "pooler";
    if !facts.pooled {
        return Finding::fine(CHECK, "No pooler was found, or one of sessions.");
    }
    if settings.postgres.direct_url.is_empty() {
        let message = "A pooler of transactions is in front: commands and changes of types go through it, too.";
        return Finding::warning(CHECK, message, "Set postgres.direct_url to the address of PostgreSQL itself.");
    }
    Finding::fine(CHECK, "A pooler of transactions is in front; commands go around it.")
}

/// Two nodes with different guards do not wait for each other.
const SAME_GUARD: &str = "Stop all nodes, set postgres.guard to \"auto\" on each, and start them again.";

fn guard(facts: &PostgresFacts) -> Finding {
    const CHECK: &str = "guard";
    match (facts.guard, facts.advisory_locks) {
        (StoreGuard::Advisory, Some(false)) => Finding::error(
            CHECK,
            "Advisory locks do nothing on this server: a change of the configuration does not wait for writes.",
            SAME_GUARD,
        ),
        (StoreGuard::Row, Some(true)) => Finding::warning(
            CHECK,
            "Rows are locked to keep writes and changes of the configuration apart; advisory locks cost less.",
            SAME_GUARD,
        ),
        (StoreGuard::Row, _) => {
            Finding::fine(CHECK, "Locks of rows keep writes and changes of the configuration apart.")
        }
        (StoreGuard::Advisory, _) => {
            Finding::fine(CHECK, "Advisory locks keep writes and changes of the configuration apart.")
        }
    }
}

fn connections(settings: &Settings, facts: &PostgresFacts) -> Finding {
    const CHECK: &str = "connections";
    let own = i64::try_from(settings.data.connections).unwrap_or(i64::MAX).saturating_add(1);
    let (most, used) = (facts.most_connections, facts.used_connections);
    let message = format!("A node takes {own} of {most} connections; {used} are in use now.");
    let advice = "Lower data.connections, raise max_connections, or put a pooler in between.";
    match facts.pooled {
        false if own > most => Finding::error(CHECK, message, advice),
        // Two nodes overlap while one replaces the other.
        false if own.saturating_mul(2) > most => Finding::warning(CHECK, message, advice),
        _ => Finding::fine(CHECK, message),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::FindingState, clock};

    #[test]
    fn clocks_that_differ_are_told() {
        for (server, expected) in [
            (1_000_000, FindingState::Fine),
            (1_000_900, FindingState::Fine),
            (998_000, FindingState::Warning),
            (1_002_000, FindingState::Warning),
            (1_040_000, FindingState::Error),
            (960_000, FindingState::Error),
        ] {
            assert_eq!(clock(server, 1_000_000, 1_000_100).state, expected, "{server}");
        }
    }
}
