//! The `plinth` binary: allocator, clock, randomness, environment, and the command that was asked for.

use clap::Parser;
use server::commands::{Plinth, environment};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    server::commands::run(Plinth::parse(), environment::system(), variables)
}
