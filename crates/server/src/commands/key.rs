//! `plinth key`: API keys.

use super::console::cell;
use super::output::tell;
use super::{Console, Failure};
use accounts::keys;
use accounts::users;
use accounts::users::NewUserKey;
use clap::{Args, Subcommand};
use context::scopes::KeyScopes;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// List, create and revoke API keys
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth key create ann@example.com --description 'the web shop'\n  \
                        plinth key create ann@example.com --scope collection:city:show --valid 2030-12-31\n  \
                        plinth key revoke 12")]
pub(super) struct KeyArguments {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// List keys, without their text, which is shown once
    List {
        /// Only the keys of this login
        #[arg(long, value_name = "LOGIN")]
        user: Option<String>,
    },
    /// Create a key and print it
    Create {
        /// The owner's login name
        login: String,
        /// The purpose of the key
        #[arg(long)]
        description: Option<String>,
        /// A scope, such as collection:city:show; none means all rights of the owner. May be repeated
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
        /// The date on which it expires
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
pub(super) fn run(arguments: KeyArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = match arguments.command {
        KeyCommand::List { .. } => console.platform(&settings)?,
        _ => console.changed_platform(&settings)?,
    };
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        KeyCommand::List { user } => {
            let listed = tenant.read_as_administrator(|tx, context| {
                let owner = user.as_deref().map(|login| resources::users::id_of(tx, login)).transpose()?;
                let logins: BTreeMap<i64, String> =
                    users::list(tx)?.into_iter().map(|user| (user.id, user.login)).collect();
                Ok((keys::list(tx, context, owner)?, logins))
            })?;
            let (keys, logins) = listed;
            let with_login = |key: &keys::ApiKey| {
                let mut object = key.json();
                object["user"] = logins.get(&key.user).map_or(Json::Null, |login| login.as_str().into());
                object
            };
            let objects: Vec<Json> = keys.iter().map(with_login).collect();
            let headings = ["id", "user", "valid until", "scopes", "description"];
            console.print_table(headings, row, "There are no keys.", objects, false)?;
        }
        KeyCommand::Create { login, description, scopes, valid } => {
            let owner = login.clone();
            let (key, usable) = tenant.write_as_administrator(|tx, context| {
                let scopes = match scopes.as_slice() {
                    [] => KeyScopes::all(),
                    texts => KeyScopes::parse_as_administrator(texts.iter().map(String::as_str), &context.model)?,
                };
                let key = users::create_scoped_key(tx, context, NewUserKey { login, scopes, description, valid })?;
                let usable = users::may_use_keys(tx, context, key.user)?;
                Ok((key, usable))
            })?;
            let id = key.id;
            let lost =
                format!("Nobody has seen the key {id}. Revoke it with plinth key revoke {id}, and create another.");
            console.print_once(key.text.as_deref().unwrap_or_default(), &key.json(), &lost)?;
            if !usable {
                tell(format_args!("plinth: {owner} has no role with restApi: the key works once the user has one."));
            }
        }
        KeyCommand::Revoke { id } => {
            tenant.write_as_administrator(|tx, context| keys::revoke(tx, context, id))?;
            console.print(&format!("key {id} is revoked"), &json!({"id": id, "revoked": true}))?;
        }
    }
    Ok(())
}

fn row(key: &Json) -> [String; 5] {
    let scopes: Vec<&str> = key["permissions"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let until = cell(&key["validTo"]);
    // The last day that there is stands for no end.
    let until = if until.starts_with("9999-") { "no end".to_owned() } else { until };
    [cell(&key["id"]), cell(&key["user"]), until, scopes.join(","), cell(&key["description"])]
}
