//! `plinth completions`: scripts with which a shell completes the command line.

use super::output::print_text;
use super::{Failure, Plinth};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print the script with which a shell completes commands
#[derive(Debug, Args)]
#[group(skip)]
#[command(after_help = "Examples:\n  plinth completions bash > ~/.local/share/bash-completion/completions/plinth\n  \
                        plinth completions zsh > ~/.zfunc/_plinth\n  \
                        plinth completions fish > ~/.config/fish/completions/plinth.fish")]
pub(super) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Runs the command.
pub(super) fn run(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Plinth::command(), "plinth", &mut script);
    print_text(&String::from_utf8_lossy(&script))
}
