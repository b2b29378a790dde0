//! `plinth man`: pages for man(1), one for each command.

use super::{Console, Failure, Plinth};
use clap::{Args, CommandFactory};
use serde_json::json;
use std::path::PathBuf;

/// Write pages for man, one for each command
#[derive(Debug, Args)]
#[group(skip)]
#[command(after_help = "Example:\n  plinth man --to ~/.local/share/man/man1")]
pub(super) struct ManArguments {
    /// The folder
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

/// Runs the command.
pub(super) fn run(arguments: &ManArguments, console: &Console) -> Result<(), Failure> {
    let place = arguments.to.display();
    let written = std::fs::create_dir_all(&arguments.to)
        .and_then(|()| clap_mangen::generate_to(Plinth::command(), &arguments.to))
        .and_then(|()| std::fs::read_dir(&arguments.to));
    let count = written
        .map_err(|error| {
            Failure::new(format!("{place}: {error}."), "Name a folder that can be written with --to DIR.")
        })?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("plinth"))
        .count();
    console.print(&format!("{count} pages are in {place}."), &json!({"folder": arguments.to, "pages": count}))
}
