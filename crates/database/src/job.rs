//! Jobs on their way to a database thread, and their answers on the way back.

use crate::deadline::{JobDeadline, LIMIT};
use crate::{Error, Result, TimeLimit, Tx};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The time for which a job may wait for a thread before its caller is told to come again, unless the database says
/// otherwise.
pub(crate) const WAIT: Duration = Duration::from_secs(2);

/// A job that may run again from its start, which [`crate::Store::read`] and [`crate::Store::write`] take.
///
/// It runs again where its epochs were stale, where others were in the way, and where it is read in a batch: reads by
/// key that wait for PostgreSQL at the same time run until their first call, go to the server together, and run from
/// their start once the answers are there. So a job
///
/// - has no effects but on its [`Tx`], or effects that the next run replaces,
/// - does the same in each run as far as its answers are the same: its first call above all.
///
/// Every closure of this form is one: the promise is its author's. A job that must run once is for
/// [`crate::Store::write_blocking`], which takes an `FnOnce`.
pub trait ReplayableJob<T, E>: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static {}

impl<F, T, E> ReplayableJob<T, E> for F where F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static {}

/// The amount of work of a read, which decides where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadCost {
    /// A few look-ups by key: run where the caller is, where the engine is in this process.
    Point,
    /// Anything else: run on a thread of the database's own.
    Scan,
}

/// A job without its types.
pub(crate) trait DatabaseJob: Send {
    /// Returns when it has to end.
    fn deadline(&self) -> &JobDeadline;
    /// Returns the time for which it may wait for a thread.
    fn patience(&self) -> Duration;
    /// Runs the job and keeps the outcome; returns true if it is to be committed.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Sends the outcome, or `instead` where the job had been content.
    fn answer(self: Box<Self>, instead: Option<Error>);
}

/// A job in a queue.
pub(crate) struct QueuedJob {
    pub(crate) job: Box<dyn DatabaseJob>,
    since: Instant,
}

impl QueuedJob {
    pub(crate) fn new(job: Box<dyn DatabaseJob>) -> Self {
        QueuedJob { job, since: Instant::now() }
    }

    /// Returns when it was handed over.
    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    /// Returns the job, unless nobody waits for it or it waited too long.
    pub(crate) fn take(self) -> Option<Box<dyn DatabaseJob>> {
        self.due().map(|queued| queued.job)
    }

    /// The same, still in a queue.
    pub(crate) fn due(self) -> Option<Self> {
        if self.job.deadline().abandoned() {
            return None;
        }
        if self.since.elapsed() > self.job.patience() || self.job.deadline().passed() {
            self.job.answer(Some(Error::Busy));
            return None;
        }
        Some(self)
    }
}

struct TypedJob<F, T, E> {
    job: F,
    patience: Duration,
    deadline: JobDeadline,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

/// The time for which a job may wait for a thread, and how long it may take with that.
#[derive(Clone, Copy)]
pub(crate) struct JobTimes {
    pub(crate) patience: Duration,
    pub(crate) limit: TimeLimit,
}

impl Default for JobTimes {
    fn default() -> Self {
        JobTimes { patience: WAIT, limit: LIMIT }
    }
}

/// The answer of a job. Where it is dropped before it came, the job ends.
pub(crate) struct JobAnswer<T, E> {
    receiver: oneshot::Receiver<Result<T, E>>,
    deadline: JobDeadline,
}

/// Wraps a job; the answer gets its outcome.
pub(crate) fn create<T, E>(times: JobTimes, job: impl ReplayableJob<T, E>) -> (Box<dyn DatabaseJob>, JobAnswer<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let JobTimes { patience, limit } = times;
    let (reply, receiver) = oneshot::channel();
    let deadline = JobDeadline::begin(limit).with_caller();
    let typed = TypedJob { job, patience, deadline: deadline.clone(), outcome: None, reply };
    (Box::new(typed), JobAnswer { receiver, deadline })
}

impl<F, T, E> DatabaseJob for TypedJob<F, T, E>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    fn deadline(&self) -> &JobDeadline {
        &self.deadline
    }

    fn patience(&self) -> Duration {
        self.patience
    }

    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        let outcome = run(&mut self.job, tx);
        let content = outcome.is_ok();
        self.outcome = Some(outcome);
        content
    }

    fn answer(self: Box<Self>, instead: Option<Error>) {
        let outcome = match (self.outcome, instead) {
            (Some(Err(own)), _) => Err(own),
            (_, Some(error)) => Err(E::from(error)),
            (Some(outcome), None) => outcome,
            (None, None) => Err(E::from(Error::Failed("the job never ran".into()))),
        };
        // The caller may have gone; what was committed stays.
        let _ = self.reply.send(outcome);
    }
}

/// Runs a job behind a panic fence. A write that goes on after a failed statement is refused.
pub(crate) fn run<T, E: From<Error>>(job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>, tx: &mut Tx<'_>) -> Result<T, E> {
    match catch_unwind(AssertUnwindSafe(|| job(tx))) {
        Ok(Ok(_)) if tx.spoilt() => {
            Err(E::from(Error::Failed("a job ended well after a statement of it had failed".into())))
        }
        Ok(outcome) => outcome,
        Err(panic) => Err(E::from(Error::Failed(format!("a job panicked: {}", message(&*panic))))),
    }
}

impl<T, E: From<Error>> JobAnswer<T, E> {
    /// Waits for the outcome.
    pub(crate) async fn wait(mut self) -> Result<T, E> {
        let ended = || E::from(Error::Failed("a database thread ended without an answer".into()));
        (&mut self.receiver).await.unwrap_or_else(|_| Err(ended()))
    }
}

impl<T, E> Drop for JobAnswer<T, E> {
    fn drop(&mut self) {
        self.deadline.abandon();
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "no message"
    }
}
