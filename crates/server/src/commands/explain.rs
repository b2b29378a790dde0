//! `plinth explain`: why a user may or may not see, change, create or delete a row.

mod picture;

use super::{Console, Failure};
use automation::explain;
use automation::explain::ExplainRequest;
use clap::Args;
use picture::Picture;
use serde_json::{Map, Value as Json, json};
use std::io::IsTerminal;

/// Explain why a user may or may not see, change, create or delete a row
#[derive(Debug, Args)]
#[command(
    after_help = "Shows the API's answer to each action, and for each grant of the user's roles whether it holds for the\n\
                  row, with the value of each part of its expression. Nothing is written. --set gives the row new\n\
                  values. Without ITEM, the answer is about the type, and --set gives values to a new row.\n\n\
                  Examples:\n  plinth explain ann@example.com invoice 12\n  \
                  plinth explain ann@example.com invoice 12 --set state=paid\n  \
                  plinth explain ann@example.com invoice --set number=2026-7 --set amount=100\n  \
                  plinth explain 7 invoice 12 --scopes collection:invoice:show --sql\n  \
                  plinth explain ann@example.com invoice 12 --json"
)]
pub(super) struct ExplainArguments {
    /// The user's login or id
    #[arg(value_name = "USER")]
    user: String,
    /// The type's name or id
    #[arg(value_name = "TYPE")]
    resource_type: String,
    /// The row's id or uuid
    #[arg(value_name = "ITEM")]
    item: Option<String>,
    /// The scopes of the user's key, with commas between them
    #[arg(long, value_name = "SCOPES", value_delimiter = ',')]
    scopes: Vec<String>,
    /// A new value of a property: JSON, or else a text
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Show the statements of the user's list of the type, and the database's plans
    #[arg(long)]
    sql: bool,
}

/// Runs the command.
pub(super) fn run(arguments: ExplainArguments, console: &Console) -> Result<(), Failure> {
    let ExplainArguments { user, resource_type, item, scopes, set, sql } = arguments;
    let set = if set.is_empty() { None } else { Some(values(&set)?) };
    let request = ExplainRequest { user, resource_type, item, scopes, set };
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    let explained = tenant.read_as_administrator(|tx, context| explain::explain(tx, context, &request))?;
    let picture = Picture { colours: std::io::stdout().is_terminal(), statements: sql };
    console.print(&picture.of(&explained), &json!(explained))
}

/// New values: what is no JSON is a text.
fn values(given: &[String]) -> Result<Map<String, Json>, Failure> {
    let mut values = Map::new();
    for text in given {
        let advice = "Give a property and its value, such as --set state=paid.";
        let (name, value) =
            text.split_once('=').ok_or_else(|| Failure::new(format!("--set {text} has no value."), advice))?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Json::String(value.to_owned()));
        values.insert(name.to_owned(), value);
    }
    Ok(values)
}
