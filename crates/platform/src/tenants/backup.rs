//! Backups of tenants: made while others write, restored into an empty place, and tried by restoring them.
//!
//! All of it blocks, within a runtime: for commands.

mod archives;
mod create;
pub(crate) mod restore;
mod scratch;
mod verify;

pub use archives::{StoredArchive, list_archives};
pub use backups::{Identities, Recipients};
pub use create::{BackupPlace, MadeBackup};
pub use restore::{RestoreOptions, Restored};
pub use verify::VerifiedBackup;
