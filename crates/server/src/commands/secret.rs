//! `plinth secret`: named secrets of a tenant.

use super::console::cell;
use super::{Console, Failure};
use clap::{Args, Subcommand};
use context::secret_store::{NewSecret, SecretKind};
use serde_json::{Value as Json, json};
use std::io::{IsTerminal, Read};

/// Manage secrets used by automations
#[derive(Debug, Args)]
#[command(
    after_help = "Values are never arguments, since other users of the machine see those. They are never shown again.\n\n\
                        Examples:\n  plinth secret set erp                            asks for the value, without showing it\n  \
                        pass show erp | plinth secret set erp --title 'the ERP'\n  \
                        plinth secret set oauth --type json < client.json\n  \
                        plinth secret list --json\n  \
                        plinth secret remove erp\n  \
                        plinth secret rotate                             change the master key of all tenants"
)]
pub(super) struct SecretArguments {
    #[command(subcommand)]
    command: SecretCommand,
}

#[derive(Debug, Subcommand)]
enum SecretCommand {
    /// List secrets: names, titles, types and times, never values
    List,
    /// Set a secret, from standard input or a prompt at the terminal
    Set {
        /// The name for getSecret(): letters, digits, _, - and .
        name: String,
        /// The title; unchanged if it is left out
        #[arg(long)]
        title: Option<String>,
        /// The kind of the value
        #[arg(long = "type", value_name = "TYPE", value_parser = ["string", "json"], default_value = "string")]
        kind: String,
    },
    /// Change the master key of all tenants; continues an interrupted rotation
    Rotate {
        /// Only create the next key's file, to distribute it to all nodes first
        #[arg(long)]
        prepare: bool,
    },
    /// Remove a secret
    Remove {
        /// Its name
        name: String,
    },
}

/// Runs the command.
pub(super) fn run(arguments: SecretArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    if let SecretCommand::Rotate { prepare } = arguments.command {
        return super::rotate::run(prepare, &settings, console);
    }
    let platform = match arguments.command {
        SecretCommand::List => console.platform(&settings)?,
        _ => console.changed_platform(&settings)?,
    };
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        SecretCommand::List => {
            let listed = tenant.read_as_administrator(context::secret_store::list)?;
            let objects: Vec<Json> = listed.iter().map(context::secret_store::NamedSecret::json).collect();
            let row = |secret: &Json| ["name", "type", "updated", "title"].map(|member| cell(&secret[member]));
            console.print_table(["name", "type", "set", "title"], row, "There are no secrets.", objects, false)?;
        }
        SecretCommand::Set { name, title, kind } => {
            let kind = SecretKind::named(&kind).unwrap_or(SecretKind::String);
            let secret = NewSecret { value: value(&name)?, name, title, kind };
            let created =
                tenant.write_as_administrator(|tx, context| context::secret_store::set(tx, context, &secret))?;
            let name = secret.name;
            let word = if created { "created" } else { "changed" };
            console.print(&format!("the secret {name} is {word}"), &json!({"name": name, "created": created}))?;
        }
        SecretCommand::Rotate { .. } => {}
        SecretCommand::Remove { name } => {
            tenant.write_as_administrator(|tx, context| context::secret_store::remove(tx, context, &name))?;
            console.print(&format!("the secret {name} is removed"), &json!({"name": name, "removed": true}))?;
        }
    }
    Ok(())
}

/// The value: asked for where a person sits at the terminal, else all of standard input but a line's end behind it.
fn value(name: &str) -> Result<String, Failure> {
    let mut input = std::io::stdin();
    if input.is_terminal() {
        let terminal = ::console::Term::stderr();
        terminal.write_str(&format!("Value of {name} (it is not shown): "))?;
        return Ok(terminal.read_secure_line()?);
    }
    let mut text = String::new();
    let utf8 = |_| Failure::new("The value is not UTF-8 text.", "Encode bytes first, as with base64.");
    input.read_to_string(&mut text).map_err(utf8)?;
    let end = text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).map_or(text.len(), str::len);
    text.truncate(end);
    Ok(text)
}
