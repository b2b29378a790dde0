//! Folders for half-made things, beside the place where they go: removed at their end, or where they were left by a
//! process that was killed, when the next one is made there.

use model::error::{Error, Result};
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use tempfile::TempDir;

/// The beginning of their names.
const PREFIX: &str = ".plinth-part-";
/// The name of the file that is locked.
const LOCK: &str = ".plinth-lock";

/// A folder that no other process touches while this is there.
pub(super) struct Scratch {
    folder: TempDir,
    /// The lock of the place, shared with others who work there. It ends with its process.
    _held: Held,
}

/// A file whose lock ends with this value. A process that was forked meanwhile may have the file open still, so that closing
/// it is not enough.
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl Scratch {
    /// Makes one within a folder, and removes those that were left there, unless somebody works there just now.
    pub(super) fn within(place: &Path) -> Result<Self> {
        let failed = |error: io::Error| unusable(place, &error);
        let held = lock_file(place).map_err(failed)?;
        if held.0.try_lock().is_ok() {
            sweep(place);
        }
        // A file system without locks keeps what was left.
        let _ = held.0.unlock().and_then(|()| held.0.lock_shared());
        let folder = private_folder(place).map_err(failed)?;
        Ok(Scratch { folder, _held: held })
    }

    /// Makes one within a folder where nobody else works, and keeps others out.
    pub(super) fn alone(place: &Path) -> Result<Self> {
        let failed = |error: io::Error| unusable(place, &error);
        let held = lock_file(place).map_err(failed)?;
        if let Err(TryLockError::WouldBlock) = held.0.try_lock() {
            let message =
                format!("A backup is being restored or verified in {} just now. Try again later.", place.display());
            return Err(Error::conflict("backup_busy", message));
        }
        sweep(place);
        let folder = private_folder(place).map_err(failed)?;
        Ok(Scratch { folder, _held: held })
    }

    /// Removes those that were left within a folder, unless somebody works there just now.
    pub(super) fn tidy(place: &Path) {
        if let Ok(held) = lock_file(place)
            && held.0.try_lock().is_ok()
        {
            sweep(place);
        }
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Opens the file whose lock tells that somebody works in a place. File systems of a network lock files alone.
fn lock_file(place: &Path) -> io::Result<Held> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600);
    options.open(place.join(LOCK)).map(Held)
}

/// Makes a folder that others on this machine cannot open: it has rows and files of a tenant.
fn private_folder(place: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix(PREFIX).permissions(Permissions::from_mode(0o700)).tempdir_in(place)
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

#[cfg(test)]
mod tests {
    use super::{PREFIX, Scratch};
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn folders_are_private_and_swept_where_nobody_works() {
        let place = tempfile::tempdir().unwrap();
        let left = place.path().join(format!("{PREFIX}left"));
        fs::create_dir(&left).unwrap();
        let first = Scratch::within(place.path()).unwrap();
        assert!(!left.exists());
        assert_eq!(fs::metadata(first.path()).unwrap().permissions().mode() & 0o777, 0o700);
        // Others who work there keep what they have.
        let second = Scratch::within(place.path()).unwrap();
        Scratch::tidy(place.path());
        assert!(Scratch::alone(place.path()).is_err());
        assert!(first.path().exists() && second.path().exists());
        let paths = [first.path().to_owned(), second.path().to_owned()];
        // A process that is forked in this moment has their files open for longer.
        let _forked = [&first, &second].map(|scratch| scratch._held.0.try_clone().unwrap());
        drop([first, second]);
        assert!(paths.iter().all(|path| !path.exists()));
        fs::create_dir(&left).unwrap();
        Scratch::tidy(place.path());
        assert!(!left.exists());
    }
}
