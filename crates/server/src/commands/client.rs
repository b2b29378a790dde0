//! `plinth client`: writes what programs need to use a tenant's API.

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
        /// Write to a file instead of standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// Runs the command.
pub(super) fn run(arguments: ClientArguments, console: &Console) -> Result<(), Failure> {
    let ClientCommand::Typescript { folder, out } = arguments.command;
    let text = match folder {
        Some(folder) => {
            let files = report::read(console, &folder)?;
            let model = apply::examined(console, &folder, &files)?.model;
            types(&model, &Actor::administrator(&model))
        }
        None => {
            let settings = console.settings(Vec::new())?;
            let platform = console.platform(&settings)?;
            let tenant = console.tenant(&settings, &platform)?;
            tenant.read_as_administrator(|_, context| Ok(types(&context.model, &context.actor)))?
        }
    };
    match out {
        Some(path) => std::fs::write(&path, text)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display()), "Choose another file with --out.")),
        None => print_text(&text),
    }
}

fn types(model: &Model, actor: &Actor) -> String {
    openapi::typescript::client(model, None, &|resource_type| actor.grant(resource_type.id))
}
