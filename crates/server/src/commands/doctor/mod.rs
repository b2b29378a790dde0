//! `plinth doctor`: looks for faults of an installation, and says what to do.

mod accounts;
mod backups;
mod database;
mod machine;
mod server;
mod services;
mod tenants;

use super::{Console, Failure};
use ::database::{RoleNames, grants};
use clap::Args;
use serde_json::{Value as Json, json};

/// Look for faults of settings, machine, database, mail and storage, and say what to do
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 no fault, 1 warnings, 2 errors.\n\nIt changes nothing, but for a file of its own that it \
                  writes to the storage and to the place of backups, and removes.\n\nExamples:\n  plinth doctor \
                  --config /etc/plinth/plinth.toml\n  plinth doctor --json\n  plinth doctor --grants | psql plinth"
)]
pub(super) struct DoctorArguments {
    /// Print the SQL that makes two roles of PostgreSQL: one owns the tables, the other changes rows
    #[arg(long)]
    grants: bool,
    /// The role of commands
    #[arg(long, value_name = "ROLE", default_value = "plinth_owner", requires = "grants")]
    owner: String,
    /// The role of servers
    #[arg(long, value_name = "ROLE", default_value = "plinth_app", requires = "grants")]
    app: String,
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FindingState {
    /// Nothing is wrong.
    Fine,
    /// It works, and should be changed.
    Warning,
    /// It does not work, or data are in danger.
    Error,
}

/// The finding of a check: what is so, and what to do.
#[derive(Debug)]
struct Finding {
    check: &'static str,
    state: FindingState,
    message: String,
    advice: String,
}

impl Finding {
    fn fine(check: &'static str, message: impl Into<String>) -> Self {
        Finding { check, state: FindingState::Fine, message: message.into(), advice: String::new() }
    }

    fn warning(check: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Finding { check, state: FindingState::Warning, message: message.into(), advice: advice.into() }
    }

    fn error(check: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Finding { check, state: FindingState::Error, message: message.into(), advice: advice.into() }
    }

    fn json(&self) -> Json {
        let state = self.state.word();
        json!({"check": self.check, "state": state, "message": self.message, "advice": self.advice})
    }

    fn text(&self) -> String {
        let line = format!("{:<8} {:<12} {}", self.state.word(), self.check, self.message);
        if self.advice.is_empty() { line } else { format!("{line}\n{:22}{}", "", self.advice) }
    }
}

impl FindingState {
    fn word(self) -> &'static str {
        match self {
            FindingState::Fine => "ok",
            FindingState::Warning => "warning",
            FindingState::Error => "error",
        }
    }
}

/// Runs the command.
pub(super) fn run(arguments: DoctorArguments, console: &Console) -> Result<(), Failure> {
    if arguments.grants {
        let sql = grants(RoleNames { owner: &arguments.owner, app: &arguments.app });
        return console.print(sql.trim_end(), &json!({"sql": sql}));
    }
    let findings = look(console);
    let items: Vec<Json> = findings.iter().map(Finding::json).collect();
    let lines: Vec<String> = findings.iter().map(Finding::text).collect();
    console.print(&lines.join("\n"), &json!({"items": items, "hasMore": false}))?;
    match findings.iter().map(|finding| finding.state).max() {
        None | Some(FindingState::Fine) => Ok(()),
        Some(FindingState::Warning) => Err(Failure::told()),
        Some(FindingState::Error) => Err(Failure { code: 2, ..Failure::told() }),
    }
}

/// Makes all checks that can be made: a fault may leave others out.
fn look(console: &Console) -> Vec<Finding> {
    let settings = match console.settings(Vec::new()) {
        Ok(settings) => settings,
        Err(failure) => return vec![Finding::error("settings", failure.message, failure.advice)],
    };
    let mut findings = vec![machine::settings(&settings)];
    findings.extend(machine::modes(&settings, console.shared.config.as_deref()));
    findings.extend(machine::certificates(&settings, &*console.environment.clock));
    findings.push(machine::disk(&settings));
    findings.push(machine::files(&settings));
    findings.push(server::look(&settings));
    let account = accounts::account(&settings);
    let is_foreign = account.is_some();
    findings.extend(account);
    match console.platform(&settings) {
        Err(failure) => {
            let check = if failure.message.contains("master key") { "master key" } else { "database" };
            findings.push(Finding::error(check, failure.message, failure.advice));
        }
        Ok(platform) => {
            findings.extend(database::look(&settings, &platform, &console.environment));
            findings.push(tenants::later(&platform));
            findings.extend(accounts::tenants(&settings));
            findings.push(services::outbox(&platform));
            // Files of these trials would be those of another account than the server's.
            if !is_foreign {
                findings.extend(services::storage(&settings, &platform));
                findings.extend(backups::look(&settings, &platform));
            }
        }
    }
    findings.push(services::mail(&settings));
    findings.extend(services::traces(&settings));
    findings
}
