//! The `plinth` binary: allocator, clock, randomness, environment, and the command that was asked for.

use clap::Parser;
use server::commands::{Plinth, world};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    server::commands::run(Plinth::parse(), world::system())
}
