//! The threads that hold the connections, and the jobs that wait for them.

use super::batch_reads::read_batch;
use super::job_queue::{JobQueue, JobSender};
use super::server_target::ServerTarget;
use super::session::{PostgresTransaction, ServerSession, TransactionEnd};
use super::store_job::{JobAccess, StoreJob};
use crate::deadline::JobDeadline;
use crate::figures::RetryReason;
use crate::job::DatabaseJob;
use crate::tx::TransactionEngine;
use crate::{Error, Result, Tx};
use std::sync::Arc;
use std::time::Duration;

/// The most times that a job runs, but for changes of the configuration.
const TRIES: u64 = 5;
/// The most times that a job runs anew because the configuration changed: a slow one may meet several changes.
const CHANGES: usize = 50;

/// Starts the threads, which end when the sender is dropped.
pub(super) fn start(target: &Arc<ServerTarget>, connections: usize) -> Result<JobSender> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let queue = Arc::new(JobQueue::new(connections, processors));
    for number in 0..connections.max(1) {
        let (target, queue) = (Arc::clone(target), Arc::clone(&queue));
        let failed = |error: std::io::Error| Error::Failed(format!("no thread for a connection: {error}"));
        std::thread::Builder::new()
            .name(format!("postgres {number}"))
            .spawn(move || serve(ServerSession::new(target, number), &queue))
            .map_err(failed)?;
    }
    Ok(JobSender(queue))
}

fn serve(mut session: ServerSession, queue: &Arc<JobQueue>) {
    while let Some(mut jobs) = queue.take(session.number, |first| session.epochs(&first.prefix).is_some()) {
        let Some((store, access)) = jobs.first().map(|first| (Arc::clone(&first.prefix), first.access)) else {
            continue;
        };
        match (jobs.len(), session.epochs(&store)) {
            (2.., Some(epochs)) => queue.give_back(read_batch(&mut session, epochs, jobs)),
            _ => jobs.drain(..).for_each(|job| perform(&mut session, job)),
        }
        queue.end(&store, access);
    }
}

fn perform(session: &mut ServerSession, store_job: StoreJob) {
    let Some(job) = store_job.queued.take() else { return };
    session.deadline = job.deadline().clone();
    match store_job.access {
        JobAccess::KeyRead | JobAccess::SingleRead | JobAccess::Scan => read(session, &store_job.prefix, job),
        JobAccess::Write => write(session, &store_job.prefix, job),
    }
    session.deadline = JobDeadline::default();
}

fn read(session: &mut ServerSession, prefix: &Arc<str>, mut job: DatabaseJob) {
    let (mut attempt, mut changes) = (1, 0);
    while attempt <= TRIES && changes <= CHANGES {
        let end = run(PostgresTransaction::reading(session, Arc::clone(prefix)).replayable(), &mut job);
        note_retry(session, &end);
        match end {
            TransactionEnd::StaleEpochs => changes += 1,
            TransactionEnd::NeedsStore => attempt += 1,
            TransactionEnd::Outdated if attempt < TRIES => attempt += 1,
            TransactionEnd::Failed(error) => return job.answer(Some(error)),
            TransactionEnd::Done | TransactionEnd::Again | TransactionEnd::Outdated => return job.answer(None),
        }
    }
    job.answer(Some(Error::Busy));
}

fn write(session: &mut ServerSession, prefix: &Arc<str>, mut job: DatabaseJob) {
    let mut locked = false;
    let (mut attempt, mut changes) = (1, 0);
    while attempt <= TRIES && changes <= CHANGES {
        let transaction = PostgresTransaction::writing(session, Arc::clone(prefix)).replayable().locked(locked);
        let end = run(transaction, &mut job);
        note_retry(session, &end);
        match end {
            TransactionEnd::StaleEpochs => {
                changes += 1;
                continue;
            }
            TransactionEnd::NeedsStore => locked = true,
            TransactionEnd::Outdated if attempt < TRIES => {}
            TransactionEnd::Done | TransactionEnd::Outdated => return job.answer(None),
            TransactionEnd::Failed(error) => return job.answer(Some(error)),
            // Those that met must not meet again at the next try.
            TransactionEnd::Again => {
                let number = u64::try_from(session.number % 7).unwrap_or_default();
                std::thread::sleep(Duration::from_millis(attempt * (3 + number)));
            }
        }
        attempt += 1;
    }
    job.answer(Some(Error::Busy));
}

/// Counts a job that is to run again.
fn note_retry(session: &ServerSession, end: &TransactionEnd) {
    let reason = match end {
        TransactionEnd::Again => RetryReason::Conflict,
        TransactionEnd::StaleEpochs => RetryReason::StaleEpochs,
        TransactionEnd::NeedsStore => RetryReason::NeedsStore,
        TransactionEnd::Outdated => RetryReason::Outdated,
        TransactionEnd::Done | TransactionEnd::Failed(_) => return,
    };
    session.target.figures.retried(reason);
}

fn run(transaction: PostgresTransaction<'_>, job: &mut DatabaseJob) -> TransactionEnd {
    let mut tx = Tx { engine: TransactionEngine::Postgres(transaction) };
    let content = job.run(&mut tx);
    match tx.engine {
        TransactionEngine::Postgres(transaction) => transaction.end(content),
        TransactionEngine::Sqlite(_) => TransactionEnd::Done,
    }
}
