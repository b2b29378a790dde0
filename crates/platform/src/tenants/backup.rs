//! Backups of tenants: made while others write, restored into an empty place, and tried by restoring them.
//!
//! All of it blocks, within a runtime: for commands.

mod archives;
pub(crate) mod clone;
mod create;
mod history;
pub(crate) mod restore;
mod schedule;
mod scratch;
mod verify;

pub use archives::{StoredArchive, list_archives};
pub use backups::{Identities, Recipients, Retention};
pub use create::{BackupPlace, MadeBackup};
pub use history::BackupFailure;
pub use restore::{RestoreOptions, Restored};
pub use schedule::{BackupRounds, BackupSchedule, BackupState};
pub use verify::VerifiedBackup;
