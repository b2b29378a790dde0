//! `plinth tenant`: tenants.

use super::{Console, Failure};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use platform::tenants::Platform;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// List, create, compact and delete tenants
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  plinth tenant create acme      a tenant without types; `plinth apply` adds them\n  \
                        plinth tenant compact acme     after many deletions\n  \
                        plinth tenant delete acme --yes"
)]
pub(super) struct TenantArguments {
    #[command(subcommand)]
    command: TenantCommand,
}

#[derive(Debug, Subcommand)]
enum TenantCommand {
    /// List all tenants
    List,
    /// Create a tenant without types of its own
    Create {
        /// Its name: a small letter, then small letters, digits and hyphens
        name: String,
    },
    /// Compact a tenant's SQLite file; writes wait until it ends
    Compact {
        /// Its name
        name: String,
    },
    /// Delete a tenant with all its data
    Delete {
        /// Its name
        name: String,
        /// Confirm the deletion
        #[arg(long)]
        yes: bool,
    },
}

/// Runs the command.
pub(super) fn run(arguments: TenantArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = match arguments.command {
        TenantCommand::Create { .. } => console.new_platform(&settings)?,
        _ => console.platform(&settings)?,
    };
    match arguments.command {
        TenantCommand::List => {
            let names = platform.tenants()?;
            let items: Vec<Json> = names.iter().map(|name| json!({"tenant": name})).collect();
            let text = if names.is_empty() { "There is no tenant yet.".to_owned() } else { names.join("\n") };
            console.print(&text, &json!({"items": items, "hasMore": false}))?;
        }
        TenantCommand::Create { name } => {
            platform.create_tenant(&name)?;
            console.print(&format!("tenant {name} is created"), &json!({"tenant": name}))?;
        }
        TenantCommand::Compact { name } => compact(console, &platform, &name)?,
        TenantCommand::Delete { name, yes } => {
            if !yes {
                let message = format!("Deleting {name} deletes all its data.");
                return Err(Failure::new(message, "Add --yes to do it."));
            }
            platform.delete_tenant(&name)?;
            console.print(&format!("tenant {name} is deleted"), &json!({"tenant": name, "deleted": true}))?;
        }
    }
    Ok(())
}

fn compact(console: &Console, platform: &Platform, name: &str) -> Result<(), Failure> {
    let tenant = platform.open(name)?;
    let bar = ProgressBar::new_spinner().with_message(format!("Writing the file of {name} anew"));
    bar.enable_steady_tick(Duration::from_millis(100));
    let sizes = tenant.store().compact_blocking();
    bar.finish_and_clear();
    let sizes = sizes.map_err(model::error::Error::from)?;
    let text = match sizes {
        Some([before, after]) => format!("The file of {name} had {before} bytes and has {after} now."),
        None => format!("{name} is in PostgreSQL, which reuses the space of deleted rows: nothing was done."),
    };
    let [before, after] = sizes.map_or([Json::Null, Json::Null], |sizes| sizes.map(Json::from));
    console.print(&text, &json!({"tenant": name, "bytesBefore": before, "bytesAfter": after}))
}
