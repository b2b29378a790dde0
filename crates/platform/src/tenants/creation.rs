//! Tenants are made: by commands.

use super::backup::restore;
use super::{Platform, master_key};
use configuration::UPGRADES;
use context::{tables, vault};
use model::error::{Error, Result};
use std::sync::Arc;
use tenant::Tenant;

impl Platform {
    /// Makes a tenant with built-in types alone; files are applied to it later. It blocks: for commands.
    pub fn create_tenant(&self, name: &str) -> Result<Arc<Tenant>> {
        check_name(name)?;
        let (keys, stores) = (self.settings.key.as_ref(), self.database.stores()?);
        if stores.iter().any(|store| store == name) {
            return Err(Error::conflict("tenant_exists", format!("The tenant {name} exists already.")));
        }
        self.refuse_deleted(name)?;
        self.refuse_blocked(name)?;
        master_key::refuse_foreign(&self.database, keys, &stores)?;
        // URLs without a tenant meant this one, and do so until the operator decides.
        self.keep_default()?;
        let store = self.database.create(name)?;
        // The store is seen from here on, and its key is read after that: a change of the key that then looks for
        // tenants finds it, or it begins with the key that is there then.
        let made = store.write_blocking(|tx| {
            tables::create(tx, self.environment.random.as_ref(), UPGRADES)?;
            if let Some(keys) = keys {
                vault::note(tx, keys, name)?;
            }
            configuration::create(tx, name, self.environment.clock.now())
        });
        // Another node, with a key of its own, may have made its first tenant meanwhile.
        let made = made.and_then(|()| {
            let others: Vec<String> = self.database.stores()?.into_iter().filter(|other| other != name).collect();
            master_key::refuse_foreign(&self.database, keys, &others)
        });
        if let Err(error) = made {
            self.database.delete(name)?;
            return Err(error);
        }
        self.directory.put(name, &[]);
        self.open(name)
    }
}

/// Fails where there is a tenant of that name, unless a process left its store empty.
pub(crate) fn refuse_existing(platform: &Platform, name: &str) -> Result<()> {
    match platform.database.store(name) {
        Err(database::Error::NoStore) => platform.refuse_deleted(name).and_then(|()| platform.refuse_blocked(name)),
        // A tenant that is deleted between the two looks empty, too.
        Ok(store) if restore::is_empty(&store)? => platform.refuse_deleted(name),
        Ok(_) => {
            let message = format!(
                "The tenant {name} exists already. Remove it before (plinth tenant delete {name} --now --yes), or restore \
                 under another name."
            );
            Err(Error::conflict("tenant_exists", message))
        }
        Err(error) => Err(error.into()),
    }
}

/// Fails for a text that cannot be the name of a tenant.
pub(crate) fn check_name(name: &str) -> Result<()> {
    let rest = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.len() <= 40 && name.starts_with(|first: char| first.is_ascii_lowercase()) && name.bytes().all(rest) {
        return Ok(());
    }
    Err(Error::invalid(
        "tenant_name",
        "A tenant's name is a small letter, then small letters, digits and hyphens, at most 40.",
    ))
}
