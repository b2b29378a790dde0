//! The schemas of a PostgreSQL database, and how it is reached.

use super::pool::{self, Access, Order};
use super::session::{Executor, Session};
use super::transaction::{End, Transaction};
use crate::sql::Dialect;
use crate::tx::Engine;
use crate::work::{self, Queued, Work};
use crate::{Cost, Error, PostgresOptions, Result, Sql, Tx, ddl};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

/// Writes say so when they begin, so that a read that would write is refused, as it is by SQLite.
const ALWAYS: &str = "-c default_transaction_read_only=on -c TimeZone=UTC -c jit=off";
const REQUESTS: &str = "-c statement_timeout=5s -c lock_timeout=4s -c idle_in_transaction_session_timeout=30s";
/// Commands take their time, but do not hold locks for ever.
const COMMANDS: &str = "-c statement_timeout=0 -c lock_timeout=60s -c idle_in_transaction_session_timeout=10min";
/// What the names of our schemas begin with.
const SCHEMA: &str = "plinth_";
/// Idle connections of commands that are kept.
const KEPT: usize = 2;

/// A database.
#[derive(Clone)]
pub(crate) struct Database {
    shared: Arc<Shared>,
}

/// A store: a schema's name, and the connections.
#[derive(Clone)]
pub(crate) struct Store {
    shared: Arc<Shared>,
    /// `"schema".`
    prefix: Arc<str>,
}

struct Shared {
    orders: flume::Sender<Order>,
    commands: Arc<Config>,
    idle: Mutex<Vec<Session>>,
    /// Moves the bytes of the commands' connections.
    runtime: Option<Runtime>,
}

impl Database {
    pub(crate) fn open(options: &PostgresOptions) -> Result<Self> {
        let requests = Arc::new(config(&options.url, REQUESTS)?);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("postgres commands")
            .enable_all()
            .build()
            .map_err(|error| Error::Failed(format!("no thread for connections: {error}")))?;
        let shared = Shared {
            orders: pool::start(&requests, options.connections)?,
            commands: Arc::new(config(&options.url, COMMANDS)?),
            idle: Mutex::default(),
            runtime: Some(runtime),
        };
        let database = Database { shared: Arc::new(shared) };
        database.assert_server()?;
        Ok(database)
    }

    pub(crate) fn stores(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        self.root().read_here(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT n.nspname FROM pg_namespace AS n JOIN pg_class AS c ON c.relnamespace = n.oid");
            sql.push(" WHERE starts_with(n.nspname, ")
                .bind(SCHEMA)
                .push(") AND c.relname = ")
                .bind(ddl::STATE.as_str());
            tx.query(&sql, &mut |row| {
                names.extend(row.text(0)?.strip_prefix(SCHEMA).map(|name| name.replace('_', "-")));
                Ok(())
            })
        })?;
        names.sort();
        Ok(names)
    }

    pub(crate) fn create(&self, name: &str) -> Result<Store> {
        if self.exists(name)? {
            return Err(Error::Failed(format!("the store {name} exists")));
        }
        let store = self.named(name);
        store.write_here(|tx| {
            let dialect = tx.sql().dialect;
            tx.change(|_| format!("CREATE SCHEMA {}; {}", schema(name), ddl::create_state(&dialect)))
        })?;
        Ok(store)
    }

    pub(crate) fn store(&self, name: &str) -> Result<Store> {
        if self.exists(name)? { Ok(self.named(name)) } else { Err(Error::NoStore) }
    }

    pub(crate) fn delete(&self, name: &str) -> Result<()> {
        if !self.exists(name)? {
            return Err(Error::NoStore);
        }
        self.named(name).write_here(|tx| tx.change(|_| format!("DROP SCHEMA {} CASCADE", schema(name))))
    }

    pub(crate) async fn ping(&self) -> Result<()> {
        let (work, answer) = work::task(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT 1");
            tx.query(&sql, &mut |_| Ok(()))
        });
        self.root().order(Access::Read, work)?;
        work::answer(answer).await
    }

    fn exists(&self, name: &str) -> Result<bool> {
        let mut found = false;
        self.root().read_here(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT 1 FROM pg_namespace WHERE nspname = ").bind(schema(name));
            tx.query(&sql, &mut |_| {
                found = true;
                Ok(())
            })
        })?;
        Ok(found)
    }

    /// What the SQL of this crate relies on.
    fn assert_server(&self) -> Result<()> {
        let mut session = self.shared.session();
        session.reach().map_err(|reason| Error::Failed(format!("PostgreSQL cannot be reached: {reason}")))?;
        self.shared.keep(session);
        let mut found = None;
        self.root().read_here(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT current_setting('server_version_num')::bigint, current_setting('server_encoding'), ");
            sql.push("(SELECT count(*) FROM pg_collation WHERE collname = 'und-x-icu')");
            tx.query(&sql, &mut |row| {
                found = Some((row.integer(0)?, row.text(1)?.to_owned(), row.integer(2)?));
                Ok(())
            })
        })?;
        match found {
            Some((version, ..)) if version < 130_000 => Err(Error::Failed("PostgreSQL 13 or newer is needed".into())),
            Some((_, encoding, _)) if encoding != "UTF8" => {
                Err(Error::Failed(format!("the PostgreSQL database is encoded in {encoding}: UTF8 is needed")))
            }
            Some((.., 0)) => Err(Error::Failed("this PostgreSQL was built without ICU, which is needed".into())),
            _ => Ok(()),
        }
    }

    /// For statements on the server itself.
    fn root(&self) -> Store {
        Store { shared: Arc::clone(&self.shared), prefix: "".into() }
    }

    fn named(&self, name: &str) -> Store {
        Store { shared: Arc::clone(&self.shared), prefix: format!("\"{}\".", schema(name)).into() }
    }
}

impl Store {
    pub(crate) fn sql(&self) -> Sql {
        Sql::new(Dialect::Postgres { prefix: Arc::clone(&self.prefix) })
    }

    pub(crate) fn read(&self, cost: Cost, work: Box<dyn Work>) -> Result<()> {
        let access = match cost {
            Cost::Point => Access::Read,
            Cost::Scan => Access::Scan,
        };
        self.order(access, work)
    }

    pub(crate) fn write(&self, work: Box<dyn Work>) -> Result<()> {
        self.order(Access::Write, work)
    }

    pub(crate) fn read_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        self.run_here(Access::Read, job)
    }

    pub(crate) fn write_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        self.run_here(Access::Write, job)
    }

    fn order(&self, access: Access, work: Box<dyn Work>) -> Result<()> {
        let order = Order { access, prefix: Arc::clone(&self.prefix), job: Queued::new(work) };
        self.shared.orders.try_send(order).map_err(|_| Error::Busy)
    }

    fn run_here<T, E: From<Error>>(
        &self,
        access: Access,
        job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut session = self.shared.session();
        let prefix = Arc::clone(&self.prefix);
        let transaction = match access {
            Access::Read | Access::Scan => Transaction::reading(&mut session, prefix),
            Access::Write => Transaction::writing(&mut session, prefix),
        };
        let (outcome, end) = {
            let mut tx = Tx { engine: Engine::Postgres(transaction) };
            let outcome = work::run(job, &mut tx);
            let end = match tx.engine {
                Engine::Postgres(transaction) => transaction.end(outcome.is_ok()),
                Engine::Sqlite(_) => End::Done,
            };
            (outcome, end)
        };
        self.shared.keep(session);
        match (outcome, end) {
            (Ok(_), End::Again | End::Misled) => Err(E::from(Error::Busy)),
            (Ok(_), End::Failed(error)) => Err(E::from(error)),
            (outcome, _) => outcome,
        }
    }
}

impl Shared {
    /// A connection for a command.
    fn session(&self) -> Session {
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.unwrap_or_else(|| {
            let executor = match &self.runtime {
                Some(runtime) => Executor::There(runtime.handle().clone()),
                None => Executor::Here(None),
            };
            Session::new(Arc::clone(&self.commands), executor, 0)
        })
    }

    fn keep(&self, session: Session) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT && session.healthy() {
            idle.push(session);
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Within another runtime, a plain drop would panic.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Names of stores have no `_`, so that each has a schema of its own.
fn schema(name: &str) -> String {
    format!("{SCHEMA}{}", name.replace('-', "_"))
}

fn config(url: &str, options: &str) -> Result<Config> {
    let mut config: Config =
        url.parse().map_err(|_| Error::Failed("the address of the PostgreSQL database is malformed".into()))?;
    if config.get_ssl_mode() == SslMode::Require {
        return Err(Error::Failed(
            "sslmode=require: Plinth has no TLS to PostgreSQL yet; use a socket or a private network".into(),
        ));
    }
    let own = config.get_options().unwrap_or_default().to_owned();
    config.options(format!("{ALWAYS} {options} {own}"));
    if config.get_application_name().is_none() {
        config.application_name("plinth");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(2));
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(10));
    }
    config.keepalives_idle(Duration::from_secs(10));
    config.keepalives_interval(Duration::from_secs(5));
    config.keepalives_retries(3);
    Ok(config)
}
