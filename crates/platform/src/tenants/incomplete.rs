//! Tenants that are not whole: those whose file is lost, and those that a process left without tables.

use super::Platform;
use super::backup::restore;
use configuration::UPGRADES;
use context::{tables, vault};
use database::Store;
use model::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The code of the error of a tenant without tables.
pub const EMPTY: &str = "tenant_empty";

impl Platform {
    /// Returns the tenants whose folders stand without their file, with the folders. It blocks: for commands.
    pub fn lost_tenants(&self) -> Result<BTreeMap<String, PathBuf>> {
        Ok(self.database.lost()?)
    }

    /// Fails for the name of a tenant whose folder stands without its file. It blocks: for commands.
    pub fn refuse_lost(&self, name: &str) -> Result<()> {
        self.database.lost_folder(name)?.map_or(Ok(()), |folder| Err(lost(name, &folder)))
    }

    /// The same where a new tenant cannot take the name, since something lies in the folder.
    pub(super) fn refuse_blocked(&self, name: &str) -> Result<()> {
        self.database.blocking_folder(name)?.map_or(Ok(()), |folder| Err(lost(name, &folder)))
    }

    /// Returns true if a tenant has no tables: its restoration or creation did not end. It blocks: for commands.
    pub fn is_empty_tenant(&self, name: &str) -> Result<bool> {
        lacks_tables(&self.database.store(name)?)
    }

    /// Brings a store up to the form of this version, and has it begin with our key.
    pub(super) fn prepare_store(&self, name: &str, store: &Store) -> Result<()> {
        if let Err(error) = tables::upgrade(store, self.environment.random.as_ref(), UPGRADES) {
            // Clients are told the code, and no more than of other failures.
            return Err(match lacks_tables(store) {
                Ok(true) => Error { code: EMPTY, ..Error::failed(no_tables(name)) },
                _ => error,
            });
        }
        self.settings.key.as_ref().map_or(Ok(()), |keys| vault::adopt(store, keys, name))
    }
}

/// Returns true if nobody filled a store yet. A file that lost its bytes is damaged instead: it needs a backup.
fn lacks_tables(store: &Store) -> Result<bool> {
    Ok(restore::is_empty(store)? && store.damaged_pages_blocking()?.is_empty())
}

/// Returns the sentences about a tenant without tables.
fn no_tables(name: &str) -> String {
    format!(
        "The tenant {name} has no tables: a restoration or creation of it is under way, or did not end. If it is not \
         under way, run plinth tenant delete {name} --now --yes."
    )
}

fn lost(name: &str, folder: &Path) -> Error {
    let message = format!(
        "The tenant {name} is lost: its folder {} has no tenant.db. Move the folder away and restore a backup \
         (plinth backup restore FILE), or remove the folder.",
        folder.display()
    );
    Error::conflict("tenant_lost", message)
}
