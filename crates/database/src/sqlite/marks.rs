//! Marks of the stores: when and how far each was written. Folders that this process may not open,
//! or that lost their file, are told once.

use super::SqliteFolder;
use super::database::failed;
use super::locks::lock;
use crate::{ChangeMark, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Mutex;

/// The names of the folders that could not be opened, as they were told.
#[derive(Default)]
pub(super) struct ClosedFolders(Mutex<BTreeSet<String>>);

impl SqliteFolder {
    /// A file's mark is when and how far it and its log were written. Neither is opened: closing a file of SQLite's
    /// would lose this process's locks on it.
    pub(crate) fn marks(&self) -> Result<BTreeMap<String, ChangeMark>> {
        let folder = &self.shared.folder;
        let (mut marks, mut closed, mut without) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        for entry in std::fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
            let entry = entry.map_err(|error| failed(folder, &error))?;
            // What is being made or deleted has a dot in front.
            let name = entry.file_name();
            let is_name = |name: &&str| name.starts_with(|first: char| first.is_ascii_lowercase());
            let Some(name) = name.to_str().filter(is_name) else { continue };
            match std::fs::metadata(self.path(name)) {
                Ok(file) if file.is_file() => {
                    // A reader makes an empty log where there is none.
                    let log = std::fs::metadata(folder.join(name).join("tenant.db-wal"));
                    let log = log.ok().filter(|log| log.len() > 0);
                    let text = format!("{}, {}", written(Some(&file)), written(log.as_ref()));
                    let last = [Some(&file), log.as_ref()].into_iter().flatten().filter_map(modified).max();
                    marks.insert(name.to_owned(), ChangeMark { text, written: last });
                }
                Err(error) if error.kind() == ErrorKind::PermissionDenied => _ = closed.insert(name.to_owned()),
                Err(error) if error.kind() == ErrorKind::NotFound => _ = without.insert(name.to_owned()),
                _ => {}
            }
        }
        self.shared.closed_folders.tell(folder, closed);
        self.shared.lost_files.tell(self, &without);
        Ok(marks)
    }
}

impl ClosedFolders {
    /// Tells those that were not found closed the last time.
    fn tell(&self, folder: &Path, found: BTreeSet<String>) {
        let mut told = lock(&self.0);
        for name in found.difference(&told) {
            let folder = folder.join(name);
            tracing::error!(
                tenant = name,
                folder = %folder.display(),
                owner = owner(&folder),
                "the folder of a tenant cannot be opened: give it to the account of the server with chown -R"
            );
        }
        *told = found;
    }
}

/// Returns the number of the account that owns a folder.
fn owner(folder: &Path) -> Option<u32> {
    let metadata = std::fs::metadata(folder).ok()?;
    #[cfg(unix)]
    return Some(std::os::unix::fs::MetadataExt::uid(&metadata));
    #[cfg(not(unix))]
    return Some(metadata).and(None);
}

/// Returns the time of the last change of a file, in milliseconds since 1970.
fn modified(metadata: &std::fs::Metadata) -> Option<i64> {
    let since = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

/// Returns a text that differs once a file was written, or replaced by another.
fn written(metadata: Option<&std::fs::Metadata>) -> String {
    let Some(metadata) = metadata else { return "none".to_owned() };
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let number = 0;
    format!("{:?} {} {number}", metadata.modified().ok(), metadata.len())
}
