//! One store: where its reads and writes run.

use super::connection::{ConnectionPurpose, SqliteConnection, StatementPatience};
use super::database::{QueuedScan, SharedFolder};
use super::file::{FileIdentity, StoreFile};
use super::idle_readers::{self, JobBounds};
use super::locks::lock;
use super::pool::ConnectionPermit;
use super::transaction::SqliteTransaction;
use super::writer::WriterThread;
use crate::deadline::JobDeadline;
use crate::job::{self, DatabaseJob, ErasedJob, QueuedJob};
use crate::sql::SqlDialect;
use crate::tx::TransactionEngine;
use crate::{Error, Result, Sql, Tx};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A store: a file, and the folder's threads.
#[derive(Clone)]
pub(crate) struct SqliteStore {
    shared: Arc<SharedFolder>,
    file: Arc<StoreFile>,
}

impl SqliteStore {
    pub(super) fn new(shared: Arc<SharedFolder>, file: Arc<StoreFile>) -> Self {
        SqliteStore { shared, file }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.file.closed()
    }

    /// Closes the file.
    pub(crate) fn close(&self) {
        self.file.close();
    }

    pub(crate) fn sql(&self) -> Sql {
        Sql::new(SqlDialect::Sqlite)
    }

    /// Runs a read on this thread.
    pub(crate) fn read_here(
        &self,
        patience: StatementPatience,
        deadline: JobDeadline,
        job: &mut ErasedJob<'_>,
    ) -> Result<()> {
        idle_readers::with(&self.file, JobBounds { patience, deadline }, |connection| {
            let mut tx = Tx { engine: TransactionEngine::Sqlite(SqliteTransaction::reading(connection)) };
            let ran = job::run(job, &mut tx);
            drop(tx);
            end(connection)?;
            ran.map(|_| ())
        })?
    }

    /// Returns whether a read finds a connection without waiting for another to be closed.
    pub(crate) fn is_at_hand(&self) -> bool {
        !lock(&self.file.readers).is_empty() || self.file.pool.has_room()
    }

    /// Hands a read to one of the threads.
    pub(crate) fn scan(&self, work: DatabaseJob) -> Result<()> {
        let scan = QueuedScan { file: Arc::clone(&self.file), job: QueuedJob::new(work) };
        self.shared.scans.push(&self.file.id, scan).map_err(|_| Error::Busy)
    }

    /// Hands a write to the file's thread, which is started where there is none.
    pub(crate) fn write(&self, work: DatabaseJob) -> Result<()> {
        self.file.damage().map_or(Ok(()), Err)?;
        self.file.touch();
        let mut job = QueuedJob::new(work);
        let mut writer = lock(&self.file.writer);
        if let Some(running) = &*writer {
            match running.send(job)? {
                None => return Ok(()),
                Some(back) => job = back,
            }
        }
        if self.file.closed() {
            return Err(Error::NoStore);
        }
        let started = WriterThread::start(Arc::clone(&self.file))?;
        started.send(job)?;
        *writer = Some(started);
        Ok(())
    }

    /// Runs a write on this thread; other writers wait for it.
    pub(crate) fn write_here(&self, job: &mut ErasedJob<'_>) -> Result<()> {
        self.line()?.write(job)
    }

    /// A connection for several writes on this thread.
    pub(crate) fn line(&self) -> Result<DirectWriter> {
        if self.file.closed() {
            return Err(Error::NoStore);
        }
        self.file.damage().map_or(Ok(()), Err)?;
        let identity = self.file.identity()?;
        let permit = self.file.pool.enter(&self.file)?;
        let connection = self.file.connect(ConnectionPurpose::Command)?;
        Ok(DirectWriter { file: Arc::clone(&self.file), identity, connection, _permit: permit })
    }

    /// Writes the file anew without the pages that nothing needs; returns its size before and after, with its log.
    pub(crate) fn compact(&self) -> Result<[u64; 2]> {
        let line = self.line()?;
        let size =
            || [self.file.path.clone(), self.file.path.with_extension("db-wal")].map(|path| bytes(&path)).iter().sum();
        let before = size();
        line.connection.compact()?;
        Ok([before, size()])
    }

    /// Runs a write on this thread against a copy of the file, so that nobody waits for it and nothing is kept.
    pub(crate) fn rehearse(&self, job: &mut ErasedJob<'_>) -> Result<()> {
        if self.file.closed() || !self.file.path.is_file() {
            return Err(Error::NoStore);
        }
        let copy = self.shared.copy(&self.file)?;
        let connection = SqliteConnection::open(&copy.path, ConnectionPurpose::Command)?;
        connection.hurry()?;
        connection.run("BEGIN IMMEDIATE")?;
        job::run(job, &mut Tx { engine: TransactionEngine::Sqlite(SqliteTransaction::writing(&connection)) })
            .map(|_| ())
    }

    /// Copies the file as it stands to a path where there is none. Nobody waits for it.
    pub(crate) fn copy_to(&self, path: &std::path::Path) -> Result<()> {
        if self.file.closed() || !self.file.path.is_file() {
            return Err(Error::NoStore);
        }
        let _permit = self.file.pool.enter(&self.file)?;
        self.file.connect(ConnectionPurpose::Command)?.copy_to(path)
    }

    /// Returns what is wrong with the file, in the engine's words.
    pub(crate) fn faults(&self) -> Result<Vec<String>> {
        let _permit = self.file.pool.enter(&self.file)?;
        SqliteConnection::open(&self.file.path, ConnectionPurpose::Command)?.faults()
    }

    /// Looks at all pages of the file, and returns what is damaged. The look ends with an error after some seconds.
    pub(crate) fn damaged_pages(&self) -> Result<Vec<String>> {
        let bounds = JobBounds { patience: StatementPatience::Short, deadline: JobDeadline::default() };
        match idle_readers::with(&self.file, bounds, SqliteConnection::damaged_pages).and_then(|looked| looked) {
            Err(Error::Damaged(detail)) => Ok(vec![detail]),
            looked => looked,
        }
    }
}

/// A connection that one thread writes with, job by job; other writers go between.
pub(crate) struct DirectWriter {
    file: Arc<StoreFile>,
    identity: FileIdentity,
    connection: SqliteConnection,
    /// Given back once the connection is closed.
    _permit: ConnectionPermit,
}

impl DirectWriter {
    /// Runs a job in a transaction; other writers wait for it.
    pub(crate) fn write(&self, job: &mut ErasedJob<'_>) -> Result<()> {
        let connection = &self.connection;
        self.file.damage().map_or(Ok(()), Err)?;
        connection.run("BEGIN IMMEDIATE")?;
        // A store that is deleted is moved while nothing else may write to its file.
        if self.file.closed() || self.file.identity() != Ok(self.identity) {
            connection.run("ROLLBACK")?;
            return Err(Error::NoStore);
        }
        let mut tx = Tx { engine: TransactionEngine::Sqlite(SqliteTransaction::writing(connection)) };
        let ran = job::run(job, &mut tx);
        self.file.note_damage(connection, self.identity);
        let damage = self.file.damage();
        let content = ran == Ok(true) && damage.is_none();
        if connection.idle() && content {
            // An error of the engine undid everything already.
            return Err(Error::Failed("the transaction was undone".into()));
        }
        if !connection.idle() {
            let began = Instant::now();
            connection.run(if content { "COMMIT" } else { "ROLLBACK" })?;
            if content {
                self.file.pool.figures.commit_times.observe(began.elapsed());
                self.file.pool.figures.committed(1);
            }
        }
        damage.map_or(ran.map(|_| ()), Err)
    }
}

fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Ends the snapshot that a read may have taken.
pub(super) fn end(connection: &SqliteConnection) -> Result<()> {
    if connection.idle() { Ok(()) } else { connection.run("COMMIT") }
}
