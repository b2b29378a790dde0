//! The schemas of a PostgreSQL database, and how it is reached.

use super::ending::End;
use super::pool::{self, Access, Order};
use super::queue::Orders;
use super::session::Session;
use super::target::Target;
use super::transaction::Transaction;
use super::{lease, nodes};
use crate::sql::Dialect;
use crate::tx::Engine;
use crate::work::{self, Queued, Times, Work};
use crate::{Claim, Cost, Error, Lease, Mark, Name, PostgresOptions, Result, Sql, Tx, ddl};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A request's statement has one of the server's processes: one that took workers would take them from other tenants.
const REQUESTS: &str = "-c statement_timeout=5s -c lock_timeout=4s -c idle_in_transaction_session_timeout=30s \
                        -c max_parallel_workers_per_gather=0";
/// Commands take their time, but do not hold locks for ever.
const COMMANDS: &str = "-c statement_timeout=0 -c lock_timeout=60s -c idle_in_transaction_session_timeout=10min";
/// The beginning of our schemas' names.
const SCHEMA: &str = "plinth_";
/// The most stores whose marks one statement asks for.
const TOGETHER: i64 = 500;
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
    orders: Orders,
    /// Of the process itself: its sign of life and readiness wait for no store.
    own: Orders,
    requests: Arc<Target>,
    commands: Arc<Target>,
    idle: Mutex<Vec<Session>>,
    /// True if the table of nodes is there.
    prepared: AtomicBool,
}

impl Database {
    pub(crate) fn open(options: &PostgresOptions) -> Result<Self> {
        let requests = Arc::new(Target::parse(&options.url, REQUESTS)?);
        let orders = pool::start(&requests, options.connections)?;
        let shared = Shared {
            orders,
            own: pool::start(&requests, 1)?,
            requests,
            commands: Arc::new(Target::parse(&options.url, COMMANDS)?),
            idle: Mutex::default(),
            prepared: AtomicBool::new(false),
        };
        let database = Database { shared: Arc::new(shared) };
        database.assert_server()?;
        Ok(database)
    }

    pub(crate) fn marks(&self) -> Result<BTreeMap<String, Mark>> {
        let mut marks = BTreeMap::new();
        self.root().read_here(|tx| {
            let mut sql = tx.sql();
            // A store that is made anew is another schema.
            sql.push("SELECT n.nspname, concat(n.oid, ' ', obj_description(n.oid, 'pg_namespace'))");
            sql.push(" FROM pg_namespace AS n JOIN pg_class AS c ON c.relnamespace = n.oid");
            sql.push(" WHERE starts_with(n.nspname, ")
                .bind(SCHEMA)
                .push(") AND c.relname = ")
                .bind(ddl::STATE.as_str());
            tx.query(&sql, &mut |row| {
                if let Some(name) = row.text(0)?.strip_prefix(SCHEMA) {
                    marks.insert(name.replace('_', "-"), Mark { text: row.text(1)?.to_owned(), written: None });
                }
                Ok(())
            })
        })?;
        Ok(marks)
    }

    /// The mark is the last number that the table's rows were given, by the sequence that gives them. Sequences never
    /// go back, not when a transaction is undone, nor when the server crashes.
    pub(crate) fn growth(&self, table: &Name) -> Result<BTreeMap<String, Mark>> {
        let mut marks = BTreeMap::new();
        let mut last = String::new();
        loop {
            let mut found = None;
            // Each sequence that is read stays locked until the transaction ends, and the server has room for some
            // thousand locks.
            self.root().read_here(|tx| {
                let mut sql = tx.sql();
                sql.push("SELECT s.nspname, concat(s.oid, ' ', pg_sequence_last_value(s.sequence)) FROM (");
                sql.push("SELECT n.nspname, c.oid, c.oid::regclass AS sequence FROM pg_namespace AS n");
                sql.push(" JOIN pg_class AS c ON c.relnamespace = n.oid WHERE starts_with(n.nspname, ").bind(SCHEMA);
                sql.push(") AND c.relkind = 'S' AND c.relname = ").bind(format!("{}_id_seq", table.as_str()));
                sql.push(" AND n.nspname > ").bind(last.as_str()).push(" ORDER BY n.nspname").limit(TOGETHER, 0);
                sql.push(") AS s ORDER BY s.nspname");
                tx.query(&sql, &mut |row| {
                    let schema = row.text(0)?;
                    if let Some(name) = schema.strip_prefix(SCHEMA) {
                        marks.insert(name.replace('_', "-"), Mark { text: row.text(1)?.to_owned(), written: None });
                    }
                    found = Some(schema.to_owned());
                    Ok(())
                })
            })?;
            match found {
                Some(schema) => last = schema,
                None => return Ok(marks),
            }
        }
    }

    pub(crate) fn create(&self, name: &str) -> Result<Store> {
        if self.exists(name)? {
            return Err(Error::Failed(format!("the store {name} exists")));
        }
        let store = self.named(name);
        store.write_here(|tx| {
            let dialect = tx.sql().dialect;
            let tables = ddl::create_state(&dialect) + &lease::create(&store.prefix);
            tx.change(|_| format!("CREATE SCHEMA {}; {tables}", schema(name)))
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
        let store = self.named(name);
        self.shared.orders.0.forget(&store.prefix);
        store.write_here(|tx| tx.change(|_| format!("DROP SCHEMA {} CASCADE", schema(name))))
    }

    pub(crate) async fn ping(&self) -> Result<()> {
        let (work, answer) = work::task(Times::default(), |tx| {
            let mut sql = tx.sql();
            sql.push("SELECT 1");
            tx.query(&sql, &mut |_| Ok(()))
        });
        self.order(Access::Read, work)?;
        answer.wait().await
    }

    /// The server's present, in microseconds since 1970.
    pub(crate) fn present(&self) -> Result<i64> {
        let mut present = None;
        self.root().read_here(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
            tx.query(&sql, &mut |row| {
                present = Some(row.integer(0)?);
                Ok(())
            })
        })?;
        present.ok_or_else(|| Error::Failed("the server does not tell the time".into()))
    }

    /// Returns the number of connections that were made so far.
    pub(crate) fn connections_made(&self) -> u64 {
        let Shared { requests, commands, .. } = &*self.shared;
        requests.connections_made() + commands.connections_made()
    }

    /// Says that a node is there; gives the names of those that are missed.
    pub(crate) async fn beat(&self, node: &str) -> Result<Vec<String>> {
        let (node, shared) = (node.to_owned(), Arc::clone(&self.shared));
        let (work, answer) = work::task(Times::default(), move |tx: &mut Tx<'_>| {
            if !shared.prepared.load(Ordering::Relaxed) {
                nodes::prepare(tx)?;
            }
            let missed = nodes::beat(tx, &node)?;
            shared.prepared.store(true, Ordering::Relaxed);
            Ok(missed)
        });
        self.order(Access::Write, work)?;
        answer.wait().await
    }

    fn exists(&self, name: &str) -> Result<bool> {
        self.root().read_here(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT 1 FROM pg_namespace WHERE nspname = ").bind(schema(name));
            tx.any(&sql)
        })
    }

    /// Fails unless the server has what the SQL of this crate relies on.
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

    /// Runs a job of the process itself.
    fn order(&self, access: Access, work: Box<dyn Work>) -> Result<()> {
        let order = Order { access, prefix: "".into(), job: Queued::new(work), alone: false };
        self.shared.own.0.push(order).map_err(|_| Error::Busy)
    }

    /// For statements on the server itself.
    fn root(&self) -> Store {
        Store { shared: Arc::clone(&self.shared), prefix: "".into() }
    }

    fn named(&self, name: &str) -> Store {
        let prefix: Arc<str> = format!("\"{}\".", schema(name)).into();
        self.shared.orders.0.know(Arc::clone(&prefix));
        Store { shared: Arc::clone(&self.shared), prefix }
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

    /// Leases a block of an allowance, in a transaction of its own. It is none of the store's writes, which wait while
    /// the configuration changes: reads need leases too, and go on.
    pub(crate) async fn lease(&self, claim: Claim) -> Result<Lease> {
        let prefix = Arc::clone(&self.prefix);
        let (work, answer) = work::task(Times::default(), move |tx| lease::lease(tx, &prefix, &claim));
        Store { shared: Arc::clone(&self.shared), prefix: "".into() }.write(work)?;
        answer.wait().await
    }

    pub(crate) fn read_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        self.run_here(Access::Read, job)
    }

    pub(crate) fn write_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        self.run_here(Access::Write, job)
    }

    fn order(&self, access: Access, work: Box<dyn Work>) -> Result<()> {
        let order = Order { access, prefix: Arc::clone(&self.prefix), job: Queued::new(work), alone: false };
        self.shared.orders.0.push(order).map_err(|_| Error::Busy)
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
        kept.unwrap_or_else(|| Session::new(Arc::clone(&self.commands), 0))
    }

    fn keep(&self, session: Session) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT && session.healthy() {
            idle.push(session);
        }
    }
}

/// Names of stores have no `_`, so that each has a schema of its own.
fn schema(name: &str) -> String {
    format!("{SCHEMA}{}", name.replace('-', "_"))
}
