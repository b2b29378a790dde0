//! `plinth key`: API keys.

use super::{Console, Failure};
use clap::{Args, Subcommand};
use platform::keys::{self, Scopes};
use platform::users::{self, NewUserKey};
use serde_json::{Value as Json, json};

/// List, create and revoke API keys
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth key create ann@example.com --description 'the web shop'\n  \
                        plinth key create ann@example.com --scope collection:city:show --valid 2030-12-31\n  \
                        plinth key revoke 12")]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List keys; their texts are not to be had again
    List {
        /// Only the keys of this login
        #[arg(long, value_name = "LOGIN")]
        user: Option<String>,
    },
    /// Make a key and print it
    Create {
        /// The owner's login name
        login: String,
        /// What it is for
        #[arg(long)]
        description: Option<String>,
        /// What it may do at most, such as collection:city:show; all that its owner may, where none. May be repeated
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
        /// When it expires
        #[arg(long, value_name = "DATE")]
        valid: Option<String>,
    },
    /// Revoke a key at once, on all nodes
    Revoke {
        /// The key's id
        id: i64,
    },
}

/// Runs the command.
pub(super) fn run(arguments: Arguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        Command::List { user } => {
            let listed = tenant.read_as_administrator(|tx, call| {
                let owner = user.as_deref().map(|login| users::id_of(tx, login)).transpose()?;
                keys::list(tx, call, owner)
            })?;
            let objects: Vec<Json> = listed.iter().map(keys::ApiKey::json).collect();
            let lines: Vec<String> = objects.iter().map(line).collect();
            console.print(&lines.join("\n"), &Json::Array(objects));
        }
        Command::Create { login, description, scopes, valid } => {
            let key = tenant.write_as_administrator(|tx, call| {
                let scopes = match scopes.as_slice() {
                    [] => Scopes::all(),
                    texts => Scopes::parse(texts.iter().map(String::as_str), &call.model)?,
                };
                users::create_scoped_key(tx, call, NewUserKey { login, scopes, description, valid })
            })?;
            console.print(key.text.as_deref().unwrap_or_default(), &key.json());
        }
        Command::Revoke { id } => {
            tenant.write_as_administrator(|tx, call| keys::revoke(tx, call, id))?;
            console.print(&format!("key {id} is revoked"), &json!({"id": id, "revoked": true}));
        }
    }
    Ok(())
}

fn line(key: &Json) -> String {
    let text = |name: &str| key[name].as_str().unwrap_or_default().to_owned();
    let scopes: Vec<&str> = key["permissions"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    format!(
        "{:>6}  user {}  until {}  {}  {}",
        key["id"],
        key["userId"],
        text("validTo"),
        scopes.join(","),
        text("description")
    )
}
