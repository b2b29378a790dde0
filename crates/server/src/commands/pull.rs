//! `plinth pull`: writes the files that were applied to a tenant into a folder, byte for byte.

use super::{Console, Failure, report};
use clap::Args;
use configuration::Files;
use serde_json::json;
use std::path::PathBuf;

/// Write the files that were applied to a tenant into a folder.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth pull ./my-tenant\n  plinth pull --tenant acme --force ./acme")]
pub(super) struct PullArguments {
    /// The folder; created if it is missing
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Overwrite files that differ
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub(super) fn run(arguments: PullArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    // Tests are no part of what is applied: those in the folder stay as they are.
    let stored = configuration::pull(tenant.store())?;
    let folder = &arguments.folder;
    let present = if folder.is_dir() { report::read(console, folder)?.without_tests() } else { Files::default() };
    let differing = |(path, text): &(&str, &str)| present.get(path).is_some_and(|there| there != *text);
    let differing: Vec<&str> = stored.iter().filter(differing).map(|(path, _)| path).collect();
    if !differing.is_empty() && !arguments.force {
        let message = format!("These files differ from the tenant's: {}.", differing.join(", "));
        return Err(Failure::new(message, "Overwrite them with --force."));
    }
    stored.write(folder)?;
    let others: Vec<&str> =
        present.iter().filter(|(path, _)| stored.get(path).is_none()).map(|(path, _)| path).collect();
    let written: Vec<&str> = stored.iter().map(|(path, _)| path).collect();
    let mut text = format!("{} files of {} written into {}.", written.len(), tenant.name(), folder.display());
    if !others.is_empty() {
        text.push_str(&format!("\nNot among the tenant's files: {}.", others.join(", ")));
    }
    console.print(&text, &json!({"ok": true, "tenant": tenant.name(), "written": written, "others": others}))
}
