//! `plinth audit`: who changed who may do what, and whether the log of it is whole.

use super::console::cell;
use super::{Console, Failure};
use accounts::audit_log;
use accounts::audit_log::{Anchor, AuditRequest};
use clap::{Args, Subcommand};
use serde_json::Value as Json;

/// Show and verify the audit log of accounts, roles, keys and configuration
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth audit list --subject ann@example.com\n  \
                        plinth audit list --event key.created,key.revoked --since 2026-11-01 --json\n  \
                        plinth audit verify\n  \
                        plinth audit verify --after 120:9f3c... (what an earlier verify printed)")]
pub(super) struct AuditArguments {
    #[command(subcommand)]
    command: AuditCommand,
}

#[derive(Debug, Subcommand)]
enum AuditCommand {
    /// List events, the newest first
    List {
        /// Only these events, such as key.created; several with commas between them
        #[arg(long, value_name = "EVENTS")]
        event: Option<String>,
        /// Only events caused by this user, by login or id
        #[arg(long, value_name = "LOGIN")]
        actor: Option<String>,
        /// Only events about this user, by login or id
        #[arg(long, value_name = "LOGIN")]
        subject: Option<String>,
        /// Only events at or after this time
        #[arg(long, value_name = "DATETIME")]
        since: Option<String>,
        /// Only events before this time
        #[arg(long, value_name = "DATETIME")]
        until: Option<String>,
        /// The number of events; at most 1000
        #[arg(long, value_name = "NUMBER", default_value_t = 100,
              value_parser = clap::value_parser!(u64).range(1..=1_000))]
        limit: u64,
    },
    /// Verify that no row was changed, removed or inserted; names the first broken one
    Verify {
        /// Start after this row, with its digest from an earlier verification
        #[arg(long, value_name = "ROW:DIGEST")]
        after: Option<String>,
    },
}

/// Runs the command.
pub(super) fn run(arguments: AuditArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        AuditCommand::List { event, actor, subject, since, until, limit } => {
            let request = AuditRequest { event, actor, subject, from: since, to: until, limit, cursor: None };
            let page = tenant.read_as_administrator(|tx, context| audit_log::list(tx, context, &request))?;
            let headings = ["id", "at", "event", "subject", "actor", "via", "address", "details"];
            console.print_table(headings, row, "There are no such events.", page.items, page.next.is_some())
        }
        AuditCommand::Verify { after } => {
            let after = after.as_deref().map(Anchor::parse).transpose()?;
            let verified = tenant.read_as_administrator(|tx, context| audit_log::verify(tx, context, after))?;
            let rows = match verified.rows {
                1 => "1 row is intact".to_owned(),
                rows => format!("{rows} rows are intact"),
            };
            let text = match verified.broken {
                Some(broken) => format!("row {} is broken: {}; {rows} before it", broken.row, broken.fault.text()),
                None => format!("{rows}; the last is {}", verified.last),
            };
            console.print(&text, &verified.json())?;
            if verified.broken.is_some() { Err(Failure::told()) } else { Ok(()) }
        }
    }
}

fn row(entry: &Json) -> [String; 8] {
    let user = |name: &str, id: &str| match (&entry[name], &entry[id]) {
        (Json::String(login), _) => login.clone(),
        (_, Json::Null) => String::new(),
        (_, id) => format!("user {id}"),
    };
    let key = entry["keyId"].as_i64().map(|key| format!(" key {key}")).unwrap_or_default();
    let via = cell(&entry["via"]) + &key;
    let (subject, actor) = (user("subject", "subjectId"), user("actor", "actorId"));
    let text = |name: &str| cell(&entry[name]);
    [text("id"), text("at"), text("event"), subject, actor, via, text("address"), text("details")]
}
