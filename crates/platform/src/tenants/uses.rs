//! The last uses of keys, from the memory of a node into the stores: now and then, all of a tenant at once.

use super::Platform;
use accounts::keys;
use context::key_uses::KeyUses;
use model::error::Result;
use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard, PoisonError};

impl Platform {
    /// Writes when keys were last used, as far as this node knows and the stores do not. What fails for one tenant is
    /// logged, and tried again the next time.
    pub async fn note_key_uses(self: &Arc<Self>) {
        let all: Vec<(String, KeyUses)> =
            self.noted().iter().map(|(name, uses)| (name.clone(), uses.clone())).collect();
        for (name, uses) in all {
            let taken = Arc::new(uses.take());
            if taken.is_empty() {
                continue;
            }
            if let Err(error) = self.write_uses(&name, Arc::clone(&taken)).await {
                uses.give_back(&taken);
                tracing::error!(tenant = name, %error, "the last uses of keys could not be written");
            }
        }
    }

    async fn write_uses(self: &Arc<Self>, name: &str, taken: Arc<Vec<(i64, i64)>>) -> Result<()> {
        let name = name.to_owned();
        // The tenant was opened by the request that used the key, so its store is of this version. It is not opened
        // again, which would close others where there is no room.
        let store = self.blocking(move |platform| Ok(platform.database.store(&name)?)).await?;
        store.write(move |tx| keys::note_uses(tx, &taken)).await
    }

    /// Returns the notes about a tenant's keys.
    pub(super) fn uses_of(&self, name: &str) -> KeyUses {
        self.noted().entry(name.to_owned()).or_default().clone()
    }

    /// Forgets the notes about keys of tenants that are gone.
    pub(super) fn forget_uses(&self, is_there: impl Fn(&str) -> bool) {
        self.noted().retain(|name, _| is_there(name));
    }

    fn noted(&self) -> MutexGuard<'_, BTreeMap<String, KeyUses>> {
        self.key_uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
