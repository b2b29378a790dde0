//! `plinth plan`: tells what applying a folder of files would change, and changes nothing.

use super::{Console, Failure, report};
use clap::Args;

use std::path::PathBuf;

/// Show the changes that applying a folder of files would make.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth plan ./my-tenant\n  plinth plan --json --tenant staging ./my-tenant")]
pub(super) struct PlanArguments {
    /// The folder with tenant.yaml
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

/// Runs the command.
pub(super) fn run(arguments: PlanArguments, console: &Console) -> Result<(), Failure> {
    let files = report::read(console, &arguments.folder)?;
    let settings = console.settings(Vec::new())?;
    let name = super::apply::examined(console, &arguments.folder, &files)?.model.settings.name;
    // Where nothing is, everything is new, and nothing is made for it.
    let platform = Console::has_data(&settings)?.then(|| console.platform(&settings)).transpose()?;
    let plan = match platform {
        Some(platform) if platform.tenants()?.contains(&name) => {
            let tenant = console.open_tenant(&settings, &platform, &name)?;
            configuration::plan(tenant.store(), &files, tenant.environment().clock.now())
        }
        _ => configuration::plan_new(&files),
    };
    let plan = plan.map_err(|failure| report::not_applied(console, &arguments.folder, &files, failure))?;
    report::print(console, &plan, false)?;
    if plan.blocked() { Err(report::blocked()) } else { Ok(()) }
}
