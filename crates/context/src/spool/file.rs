//! Files without a name for bodies that are too large for memory, and what they may take together.

use model::error::{Error, ErrorKind, Result};
use std::fs::{DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most files at a time: each takes a descriptor.
pub const MOST_FILES: u64 = 128;
/// Room at the beginning of a file, for what is known last and stands first.
pub(super) const HEAD: u64 = 4_096;

/// The place of the bodies of a process that are too large for memory.
#[derive(Debug)]
pub struct SpoolFolder {
    folder: PathBuf,
    most_bytes: u64,
    bytes: AtomicU64,
    files: AtomicU64,
}

/// A file with its part of what all files may take.
#[derive(Debug)]
pub(super) struct SpoolFile {
    file: File,
    spools: Arc<SpoolFolder>,
    bytes: u64,
}

impl SpoolFolder {
    /// Files in a folder, which is made with the first of them, with so many bytes at most.
    pub fn new(folder: PathBuf, most_bytes: u64) -> Self {
        SpoolFolder { folder, most_bytes, bytes: AtomicU64::new(0), files: AtomicU64::new(0) }
    }

    /// The folder of the files, which is there from the first of them on.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Bytes that all files take.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    pub(super) fn open(self: &Arc<Self>) -> Result<SpoolFile> {
        if !add(&self.files, 1, MOST_FILES) {
            return Err(full());
        }
        let made = self.make();
        if made.is_err() {
            self.files.fetch_sub(1, Relaxed);
        }
        let file = made.map_err(|error| self.failed(&error))?;
        Ok(SpoolFile { file, spools: Arc::clone(self), bytes: 0 })
    }

    /// Makes a file without a name, which nobody else can open.
    fn make(&self) -> io::Result<File> {
        let file = match tempfile::tempfile_in(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
                tempfile::tempfile_in(&self.folder)?
            }
            made => made?,
        };
        file.set_permissions(Permissions::from_mode(0o600))?;
        Ok(file)
    }

    /// Returns the error of a file. That there is no room is for the operator, and passes.
    fn failed(&self, error: &io::Error) -> Error {
        let detail = format!("the spool {}: {error}", self.folder.display());
        let passes = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        if passes || error.raw_os_error().is_some_and(|code| NO_DESCRIPTOR.contains(&code)) {
            return Error { detail: Some(detail), ..full() };
        }
        Error::failed(detail)
    }
}

/// `ENFILE` and `EMFILE`.
const NO_DESCRIPTOR: [i32; 2] = [23, 24];

fn full() -> Error {
    let message = "There is no room for another large answer now. Request less at a time, or try again.";
    Error::new(ErrorKind::Busy, "spool_full", message)
}

/// Adds to a number unless it would be more than it may be.
fn add(number: &AtomicU64, more: u64, most: u64) -> bool {
    number.fetch_update(Relaxed, Relaxed, |now| now.checked_add(more).filter(|sum| *sum <= most)).is_ok()
}

impl SpoolFile {
    pub(super) fn written(&self) -> u64 {
        self.bytes
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let more = bytes.len() as u64;
        if !add(&self.spools.bytes, more, self.spools.most_bytes) {
            return Err(full());
        }
        let at = HEAD + self.bytes;
        self.bytes += more;
        self.put(at, bytes)
    }

    pub(super) fn put(&self, at: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(bytes, at).map_err(|error| self.spools.failed(&error))
    }

    pub(super) fn read(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        self.file.read_exact_at(bytes, at).map_err(|error| self.spools.failed(&error))
    }
}

impl Drop for SpoolFile {
    fn drop(&mut self) {
        self.spools.bytes.fetch_sub(self.bytes, Relaxed);
        self.spools.files.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::SpoolWriter;
    use super::*;

    #[test]
    fn no_room_is_for_a_moment_and_said() {
        let folder = tempfile::tempdir().unwrap();
        let narrow = Arc::new(SpoolFolder::new(folder.path().join("spool"), 2 << 20));
        let mut held = SpoolWriter::new(Some(&narrow));
        held.write(&vec![0; 3 << 19]).unwrap();
        let mut refused = SpoolWriter::new(Some(&narrow));
        let error = refused.write(&vec![0; 3 << 19]).unwrap_err();
        assert_eq!((error.kind, error.code, error.detail), (ErrorKind::Busy, "spool_full", None));
        drop((held, refused));
        assert_eq!(narrow.bytes(), 0);
        // ENOSPC and EMFILE pass, and are told to the operator; what else fails does not pass.
        for (code, kind) in [(28, ErrorKind::Busy), (24, ErrorKind::Busy), (13, ErrorKind::Failed)] {
            let error = narrow.failed(&io::Error::from_raw_os_error(code));
            assert_eq!(error.kind, kind);
            assert!(error.detail.unwrap().contains("spool"));
        }
        let files: Vec<SpoolFile> = (0..MOST_FILES).map(|_| narrow.open().unwrap()).collect();
        assert_eq!(narrow.open().unwrap_err().code, "spool_full");
        drop(files);
        narrow.open().unwrap();
    }
}
