//! `plinth tenant`: tenants.

use super::{Console, Failure};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use jiff::SignedDuration;
use platform::tenants::backup::CloneOptions;
use platform::tenants::{Platform, parse_keep_time};
use serde_json::{Value as Json, json};
use std::time::Duration;

/// List, create, clone, freeze, compact, delete and undelete tenants
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  plinth tenant create acme      a tenant without types; `plinth apply` adds them\n  \
                        plinth tenant compact acme     after many deletions\n  \
                        plinth tenant delete acme      out of reach at once, removed after seven days\n  \
                        plinth tenant undelete acme    back again, with all its data\n  \
                        plinth tenant delete acme --now --yes\n  \
                        plinth tenant clone acme acme-test\n  \
                        plinth tenant freeze acme      it is read as before, and takes no writes"
)]
pub(super) struct TenantArguments {
    #[command(subcommand)]
    command: TenantCommand,
}

#[derive(Debug, Subcommand)]
enum TenantCommand {
    /// List all tenants, with the deleted ones that can come back
    List,
    /// Create a tenant without types of its own
    Create {
        /// Its name: a small letter, then small letters, digits and hyphens
        name: String,
    },
    /// Make a tenant of another name with the data of a tenant; it sends nothing
    #[command(after_help = "Examples:\n  plinth tenant clone acme acme-test\n  \
                            plinth tenant clone acme acme-test --scrub     for tests, without people\n  \
                            plinth tenant enable acme-test     automations, mails and SMS begin")]
    Clone {
        /// The tenant's name
        name: String,
        /// The name of the clone
        new: String,
        /// Put made-up values in the place of personal ones; leave keys, sessions, secrets and logs out
        #[arg(long)]
        scrub: bool,
    },
    /// Have a clone send mails and SMS, and switch its automations on
    Enable {
        /// Its name
        name: String,
    },
    /// Have a tenant take no writes: it is read as before, and its work waits
    #[command(after_help = "Example:\n  plinth tenant freeze acme")]
    Freeze {
        /// Its name
        name: String,
    },
    /// Have a frozen tenant take writes again
    #[command(after_help = "Example:\n  plinth tenant unfreeze acme")]
    Unfreeze {
        /// Its name
        name: String,
    },
    /// Compact a tenant's SQLite file; writes wait until it ends
    Compact {
        /// Its name
        name: String,
    },
    /// Delete a tenant: it is out of reach at once, and removed after some days
    #[command(after_help = "Examples:\n  plinth tenant delete acme               removed after seven days\n  \
                            plinth tenant delete acme --after 30d   removed after thirty days\n  \
                            plinth tenant delete acme --now --yes   removed at once, also where it is deleted already")]
    Delete {
        /// Its name
        name: String,
        /// The time in which it can come back, such as 12h or 30d
        #[arg(long, value_name = "TIME", default_value = "7d", value_parser = parse_keep_time)]
        after: SignedDuration,
        /// Remove all its data at once: it cannot come back
        #[arg(long, conflicts_with = "after")]
        now: bool,
        /// Confirm --now
        #[arg(long, requires = "now")]
        yes: bool,
    },
    /// Remove the deleted tenants whose time is over, and their backups later, as servers do
    Sweep,
    /// Bring a deleted tenant back, with all its data
    #[command(after_help = "Example:\n  plinth tenant undelete acme")]
    Undelete {
        /// Its name
        name: String,
    },
}

/// Runs the command.
pub(super) fn run(arguments: TenantArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = match arguments.command {
        TenantCommand::Create { .. } => console.new_platform(&settings)?,
        TenantCommand::List => console.platform(&settings)?,
        _ => console.changed_platform(&settings)?,
    };
    match arguments.command {
        TenantCommand::List => {
            list(console, &platform)?;
        }
        TenantCommand::Create { name } => {
            platform.create_tenant(&name)?;
            console.print(&format!("tenant {name} is created"), &json!({"tenant": name}))?;
        }
        TenantCommand::Sweep => sweep(console, &platform)?,
        TenantCommand::Clone { name, new, scrub } => {
            let options = CloneOptions { folder: &settings.data.folder, scrub };
            clone(console, &platform, [&name, &new], options)?;
        }
        TenantCommand::Enable { name } => {
            let text = match platform.enable_tenant(&name)? {
                true => format!("tenant {name} is enabled: its automations are on, and new mails and SMS are sent"),
                false => format!("tenant {name} was enabled before"),
            };
            console.print(&text, &json!({"tenant": name, "enabled": true}))?;
        }
        TenantCommand::Freeze { name } => freeze(console, &platform, &name)?,
        TenantCommand::Unfreeze { name } => unfreeze(console, &platform, &name)?,
        TenantCommand::Compact { name } => compact(console, &platform, &name)?,
        TenantCommand::Delete { name, now: true, yes, .. } => {
            if !yes {
                let message = format!("Removing {name} at once deletes all its data for ever.");
                return Err(Failure::new(message, "Add --yes to do it, or leave --now out: then it can come back."));
            }
            platform.erase_tenant(&name)?;
            let told = json!({"tenant": name, "state": "removed"});
            console.print(&format!("tenant {name} is removed with all its data"), &told)?;
        }
        TenantCommand::Delete { name, after, .. } => {
            let until = platform.delete_tenant(&name, after)?;
            let text =
                format!("tenant {name} is deleted; until {until}, `plinth tenant undelete {name}` brings it back");
            console.print(&text, &json!({"tenant": name, "state": "deleted", "until": until}))?;
        }
        TenantCommand::Undelete { name } => {
            platform.undelete_tenant(&name)?;
            console.print(&format!("tenant {name} is back"), &json!({"tenant": name, "state": "active"}))?;
        }
    }
    Ok(())
}

fn sweep(console: &Console, platform: &Platform) -> Result<(), Failure> {
    platform.remove_deleted()?;
    let archives = platform.remove_old_archives()?;
    let left = platform.deleted_tenants()?.len();
    let backups = if archives > 0 { format!("; {archives} of their backups are removed, too") } else { String::new() };
    let text = format!("deleted tenants whose time is over are removed; {left} can come back still{backups}");
    console.print(&text, &json!({"deleted": left, "archivesRemoved": archives}))
}

fn freeze(console: &Console, platform: &Platform, name: &str) -> Result<(), Failure> {
    let text = match platform.freeze_tenant(name)? {
        true => format!("tenant {name} is frozen: it takes no writes until `plinth tenant unfreeze {name}`"),
        false => format!("tenant {name} was frozen before"),
    };
    console.print(&text, &json!({"tenant": name, "state": "frozen"}))
}

fn unfreeze(console: &Console, platform: &Platform, name: &str) -> Result<(), Failure> {
    let text = match platform.unfreeze_tenant(name)? {
        true => format!("tenant {name} takes writes again"),
        false => format!("tenant {name} was not frozen"),
    };
    console.print(&text, &json!({"tenant": name, "state": "active"}))
}

/// Shows the tenants by name, and of deleted ones until when they can come back.
fn list(console: &Console, platform: &Platform) -> Result<(), Failure> {
    let names = platform.tenants()?;
    let frozen = platform.frozen_tenants(&names);
    let state = |name: &str| if frozen.contains(name) { "frozen" } else { "active" };
    let mut items: Vec<[Json; 3]> =
        names.iter().map(|name| [name.as_str().into(), state(name).into(), Json::Null]).collect();
    for deleted in platform.deleted_tenants()? {
        let state = if deleted.until.is_some() { "deleted" } else { "removing" };
        items.push([deleted.name.into(), state.into(), json!(deleted.until)]);
    }
    items.sort_by(|one, other| one[0].as_str().cmp(&other[0].as_str()));
    let lines = items.iter().map(|[name, state, until]| match (name.as_str(), state.as_str(), until.as_str()) {
        (Some(name), Some("deleted"), Some(until)) => format!("{name}  deleted, can come back until {until}"),
        (Some(name), Some("frozen"), _) => format!("{name}  frozen, takes no writes"),
        (Some(name), Some("removing"), _) => format!("{name}  deleted, is being removed"),
        (name, ..) => name.unwrap_or_default().to_owned(),
    });
    let text =
        if items.is_empty() { "There is no tenant yet.".to_owned() } else { lines.collect::<Vec<_>>().join("\n") };
    let items: Vec<Json> =
        items.iter().map(|[name, state, until]| json!({"tenant": name, "state": state, "until": until})).collect();
    console.print(&text, &json!({"items": items, "hasMore": false}))
}

fn clone(
    console: &Console,
    platform: &Platform,
    [name, new]: [&str; 2],
    options: CloneOptions<'_>,
) -> Result<(), Failure> {
    let bar = ProgressBar::new_spinner().with_message(format!("Copying {name} to {new}"));
    bar.enable_steady_tick(Duration::from_millis(100));
    let made = platform.clone_tenant(name, new, options, &mut |_| {});
    bar.finish_and_clear();
    let manifest = made?.manifest;
    let (records, files) = (manifest.records(), manifest.files().0);
    let what = match options.scrub {
        true => format!("tenant {new} has the records of {name} with made-up values for personal ones"),
        false => format!("tenant {new} has the {records} records and {files} files of {name}"),
    };
    let text = format!("{what}; it sends nothing until `plinth tenant enable {new}`");
    let told = json!({
        "tenant": new, "of": name, "made": manifest.made, "scrubbed": options.scrub, "records": records, "files": files,
    });
    console.print(&text, &told)
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
