//! HTTP, command line and processes of Plinth.

// These panic where nothing can be written: `commands/output.rs` has what commands print with.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod commands;
mod descriptors;
pub mod logs;
mod open;
pub mod description;
mod pages;
pub mod router;
pub mod routes;
mod serve;
mod tasks;

pub(crate) use open::foreign_key;
pub use open::{MissingKey, OpeningError, key_file, open, open_with, routes as outgoing_routes};
pub use routes::App;
pub use serve::serve;
pub(crate) use serve::stop_signal;
pub use settings;
