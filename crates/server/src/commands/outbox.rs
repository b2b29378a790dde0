//! `plinth outbox`: mails and SMS, and what became of them.

use super::console::{cell, shown};
use super::{Console, Failure, retry};
use clap::{Args, Subcommand};
use context::request_context::RequestContext;
use database::Tx;
use messages::outbox;
use messages::outbox::OutboxRequest;
use serde_json::Value as Json;

/// List mails and SMS, and retry waiting ones
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth outbox list --state failed\n  plinth outbox show 12 --json\n  \
                        plinth outbox retry 12\n  plinth outbox retry --all")]
pub(super) struct OutboxArguments {
    #[command(subcommand)]
    command: OutboxCommand,
}

#[derive(Debug, Subcommand)]
enum OutboxCommand {
    /// List messages, the newest first
    List {
        /// Only messages in this state
        #[arg(long, value_name = "STATE", value_parser = ["waiting", "sending", "sent", "failed", "cancelled"])]
        state: Option<String>,
        /// Only messages of this channel
        #[arg(long, value_name = "CHANNEL", value_parser = ["mail", "sms", "task"])]
        channel: Option<String>,
        /// The number of messages; at most 1000
        #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000))]
        limit: u64,
    },
    /// Show a message
    Show {
        /// The message's id
        id: i64,
    },
    /// Make waiting messages due now; a running server, or the next one, sends them
    Retry {
        /// The message's id
        #[arg(required_unless_present = "all")]
        id: Option<i64>,
        /// All waiting messages, up to 1000
        #[arg(long, conflicts_with = "id")]
        all: bool,
    },
}

/// Runs the command.
pub(super) fn run(arguments: OutboxArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = match arguments.command {
        OutboxCommand::List { .. } | OutboxCommand::Show { .. } => console.platform(&settings)?,
        _ => console.changed_platform(&settings)?,
    };
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        OutboxCommand::List { state, channel, limit } => {
            let request = OutboxRequest { state, channel, limit, cursor: None };
            let page = tenant.read_as_administrator(|tx, context| outbox::list(tx, context, &request))?;
            let headings = ["id", "created", "channel", "state", "tries", "template", "recipient", "error"];
            let row = |row: &Json| headings.map(|name| cell(&row[name]));
            console.print_table(headings, row, "There are no such messages.", page.items, page.next.is_some())?;
        }
        OutboxCommand::Show { id } => {
            let row = tenant.read_as_administrator(|tx, context| outbox::get(tx, context, id))?;
            let members = row.as_object().into_iter().flatten();
            let lines: Vec<String> = members.map(|(name, value)| format!("{name:10} {}", shown(value))).collect();
            console.print(&lines.join("\n"), &row)?;
        }
        OutboxCommand::Retry { id: Some(id), .. } => {
            let row = tenant.write_as_administrator(|tx, context| outbox::retry(tx, context, id))?;
            console.print(&format!("row {id} is due now"), &row)?;
        }
        OutboxCommand::Retry { id: None, .. } => {
            let request = OutboxRequest { state: Some("waiting".to_owned()), limit: 1_000, ..OutboxRequest::default() };
            let list = |tx: &mut Tx<'_>, context: &RequestContext| Ok(outbox::list(tx, context, &request)?.items);
            retry::all(console, &tenant, "rows", list, outbox::retry)?;
        }
    }
    Ok(())
}
