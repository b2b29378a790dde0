//! `plinth tenant`: tenants.

use super::{Console, Failure};
use clap::{Args, Subcommand};
use serde_json::json;

/// List, create and delete tenants
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  plinth tenant create acme      a tenant with users alone; `plinth apply` gives it types\n  \
                        plinth tenant delete acme --yes"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List all tenants
    List,
    /// Make a tenant without types of its own
    Create {
        /// Its name: a small letter, then small letters, digits and hyphens
        name: String,
    },
    /// Delete a tenant with all that is in it
    Delete {
        /// Its name
        name: String,
        /// Really do it
        #[arg(long)]
        yes: bool,
    },
}

/// Runs the command.
pub(super) fn run(arguments: Arguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    match arguments.command {
        Command::List => {
            let names = platform.tenants()?;
            console.print(&names.join("\n"), &json!(names));
        }
        Command::Create { name } => {
            platform.create_tenant(&name)?;
            console.print(&format!("tenant {name} is made"), &json!({"tenant": name}));
        }
        Command::Delete { name, yes } => {
            if !yes {
                let message = format!("Deleting {name} loses all that is in it.");
                return Err(Failure::new(message, "Add --yes to do it."));
            }
            platform.delete_tenant(&name)?;
            console.print(&format!("tenant {name} is deleted"), &json!({"tenant": name, "deleted": true}));
        }
    }
    Ok(())
}
