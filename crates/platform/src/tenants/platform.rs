//! All tenants of this process.

use super::Tenant;
use super::directory::Directory;
use super::tenant::Shared;
use crate::cache::{Cache, CacheFigures};
use crate::configuration::{self, Prepared};
use crate::error::{Error, Result};
use crate::files::{FileStorage, Swept};
use crate::limits::{Gates, Rate};
use crate::outbox::Routes;
use crate::tables;
use crate::users::Passwords;
use crate::vault::{self, Keys};
use crate::work::World;
use crate::worker::Signals;
use database::{Database, Mark, Name, Tx};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// The tenants of a database, and what they share.
pub struct Platform {
    database: Database,
    world: World,
    settings: Settings,
    directory: Arc<Directory>,
    open: quick_cache::sync::Cache<String, Arc<Tenant>>,
    passwords: Arc<Passwords>,
    gates: Arc<Gates>,
    cache: Arc<Cache>,
    signals: Arc<Signals>,
}

/// Settings of the platform.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The tenant of requests that name none, where there are several.
    pub default_tenant: Option<String>,
    /// How many tenants keep their model and callers in memory.
    pub open_tenants: usize,
    /// How many requests an address may send to a tenant without a key that works; none is no limit.
    pub address_rate: Option<Rate>,
    /// Where the bytes of files lie.
    pub files: FileStorage,
    /// How many bytes of answers are kept in memory; with none, there is no cache.
    pub cache_bytes: u64,
    /// How many bytes the files of a tenant may have; none is no limit.
    pub file_quota: Option<u64>,
    /// The folder with a folder for each tenant that `fileFromFile()` reads from; none where it reads none.
    pub file_root: Option<PathBuf>,
    /// How mails and SMS leave.
    pub routes: Routes,
    /// What the tenants' own keys are made of; without one, whatever needs them fails.
    pub key: Option<Keys>,
    /// A configuration that is loaded already, for the tenants that hold just these files.
    pub prepared: Option<Arc<Prepared>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            default_tenant: None,
            open_tenants: 256,
            address_rate: Some(Rate { requests: 1_000, seconds: 10 }),
            files: FileStorage::default(),
            cache_bytes: 64 << 20,
            file_quota: None,
            file_root: None,
            routes: Routes::default(),
            key: None,
            prepared: None,
        }
    }
}

impl Platform {
    /// The platform over a database.
    pub fn new(database: Database, world: World, settings: Settings) -> Arc<Self> {
        let open = quick_cache::sync::Cache::new(settings.open_tenants.max(1));
        let passwords = Arc::new(Passwords::new(world.random.as_ref()));
        let gates = Arc::new(Gates::new(settings.address_rate));
        let cache = Arc::new(Cache::new(settings.cache_bytes));
        Arc::new(Platform {
            database,
            world,
            settings,
            directory: Arc::default(),
            open,
            passwords,
            gates,
            cache,
            signals: Arc::default(),
        })
    }

    /// The tenant of a request, by its Host header and the `/t/<name>` prefix of its path (D-15). One that is not
    /// in memory counts for the address that asks for it.
    pub async fn tenant(self: &Arc<Self>, host: &str, prefix: Option<&str>, address: IpAddr) -> Result<Arc<Tenant>> {
        if let Some(tenant) = self.find(host, prefix).and_then(|name| self.open.get(&name)) {
            return Ok(tenant);
        }
        self.gates.stray(address, self.world.clock.now().as_millisecond())?;
        if self.find(host, prefix).is_none() {
            self.look_again().await?;
        }
        let name = self.find(host, prefix).ok_or_else(|| self.nowhere(prefix))?;
        self.blocking(move |platform| platform.open(&name)).await
    }

    /// Has the directory scan, where that may find more. Whoever comes meanwhile waits for the same scan.
    async fn look_again(self: &Arc<Self>) -> Result<()> {
        if !self.directory.stale(self.world.clock.now()) {
            return Ok(());
        }
        let _turn = self.directory.turn.lock().await;
        let now = self.world.clock.now();
        if self.directory.stale(now) {
            self.blocking(move |platform| platform.directory.scan(&platform.database, now)).await?;
        }
        Ok(())
    }

    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let platform = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&platform)).await.map_err(|error| Error::failed(error.to_string()))?
    }

    /// The tenant with that name. It blocks: for commands.
    pub fn open(&self, name: &str) -> Result<Arc<Tenant>> {
        if let Some(tenant) = self.open.get(name) {
            return Ok(tenant);
        }
        let store = self.database.store(name)?;
        tables::upgrade(&store, self.world.random.as_ref())?;
        if let Some(keys) = &self.settings.key {
            vault::adopt(&store, keys, name)?;
        }
        let shared = Shared {
            world: self.world.clone(),
            directory: Arc::clone(&self.directory),
            passwords: Arc::clone(&self.passwords),
            gates: Arc::clone(&self.gates),
            cache: Arc::clone(&self.cache),
            keys: self.settings.key.clone(),
            signals: Arc::clone(&self.signals),
            routes: self.settings.routes.clone(),
            file_root: self.settings.file_root.as_ref().map(|root| root.join(name).into()),
            prepared: self.settings.prepared.clone(),
        };
        let tenant =
            Arc::new(Tenant::new(name, store, (self.settings.files.of(name), self.settings.file_quota), shared));
        self.open.insert(name.to_owned(), Arc::clone(&tenant));
        Ok(tenant)
    }

    /// Whether the tenant is open.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        self.open.peek(name).is_some()
    }

    /// Runs a job that reads from a tenant without opening it: nothing of it is kept, and no other tenant is closed for it.
    /// None where it cannot be read like this. It blocks.
    pub(crate) fn glance<T>(&self, name: &str, job: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Option<T> {
        self.database.store(name).ok()?.read_blocking(job).ok()
    }

    /// The tenants, with marks that differ once something was put into that table. It blocks.
    pub(crate) fn growth(&self, table: &Name) -> Result<BTreeMap<String, Mark>> {
        Ok(self.database.growth(table)?)
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
        // The store is seen from here on, and its key is read after that: whoever changes the key and then looks for tenants
        // finds it, or it begins with the key that is there then.
        let made = store.write_blocking(|tx| {
            tables::create(tx, self.world.random.as_ref())?;
            if let Some(keys) = &self.settings.key {
                vault::note(tx, keys, name)?;
            }
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
        self.database.delete(name)?;
        // Where it lies with the database, it is gone already.
        self.settings.files.of(name).remove_folder()
    }

    /// How mails and SMS leave.
    pub fn routes(&self) -> &Routes {
        &self.settings.routes
    }

    /// Clock and randomness.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// Where writes tell that there is something to do.
    pub(crate) fn signals(&self) -> &Signals {
        &self.signals
    }

    /// How well the cache does, of all tenants.
    pub fn cache_figures(&self) -> CacheFigures {
        self.cache.figures()
    }

    /// Removes files and counters that nobody needs, of all tenants, one after the other. What fails for one is logged.
    pub async fn sweep(self: &Arc<Self>) -> Result<()> {
        for name in self.blocking(Self::tenants).await? {
            let opened = self.blocking(move |platform| platform.open(&name)).await;
            // One that was deleted meanwhile is no failure.
            let Ok(tenant) = opened else { continue };
            match tenant.sweep_files(false).await {
                Ok(swept) if swept == Swept::default() => {}
                Ok(swept) => {
                    tracing::info!(tenant = tenant.name(), swept.expired, swept.orphans, "files were swept");
                }
                Err(error) => tracing::error!(tenant = tenant.name(), %error, "sweeping files failed"),
            }
            if let Err(error) = tenant.sweep_counters().await {
                tracing::error!(tenant = tenant.name(), %error, "sweeping counters failed");
            }
        }
        Ok(())
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
