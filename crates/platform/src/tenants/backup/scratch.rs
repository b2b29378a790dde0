//! Folders for half-made things, beside the place where they go: removed at their end, or where they were left by a
//! process that was killed, when the next one is made there.

use model::error::{Error, Result};
use std::fs::{self, File, TryLockError};
use std::path::Path;
use tempfile::TempDir;

/// The beginning of their names.
const PREFIX: &str = ".plinth-part-";

/// A folder that no other process touches while this is there.
pub(super) struct Scratch {
    folder: TempDir,
    /// The lock of the place, shared with others who work there. It ends with its process.
    _held: File,
}

impl Scratch {
    /// Makes one within a folder, and removes those that were left there, unless somebody works there just now.
    pub(super) fn within(place: &Path) -> Result<Self> {
        let failed = |error: std::io::Error| unusable(place, &error);
        let held = File::open(place).map_err(failed)?;
        if held.try_lock().is_ok() {
            sweep(place);
        }
        // A file system without locks keeps what was left.
        let _ = held.unlock().and_then(|()| held.lock_shared());
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place).map_err(failed)?;
        Ok(Scratch { folder, _held: held })
    }

    /// Makes one within a folder where nobody else works, and keeps others out.
    pub(super) fn alone(place: &Path) -> Result<Self> {
        let failed = |error: std::io::Error| unusable(place, &error);
        let held = File::open(place).map_err(failed)?;
        if let Err(TryLockError::WouldBlock) = held.try_lock() {
            let message =
                format!("A backup is being restored or verified in {} just now. Try again later.", place.display());
            return Err(Error::conflict("backup_busy", message));
        }
        sweep(place);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place).map_err(failed)?;
        Ok(Scratch { folder, _held: held })
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes what others left. It is in nobody's way where it stays.
fn sweep(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // No link is followed.
        if is_named && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The error of a folder or file that cannot be used.
pub(super) fn unusable(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::invalid("backup_place", format!("{} cannot be used: {error}.", path.display()))
}
