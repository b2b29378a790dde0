//! The one thread that writes to a file, and how it groups commits: one wait for the disk, many answers. A thread that
//! has nothing to do ends soon, and leaves its connection for the next one: threads cost memory.

use super::connection::{ConnectionPurpose, SqliteConnection};
use super::file::{FileIdentity, StoreFile};
use super::locks::lock;
use super::log_copies::LogTender;
use super::pool::ConnectionPermit;
use super::transaction::SqliteTransaction;
use crate::deadline::JobDeadline;
use crate::figures::RetryReason;
use crate::job::{DatabaseJob, QueuedJob};
use crate::tx::TransactionEngine;
use crate::{Error, Result, Tx};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most jobs that may share a commit.
const GROUP: usize = 128;
/// The most jobs that may wait.
const QUEUE: usize = 4096;
/// The time of work after which the thread gives way to others: one with much to write has no whole slices of a
/// processor that the reads of other stores wait for.
const STRETCH: Duration = Duration::from_micros(300);
/// The time without work after which a thread ends.
const LINGER: Duration = Duration::from_millis(250);
/// The time without work after which a connection that writes is closed. The file takes over its log then, so
/// this is longer than for readers.
const IDLE: Duration = Duration::from_secs(30);

/// The way to a writer's thread, which ends when this is dropped and all that waits is done.
pub(super) struct WriterThread {
    jobs: flume::Sender<QueuedJob>,
}

impl WriterThread {
    /// Starts a thread for the file.
    pub(super) fn start(file: Arc<StoreFile>) -> Result<Self> {
        let (jobs, queue) = flume::bounded(QUEUE);
        std::thread::Builder::new()
            .name(format!("write {}", file.name))
            .spawn(move || serve(&file, &queue))
            .map_err(|error| Error::Failed(format!("no thread to write with: {error}")))?;
        Ok(WriterThread { jobs })
    }

    /// Puts a job in the queue; returns it where the thread has ended.
    pub(super) fn send(&self, job: QueuedJob) -> Result<Option<QueuedJob>> {
        match self.jobs.try_send(job) {
            Ok(()) => Ok(None),
            Err(flume::TrySendError::Full(_)) => Err(Error::Busy),
            Err(flume::TrySendError::Disconnected(job)) => Ok(Some(job)),
        }
    }
}

/// A writer's connection. The permit is given back once the connection is closed.
pub(super) struct OpenWriter {
    identity: FileIdentity,
    connection: SqliteConnection,
    log: LogTender,
    /// The end of its last work.
    used: Instant,
    _permit: ConnectionPermit,
}

/// Closes the connection of a file whose thread has ended, if its last work was before so long.
pub(super) fn close_idle(file: &StoreFile, now: Instant) {
    let idle = lock(&file.idle_writer).take_if(|idle| now.saturating_duration_since(idle.used) >= IDLE);
    // Closing takes its time, which no write waits for.
    drop(idle);
}

fn serve(file: &Arc<StoreFile>, queue: &flume::Receiver<QueuedJob>) {
    let mut opened = lock(&file.idle_writer).take();
    loop {
        let first = match queue.recv_timeout(LINGER) {
            Ok(job) => job,
            Err(flume::RecvTimeoutError::Disconnected) => return,
            Err(flume::RecvTimeoutError::Timeout) => {
                // Others send with this lock: what is empty now gets no job any more.
                let mut writer = lock(&file.writer);
                if queue.is_empty() {
                    // One that was told to rest keeps no connection, and its place may be another's by now.
                    if !queue.is_disconnected() {
                        writer.take();
                        *lock(&file.idle_writer) = opened.take();
                    }
                    drop(writer);
                    return;
                }
                continue;
            }
        };
        let mut group: Vec<_> =
            std::iter::once(first).chain(queue.try_iter().take(GROUP - 1)).filter_map(QueuedJob::take).collect();
        if opened.as_ref().is_some_and(|opened| file.identity() != Ok(opened.identity)) {
            // Another process deleted the file, and perhaps made a new one.
            opened = None;
        }
        if opened.is_none() {
            match open(file) {
                Ok(fresh) => opened = Some(fresh),
                Err(error) => {
                    answer(group, Some(&error));
                    continue;
                }
            }
        }
        if let Some(writer) = &mut opened {
            while !group.is_empty() {
                group = commit(writer, file, group);
            }
            writer.log.tend(file, &mut writer.connection);
            writer.used = Instant::now();
        }
    }
}

fn open(file: &Arc<StoreFile>) -> Result<OpenWriter> {
    if file.closed() {
        return Err(Error::NoStore);
    }
    let identity = file.identity()?;
    let permit = file.pool.enter(file)?;
    let mut connection = file.connect(ConnectionPurpose::Write)?;
    LogTender::default().tend(file, &mut connection);
    Ok(OpenWriter { identity, connection, log: LogTender::default(), used: Instant::now(), _permit: permit })
}

/// Runs jobs in one transaction. Gives those that must run again, because the engine undid them with another.
fn commit(writer: &OpenWriter, file: &StoreFile, group: Vec<DatabaseJob>) -> Vec<DatabaseJob> {
    let (connection, figures) = (&writer.connection, &file.pool.figures);
    let began = file.damage().map_or_else(|| connection.run("BEGIN IMMEDIATE"), Err);
    file.note_damage(connection, writer.identity);
    if let Err(error) = began {
        answer(group, Some(&error));
        return Vec::new();
    }
    // A store that is deleted is moved while nothing else may write to its file.
    if file.identity() != Ok(writer.identity) {
        let _ = connection.run("ROLLBACK");
        answer(group, Some(&Error::NoStore));
        return Vec::new();
    }
    let mut done: Vec<DatabaseJob> = Vec::with_capacity(group.len());
    let mut waiting = group.into_iter();
    let mut gave_way = Instant::now();
    while let Some(mut job) = waiting.next() {
        if gave_way.elapsed() >= STRETCH {
            std::thread::yield_now();
            gave_way = Instant::now();
        }
        // Those before it may have taken all of its time.
        if let Err(error) = job.deadline().check() {
            job.answer(Some(error));
            continue;
        }
        let content = match run(connection, &mut job, !done.is_empty()) {
            Ok(content) => content,
            Err(error) => {
                let _ = connection.run("ROLLBACK");
                done.push(job);
                done.extend(waiting);
                answer(done, Some(&error));
                return Vec::new();
            }
        };
        if connection.idle() {
            // Some errors, such as a full disk or a timeout, undo the whole transaction: the others try again.
            job.answer(Some(Error::Failed("the transaction was undone".into())));
            done.extend(waiting);
            done.iter().for_each(|_| figures.retried(RetryReason::Conflict));
            return done;
        }
        if content {
            done.push(job);
        } else {
            job.answer(None);
        }
    }
    file.note_damage(connection, writer.identity);
    let damage = file.damage();
    if done.is_empty() || damage.is_some() {
        let _ = connection.run("ROLLBACK");
        answer(done, damage.as_ref());
        return Vec::new();
    }
    let began = Instant::now();
    let error = connection.run("COMMIT").err();
    if error.is_none() {
        figures.commit_times.observe(began.elapsed());
        figures.committed(done.len());
    }
    if error.is_some() && !connection.idle() {
        let _ = connection.run("ROLLBACK");
    }
    file.note_damage(connection, writer.identity);
    answer(done, error.as_ref());
    Vec::new()
}

/// Runs a job so that it can be undone alone; returns whether its changes stand.
fn run(connection: &SqliteConnection, job: &mut DatabaseJob, others: bool) -> Result<bool> {
    if others {
        connection.run("SAVEPOINT job")?;
    }
    connection.set_deadline(job.deadline().clone());
    let content = job.run(&mut Tx { engine: TransactionEngine::Sqlite(SqliteTransaction::writing(connection)) });
    connection.set_deadline(JobDeadline::default());
    if connection.idle() {
        return Ok(content);
    }
    if !content {
        if others {
            connection.run("ROLLBACK TO job")?;
        } else {
            connection.run("ROLLBACK")?;
            connection.run("BEGIN IMMEDIATE")?;
            return Ok(false);
        }
    }
    if others {
        connection.run("RELEASE job")?;
    }
    Ok(content)
}

fn answer(group: Vec<DatabaseJob>, error: Option<&Error>) {
    for job in group {
        job.answer(error.cloned());
    }
}
