//! The folder of a run, which is gone after it: at its end, or where it was killed, when the next one begins.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tempfile::TempDir;

/// Memory that looks like a folder, where there is such a thing: nothing waits for a disk there.
const MEMORY: &str = "/dev/shm";
/// The beginning of the names of such folders.
const PREFIX: &str = "plinth-test-";
/// The file whose lock tells that the run is under way. The lock ends with its process, however that ends.
const LOCK: &str = "lock";
/// Its name until it is locked.
const UNLOCKED: &str = "new";

/// A folder that no other run touches while this is there.
pub(super) struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes a folder, and removes those of runs that were killed.
    pub(super) fn new() -> io::Result<Self> {
        // Elsewhere there is no such memory, and cases take longer.
        Self::within(Path::new(MEMORY)).or_else(|_| Self::within(&std::env::temp_dir()))
    }

    fn within(place: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(&format!("{PREFIX}{}-", std::process::id())).tempdir_in(place)?;
        let unlocked = folder.path().join(UNLOCKED);
        let lock = File::create_new(&unlocked)?;
        lock.lock()?;
        // Others look for the file by this name, and never find it without its lock.
        fs::rename(unlocked, folder.path().join(LOCK))?;
        sweep(place, fs::metadata(folder.path())?.uid());
        Ok(Scratch { folder, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes what runs of this user left behind.
fn sweep(place: &Path, user: u32) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // No link is followed, and nothing is opened that others made.
        let is_ours = entry.metadata().is_ok_and(|about| about.is_dir() && about.uid() == user);
        if !is_named || !is_ours {
            continue;
        }
        let Ok(lock) = File::open(entry.path().join(LOCK)) else { continue };
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
