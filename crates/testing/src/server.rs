//! A server under test: Plinth in this process, on a port of its own, with a tenant, users and keys.

mod behind;
mod changes;
mod data;
mod machines;
mod processes;
mod roles;

pub use processes::Started;

use crate::fixture::{self, File};
use crate::outgoing::{self, Mail, Sms};
use crate::{Client, Engine, Place, Subject, TestClock, environment};
use accounts::registration;
use accounts::registration::ResetLink;
use accounts::users;
use automation::Ran;
use configuration::Files;
use context::request_context::RequestContext;
use data::Prepared;
use database::Tx;
use messages::outbox::Delivered;
use model::environment::Environment;
use platform::tenants::backup::{BackupRounds, BackupState};
use platform::tenants::{Platform, Settings as PlatformSettings};
use serde_json::Value as Json;
use server::serve;
use server::settings::Settings;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tenant::Tenant;
use tenant::cache::CacheFigures;
use tokio::sync::oneshot;
use tokio::task::{JoinSet, spawn_blocking};
use web::App;

/// A tenant of a running server. Each test has a server of its own; it stops when the last handle is dropped.
#[derive(Clone)]
pub struct Server {
    running: Arc<Running>,
    tenant: Arc<Tenant>,
    keys: BTreeMap<&'static str, String>,
}

/// The credentials with which a user signs in.
#[derive(Clone, Debug)]
pub struct Login {
    /// The user's id.
    pub id: i64,
    /// The login name.
    pub user: String,
    /// The password.
    pub password: String,
}

/// The wait of a job for a thread or a connection, unless the test says otherwise. On a busy machine no request is told
/// to come again.
const WAIT: &str = "60s";

/// Settings of the server that a test gives itself.
type OwnSettings = Vec<(&'static str, &'static str)>;

struct Running {
    settings: PlatformSettings,
    own: OwnSettings,
    platform: Arc<Platform>,
    /// The platform of commands, where the server's role changes rows alone.
    owner: OnceLock<Arc<Platform>>,
    clock: TestClock,
    client: Client,
    place: Arc<Place>,
    _stop: oneshot::Sender<()>,
}

impl Subject for Server {
    /// A server with the tenant of `fixture/`.
    async fn on(engine: Engine) -> Self {
        Self::with(engine, &[]).await
    }
}

impl Server {
    /// A server with the tenant of `fixture/`, these files added or put in the place of others.
    pub async fn with(engine: Engine, own: &[File<'_>]) -> Self {
        let mut files: BTreeMap<&str, &str> = fixture::FILES.into_iter().collect();
        files.extend(own.iter().copied());
        let files: Vec<File<'_>> = files.into_iter().collect();
        Self::files(engine, &files).await
    }

    /// A server with the tenant of `fixture/` and these files, and with settings of its own.
    pub async fn settled(engine: Engine, platform: PlatformSettings, own: OwnSettings, files: &[File<'_>]) -> Self {
        let mut all: BTreeMap<&str, &str> = fixture::FILES.into_iter().collect();
        all.extend(files.iter().copied());
        let files: Vec<File<'_>> = all.into_iter().collect();
        Self::on_platform(engine, platform, own, &files).await
    }

    /// A server with a tenant `acme` of these files alone. Users named admin, editor and reader get keys. Addresses have
    /// no limit of requests.
    pub async fn files(engine: Engine, files: &[File<'_>]) -> Self {
        let settings = PlatformSettings { address_rate: None, ..Default::default() };
        Self::on_platform(engine, settings, Vec::new(), files).await
    }

    async fn on_platform(engine: Engine, settings: PlatformSettings, own: OwnSettings, files: &[File<'_>]) -> Self {
        let files: Vec<_> = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let (limits, flags) = (settings.clone(), own.clone());
        let making = spawn_blocking(move || data::prepared(engine, &limits, &flags, &files));
        let (place, Prepared { keys, random }) = making.await.expect("making a tenant does not panic");
        let clock = TestClock::default();
        let (environment, _) = environment::environment_from(&clock, random);
        let running = Arc::new(Running::start(Arc::new(place), clock, environment, settings, &own).await);
        Self { tenant: running.open("acme").await, running, keys }
    }

    /// Another node: a server with caches of its own over the same data, at the same time.
    pub async fn node(&self) -> Self {
        let Running { place, clock, settings, own, .. } = &*self.running;
        let (place, environment) = (Arc::clone(place), environment::environment_of_node(clock));
        let running = Arc::new(Running::start(place, clock.clone(), environment, settings.clone(), own).await);
        Self { tenant: running.open(self.tenant.name()).await, running, ..self.clone() }
    }

    /// Another tenant of the same server, with the files of `fixture/`, at the host `<name>.test`.
    pub async fn tenant(&self, name: &str) -> Self {
        let settings = fixture::FILES[0].1.replace("acme", name);
        let mut files = fixture::FILES;
        files[0].1 = &settings;
        Self::make(Arc::clone(&self.running), name, &files).await
    }

    /// The folder of the data.
    pub fn data_folder(&self) -> &Path {
        self.running.place.folder()
    }

    /// The folder of the tenant's files.
    pub fn file_folder(&self) -> PathBuf {
        self.running.place.file_folder(self.tenant.name())
    }

    /// Sends all that is due by the server's clock; gives what became of it.
    pub async fn deliver(&self) -> Delivered {
        self.running.platform.deliver().await.expect("the outbox can be read")
    }

    /// Begins the runs of automations whose moments have come by the server's clock; gives how many.
    pub async fn schedule(&self) -> usize {
        self.running.platform.schedule_due().await.expect("schedules can be read")
    }

    /// Carries out all runs of automations that are due by the server's clock; gives what became of them.
    pub async fn run_automations(&self) -> Ran {
        self.running.platform.run_due().await.expect("the runs can be read")
    }

    /// Carries out runs of automations in the background as a node that serves does, by the server's clock, until what is
    /// given is dropped.
    pub fn work(&self) -> JoinSet<()> {
        let mut working = JoinSet::new();
        working.spawn(Arc::clone(&self.running.platform).run_automations(std::future::pending()));
        working
    }

    /// Begins runs of schedules in the background, until what is given is dropped.
    pub fn work_schedules(&self) -> JoinSet<()> {
        JoinSet::from_iter([Arc::clone(&self.running.platform).run_schedules(std::future::pending())])
    }

    /// Carries out jobs in the background, until what is given is dropped, as where a node is killed.
    pub fn work_jobs(&self) -> JoinSet<()> {
        JoinSet::from_iter([Arc::clone(&self.running.platform).run_jobs(std::future::pending())])
    }

    /// Sweeps the tenants for which that is due by the server's clock.
    pub async fn sweep(&self) {
        self.running.platform.sweep().await.expect("the tenants can be read");
    }

    /// Makes the backups that are due by the server's clock.
    pub async fn back_up(&self, rounds: &Arc<BackupRounds>) {
        rounds.round(&self.running.platform).await.expect("the tenants can be read");
    }

    /// Returns the state of the tenant's scheduled backups.
    pub async fn backup_state(&self) -> BackupState {
        let platform = Arc::clone(&self.running.platform);
        let states = spawn_blocking(move || platform.backup_states()).await.expect("reading does not panic");
        let mut states = states.expect("the tenants can be read").into_iter();
        states.find(|state| state.tenant == self.tenant.name()).expect("the tenant is there")
    }

    /// Returns the numbers of backups that this node made, and that failed.
    pub fn backup_counts(&self) -> (u64, u64) {
        let figures = self.running.platform.figures();
        (figures.backups_done.get(), figures.backups_failed.get())
    }

    /// The mails to the tenant's users that were written into files so far, in the order of their making.
    pub fn mails(&self) -> Vec<Mail> {
        outgoing::mails(&self.outgoing("mail"))
    }

    /// The SMS that were written into files so far, in the order of their making.
    pub fn texts(&self) -> Vec<Sms> {
        outgoing::texts(&self.outgoing("sms"))
    }

    /// Follows a link that resets a password, by its two parameters. Returns what it finds.
    pub async fn reset_link(&self, token: &str, redirect: Option<&str>) -> model::error::Result<ResetLink> {
        registration::reset_link(&self.tenant, token, redirect).await
    }

    /// Sets a password by such a link's token; gives the user.
    pub async fn reset_with(&self, token: &str, password: &str) -> model::error::Result<i64> {
        registration::reset_with(&self.tenant, token, password.to_owned(), std::net::Ipv4Addr::LOCALHOST.into()).await
    }

    fn outgoing(&self, kind: &str) -> PathBuf {
        self.running.place.folder().join(kind).join(self.tenant.name())
    }

    /// Runs a job of the platform in one transaction, with all rights, as its own tasks do.
    pub async fn elevated<T: Send + 'static>(
        &self,
        job: impl FnMut(&mut Tx<'_>, &RequestContext) -> model::error::Result<T> + Send + 'static,
    ) -> model::error::Result<T> {
        self.tenant.write_elevated(job).await
    }

    /// The same for a job that only reads, as the command line does.
    pub async fn look<T: Send + 'static>(
        &self,
        job: impl FnMut(&mut Tx<'_>, &RequestContext) -> model::error::Result<T> + Send + 'static,
    ) -> T {
        self.operate(|tenant| tenant.read_as_administrator(job)).await
    }

    /// Returns the figures of the server's cache.
    pub fn cache(&self) -> CacheFigures {
        self.running.platform.cache_figures()
    }

    /// The clock of the server.
    pub fn clock(&self) -> &TestClock {
        &self.running.clock
    }

    /// A client that sends no key.
    pub fn client(&self) -> Client {
        self.running.client.with("host", &format!("{}.test", self.tenant.name()))
    }

    /// A client with the key of `admin@acme.test`, who may do everything.
    pub fn admin(&self) -> Client {
        self.keyed("admin")
    }

    /// A client with the key of `editor@acme.test`, in New York, who may change some fields of articles.
    pub fn editor(&self) -> Client {
        self.keyed("editor")
    }

    /// A client with the key of `reader@acme.test`, who may read four fields of articles.
    pub fn reader(&self) -> Client {
        self.keyed("reader")
    }

    /// The id of `<name>@acme.test`.
    pub async fn user(&self, name: &str) -> i64 {
        let login = format!("{name}@acme.test");
        self.operate(move |tenant| tenant.read_as_administrator(|tx, _| resources::users::id_of(tx, &login))).await
    }

    /// Changes `<name>@acme.test`.
    pub async fn set_user(&self, name: &str, change: Json) {
        let path = format!("collection/user/{}", self.user(name).await);
        self.admin().patch(&path, change).await.is(200);
    }

    /// Gives `<name>@acme.test` a password.
    pub async fn login(&self, name: &str) -> Login {
        let (user, password) = (format!("{name}@acme.test"), format!("the long password of {name}"));
        let login = Login { id: self.user(name).await, user: user.clone(), password: password.clone() };
        self.operate(move |tenant| {
            let hash = context::passwords::PasswordHash::new(&password, tenant.environment().random.as_ref())?;
            tenant.write_as_administrator(|tx, context| users::set_password(tx, context, &user, &hash))
        })
        .await;
        login
    }

    /// A new key of `<name>@acme.test`, made by the platform and not by a sign-in.
    pub async fn key(&self, name: &str) -> String {
        let login = format!("{name}@acme.test");
        self.operate(move |tenant| mint(tenant, &login)).await
    }

    async fn make(running: Arc<Running>, name: &str, own: &[File<'_>]) -> Self {
        let mut files = Files::default();
        for (path, text) in own {
            files.insert(*path, *text);
        }
        let (makes, name) = (Arc::clone(&running), name.to_owned());
        let made = spawn_blocking(move || {
            let platform = makes.commands();
            let tenant = platform.create_tenant(&name).unwrap_or_else(|error| panic!("create {name}: {error}"));
            changes::apply(&tenant, &files);
            let keyed = fixture::KEYED.into_iter().filter(|user| files.get(&format!("users/{user}.yaml")).is_some());
            let key = |user| (user, mint(&tenant, &format!("{user}@acme.test")).expect("the user was just made"));
            let keys = keyed.map(key).collect();
            (makes.platform.open(&name).expect("the tenant was just made"), keys)
        });
        let (tenant, keys) = made.await.expect("making a tenant does not panic");
        Self { running, tenant, keys }
    }

    /// Does what the operator does at the command line.
    pub async fn operate<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Tenant) -> model::error::Result<T> + Send + 'static,
    ) -> T {
        let tenant = Arc::clone(&self.tenant);
        let done = spawn_blocking(move || job(&tenant)).await.expect("the job does not panic");
        done.unwrap_or_else(|error| panic!("{error}"))
    }

    fn keyed(&self, user: &str) -> Client {
        self.client().with("key", &self.keys[user])
    }
}

impl Running {
    async fn start(
        place: Arc<Place>,
        clock: TestClock,
        environment: Environment,
        limits: PlatformSettings,
        own: &OwnSettings,
    ) -> Self {
        let (settings, limits) = place.settings(limits, own);
        let (opening, wait) = (Arc::clone(&place), settings.data.wait);
        let database = spawn_blocking(move || opening.open_to_serve(wait)).await.expect("opening does not panic");
        let platform = Platform::new(database, environment, limits.clone());
        let (client, stop) = listen(settings, &platform).await;
        Self { settings: limits, own: own.clone(), platform, owner: OnceLock::new(), clock, client, place, _stop: stop }
    }

    /// Opens a tenant that is there.
    async fn open(&self, name: &str) -> Arc<Tenant> {
        let (platform, name) = (Arc::clone(&self.platform), name.to_owned());
        let opened = spawn_blocking(move || platform.open(&name)).await.expect("opening does not panic");
        opened.expect("the tenant is there")
    }
}

/// Serves until the sender is dropped; gives a client.
async fn listen(settings: Settings, platform: &Arc<Platform>) -> (Client, oneshot::Sender<()>) {
    let app = Arc::new(App::new(settings, Arc::clone(platform)));
    let (stop, stopped) = oneshot::channel::<()>();
    let (tell, told) = oneshot::channel();
    tokio::spawn(serve(
        app,
        async {
            // Dropping the sender is the sign too.
            let _ = stopped.await;
        },
        move |url| {
            let address = url.trim_start_matches("http://").parse().expect("the URL has an address");
            tell.send(address).expect("the start waits for the address");
        },
    ));
    (Client::new(told.await.expect("the server listens")), stop)
}

/// Makes a key for a user, as the command line does.
fn mint(tenant: &Tenant, login: &str) -> model::error::Result<String> {
    let key = tenant.write_as_administrator(|tx, context| users::create_key(tx, context, login, None))?;
    Ok(key.json()["keyString"].as_str().expect("a new key shows its text").to_owned())
}
