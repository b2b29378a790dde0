//! Backups of tenants: made while others write, restored into an empty place, and tried by restoring them.
//!
//! All of it blocks, within a runtime: for commands.

mod archives;
pub(crate) mod clone;
mod create;
mod fetch;
mod history;
mod place;
mod records;
mod removal_notes;
pub(crate) mod restore;
mod schedule;
mod scratch;
mod scrub;
mod sink;
mod verify;

pub use archives::StoredArchive;
pub use backups::{Identities, Recipients, Retention};
pub use clone::CloneOptions;
pub use create::{BackupPlace, MadeBackup};
pub use fetch::LocalArchive;
pub use history::BackupFailure;
pub use place::ArchivePlace;
pub use records::{
    ComparedRecord, LeftOutProperty, PropertyDifference, RecordState, RecordsArchive, RecordsListener, RecordsOutcome,
    RecordsRequest,
};
pub use removal_notes::RemovedBackups;
pub use restore::{RestoreOptions, Restored};
pub use schedule::{BackupRounds, BackupSchedule, BackupState};
pub use verify::VerifiedBackup;
