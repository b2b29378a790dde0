//! The leftover_files of processes: folders of stores half made or half deleted, and long logs.

use super::connection::{ConnectionPurpose, SqliteConnection};
use crate::Result;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The beginning of the names of folders that are not stores yet, or not any more.
pub(super) const NEW: &str = ".new-";
pub(super) const DELETED: &str = ".deleted-";
/// The file whose lock tells that somebody is making or deleting a store. The lock ends with its process.
const LOCK: &str = ".lock";
/// The size from which on a log is worth the work.
const LONG: u64 = 1 << 20;

/// Makes others leave the folders alone until it is dropped.
pub(super) fn hold(folder: &Path) -> io::Result<File> {
    let file = open(folder)?;
    file.lock_shared()?;
    Ok(file)
}

/// Removes what was left behind, unless any process makes or deletes a store just now; returns what was removed.
pub(super) fn sweep(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let left: Vec<PathBuf> = fs::read_dir(folder)?.filter_map(|entry| left_behind(&entry.ok()?)).collect();
    if left.is_empty() {
        return Ok(left);
    }
    let lock = open(folder)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Vec::new()),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let mut removed = Vec::new();
    for path in left {
        match fs::remove_dir_all(&path) {
            Ok(()) => removed.push(path),
            // It was made good meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(removed)
}

/// Takes what a process left in the log over into the file. How much of the log is in the file already lies in memory
/// that ended with that process: until the next write all that the log has would be read out of it, page by page, by
/// system calls, where the file itself is mapped. Others who use the store are neither waited for nor held up for long.
/// A process that was killed as it gave a new file its log leaves a journal, which only one that writes may undo.
pub(super) fn absorb(file: &Arc<super::file::StoreFile>) -> Result<()> {
    let path = &file.path;
    let length = |extension: &str| fs::metadata(path.with_extension(extension)).map_or(0, |file| file.len());
    if length("db-wal") < LONG && length("db-journal") == 0 {
        return Ok(());
    }
    let _permit = file.pool.enter(file)?;
    SqliteConnection::open(path, ConnectionPurpose::Command)?.absorb()
}

/// The path of a folder with such a name; nothing else is touched, and no link is followed.
fn left_behind(entry: &fs::DirEntry) -> Option<PathBuf> {
    let name = entry.file_name();
    let ours = name.to_str().is_some_and(|name| name.starts_with(NEW) || name.starts_with(DELETED));
    (ours && entry.file_type().ok()?.is_dir()).then(|| entry.path())
}

fn open(folder: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(folder.join(LOCK))
}
