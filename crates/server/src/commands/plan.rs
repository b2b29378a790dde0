//! `plinth plan`: tells what applying a folder of files would change, and changes nothing.

use super::{Console, Failure, report};
use clap::Args;
use platform::configuration;
use std::path::PathBuf;

/// Tell what applying a folder of files would change.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth plan ./my-tenant\n  plinth plan --json --tenant staging ./my-tenant")]
pub(super) struct Arguments {
    /// The folder with tenant.yaml
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments, console: &Console) -> Result<(), Failure> {
    let files = report::read(console, &arguments.folder)?;
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let name = super::apply::tenant_name(console, &files)?;
    let plan = if platform.tenants()?.contains(&name) {
        configuration::plan(platform.open(&name)?.store(), &files, console.world.clock.now())
    } else {
        configuration::plan_new(&files)
    };
    let plan = plan.map_err(|failure| report::not_applied(console, &files, failure))?;
    report::print(console, &plan, false);
    Ok(())
}
