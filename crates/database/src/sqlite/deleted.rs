//! Deleted files: folders beside those of the stores, with a dot in front of their names.

use super::SqliteFolder;
use super::connection::{ConnectionPurpose, SqliteConnection};
use super::database::{await_readers, failed, sync};
use super::file::StoreFile;
use super::leftover_files;
use super::locks::lock;
use super::store::SqliteStore;
use crate::deleted::{DeletedStore, StoreNames};
use crate::{Error, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The beginning of the names of such folders.
const UNTIL: &str = ".until-";

impl SqliteFolder {
    pub(crate) fn put_away(&self, store: &DeletedStore) -> Result<()> {
        let path = self.path(&store.name);
        if !path.is_file() {
            return Err(Error::NoStore);
        }
        let _alone = self.hold_writers(&path)?;
        let mut files = lock(&self.shared.files);
        self.shared.close(&mut files, &store.name);
        self.rename(&self.shared.folder.join(&store.name), &self.aside(store))?;
        await_readers();
        Ok(())
    }

    /// Keeps all from writing to a file until what this returns is dropped: writers that wait look at the path then. A
    /// damaged file has no writers, and none is returned.
    fn hold_writers(&self, path: &Path) -> Result<Option<SqliteConnection>> {
        let begin = || {
            let connection = SqliteConnection::open(path, ConnectionPurpose::Command)?;
            connection.keep_log()?;
            connection.run("BEGIN IMMEDIATE").map(|()| connection)
        };
        match begin() {
            Err(error @ (Error::Busy | Error::NoRoom(_))) => Err(error),
            begun => Ok(begun.ok()),
        }
    }

    pub(crate) fn names(&self) -> Result<StoreNames> {
        let folder = &self.shared.folder;
        let mut names = StoreNames::default();
        for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
            let name = entry.map_err(|error| failed(folder, &error))?.file_name();
            let Some(name) = name.to_str() else { continue };
            if let Some(label) = name.strip_prefix(UNTIL) {
                names.deleted.extend(DeletedStore::parse(label));
            } else if name.starts_with(|first: char| first.is_ascii_lowercase()) {
                names.there.insert(name.to_owned());
            }
        }
        Ok(names)
    }

    pub(crate) fn bring_back(&self, store: &DeletedStore) -> Result<()> {
        let home = self.shared.folder.join(&store.name);
        remove_empty(&home);
        self.rename(&self.aside(store), &home)
    }

    pub(crate) fn rename_deleted(&self, from: &DeletedStore, to: &DeletedStore) -> Result<()> {
        self.rename(&self.aside(from), &self.aside(to))
    }

    /// A process that is killed on the way leaves a folder that the next one removes; see [`leftover_files::sweep`].
    pub(crate) fn remove_condemned(&self, store: &DeletedStore) -> Result<()> {
        let _held = self.shared.hold()?;
        let grave = self.shared.aside(leftover_files::DELETED, &store.name);
        match self.rename(&self.aside(store), &grave) {
            Err(Error::NoStore) => return Ok(()),
            renamed => renamed?,
        }
        remove_empty(&self.shared.folder.join(&store.name));
        fs::remove_dir_all(&grave).map_err(|error| failed(&grave, &error))?;
        sync(&self.shared.folder)
    }

    pub(crate) fn deleted_store(&self, store: &DeletedStore) -> SqliteStore {
        let path = self.aside(store).join("tenant.db");
        let file = StoreFile::new(&store.name, path, Arc::clone(&self.shared.pool));
        SqliteStore::new(Arc::clone(&self.shared), Arc::new(file))
    }

    fn aside(&self, store: &DeletedStore) -> PathBuf {
        self.shared.folder.join(format!("{UNTIL}{}", store.label()))
    }

    /// Renames a folder in one step that a loss of power does not tear, and never over another that has something in it.
    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        match fs::rename(from, to) {
            Err(error) if error.kind() == ErrorKind::NotFound => Err(Error::NoStore),
            Err(error) => Err(failed(to, &error)),
            Ok(()) => sync(&self.shared.folder),
        }
    }
}

/// Removes the folder of a store that is no more, where an upload that had begun before made it again. One with a file
/// in it stays.
pub(super) fn remove_empty(home: &Path) {
    if home.join("tenant.db").exists() {
        return;
    }
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let _ = fs::remove_dir(entry.path());
    }
    let _ = fs::remove_dir(home);
}
