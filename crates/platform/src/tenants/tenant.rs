//! One tenant: the one way in for requests, and for commands.

use super::Call;
use super::caller::{Caches, Fresh};
use super::directory::Directory;
use super::model::Loaded;
use crate::actor::Actor;
use crate::error::{ErrorKind, Result};
use crate::keys::KeyText;
use crate::types::Model;
use crate::users::Passwords;
use crate::work::World;
use database::{Cost, Store, Tx};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A tenant that is open: its store, and what is cached of it while the store's epochs stand.
pub struct Tenant {
    pub(crate) name: String,
    pub(crate) store: Store,
    pub(crate) world: World,
    pub(crate) passwords: Arc<Passwords>,
    directory: Arc<Directory>,
    caches: Caches,
}

impl Tenant {
    pub(super) fn new(
        name: &str,
        store: Store,
        world: World,
        directory: Arc<Directory>,
        passwords: Arc<Passwords>,
    ) -> Self {
        Tenant { name: name.to_owned(), store, world, passwords, directory, caches: Caches::new() }
    }

    /// The tenant's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tenant's store, for the configuration's own jobs. Requests go through [`Tenant::read`] and [`Tenant::write`].
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Clock and randomness.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Runs a job that reads, for the owner of the key. A key that cannot be used is forbidden (D-7).
    /// The job may be run again.
    pub async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        cost: Cost,
        key: &KeyText,
        mut job: impl FnMut(&mut Tx<'_>, &Call) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tenant, key, now) = (Arc::clone(self), *key, self.world.clock.now());
        self.store
            .read(cost, move |tx| {
                let (call, fresh) = tenant.caches.call(tx, &key, now, &tenant.world)?;
                tenant.keep(fresh);
                job(tx, &call)
            })
            .await
    }

    /// Runs a job in one transaction, for the owner of the key. It may be run again, and then sees the same present.
    pub async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        key: &KeyText,
        mut job: impl FnMut(&mut Tx<'_>, &Call) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tenant, key, now) = (Arc::clone(self), *key, self.world.clock.now());
        let loaded = Arc::new(AtomicBool::new(false));
        let loads = Arc::clone(&loaded);
        let done: Result<(T, Fresh)> = self
            .store
            .write(move |tx| {
                let (call, fresh) = tenant.caches.call(tx, &key, now, &tenant.world)?;
                loads.store(!fresh.is_empty(), Ordering::Relaxed);
                Ok((job(tx, &call)?, fresh))
            })
            .await;
        // What a write job loads may rest on changes that were never committed: it is kept only when they were.
        match done {
            Ok((value, fresh)) => {
                self.keep(fresh);
                Ok(value)
            }
            Err(error) => {
                if loaded.load(Ordering::Relaxed) && error.kind != ErrorKind::Busy {
                    // Else a caller whose writes all fail would have its rights loaded each time.
                    let _ = self.read(Cost::Scan, &key, |_, _| Ok(())).await;
                }
                Err(error)
            }
        }
    }

    /// The configuration that holds, for what needs no caller.
    pub async fn model(self: &Arc<Self>) -> Result<Arc<Model>> {
        let tenant = Arc::clone(self);
        self.store.read(Cost::Scan, move |tx| tenant.model_in(tx)).await
    }

    /// [`Tenant::read`] with all rights, for commands. It blocks.
    pub fn read_as_administrator<T>(&self, job: impl FnOnce(&mut Tx<'_>, &Call) -> Result<T>) -> Result<T> {
        self.store.read_blocking(|tx| {
            let call = self.administrator(tx)?;
            job(tx, &call)
        })
    }

    /// [`Tenant::write`] with all rights, for commands. It blocks, and the job runs exactly once.
    pub fn write_as_administrator<T>(&self, job: impl FnOnce(&mut Tx<'_>, &Call) -> Result<T>) -> Result<T> {
        self.store.write_blocking(|tx| {
            let call = self.administrator(tx)?;
            job(tx, &call)
        })
    }

    /// The model inside a job that reads.
    pub(crate) fn model_in(&self, tx: &mut Tx<'_>) -> Result<Arc<Model>> {
        let epochs = tx.epochs()?;
        let (loaded, fresh) = self.caches.model(tx, epochs)?;
        self.keep(fresh);
        Ok(Arc::clone(&loaded.model))
    }

    fn administrator(&self, tx: &mut Tx<'_>) -> Result<Call> {
        let epochs = tx.epochs()?;
        let (loaded, _) = self.caches.model(tx, epochs)?;
        let Loaded { model, seed, .. } = &*loaded;
        Ok(Call {
            actor: Arc::new(Actor::administrator(model)),
            model: Arc::clone(model),
            now: self.world.clock.now(),
            random: Arc::clone(&self.world.random),
            seed: *seed,
        })
    }

    fn keep(&self, fresh: Fresh) {
        if let Some(loaded) = &fresh.loaded {
            self.directory.put(&self.name, &loaded.model.settings.hosts);
        }
        self.caches.keep(fresh);
    }
}
