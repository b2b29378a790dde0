//! Deleted tenants in the directory: their hosts stay theirs, and lead nowhere.

use super::{DirectoryEntry, TenantDirectory};
use database::{Database, DeletedStore, StoreNames};
use model::error::Result;
use std::collections::BTreeMap;
use std::sync::PoisonError;

impl TenantDirectory {
    /// Reads the deleted tenants, as far as they are not known yet: nothing of them changes.
    pub(super) fn read_deleted(&self, database: &Database) -> Result<BTreeMap<DeletedStore, DirectoryEntry>> {
        let known = self.state.read().unwrap_or_else(PoisonError::into_inner).deleted.clone();
        let entry = |store: &DeletedStore| match (known.get(store), store.until) {
            (Some(entry), _) if entry.settled => entry.clone(),
            // Its tables may be gone already.
            (_, None) => DirectoryEntry::default(),
            (_, Some(_)) => match database.read_deleted(store, configuration::reached) {
                Ok((hosts, preferred)) => {
                    DirectoryEntry { hosts, preferred, settled: true, ..DirectoryEntry::default() }
                }
                Err(error) => {
                    // It is tried each second.
                    if !known.contains_key(store) {
                        tracing::warn!(tenant = store.name, %error, "the deleted tenant cannot be read");
                    }
                    DirectoryEntry::default()
                }
            },
        };
        Ok(database.deleted()?.into_iter().map(|store| (store.clone(), entry(&store))).collect())
    }

    /// Returns true if the deleted tenants are those that are known and could be read, and no other known one is
    /// missing.
    pub(in crate::tenants) fn agrees(&self, names: &StoreNames) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let unread = |(store, entry): (&DeletedStore, &DirectoryEntry)| store.until.is_some() && !entry.settled;
        state.deleted.keys().eq(&names.deleted)
            && !state.deleted.iter().any(unread)
            && state.tenants.keys().all(|name| names.there.contains(name))
    }
}
