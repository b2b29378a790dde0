//! `plinth apply`: makes a tenant be what a folder of files says.

use super::output::print_line;
use super::{Console, Failure, report};
use clap::Args;
use configuration::{ApplyOptions, Files, Loaded, RecalculationProgress};
use std::path::{Path, PathBuf};

/// Apply a folder of files to a tenant.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth apply ./my-tenant\n  plinth apply --dry-run ./my-tenant\n  \
                        plinth apply --allow-loss ./my-tenant     drop types and properties that left the files")]
pub(super) struct ApplyArguments {
    /// The folder with tenant.yaml
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Drop types, properties and values that left the files
    #[arg(long)]
    allow_loss: bool,
    /// Check everything, but change nothing
    #[arg(long)]
    dry_run: bool,
}

/// Runs the command.
pub(super) fn run(arguments: ApplyArguments, console: &Console) -> Result<(), Failure> {
    let files = report::read(console, &arguments.folder)?;
    let settings = console.settings(Vec::new())?;
    let platform = if arguments.dry_run { console.platform(&settings)? } else { console.new_platform(&settings)? };
    let loaded = examined(console, &arguments.folder, &files)?;
    let name = loaded.model.settings.name;
    if !arguments.dry_run {
        // Without the ids in its files, the next apply would take the types for new ones.
        Files::try_write(&arguments.folder, &loaded.completed).map_err(|error| {
            let advice = "Nothing was changed. Apply from a folder that you may write to: the ids go into its files.";
            Failure::new(error.to_string(), advice)
        })?;
    }
    let (allow_loss, dry_run) = (arguments.allow_loss, arguments.dry_run);
    let options = ApplyOptions { allow_loss, dry_run, ..ApplyOptions::default() };
    let is_new = !platform.tenants()?.contains(&name);
    // As `plan` tells it: all files are new, also where a bare tenant is made first.
    let plan_new = || {
        configuration::plan_new(&files)
            .map_err(|failure| report::not_applied(console, &arguments.folder, &files, failure))
    };
    let planned = is_new.then(plan_new).transpose()?;
    if let Some(plan) = planned.as_ref().filter(|_| dry_run) {
        return report::print(console, plan, false);
    }
    let tenant =
        if is_new { platform.create_tenant(&name)? } else { console.open_tenant(&settings, &platform, &name)? };
    let applied = configuration::apply_to(&tenant, &files, options);
    let applied = match applied {
        Ok(applied) => applied,
        Err(failure) => {
            if is_new {
                platform.erase_tenant(&name)?;
            }
            return Err(report::not_applied(console, &arguments.folder, &files, failure));
        }
    };
    // The apply is finished, even if nobody can be told.
    let mut told = report::print(console, planned.as_ref().unwrap_or(&applied.plan), !dry_run);
    if !dry_run {
        let written = applied.write_back(&arguments.folder, &files)?;
        if !console.shared.json {
            let lines = || written.iter().try_for_each(|path| print_line(format_args!("ids written into {path}")));
            told = told.and_then(|()| lines());
        }
        let mut shown = |progress: &RecalculationProgress| {
            if told.is_ok() {
                told = show(console, progress);
            }
        };
        configuration::finish_recalculation(&tenant, &mut shown)?;
    }
    told
}

/// Tells how far it is: what is applied is calculated anew in batches, where it is much.
fn show(console: &Console, progress: &RecalculationProgress) -> Result<(), Failure> {
    let RecalculationProgress { type_name, done, total, failed, ended } = progress;
    if console.shared.json {
        return Ok(());
    }
    match (ended, failed) {
        (false, _) => print_line(format_args!("calculated anew: {done} of {total} {type_name}")),
        (true, 0) => print_line(format_args!("all {done} {type_name} are calculated anew")),
        (true, _) => print_line(format_args!(
            "all {done} {type_name} are calculated anew; {failed} cannot be and have no values: the log says which"
        )),
    }
}

/// The configuration of files for the tenant that tenant.yaml names, which `--tenant` must not contradict.
pub(super) fn examined(console: &Console, folder: &Path, files: &Files) -> Result<Loaded, Failure> {
    let loaded =
        configuration::check(files).map_err(|problems| report::diagnostics(console, folder, files, &problems))?;
    let refused = configuration::refused(&loaded.findings);
    if !refused.is_empty() {
        return Err(report::diagnostics(console, folder, files, &refused));
    }
    match &console.shared.tenant {
        Some(asked) if *asked != loaded.model.settings.name => {
            let message = format!("tenant.yaml is for the tenant {}, not {asked}.", loaded.model.settings.name);
            Err(Failure::new(message, "Leave --tenant out, or change the file."))
        }
        _ => Ok(loaded),
    }
}
