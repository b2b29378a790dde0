//! Command line and processes of Plinth.

// These panic where nothing can be written: `commands/output.rs` has what commands print with.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod certificates;
pub mod commands;
mod open;
mod serve;
mod service_manager;
mod tasks;
mod trace_start;

pub use open::{MissingKey, OpeningError, key_file, open, open_with, routes as outgoing_routes};
pub(crate) use open::{backup_bucket, backup_place, backup_schedule, foreign_key};
pub(crate) use serve::stop_signal;
pub use serve::{ServeError, serve};
pub use settings;
