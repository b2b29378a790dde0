//! The schemas of a PostgreSQL database, and how it is reached.

use super::job_queue::JobSender;
use super::pooler::{self, ServerTargets};
use super::server_target::ServerTarget;
use super::session::ServerSession;
use super::session::add_rows;
use super::store::PostgresStore;
use super::store_job::{JobAccess, StoreJob};
use super::{facts, guard, node_list, pool};
use crate::facts::PostgresFacts;
use crate::figures::DatabaseReport;
use crate::job::{self, DatabaseJob, JobTimes, QueuedJob};
use crate::{ChangeMark, Error, GuardMode, Name, PostgresOptions, Result, StoreGuard, Tx, ddl};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The beginning of our schemas' names.
pub(super) const SCHEMA: &str = "plinth_";
/// The most stores whose marks one statement asks for.
const TOGETHER: i64 = 500;
/// Idle connections of commands that are kept.
const KEPT: usize = 2;

/// A database.
#[derive(Clone)]
pub(crate) struct PostgresDatabase {
    pub(super) shared: Arc<SharedServer>,
}

/// The parts that the stores of a database have in common.
pub(super) struct SharedServer {
    pub(super) jobs: JobSender,
    /// Jobs of the process itself: its sign of life and readiness wait for no store.
    own: JobSender,
    requests: Arc<ServerTarget>,
    commands: Arc<ServerTarget>,
    idle: Mutex<Vec<ServerSession>>,
    /// True if the table of nodes is there.
    prepared: AtomicBool,
}

impl PostgresDatabase {
    pub(crate) fn open(options: &PostgresOptions) -> Result<Self> {
        let ServerTargets { requests, commands } = pooler::find(options)?;
        let jobs = pool::start(&requests, options.connections)?;
        let shared = SharedServer {
            jobs,
            own: pool::start(&requests, 1)?,
            requests,
            commands,
            idle: Mutex::default(),
            prepared: AtomicBool::new(false),
        };
        let database = PostgresDatabase { shared: Arc::new(shared) };
        database.assert_server()?;
        database.guard(options.guard)?;
        Ok(database)
    }

    pub(crate) fn marks(&self) -> Result<BTreeMap<String, ChangeMark>> {
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
                    marks.insert(name.replace('_', "-"), ChangeMark { text: row.text(1)?.to_owned(), written: None });
                }
                Ok(())
            })
        })?;
        Ok(marks)
    }

    /// The mark is the last number that the table's rows were given, by the sequence that gives them. Sequences never
    /// go back, not when a transaction is undone, nor when the server crashes.
    pub(crate) fn growth(&self, table: &Name) -> Result<BTreeMap<String, ChangeMark>> {
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
                        marks.insert(
                            name.replace('_', "-"),
                            ChangeMark { text: row.text(1)?.to_owned(), written: None },
                        );
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

    pub(crate) fn create(&self, name: &str) -> Result<PostgresStore> {
        if self.exists(name)? {
            return Err(Error::Failed(format!("the store {name} exists")));
        }
        let store = self.named(name);
        let rows = add_rows(&format!("{}{}", store.prefix, ddl::STATE));
        let tables = ddl::create_state(&store.sql().dialect) + &rows + &ddl::create_leases(&store.prefix);
        // There is nothing to lock yet.
        self.root().write_here(|tx| tx.change(|_| format!("CREATE SCHEMA {}; {tables}", schema(name))))?;
        Ok(store)
    }

    pub(crate) fn store(&self, name: &str) -> Result<PostgresStore> {
        if self.exists(name)? { Ok(self.named(name)) } else { Err(Error::NoStore) }
    }

    pub(crate) fn delete(&self, name: &str) -> Result<()> {
        if !self.exists(name)? {
            return Err(Error::NoStore);
        }
        let store = self.named(name);
        self.shared.jobs.0.forget(&store.prefix);
        store.write_here(|tx| tx.change(|_| format!("DROP SCHEMA {} CASCADE", schema(name))))
    }

    pub(crate) async fn ping(&self) -> Result<()> {
        let (job, answer) = job::create(JobTimes::default(), |tx| {
            let mut sql = tx.sql();
            sql.push("SELECT 1");
            tx.query(&sql, &mut |_| Ok(()))
        });
        self.send(JobAccess::KeyRead, job)?;
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
        let SharedServer { requests, commands, .. } = &*self.shared;
        requests.connections_made() + commands.connections_made()
    }

    /// Returns the figures so far.
    pub(crate) fn report(&self) -> DatabaseReport {
        let SharedServer { jobs, requests, commands, .. } = &*self.shared;
        let mut report = DatabaseReport::new("postgres", jobs.0.counts(requests.figures.open.get()));
        [requests, commands].iter().for_each(|target| target.figures.add_to(&mut report));
        // Each of the two notices the same change by itself.
        report.fail_overs = requests.address.fail_overs().max(commands.address.fail_overs());
        report
    }

    /// Asks for facts about the server.
    pub(crate) fn facts(&self) -> Result<PostgresFacts> {
        let requests = &self.shared.requests;
        self.with_two_sessions(|sessions| facts::facts(requests, sessions))
    }

    /// Says that a node is there; returns the names of those that are missed.
    pub(crate) async fn beat(&self, node: &str) -> Result<Vec<String>> {
        let (node, shared) = (node.to_owned(), Arc::clone(&self.shared));
        let (job, answer) = job::create(JobTimes::default(), move |tx: &mut Tx<'_>| {
            if !shared.prepared.load(Ordering::Relaxed) {
                node_list::prepare(tx)?;
            }
            let missed = node_list::beat(tx, &node)?;
            shared.prepared.store(true, Ordering::Relaxed);
            Ok(missed)
        });
        self.send(JobAccess::Write, job)?;
        answer.wait().await
    }

    pub(super) fn exists(&self, name: &str) -> Result<bool> {
        self.root().read_here(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT 1 FROM pg_namespace WHERE nspname = ").bind(schema(name));
            tx.any(&sql)
        })
    }

    /// Fails unless the server has what the SQL of this crate relies on.
    fn assert_server(&self) -> Result<()> {
        let mut session = self.shared.session();
        session.reach().map_err(|reason| pooler::unreachable(&reason))?;
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

    /// Finds the guard of stores. Those of older versions get the rows that it locks.
    fn guard(&self, mode: GuardMode) -> Result<()> {
        let SharedServer { requests, commands, .. } = &*self.shared;
        let guard = self.with_two_sessions(|sessions| guard::find(mode, sessions))?;
        requests.set_guard(guard);
        commands.set_guard(guard);
        if guard == StoreGuard::Row {
            for name in self.marks()?.keys() {
                let store = self.named(name);
                let rows = add_rows(&format!("{}{}", store.prefix, ddl::STATE));
                match self.root().write_here(|tx| tx.change(|_| rows)) {
                    // It was deleted meanwhile.
                    Ok(()) | Err(Error::NoStore) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    fn with_two_sessions<T>(&self, ask: impl FnOnce(&mut [ServerSession; 2]) -> Result<T>) -> Result<T> {
        let mut sessions = [self.shared.session(), self.shared.session()];
        let told = ask(&mut sessions);
        sessions.into_iter().for_each(|session| self.shared.keep(session));
        told
    }

    /// Runs a job of the process itself.
    fn send(&self, access: JobAccess, job: DatabaseJob) -> Result<()> {
        let job = StoreJob { access, prefix: "".into(), queued: QueuedJob::new(job) };
        self.shared.own.0.push(job)
    }

    /// Returns a store without a schema, for statements on the server itself.
    pub(super) fn root(&self) -> PostgresStore {
        PostgresStore { shared: Arc::clone(&self.shared), prefix: "".into() }
    }

    pub(super) fn named(&self, name: &str) -> PostgresStore {
        let prefix: Arc<str> = format!("\"{}\".", schema(name)).into();
        self.shared.jobs.0.know(Arc::clone(&prefix));
        PostgresStore { shared: Arc::clone(&self.shared), prefix }
    }
}

impl SharedServer {
    /// A connection for a command.
    pub(super) fn session(&self) -> ServerSession {
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.unwrap_or_else(|| ServerSession::new(Arc::clone(&self.commands), 0))
    }

    pub(super) fn keep(&self, session: ServerSession) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT && session.is_healthy() {
            idle.push(session);
        }
    }
}

/// Returns the name of a store's schema. Names of stores have no `_`, so that each has one of its own.
pub(super) fn schema(name: &str) -> String {
    format!("{SCHEMA}{}", name.replace('-', "_"))
}
