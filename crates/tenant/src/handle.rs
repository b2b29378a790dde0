//! One tenant: the one way in for requests. That of the platform itself is in `elevated`, that of commands in `command`.

mod elevated;

use super::caller::{PendingEntries, TenantCache};
use super::caller_job::CallerJob;
use super::latest::Latest;
use super::loader::Loader;
use crate::cache::Cache;
use crate::figures::TenantFigures;
use crate::limits::sign_in_turns::SignInTurns;
use crate::limits::{Gates, RefusalAllowance, UploadTurns};
use crate::storage::Files;
use crate::worker::{Signals, WorkerTurn, WorkerWishes};
use context::actor::Actor;
use context::caller_key::CallerKey;
use context::passwords::PasswordGate;
use context::reads::{LoggedReads, ReadOrigin, ReadWay};
use context::request_context::RequestContext;
use context::vault::rotation::VaultOwner;
use database::{ReadCost, Store, Tx};
use model::environment::{Environment, Random};
use model::error::{ErrorKind, FROZEN, Result};
use model::file_link::FileLink;
use model::rate::RequestRate;
use model::types::Model;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// A tenant that is open: its store, and what is cached of it while the store's epochs stand.
pub struct Tenant {
    name: Arc<str>,
    store: Store,
    pub(super) environment: Environment,
    passwords: Arc<PasswordGate>,
    sign_ins: Arc<SignInTurns>,
    /// The counters of requests.
    pub(crate) gates: Arc<Gates>,
    files: Files,
    /// The most bytes that all files may have.
    file_quota: Option<u64>,
    /// Bytes of uploads that have no rows yet.
    uploading: Arc<AtomicU64>,
    pub(crate) uploads: UploadTurns,
    pub(crate) refusals: RefusalAllowance,
    /// A number that few other tenants of this process have.
    pub(crate) number: u64,
    /// When a refused request last read the configuration.
    pub(crate) looked: AtomicI64,
    cache: Arc<Cache>,
    latest: Latest,
    pub(super) caches: TenantCache,
    /// Tell the workers that there is something to do.
    signals: Arc<Signals>,
    figures: Arc<TenantFigures>,
}

/// The parts that the tenants of a process share.
pub struct Shared {
    /// Clock and randomness.
    pub environment: Environment,
    /// The hashing of passwords.
    pub passwords: Arc<PasswordGate>,
    /// The counters of requests.
    pub gates: Arc<Gates>,
    /// The cache of answers.
    pub cache: Arc<Cache>,
    /// The signals to the workers.
    pub signals: Arc<Signals>,
    /// The most bytes that the files of a tenant may have.
    pub file_quota: Option<u64>,
    /// The figures of the tenant on this node.
    pub figures: Arc<TenantFigures>,
}

impl Tenant {
    /// Opens a tenant over its store.
    pub fn new(name: &str, store: Store, files: Files, loader: Box<dyn Loader>, shared: Shared) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let Shared { environment, passwords, gates, cache, signals, file_quota, figures } = shared;
        Tenant {
            name: name.into(),
            store,
            environment,
            passwords,
            sign_ins: Arc::default(),
            gates,
            files,
            file_quota,
            uploading: Arc::default(),
            uploads: UploadTurns::default(),
            refusals: RefusalAllowance::default(),
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            looked: AtomicI64::new(0),
            cache,
            latest: Latest::default(),
            caches: TenantCache::new(loader),
            signals,
            figures,
        }
    }

    /// The figures of the tenant on this node.
    #[inline]
    pub fn figures(&self) -> &TenantFigures {
        &self.figures
    }

    /// The tenant's name.
    #[inline]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tenant's name, to be kept without a copy.
    #[inline]
    pub fn shared_name(&self) -> &Arc<str> {
        &self.name
    }

    /// The tenant's store, for the configuration's own jobs. Requests go through [`Tenant::read`] and [`Tenant::write`].
    #[inline]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the place of the bytes of the tenant's files.
    #[inline]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Clock and randomness.
    #[inline]
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The hashing of passwords, which all tenants share.
    #[inline]
    pub fn passwords(&self) -> &Arc<PasswordGate> {
        &self.passwords
    }

    /// The queues of sign-ins.
    #[inline]
    pub fn sign_ins(&self) -> &Arc<SignInTurns> {
        &self.sign_ins
    }

    /// The most bytes that all files may have.
    #[inline]
    pub fn file_quota(&self) -> Option<u64> {
        self.file_quota
    }

    /// Bytes of uploads that have no rows yet.
    #[inline]
    pub fn uploading(&self) -> &Arc<AtomicU64> {
        &self.uploading
    }

    /// The cache that all tenants share.
    #[inline]
    pub fn cache(&self) -> &Arc<Cache> {
        &self.cache
    }

    /// The latest versions of types that a read saw.
    #[inline]
    pub fn latest(&self) -> &Latest {
        &self.latest
    }

    /// Runs a job that reads, for the owner of the key. A key that cannot be used is forbidden (D-7).
    /// The job may be run again.
    pub async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        cost: ReadCost,
        key: &CallerKey,
        mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let caller = CallerJob::begin(self, key);
        self.store
            .read(cost, move |tx| {
                let context = caller.read(tx)?;
                job(tx, &context)
            })
            .await
    }

    /// Runs a job that reads, for the user that an address of a file was signed for. The job may be run again.
    pub async fn read_linked<T: Send + 'static>(
        self: &Arc<Self>,
        token: &str,
        mut job: impl FnMut(&mut Tx<'_>, &RequestContext, FileLink) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tenant, token, now) = (Arc::clone(self), token.to_owned(), self.environment.clock.now());
        self.store
            .read(ReadCost::Point, move |tx| {
                let (context, link, fresh) = tenant.caches.linked(tx, &token, now, &tenant.environment)?;
                tenant.keep(fresh);
                job(tx, &context, link)
            })
            .await
    }

    /// The same for a job that reads what is logged: the log is written in its transaction.
    pub async fn write_linked<T: Send + 'static>(
        self: &Arc<Self>,
        token: &str,
        from: Option<IpAddr>,
        mut job: impl FnMut(&mut Tx<'_>, &RequestContext, FileLink) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tenant, token, now) = (Arc::clone(self), token.to_owned(), self.environment.clock.now());
        let job = move |tx: &mut Tx<'_>| -> Result<(T, PendingEntries)> {
            let (mut context, link, fresh) = tenant.caches.linked(tx, &token, now, &tenant.environment)?;
            context.reads = LoggedReads::noted(ReadWay::File);
            let done = job(tx, &context, link)?;
            context.write_reads(tx, ReadOrigin { key: None, from })?;
            Ok((done, fresh))
        };
        let (value, fresh) = self.store.write(job).await?;
        self.keep(fresh);
        Ok(value)
    }

    /// Runs a job in one transaction, for the owner of the key. It may be run again, and then sees the same present.
    pub async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        key: &CallerKey,
        mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
            context.refuse_frozen()?;
            job(tx, context)
        };
        self.write_noting(ReadWay::Change, key, job).await
    }

    /// The same for a job that changes nothing but what a frozen tenant takes, too: the end of a session, the log of
    /// reads. What is logged was read in this way, and the log is written in its transaction.
    pub async fn write_noting<T: Send + 'static>(
        self: &Arc<Self>,
        way: ReadWay,
        key: &CallerKey,
        mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let caller = CallerJob::begin(self, key);
        let loaded = Arc::new(AtomicBool::new(false));
        let loads = Arc::clone(&loaded);
        let wishes = WorkerWishes::default();
        let collected = wishes.clone();
        let done: Result<(T, PendingEntries)> = self
            .store
            .write(move |tx| {
                let (context, fresh) = caller.write(tx, way, &collected)?;
                loads.store(!fresh.is_empty(), Ordering::Relaxed);
                let done = job(tx, &context)?;
                caller.end(tx, &context, way)?;
                Ok((done, fresh))
            })
            .await;
        // What a write job loads may rest on changes that were never committed: it is kept only when they were.
        match done {
            Ok((value, fresh)) => {
                self.keep(fresh);
                self.signal(&wishes);
                Ok(value)
            }
            Err(error) => {
                let passes = error.kind == ErrorKind::Busy && error.code != FROZEN;
                if loaded.load(Ordering::Relaxed) && !passes {
                    // Else a caller whose writes all fail would have its rights loaded each time.
                    let _ = self.load_caller(key).await;
                }
                Err(error)
            }
        }
    }

    /// Loads the rights of a key's owner, where they are not those that are kept.
    fn load_caller<'t>(self: &'t Arc<Self>, key: &'t CallerKey) -> WorkerTurn<'t, ()> {
        Box::pin(self.read(ReadCost::Scan, key, |_, _| Ok(())))
    }

    /// The limit of each key, where a configuration was read already.
    #[expect(clippy::option_option, reason = "unknown is not the same as unlimited")]
    pub(crate) fn key_rate(&self) -> Option<Option<RequestRate>> {
        self.caches.key_rate()
    }

    /// Returns true if a query answered groups when the configuration was last read.
    pub fn known_to_group(&self, query: &str) -> bool {
        let groups = |model: Arc<Model>| model.queries.get(query).is_some_and(|query| query.groups.is_some());
        self.latest_model().is_some_and(groups)
    }

    /// Returns true if an item of a canvas had a query of groups when the configuration was last read.
    pub fn known_to_show_groups(&self, canvas: &str) -> bool {
        let queries = |model: Arc<Model>| {
            let items = model.canvases.get(canvas).map(|canvas| canvas.items.as_slice()).unwrap_or_default();
            let groups = |query: &String| model.queries.get(query).is_some_and(|query| query.groups.is_some());
            items.iter().filter_map(|item| item.query.as_ref()).any(groups)
        };
        self.latest_model().is_some_and(queries)
    }

    /// Returns whoever acted with the key when the store was last asked.
    pub fn guess(&self, caller: &CallerKey) -> Option<Arc<Actor>> {
        self.caches.guess(caller)
    }

    /// The model that was read last, where one was.
    pub fn latest_model(&self) -> Option<Arc<Model>> {
        self.caches.latest_model()
    }

    /// Has the workers look for jobs, one of which was committed.
    pub fn wake_jobs(&self) {
        self.signals.jobs.raise(&self.name);
    }

    /// Has the workers do what a committed job wishes.
    pub(crate) fn signal(&self, wishes: &WorkerWishes) {
        wishes.signal(&self.signals, &self.name);
    }

    /// Keeps what a job had to load.
    pub(crate) fn keep(&self, fresh: PendingEntries) {
        self.caches.keep(fresh);
    }
}

impl VaultOwner for Tenant {
    fn name(&self) -> &str {
        &self.name
    }

    fn store(&self) -> &Store {
        &self.store
    }

    fn random(&self) -> &dyn Random {
        self.environment.random.as_ref()
    }

    fn elevated(&self, tx: &mut Tx<'_>) -> Result<RequestContext> {
        Tenant::elevated(self, tx)
    }
}
