//! Backups of tenants: made while others write, restored into an empty place, and tried by restoring them.
//!
//! All of it blocks, within a runtime: for commands.

mod create;
pub(crate) mod restore;
mod scratch;
mod verify;

pub use create::MadeBackup;
pub use restore::{RestoreOptions, Restored};
pub use verify::VerifiedBackup;
