//! `plinth outbox`: mails and SMS, and what became of them.

use super::console::shown;
use super::{Console, Failure, retry};
use clap::{Args, Subcommand};
use context::call::Call;
use database::Tx;
use platform::outbox::{self, OutboxRequest};
use serde_json::{Value as Json, json};

/// List mails and SMS, and send again what waits
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth outbox list --state failed\n  plinth outbox show 12 --json\n  \
                        plinth outbox retry 12\n  plinth outbox retry --all")]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List rows, the newest first
    List {
        /// Only rows in this state
        #[arg(long, value_name = "STATE", value_parser = ["waiting", "sending", "sent", "failed", "cancelled"])]
        state: Option<String>,
        /// Only rows of this channel
        #[arg(long, value_name = "CHANNEL", value_parser = ["mail", "sms", "task"])]
        channel: Option<String>,
        /// How many; at most 1000
        #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000))]
        limit: u64,
    },
    /// Show a row
    Show {
        /// The row's number
        id: i64,
    },
    /// Have what waits sent at once, by the server or, where none runs, by the next
    Retry {
        /// The row's number
        #[arg(required_unless_present = "all")]
        id: Option<i64>,
        /// All that waits, up to 1000 rows
        #[arg(long, conflicts_with = "id")]
        all: bool,
    },
}

/// Runs the command.
pub(super) fn run(arguments: Arguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        Command::List { state, channel, limit } => {
            let request = OutboxRequest { state, channel, limit, cursor: None };
            let page = tenant.read_as_administrator(|tx, call| outbox::list(tx, call, &request))?;
            let lines: Vec<String> = page.items.iter().map(line).collect();
            let text = if lines.is_empty() { "There are no such rows.".to_owned() } else { lines.join("\n") };
            console.print(&text, &json!({"items": page.items, "hasMore": page.next.is_some()}));
        }
        Command::Show { id } => {
            let row = tenant.read_as_administrator(|tx, call| outbox::get(tx, call, id))?;
            let members = row.as_object().into_iter().flatten();
            let lines: Vec<String> = members.map(|(name, value)| format!("{name:10} {}", shown(value))).collect();
            console.print(&lines.join("\n"), &row);
        }
        Command::Retry { id: Some(id), .. } => {
            let row = tenant.write_as_administrator(|tx, call| outbox::retry(tx, call, id))?;
            console.print(&format!("row {id} is due now"), &row);
        }
        Command::Retry { id: None, .. } => {
            let request = OutboxRequest { state: Some("waiting".to_owned()), limit: 1_000, ..OutboxRequest::default() };
            let list = |tx: &mut Tx<'_>, call: &Call| Ok(outbox::list(tx, call, &request)?.items);
            retry::all(console, &tenant, "rows", list, outbox::retry)?;
        }
    }
    Ok(())
}

fn line(row: &Json) -> String {
    let text = |name: &str| shown(&row[name]);
    let (id, state, channel) = (text("id"), text("state"), text("channel"));
    let (created, template, recipient) = (text("created"), text("template"), text("recipient"));
    format!(
        "{id:>6}  {created}  {channel:4}  {state:9}  tries {:>2}  {template}  {recipient}  {}",
        row["tries"],
        text("error")
    )
    .trim_end()
    .to_owned()
}
