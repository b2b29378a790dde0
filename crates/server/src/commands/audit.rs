//! `plinth audit`: who changed who may do what, and whether the log of it is whole.

use super::{Console, Failure};
use clap::{Args, Subcommand};
use platform::audit_log::{self, Anchor, AuditRequest};
use serde_json::{Value as Json, json};

/// Show who changed accounts, roles and keys, and verify that nobody changed the log
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth audit list --subject ann@example.com\n  \
                        plinth audit list --event key.created,key.revoked --since 2026-11-01 --json\n  \
                        plinth audit verify\n  \
                        plinth audit verify --after 120:9f3c... (what an earlier verify printed)")]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List events, the newest first
    List {
        /// Only these events, such as key.created; several with commas between them
        #[arg(long, value_name = "EVENTS")]
        event: Option<String>,
        /// Only what this user did, by login or id
        #[arg(long, value_name = "LOGIN")]
        actor: Option<String>,
        /// Only what was about this user, by login or id
        #[arg(long, value_name = "LOGIN")]
        subject: Option<String>,
        /// Nothing earlier
        #[arg(long, value_name = "DATETIME")]
        since: Option<String>,
        /// Only what is earlier
        #[arg(long, value_name = "DATETIME")]
        until: Option<String>,
        /// How many; at most 1000
        #[arg(long, value_name = "NUMBER", default_value_t = 100,
              value_parser = clap::value_parser!(u64).range(1..=1_000))]
        limit: u64,
    },
    /// Verify that no row was changed, taken out or slipped in; names the first that was
    Verify {
        /// A row that is known from elsewhere, and its digest: only rows behind it are verified
        #[arg(long, value_name = "ROW:DIGEST")]
        after: Option<String>,
    },
}

/// Runs the command.
pub(super) fn run(arguments: Arguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        Command::List { event, actor, subject, since, until, limit } => {
            let request = AuditRequest { event, actor, subject, from: since, to: until, limit, cursor: None };
            let page = tenant.read_as_administrator(|tx, call| audit_log::list(tx, call, &request))?;
            let lines: Vec<String> = page.items.iter().map(line).collect();
            let text = if lines.is_empty() { "Nothing was written down.".to_owned() } else { lines.join("\n") };
            console.print(&text, &json!({"items": page.items, "hasMore": page.next.is_some()}));
            Ok(())
        }
        Command::Verify { after } => {
            let after = after.as_deref().map(Anchor::parse).transpose()?;
            let verified = tenant.read_as_administrator(|tx, call| audit_log::verify(tx, call, after))?;
            let rows = match verified.rows {
                1 => "1 row holds".to_owned(),
                rows => format!("{rows} rows hold"),
            };
            let text = match verified.broken {
                Some(broken) => format!("row {} is broken: {}; {rows} before it", broken.row, broken.fault.text()),
                None => format!("{rows}; the last is {}", verified.last),
            };
            console.print(&text, &verified.json());
            if verified.broken.is_some() { Err(Failure::told()) } else { Ok(()) }
        }
    }
}

fn line(entry: &Json) -> String {
    let shown = |name: &str, id: &str| match (&entry[name], &entry[id]) {
        (Json::String(login), _) => login.clone(),
        (_, Json::Null) => "-".to_owned(),
        (_, id) => format!("user {id}"),
    };
    let text = |name: &str| entry[name].as_str().unwrap_or("-").to_owned();
    let key = entry["keyId"].as_i64().map(|key| format!(" key {key}")).unwrap_or_default();
    format!(
        "{:>6}  {}  {:21}  {}  by {} ({}{key}, {})  {}",
        entry["id"],
        text("at"),
        text("event"),
        shown("subject", "subjectId"),
        shown("actor", "actorId"),
        text("via"),
        text("address"),
        entry["details"],
    )
}
