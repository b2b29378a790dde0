//! `plinth log`: who read what, of types that log reads.

use super::console::cell;
use super::{Console, Failure};
use accounts::read_log;
use accounts::read_log::ReadLogRequest;
use clap::Args;
use serde_json::Value as Json;

/// Show the log of reads of types with logReads
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth log --type patient --item 7\n  \
                        plinth log --user ann@example.com --since 2026-11-01\n  \
                        plinth log --limit 1000 --json")]
pub(super) struct LogArguments {
    /// Only resources of this type, by name or id
    #[arg(long = "type", value_name = "TYPE")]
    of: Option<String>,
    /// Only this resource of the type, by id
    #[arg(long, value_name = "ID", requires = "of")]
    item: Option<String>,
    /// Only reads by this user, by login or id
    #[arg(long, value_name = "LOGIN")]
    user: Option<String>,
    /// Only reads at or after this time
    #[arg(long, value_name = "DATETIME")]
    since: Option<String>,
    /// The number of reads, the newest first; at most 1000
    #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    limit: u64,
}

/// Runs the command.
pub(super) fn run(arguments: LogArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    let LogArguments { of, item, user, since, limit } = arguments;
    let request = ReadLogRequest { of, item, user, from: since, limit, ..ReadLogRequest::default() };
    let page = tenant.read_as_administrator(|tx, context| read_log::list(tx, context, &request))?;
    let headings = ["at", "way", "resource", "user", "key", "address"];
    console.print_table(headings, row, "No reads were logged.", page.items, page.next.is_some())
}

fn row(entry: &Json) -> [String; 6] {
    let text = |name: &str| cell(&entry[name]);
    let user = if entry["user"].is_null() { format!("user {}", text("userId")) } else { text("user") };
    let of = if entry["type"].is_null() { text("typeId") } else { text("type") };
    let resource = format!("{of} {}", text("objectId"));
    [text("at"), text("way"), resource.trim_end().to_owned(), user, text("keyId"), text("address")]
}
