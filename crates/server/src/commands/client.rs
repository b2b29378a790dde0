//! `plinth client`: writes what programs need to use a tenant's API.

use super::described_rights::{Decimals, DescribedRights};
use super::output::print_text;
use super::{Console, Failure, apply, report};
use clap::{Args, Subcommand};
use context::actor::Actor;
use model::types::Model;
use std::path::PathBuf;

/// Write types for programs that use a tenant's API
#[derive(Debug, Args)]
pub(super) struct ClientArguments {
    #[command(subcommand)]
    command: ClientCommand,
}

#[derive(Debug, Subcommand)]
enum ClientCommand {
    /// Write the types of TypeScript for the package plinth-client
    #[command(
        after_help = "The server returns the same at /api/ext/v1/client.ts, within the rights of the caller.\n\n\
                      Examples:\n  plinth client typescript ./my-tenant --out src/tenant.ts\n  \
                      plinth client typescript --tenant shop > tenant.ts"
    )]
    Typescript {
        /// The folder with tenant.yaml; without it, the applied files of the tenant
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
        #[command(flatten)]
        rights: DescribedRights,
        /// Types of decimals: numbers, or texts with all digits, which the client then asks for
        #[arg(long, value_enum, default_value_t = Decimals::Number)]
        decimals: Decimals,
        /// Write to a file instead of standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// Runs the command.
pub(super) fn run(arguments: ClientArguments, console: &Console) -> Result<(), Failure> {
    let ClientCommand::Typescript { folder, rights, decimals, out } = arguments.command;
    let text = match folder {
        Some(folder) => {
            let files = report::read(console, &folder)?;
            let model = apply::examined(console, &folder, &files)?.model;
            let all = || Actor::administrator(&model);
            types(&model, &rights.actor(&model)?.unwrap_or_else(all), decimals)
        }
        None => {
            let settings = console.settings(Vec::new())?;
            let platform = console.platform(&settings)?;
            let tenant = console.tenant(&settings, &platform)?;
            let (model, all) =
                tenant.read_as_administrator(|_, context| Ok((context.model.clone(), context.actor.clone())))?;
            types(&model, rights.actor(&model)?.as_ref().unwrap_or(&all), decimals)
        }
    };
    match out {
        Some(path) => std::fs::write(&path, text)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display()), "Choose another file with --out.")),
        None => print_text(&text),
    }
}

fn types(model: &Model, actor: &Actor, decimals: Decimals) -> String {
    openapi::typescript::client(model, None, decimals.into(), &|resource_type| actor.grant(resource_type.id))
}
