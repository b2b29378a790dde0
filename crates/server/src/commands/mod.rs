//! The command line: what all commands share, and a file for each.
//!
//! To add a command: a file with `Arguments` (clap's `Args`) and `run(arguments, &Console) -> Result<(), Failure>`,
//! a variant of [`Command`] and a line in [`run`].

mod failure;
pub mod world;

pub use failure::Failure;

use platform::work::World;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Plinth: typed tables, a REST API and keys out of files.
#[derive(Debug, Parser)]
#[command(name = "plinth", version, about, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Examples:\n  plinth demo                    serve 34,000 cities and try the API\n  \
                        plinth apply ./my-tenant       make tables out of a folder of files\n  \
                        plinth serve                   serve all tenants")]
pub struct Plinth {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub struct Shared {
    /// A settings file laid over the defaults of config.default.toml
    #[arg(long, global = true, value_name = "FILE", env = "PLINTH_CONFIG")]
    pub config: Option<PathBuf>,
    /// The folder that holds SQLite files, uploads and outgoing mail
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Use PostgreSQL: postgresql://user:password@host/database
    #[arg(long, global = true, value_name = "URL")]
    pub postgres: Option<String>,
    /// The tenant to work on, where there are several
    #[arg(long, global = true, value_name = "NAME")]
    pub tenant: Option<String>,
    /// Print JSON for programs
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {}

/// Where a command prints and what it was asked to share; made once for the process.
pub struct Console {
    /// The shared options.
    pub shared: Shared,
    /// Clock and randomness.
    pub world: World,
}

/// Runs the command line. Exit codes: 0 done, 1 failed, 2 wrong usage.
pub fn run(plinth: Plinth, world: World) -> ExitCode {
    let console = Console { shared: plinth.shared, world };
    let _ = &console;
    match plinth.command {}
}
