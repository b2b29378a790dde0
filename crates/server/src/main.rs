//! The `plinth` binary: allocator, clock, randomness, environment, and the command that was asked for.

#![warn(clippy::print_stdout, clippy::print_stderr)]

use server::commands::{self, environment};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    match commands::parse() {
        Ok(plinth) => commands::run(plinth, environment::system(), variables),
        Err(code) => code,
    }
}
