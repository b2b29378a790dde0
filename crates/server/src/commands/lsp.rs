//! `plinth lsp`: serves an editor, which shows mistakes and completes names while a tenant's files are written.

use super::Failure;
use super::output::{stream, unwritable};
use clap::Args;
use language_server::SessionEnd;
use std::io::{BufReader, ErrorKind};

/// Serve an editor: mistakes, completion and renaming in a tenant's files
#[derive(Debug, Args)]
#[command(
    after_help = "An editor starts this command and speaks the Language Server Protocol on standard input and output.\n\
                  It needs no database and no options: the nearest tenant.yaml above a file names its tenant.\n\
                  docs/editors.md has the settings of VS Code, Neovim and Helix.\n\n\
                  Examples:\n  plinth lsp\n  plinth check ./my-tenant       the same mistakes at a terminal"
)]
pub(super) struct LspArguments {
    /// Use standard input and output, which is the only way; some editors say so
    #[arg(long)]
    stdio: bool,
}

/// Runs the command.
pub(super) fn run(LspArguments { stdio: _ }: LspArguments) -> Result<(), Failure> {
    let mut end = SessionEnd::Orderly;
    stream(|output| {
        let served = language_server::serve(BufReader::new(std::io::stdin()), output, env!("CARGO_PKG_VERSION"));
        end = served.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => Failure::new(format!("The input cannot be read: {error}"), "Use an editor."),
            _ => unwritable(error),
        })?;
        Ok(())
    })?;
    match end {
        SessionEnd::Orderly => Ok(()),
        SessionEnd::Abrupt => Err(Failure::new("The editor went without shutdown and exit.", "")),
    }
}
