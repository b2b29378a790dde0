//! One store: where its reads and writes run.

use super::connection::{Connection, Patience, Purpose};
use super::database::{Scan, Shared};
use super::file::{File, lock};
use super::readers;
use super::transaction::Transaction;
use super::writer::Writer;
use crate::tx::Engine;
use crate::work::{self, Queued, Work};
use crate::{Error, Result, Tx};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A store: a file, and the folder's threads.
#[derive(Clone)]
pub(crate) struct Store {
    shared: Arc<Shared>,
    file: Arc<File>,
}

impl Store {
    pub(super) fn new(shared: Arc<Shared>, file: Arc<File>) -> Self {
        Store { shared, file }
    }

    /// Runs a read on this thread.
    pub(crate) fn read_here<T, E: From<Error>>(
        &self,
        patience: Patience,
        job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        // Commands and what blocks run on threads of which there may be many, so that each of them keeps one file.
        let capacity = if patience == Patience::Endless { 1 } else { self.shared.open_readers };
        readers::with(&self.file, capacity, patience, |connection| {
            let mut tx = Tx { engine: Engine::Sqlite(Transaction::reading(connection)) };
            let outcome = work::run(job, &mut tx);
            drop(tx);
            end(connection)?;
            outcome
        })?
    }

    /// Hands a read to one of the threads.
    pub(crate) fn scan(&self, work: Box<dyn Work>) -> Result<()> {
        let scan = Scan { file: Arc::clone(&self.file), job: Queued::new(work) };
        self.shared.scans.push(&self.file.id, scan).map_err(|_| Error::Busy)
    }

    /// Hands a write to the file's thread, which is started where there is none.
    pub(crate) fn write(&self, work: Box<dyn Work>) -> Result<()> {
        let turn = self.shared.turn.fetch_add(1, Ordering::Relaxed);
        self.file.written.store(turn, Ordering::Relaxed);
        let mut job = Queued::new(work);
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
        let started = Writer::start(Arc::clone(&self.file))?;
        started.send(job)?;
        *writer = Some(started);
        drop(writer);
        self.rest_others();
        Ok(())
    }

    /// Runs a write on this thread; other writers wait for it.
    pub(crate) fn write_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        if self.file.closed() || !self.file.path.is_file() {
            return Err(E::from(Error::NoStore));
        }
        let connection = Connection::open(&self.file.path, Purpose::Command)?;
        connection.run("BEGIN IMMEDIATE")?;
        let mut tx = Tx { engine: Engine::Sqlite(Transaction::writing(&connection)) };
        let outcome = work::run(job, &mut tx);
        if connection.idle() {
            // An error of the engine undid everything already.
            return outcome.and_then(|_| Err(E::from(Error::Failed("the transaction was undone".into()))));
        }
        connection.run(if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        outcome
    }

    /// Lets the writer rest that was used longest ago, while there are too many.
    fn rest_others(&self) {
        let files: Vec<_> = lock(&self.shared.files).values().cloned().collect();
        let mut writing: Vec<_> = files.iter().filter(|file| lock(&file.writer).is_some()).collect();
        writing.sort_by_key(|file| file.written.load(Ordering::Relaxed));
        let excess = writing.len().saturating_sub(self.shared.open_writers);
        writing[..excess].iter().for_each(|file| file.rest());
    }
}

/// Ends the snapshot that a read may have taken.
pub(super) fn end(connection: &Connection) -> Result<()> {
    if connection.idle() { Ok(()) } else { connection.run("COMMIT") }
}
