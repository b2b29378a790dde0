//! Stores: a file or a schema for each tenant, and the ways to run jobs on it.

use crate::deadline::JobDeadline;
use crate::figures::{JobFigures, JobKind};
use crate::job::{self, DatabaseJob, ErasedJob, JobTimes, ReplayableJob};
use crate::request_jobs::{self, JobTimings};
use crate::{Error, LeaseClaim, LeaseGrant, Name, ReadCost, Result, Sql, TimeLimit, Tx, postgres, sqlite};
use std::sync::Arc;
use std::time::Instant;

/// The data of one tenant. Cloning is cheap. There is no other way to its tables.
#[derive(Clone)]
pub struct Store {
    pub(crate) engine: StoreEngine,
    pub(crate) times: JobTimes,
    pub(crate) figures: Arc<JobFigures>,
}

/// The engine's store.
#[derive(Clone)]
pub(crate) enum StoreEngine {
    Sqlite(sqlite::SqliteStore),
    Postgres(postgres::PostgresStore),
}

impl Store {
    /// The same store, where jobs have another time limit.
    pub fn limited(&self, limit: TimeLimit) -> Self {
        Store { times: JobTimes { limit, ..self.times }, ..self.clone() }
    }

    /// Returns true if this value has found the store missing and stays without one, even when a store of its name is
    /// there again.
    pub fn is_closed(&self) -> bool {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.is_closed(),
            StoreEngine::Postgres(_) => false,
        }
    }

    /// An empty statement for this store.
    pub fn sql(&self) -> Sql {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.sql(),
            StoreEngine::Postgres(store) => store.sql(),
        }
    }

    /// Runs a job that only reads, and that may run again: see [`ReplayableJob`]. It ends with its time, with
    /// [`Error::Timeout`], and where the caller drops the future.
    pub async fn read<T, E>(&self, cost: ReadCost, job: impl ReplayableJob<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        if let (StoreEngine::Sqlite(store), ReadCost::Point) = (&self.engine, cost)
            && store.is_at_hand()
        {
            let began = Instant::now();
            let deadline = JobDeadline::begin_at(began, self.times.limit);
            return self.noted(JobKind::Key, began, || {
                request_jobs::untimed(|| {
                    job::run_here(job, |job| store.read_here(sqlite::StatementPatience::Short, deadline, job))
                })
            });
        }
        let (job, answer) = job::create(self.times, job);
        self.send_read(cost, job)?;
        let kind = match cost {
            ReadCost::Point => JobKind::Key,
            ReadCost::Scan => JobKind::List,
        };
        answer.wait_noting(&self.figures, kind).await
    }

    /// Runs a job in one transaction, committed and on disk when this returns `Ok`, undone otherwise. It ends as that
    /// of [`Store::read`] does, and may run again as that does.
    pub async fn write<T, E>(&self, job: impl ReplayableJob<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (job, answer) = job::create(self.times, job);
        self.send_write(job)?;
        answer.wait_noting(&self.figures, JobKind::Write).await
    }

    /// Leases a block of an allowance. Several processes may ask for one subject: all that they get in a window
    /// together is never more than its limit. Where this process alone serves the store, it gets all of a window
    /// at once, for nothing, and asks again for the next window alone.
    pub async fn lease(&self, claim: LeaseClaim) -> Result<LeaseGrant> {
        match &self.engine {
            StoreEngine::Sqlite(_) => Ok(LeaseGrant { granted: claim.limit, rest: 0, ends_in: claim.period }),
            StoreEngine::Postgres(store) => store.lease(claim).await,
        }
    }

    /// [`Store::read`] on the calling thread and without a time limit, for commands. Not for async code.
    pub fn read_blocking<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        self.noted(JobKind::Command, Instant::now(), || job::run_here(job, |job| self.read_here(job)))
    }

    /// Returns true if a write keeps all others of the store waiting for as long as it runs, whatever it writes.
    pub fn writes_alone(&self) -> bool {
        matches!(self.engine, StoreEngine::Sqlite(_))
    }

    /// Runs a write on the calling thread whose changes are never kept, for commands. Where writes go alone it runs on
    /// a copy of the store, so that nobody waits for it. Not for async code.
    pub fn rehearse_blocking<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        match &self.engine {
            StoreEngine::Sqlite(store) => job::run_here(job, |job| store.rehearse(job)),
            StoreEngine::Postgres(store) => {
                let mut done = None;
                let undone: Result<(), E> = store.write_here(|tx| {
                    done = Some(job(tx)?);
                    Err(E::from(Error::Failed("what was rehearsed is not kept".into())))
                });
                match (done, undone) {
                    (Some(done), _) => Ok(done),
                    (None, Err(error)) => Err(error),
                    (None, Ok(())) => Err(E::from(Error::Failed("a rehearsal ended without an outcome".into()))),
                }
            }
        }
    }

    /// Writes the store as it stands into a file of SQLite, where it is one already; returns false where it is not. The
    /// file must not exist. Nobody waits for it. It blocks: for commands and long work.
    pub fn copy_file_blocking(&self, path: &std::path::Path) -> Result<bool> {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.copy_to(path).map(|()| true),
            StoreEngine::Postgres(_) => Ok(false),
        }
    }

    /// Returns what is wrong with the store's file, in the engine's words: broken pages and indexes, and rows that refer
    /// to nothing. PostgreSQL looks after that itself. It blocks: for commands and long work.
    pub fn faults_blocking(&self) -> Result<Vec<String>> {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.faults(),
            StoreEngine::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Looks at all pages of the store's file, and returns what is damaged, in the engine's words. A large file may take
    /// too long: then it is an error. PostgreSQL looks after that itself. It blocks: for commands.
    pub fn damaged_pages_blocking(&self) -> Result<Vec<String>> {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.damaged_pages(),
            StoreEngine::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Gives room back to the disk that deleted rows left; returns the bytes before and after, or nothing where the
    /// engine does that of itself. Others wait meanwhile to write. It blocks: for commands.
    pub fn compact_blocking(&self) -> Result<Option<[u64; 2]>> {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.compact().map(Some),
            StoreEngine::Postgres(_) => Ok(None),
        }
    }

    /// Makes a table quick to read after many of its rows came at once: on PostgreSQL, counts and places of a list need
    /// the map of visible rows, which a vacuum makes. Reads and writes of rows need not wait for it, changes of the table
    /// do. It ends after a minute. A role that does not own the table vacuums nothing, and behind a pooler nothing is
    /// done: the database's own vacuum comes later. It blocks: for commands and threads of their own.
    pub fn vacuum_blocking(&self, table: &Name) -> Result<()> {
        match &self.engine {
            StoreEngine::Sqlite(_) => Ok(()),
            StoreEngine::Postgres(store) => store.vacuum(table),
        }
    }

    /// A way to write on the calling thread again and again, for commands whose work is in many short transactions.
    pub fn blocking_writer(&self) -> Result<BlockingWriter> {
        Ok(BlockingWriter(match &self.engine {
            StoreEngine::Sqlite(store) => WriterEngine::Sqlite(Box::new(store.line()?)),
            StoreEngine::Postgres(store) => WriterEngine::Postgres(store.clone()),
        }))
    }

    /// [`Store::write`] on the calling thread and without a time limit, for commands and long work. It holds the
    /// store's write lock for as long as it runs; the job runs exactly once. Not for async code.
    pub fn write_blocking<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        self.noted(JobKind::Command, Instant::now(), || job::run_here(job, |job| self.write_here(job)))
    }

    /// Runs a job on this thread that began just now, and notes its time.
    fn noted<T>(&self, kind: JobKind, began: Instant, run: impl FnOnce() -> T) -> T {
        let outcome = run();
        let ran = began.elapsed();
        self.figures.note(kind, None, ran);
        let statements = request_jobs::take_statements();
        let timings = JobTimings { since: began, waited: None, ran, cpu: ran, statements };
        request_jobs::add_to_request(kind, timings);
        outcome
    }

    fn send_read(&self, cost: ReadCost, job: DatabaseJob) -> Result<()> {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.scan(job),
            StoreEngine::Postgres(store) => store.read(cost, job),
        }
    }

    fn send_write(&self, job: DatabaseJob) -> Result<()> {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.write(job),
            StoreEngine::Postgres(store) => store.write(job),
        }
    }

    fn read_here(&self, job: &mut ErasedJob<'_>) -> Result<()> {
        match &self.engine {
            StoreEngine::Sqlite(store) => {
                store.read_here(sqlite::StatementPatience::Endless, JobDeadline::begin(TimeLimit::Endless), job)
            }
            StoreEngine::Postgres(store) => store.run_read(job),
        }
    }

    fn write_here(&self, job: &mut ErasedJob<'_>) -> Result<()> {
        match &self.engine {
            StoreEngine::Sqlite(store) => store.write_here(job),
            StoreEngine::Postgres(store) => store.run_write(job),
        }
    }
}

/// Writes on the thread that has it, one transaction after another.
pub struct BlockingWriter(WriterEngine);

enum WriterEngine {
    Sqlite(Box<sqlite::DirectWriter>),
    Postgres(postgres::PostgresStore),
}

impl BlockingWriter {
    /// Runs a job in a transaction of its own, exactly once.
    pub fn write<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        job::run_here(job, |job| self.write_here(job))
    }

    fn write_here(&self, job: &mut ErasedJob<'_>) -> Result<()> {
        match &self.0 {
            WriterEngine::Sqlite(line) => line.write(job),
            WriterEngine::Postgres(store) => store.run_write(job),
        }
    }
}
