//! All tenants of this process.

use super::backup::RemovedBackups;
use super::directory::TenantDirectory;
use super::figures::PlatformFigures;
use super::load::StoreLoader;
use super::master_key;
use configuration::Prepared;
use context::key_uses::KeyUses;
use context::passwords::PasswordGate;
use context::spool::SpoolFolder;
use context::vault::MasterKeys;
use database::{ChangeMark, Database, Name, Store, Tx};
use messages::outbox::Routes;
use model::environment::{DatabaseClock, Environment};
use model::error::{Error, ErrorKind, Result};
use model::rate::RequestRate;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use tenant::Tenant;
use tenant::cache::{Cache, CacheFigures};
use tenant::handle::Shared;
use tenant::limits::{AddressCharge, Gates, RefusalPause};
use tenant::storage::FileStorage;
use tenant::worker::WorkerContext;

/// The tenants of a database, and what they share.
pub struct Platform {
    pub(super) database: Database,
    pub(super) environment: Environment,
    pub(super) settings: Settings,
    pub(super) directory: Arc<TenantDirectory>,
    pub(super) open: quick_cache::sync::Cache<String, Arc<Tenant>>,
    passwords: Arc<PasswordGate>,
    gates: Arc<Gates>,
    cache: Arc<Cache>,
    /// Places and signals of the workers.
    pub workers: WorkerContext,
    /// A name that no other node has, once it was asked for.
    pub(super) node: OnceLock<String>,
    /// The nodes that are missed.
    pub(super) missed: Mutex<Vec<String>>,
    /// The uses of keys that the stores do not know yet, by tenant: they outlive a tenant that is closed.
    pub(super) key_uses: Mutex<BTreeMap<String, KeyUses>>,
    pub(super) figures: PlatformFigures,
}

/// Settings of the platform.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The tenant of requests that name none, where there are several.
    pub default_tenant: Option<String>,
    /// The most tenants that keep their model and callers in memory.
    pub open_tenants: usize,
    /// The most requests of an address to a tenant without a key that works, if there is a limit.
    pub address_rate: Option<RequestRate>,
    /// The most connections of the server.
    pub connections: usize,
    /// The place of the bytes of files.
    pub files: FileStorage,
    /// The most bytes of answers that are kept in memory; with none, there is no cache.
    pub cache_bytes: u64,
    /// The most bytes that the files of a tenant may have; none is no limit.
    pub file_quota: Option<u64>,
    /// The folder with a folder for each tenant that `fileFromFile()` reads from; none where it reads none.
    pub file_root: Option<PathBuf>,
    /// The place of large answers; none where they stay in memory.
    pub spools: Option<Arc<SpoolFolder>>,
    /// The routes by which mails and SMS leave.
    pub routes: Routes,
    /// The most bytes that a resource may have.
    pub row_bytes: usize,
    /// The keys that the tenants' own keys are made of; without one, whatever needs them fails.
    pub key: Option<MasterKeys>,
    /// The clock that follows the database's, where it is to be measured again now and then.
    pub clock: Option<Arc<DatabaseClock>>,
    /// The time between two looks for work that another process left.
    pub poll_interval: Duration,
    /// The most mails, the most SMS and the most runs of automations that a tenant may have under way at a time.
    pub places: usize,
    /// The most of them to one destination: a domain, the SMS gateway, a host.
    pub destination_places: usize,
    /// The place of the archives of tenants that are removed; none where no server makes backups.
    pub removed_backups: Option<RemovedBackups>,
    /// A configuration that is loaded already, for the tenants that hold just these files.
    pub prepared: Option<Arc<Prepared>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            default_tenant: None,
            open_tenants: 256,
            address_rate: Some(RequestRate { requests: 1_000, seconds: 10 }),
            connections: 4_096,
            files: FileStorage::default(),
            cache_bytes: 64 << 20,
            file_quota: None,
            row_bytes: 8 << 20,
            file_root: None,
            spools: None,
            routes: Routes::default(),
            key: None,
            clock: None,
            poll_interval: Duration::from_secs(60),
            places: 16,
            destination_places: 8,
            removed_backups: None,
            prepared: None,
        }
    }
}

impl Platform {
    /// The platform over a database.
    pub fn new(database: Database, environment: Environment, mut settings: Settings) -> Arc<Self> {
        settings.spools = settings.spools.filter(|spools| can_write(spools.path()));
        let open = quick_cache::sync::Cache::new(settings.open_tenants.max(1));
        let passwords = Arc::new(PasswordGate::new(environment.random.as_ref()));
        let gates = Arc::new(Gates::new(settings.address_rate, settings.connections));
        let cache = Arc::new(Cache::new(settings.cache_bytes));
        let workers = WorkerContext::new(settings.places, settings.destination_places);
        Arc::new(Platform {
            database,
            environment,
            settings,
            directory: Arc::default(),
            open,
            passwords,
            gates,
            cache,
            workers,
            node: OnceLock::new(),
            missed: Mutex::default(),
            key_uses: Mutex::default(),
            figures: PlatformFigures::default(),
        })
    }

    /// The tenant of a request, by its Host header and the `/t/<name>` prefix of its path (D-15). One that is not
    /// in memory counts for the address that asks for it.
    pub async fn tenant(self: &Arc<Self>, host: &str, prefix: Option<&str>, address: IpAddr) -> Result<Arc<Tenant>> {
        Ok(self.tenant_and_charge(host, prefix, address).await?.0)
    }

    /// The same, with what was counted for the address. [`Tenant::admit`] takes it back.
    pub async fn tenant_and_charge(
        self: &Arc<Self>,
        host: &str,
        prefix: Option<&str>,
        address: IpAddr,
    ) -> Result<(Arc<Tenant>, Option<AddressCharge>)> {
        if let Some(tenant) = self.find(host, prefix).and_then(|name| self.open.get(&name)) {
            return Ok((tenant, None));
        }
        let charge = self.gates.stray(address, self.environment.clock.now().as_millisecond())?;
        if self.find(host, prefix).is_none() {
            self.look_again().await?;
        }
        let name = self.find(host, prefix).ok_or_else(|| self.nowhere(prefix))?;
        Ok((self.blocking(move |platform| platform.open(&name)).await?, charge))
    }

    /// Counts the refusal of a request that leads to no tenant.
    pub fn refuse_stray(&self, now: Instant) -> RefusalPause {
        self.gates.refuse_stray(now)
    }

    /// Finds out which tenants there are: requests that name one in their path wait for nothing else.
    pub async fn name_tenants(self: &Arc<Self>) -> Result<()> {
        self.blocking(|platform| platform.directory.name(&platform.database)).await
    }

    /// Finds out by which hosts the tenants are reached.
    pub async fn look_for_tenants(self: &Arc<Self>) -> Result<()> {
        self.look_again().await
    }

    /// Has the directory scan, where that may find more. Requests that come meanwhile wait for the same scan.
    async fn look_again(self: &Arc<Self>) -> Result<()> {
        if !self.directory.stale(self.environment.clock.now()) {
            return Ok(());
        }
        let _turn = self.directory.turn.lock().await;
        let now = self.environment.clock.now();
        if self.directory.stale(now) {
            self.blocking(move |platform| platform.directory.scan(&platform.database, now)).await?;
        }
        Ok(())
    }

    /// Returns whether there are several tenants, and a request to that host means none of them.
    pub async fn is_ambiguous(self: &Arc<Self>, host: &str) -> bool {
        if self.find(host, None).is_some() {
            return false;
        }
        // What cannot be looked at is told by the request itself.
        let _ = self.look_again().await;
        self.find(host, None).is_none() && self.directory.size() > 1
    }

    /// Returns whether there is a tenant of that name.
    pub async fn has_tenant(self: &Arc<Self>, name: &str) -> bool {
        if self.find("", Some(name)).is_none() {
            let _ = self.look_again().await;
        }
        self.find("", Some(name)).is_some()
    }

    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let platform = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&platform)).await.map_err(|error| Error::failed(error.to_string()))?
    }

    /// Returns the tenant with that name. It blocks. Requests for a tenant that is being opened wait for it, since a store
    /// of another version may be brought up for a minute.
    pub fn open(&self, name: &str) -> Result<Arc<Tenant>> {
        self.open.get_or_insert_with(name, || {
            let opened = self.open_anew(name);
            self.figures.unopened.note(name, &opened, self.environment.clock.now());
            opened
        })
    }

    fn open_anew(&self, name: &str) -> Result<Arc<Tenant>> {
        let began = Instant::now();
        let store = self.database.store(name)?;
        self.prepare_store(name, &store)?;
        let tenant = Arc::new(self.tenant_over(name, store));
        self.figures.opened.observe(began.elapsed());
        Ok(tenant)
    }

    /// Returns a tenant over its store, or over a copy of it that is not served.
    pub(super) fn tenant_over(&self, name: &str, store: Store) -> Tenant {
        let loader = StoreLoader {
            name: name.into(),
            keys: self.settings.key.clone(),
            routes: self.settings.routes.clone(),
            row_bytes: self.settings.row_bytes,
            file_root: self.settings.file_root.as_ref().map(|root| root.join(name).into()),
            spools: self.settings.spools.clone(),
            prepared: self.settings.prepared.clone(),
            refused: Arc::default(),
            key_uses: self.uses_of(name),
            directory: Arc::clone(&self.directory),
        };
        let shared = Shared {
            environment: self.environment.clone(),
            passwords: Arc::clone(&self.passwords),
            gates: Arc::clone(&self.gates),
            cache: Arc::clone(&self.cache),
            signals: Arc::clone(&self.workers.signals),
            file_quota: self.settings.file_quota,
            figures: self.figures.of(name),
        };
        let files = self.settings.files.of(name);
        Tenant::new(name, store, files, Box::new(loader), shared)
    }

    /// Returns true if the tenant began with another master key than ours. It blocks: for commands.
    pub fn has_foreign_key(&self, name: &str) -> Result<bool> {
        Ok(master_key::fits(&self.database, self.settings.key.as_ref(), name)? == Some(false))
    }

    /// Forgets tenants that another process deleted; `there` are those of a moment ago.
    pub(crate) fn forget_deleted(&self, there: &BTreeMap<String, ChangeMark>) {
        self.directory.retain(|name| there.contains_key(name));
        self.open.retain(|name, _| there.contains_key(name));
        self.database.close_deleted(|name| there.contains_key(name));
        self.forget_uses(|name| there.contains_key(name));
        self.figures.retain(|name| there.contains_key(name));
    }

    /// Returns true if the tenant is open.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        self.open.peek(name).is_some()
    }

    /// Runs a job that reads from a tenant without opening it: nothing of it is kept, and no other tenant is closed for
    /// it. None where it cannot be read like this. It blocks.
    pub(crate) fn glance<T>(&self, name: &str, job: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Option<T> {
        self.read_unopened(name, job).ok()
    }

    /// The same, with the reason why it cannot be read.
    pub(crate) fn read_unopened<T>(&self, name: &str, job: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.database.store(name)?.read_blocking(job)
    }

    /// The tenants, with marks that differ once something was put into that table. It blocks.
    pub fn growth(&self, table: &Name) -> Result<BTreeMap<String, ChangeMark>> {
        Ok(self.database.growth(table)?)
    }

    /// The names of the tenants, sorted. It blocks: for commands.
    pub fn tenants(&self) -> Result<Vec<String>> {
        Ok(self.database.stores()?)
    }

    /// Clock and randomness.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns the figures of the cache, of all tenants.
    pub fn cache_figures(&self) -> CacheFigures {
        self.cache.figures()
    }

    /// Fails where the database does not answer, or a folder of ours cannot be written.
    pub async fn ready(self: &Arc<Self>) -> Result<()> {
        self.faults().await.into_iter().next().map_or(Ok(()), Err)
    }

    /// Returns all causes for which this node cannot serve.
    pub async fn faults(self: &Arc<Self>) -> Vec<Error> {
        let answered = self.database.ping().await.map_err(|error| match error {
            database::Error::Unusable(detail) => unwritable(detail),
            error => Error::from(error),
        });
        let checked = self.blocking(|platform| {
            let checked = platform.settings.files.check();
            checked.map_err(|error| unwritable(format!("the folder of files: {error}")))
        });
        [answered, checked.await].into_iter().filter_map(Result::err).collect()
    }

    /// The tenant of requests that name none, as far as it is not a setting but follows from which tenants there are.
    pub fn default_of_several(&self) -> Option<String> {
        let set = self.settings.default_tenant.is_some() || self.directory.size() < 2;
        if set { None } else { self.find("", None) }
    }

    /// Returns whether the last look found no tenant.
    pub fn has_none(&self) -> bool {
        self.directory.size() == 0
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

fn unwritable(detail: String) -> Error {
    let message = "The folder of the data cannot be written.";
    Error { detail: Some(detail), ..Error::new(ErrorKind::Busy, "folder_unwritable", message) }
}

pub(super) fn missing() -> Error {
    Error::missing("tenant_missing", "There is no such tenant.")
}

/// Returns true if files can be made in a folder, or the folder in the next one above that exists. A node that has its
/// key in a setting and its files in a bucket may have none: then large answers stay in memory, as others do.
fn can_write(folder: &Path) -> bool {
    let above = folder.ancestors().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let Some(there) = above.into_iter().find(|folder| folder.exists()) else { return true };
    let access = rustix::fs::access(there, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK);
    if let Err(error) = access {
        let folder = there.display();
        tracing::warn!("Answers of more than 1 MiB stay in memory, since {folder} cannot be written: {error}");
    }
    access.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_no_folder_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        assert!(can_write(folder.path()) && can_write(&folder.path().join("data/spool")));
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(!can_write(&file.join("spool")), "a file has no files, for any user");
    }
}
