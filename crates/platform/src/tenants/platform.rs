//! All tenants of this process.

use super::directory::Directory;
use super::{Tenant, tables};
use crate::configuration;
use crate::error::{Error, Result};
use crate::users::Passwords;
use crate::work::World;
use database::Database;
use quick_cache::sync::Cache;
use std::sync::Arc;

/// The tenants of a database, and what they share.
pub struct Platform {
    database: Database,
    world: World,
    settings: Settings,
    directory: Arc<Directory>,
    open: Cache<String, Arc<Tenant>>,
    passwords: Arc<Passwords>,
}

/// Settings of the platform.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The tenant of requests that name none, where there are several.
    pub default_tenant: Option<String>,
    /// How many tenants keep their model and callers in memory.
    pub open_tenants: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { default_tenant: None, open_tenants: 256 }
    }
}

impl Platform {
    /// The platform over a database.
    pub fn new(database: Database, world: World, settings: Settings) -> Arc<Self> {
        let open = Cache::new(settings.open_tenants.max(1));
        let passwords = Arc::new(Passwords::new(world.random.as_ref()));
        Arc::new(Platform { database, world, settings, directory: Arc::default(), open, passwords })
    }

    /// The tenant of a request, by its Host header and the `/t/<name>` prefix of its path (D-15).
    pub async fn tenant(self: &Arc<Self>, host: &str, prefix: Option<&str>) -> Result<Arc<Tenant>> {
        if let Some(tenant) = self.find(host, prefix).and_then(|name| self.open.get(&name)) {
            return Ok(tenant);
        }
        let platform = Arc::clone(self);
        let (host, prefix) = (host.to_owned(), prefix.map(str::to_owned));
        let search = move || {
            let mut name = platform.find(&host, prefix.as_deref());
            let now = platform.world.clock.now();
            if name.is_none() && platform.directory.stale(now) {
                platform.directory.scan(&platform.database, now)?;
                name = platform.find(&host, prefix.as_deref());
            }
            platform.open(&name.ok_or_else(|| platform.nowhere(prefix.as_deref()))?)
        };
        tokio::task::spawn_blocking(search).await.map_err(|error| Error::failed(error.to_string()))?
    }

    /// The tenant with that name. It blocks: for commands.
    pub fn open(&self, name: &str) -> Result<Arc<Tenant>> {
        if let Some(tenant) = self.open.get(name) {
            return Ok(tenant);
        }
        let store = self.database.store(name)?;
        let (world, directory) = (self.world.clone(), Arc::clone(&self.directory));
        let tenant = Arc::new(Tenant::new(name, store, world, directory, Arc::clone(&self.passwords)));
        self.open.insert(name.to_owned(), Arc::clone(&tenant));
        Ok(tenant)
    }

    /// The names of the tenants, sorted. It blocks: for commands.
    pub fn tenants(&self) -> Result<Vec<String>> {
        Ok(self.database.stores()?)
    }

    /// Makes a tenant with built-in types alone; files are applied to it later. It blocks: for commands.
    pub fn create_tenant(&self, name: &str) -> Result<Arc<Tenant>> {
        check_name(name)?;
        if self.database.stores()?.iter().any(|store| store == name) {
            return Err(Error::conflict("tenant_exists", format!("The tenant {name} exists already.")));
        }
        let store = self.database.create(name)?;
        let made = store.write_blocking(|tx| {
            tables::create(tx, self.world.random.as_ref())?;
            configuration::create(tx, name, self.world.clock.now())
        });
        if let Err(error) = made {
            self.database.delete(name)?;
            return Err(error);
        }
        self.directory.put(name, &[]);
        self.open(name)
    }

    /// Deletes a tenant and all that is in it. It blocks: for commands.
    pub fn delete_tenant(&self, name: &str) -> Result<()> {
        if !self.database.stores()?.iter().any(|store| store == name) {
            return Err(missing());
        }
        self.open.remove(name);
        self.directory.remove(name);
        Ok(self.database.delete(name)?)
    }

    /// Whether the database answers.
    pub async fn ready(&self) -> Result<()> {
        Ok(self.database.ping().await?)
    }

    fn find(&self, host: &str, prefix: Option<&str>) -> Option<String> {
        self.directory.find(host, prefix, self.settings.default_tenant.as_deref())
    }

    /// The error of a request that leads to no tenant.
    fn nowhere(&self, prefix: Option<&str>) -> Error {
        let message = match (prefix, self.directory.size()) {
            (None, 0) => "There is no tenant yet.",
            (None, 2..) => "There are several tenants, and neither the host nor the path names one.",
            _ => return missing(),
        };
        Error::missing("tenant_missing", message)
    }
}

fn missing() -> Error {
    Error::missing("tenant_missing", "There is no such tenant.")
}

fn check_name(name: &str) -> Result<()> {
    let rest = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.len() <= 40 && name.starts_with(|first: char| first.is_ascii_lowercase()) && name.bytes().all(rest) {
        return Ok(());
    }
    Err(Error::invalid(
        "tenant_name",
        "A tenant's name is a small letter, then small letters, digits and hyphens, at most 40.",
    ))
}
