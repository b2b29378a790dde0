//! Lost files: folders of stores that stand without their file.

use super::SqliteFolder;
use super::locks::lock;
use crate::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The stores whose files are lost, and for each, if it was told.
#[derive(Default)]
pub(super) struct LostFiles(Mutex<BTreeMap<String, bool>>);

impl SqliteFolder {
    /// Returns the stores whose files are lost, with their folders.
    pub(crate) fn lost(&self) -> Result<BTreeMap<String, PathBuf>> {
        let names = self.names()?;
        let is_deleted = |name: &String| names.deleted.iter().any(|deleted| deleted.name == *name);
        let homes = names.there.iter().filter(|name| !is_deleted(name)).filter_map(|name| {
            let home = self.shared.folder.join(name);
            is_lost(name, &home).then(|| (name.clone(), home))
        });
        Ok(homes.collect())
    }

    /// Returns the folder of a store whose file is lost.
    pub(crate) fn lost_folder(&self, name: &str) -> Result<Option<PathBuf>> {
        let home = self.shared.folder.join(name);
        // The look at all names is for those alone that may be deleted.
        if !is_lost(name, &home) || self.names()?.deleted.iter().any(|deleted| deleted.name == name) {
            return Ok(None);
        }
        Ok(Some(home))
    }

    /// Returns such a folder if a new store of its name cannot take its place, since something lies in it.
    pub(crate) fn blocking_folder(&self, name: &str) -> Result<Option<PathBuf>> {
        Ok(self.lost_folder(name)?.filter(|home| has_content(home)))
    }
}

impl LostFiles {
    /// Tells those among the stores without a file that are lost, once. A store that is made has a folder first, so it
    /// takes a second look.
    pub(super) fn tell(&self, database: &SqliteFolder, without: &BTreeSet<String>) {
        let mut known = lock(&self.0);
        known.retain(|name, _| without.contains(name));
        for name in without {
            // A folder that cannot be read is told elsewhere.
            let Ok(Some(folder)) = database.lost_folder(name) else {
                known.remove(name);
                continue;
            };
            match known.get_mut(name) {
                None => _ = known.insert(name.clone(), false),
                Some(told) if !*told => {
                    *told = true;
                    tracing::error!(
                        tenant = name,
                        folder = %folder.display(),
                        "the folder of a tenant has no tenant.db, so that the tenant is lost: move the folder away \
                         and restore a backup, or remove the folder"
                    );
                }
                Some(_) => {}
            }
        }
    }
}

/// Returns true if the folder of a store stands without its file.
fn is_lost(name: &str, home: &Path) -> bool {
    let has_no_file = || fs::metadata(home.join("tenant.db")).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    // Another process may delete the store, or make one of its name, between two looks.
    crate::database::well_formed(name) && has_no_file() && home.is_dir() && has_no_file() && home.is_dir()
}

/// Returns true if anything but empty folders lies in a folder: [`super::deleted::remove_empty`] leaves it then.
fn has_content(home: &Path) -> bool {
    let is_empty = |entry: DirEntry| fs::read_dir(entry.path()).is_ok_and(|mut within| within.next().is_none());
    fs::read_dir(home).is_ok_and(|entries| !entries.flatten().all(is_empty))
}
