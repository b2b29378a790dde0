//! Jobs on their way to a database thread, and their answers on the way back.

use crate::deadline::{JobDeadline, LIMIT};
use crate::figures::{JobFigures, JobKind};
use crate::request_jobs::{self, JobStatements, JobTimings};
use crate::thread_time::{TimedWork, with_thread_time};
use crate::{Error, Result, TimeLimit, Tx};
use std::any::Any;
use std::marker::PhantomData;
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

/// A job as its transaction runs it: it keeps its own outcome, and returns true if it is to be committed.
///
/// Calls are the border between what is compiled for each job, and what is compiled once: hundreds of jobs are written
/// in other crates, and each would have a copy of all code that knows the type of its outcome.
pub(crate) type ErasedJob<'j> = dyn FnMut(&mut Tx<'_>) -> bool + 'j;

/// The part of a waiting job that knows its types.
trait JobBody: Send {
    /// Runs the job and keeps the outcome; returns true if it is to be committed.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Returns the place of the outcome: an `Option<Result<T, E>>`.
    fn outcome(&mut self) -> &mut dyn Any;
}

/// A job without its types.
pub(crate) struct DatabaseJob {
    body: Box<dyn JobBody>,
    patience: Duration,
    deadline: JobDeadline,
    /// The time at which it was handed over.
    created: Instant,
    /// The time at which it ran first; none before that.
    began: Option<Instant>,
    /// The processor time of its runs.
    cpu: Duration,
    /// The statements of the last run.
    statements: JobStatements,
    /// The failure of the last run, where it ended without an outcome of its own.
    failure: Option<Error>,
    reply: oneshot::Sender<FinishedJob>,
}

impl DatabaseJob {
    /// Returns when it has to end.
    pub(crate) fn deadline(&self) -> &JobDeadline {
        &self.deadline
    }

    /// Runs the job and keeps the outcome; returns true if it is to be committed.
    pub(crate) fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        // Notes of this thread from outside of jobs are not ours.
        let _ = request_jobs::take_statements();
        let TimedWork { outcome, began, cpu } = with_thread_time(tx.waits(), || run(&mut |tx| self.body.run(tx), tx));
        self.began.get_or_insert(began);
        self.cpu += cpu;
        self.statements = request_jobs::take_statements();
        let content = outcome == Ok(true);
        self.failure = outcome.err();
        content
    }

    /// Sends the outcome, or `instead` where the job had been content.
    pub(crate) fn answer(self, instead: Option<Error>) {
        let DatabaseJob { body, failure, reply, created, began, cpu, statements, .. } = self;
        let timings = match began {
            Some(began) => {
                let waited = Some(began.duration_since(created));
                JobTimings { since: created, waited, ran: began.elapsed(), cpu, statements }
            }
            None => {
                let waited = Some(created.elapsed());
                JobTimings { since: created, waited, ran: Duration::ZERO, cpu, statements }
            }
        };
        // The caller may have gone; what was committed stays.
        let _ = reply.send(FinishedJob { body, failure, instead, timings });
    }
}

/// A job that goes back to its caller.
struct FinishedJob {
    body: Box<dyn JobBody>,
    failure: Option<Error>,
    instead: Option<Error>,
    timings: JobTimings,
}

/// A job in a queue.
pub(crate) struct QueuedJob {
    pub(crate) job: DatabaseJob,
}

impl QueuedJob {
    pub(crate) fn new(job: DatabaseJob) -> Self {
        QueuedJob { job }
    }

    /// Returns when it was handed over.
    pub(crate) fn since(&self) -> Instant {
        self.job.created
    }

    /// Returns the job, unless nobody waits for it or it waited too long.
    pub(crate) fn take(self) -> Option<DatabaseJob> {
        self.due().map(|queued| queued.job)
    }

    /// The same, still in a queue.
    pub(crate) fn due(self) -> Option<Self> {
        if self.job.deadline().abandoned() {
            return None;
        }
        let now = Instant::now();
        if now.duration_since(self.job.created) > self.job.patience || self.job.deadline().passed_at(now) {
            self.job.answer(Some(Error::Busy));
            return None;
        }
        Some(self)
    }
}

struct TypedJob<F, T, E> {
    job: F,
    outcome: Option<Result<T, E>>,
}

impl<F, T, E> JobBody for TypedJob<F, T, E>
where
    F: ReplayableJob<T, E>,
    T: Send + 'static,
    E: Send + 'static,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        let outcome = (self.job)(tx);
        let content = outcome.is_ok();
        self.outcome = Some(outcome);
        content
    }

    fn outcome(&mut self) -> &mut dyn Any {
        &mut self.outcome
    }
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
    waiter: JobWaiter,
    outcome: PhantomData<fn() -> Result<T, E>>,
}

/// The same without the types of the outcome.
struct JobWaiter {
    receiver: oneshot::Receiver<FinishedJob>,
    deadline: JobDeadline,
}

/// Wraps a job; the answer gets its outcome.
pub(crate) fn create<T, E>(times: JobTimes, job: impl ReplayableJob<T, E>) -> (DatabaseJob, JobAnswer<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (job, waiter) = enqueue(times, Box::new(TypedJob { job, outcome: None }));
    (job, JobAnswer { waiter, outcome: PhantomData })
}

fn enqueue(times: JobTimes, body: Box<dyn JobBody>) -> (DatabaseJob, JobWaiter) {
    let JobTimes { patience, limit } = times;
    let (reply, receiver) = oneshot::channel();
    let created = Instant::now();
    let deadline = JobDeadline::begin_at(created, limit).with_caller();
    let waiter = JobWaiter { receiver, deadline: deadline.clone() };
    let statements = JobStatements::default();
    let (began, cpu, failure) = (None, Duration::ZERO, None);
    (DatabaseJob { body, patience, deadline, created, began, cpu, statements, failure, reply }, waiter)
}

/// Runs a job behind a panic fence. A write that goes on after a failed statement is refused.
pub(crate) fn run(job: &mut ErasedJob<'_>, tx: &mut Tx<'_>) -> Result<bool> {
    match catch_unwind(AssertUnwindSafe(|| job(tx))) {
        Ok(true) if tx.spoilt() => Err(Error::Failed("a job ended well after a statement of it had failed".into())),
        Ok(content) => Ok(content),
        Err(panic) => Err(Error::Failed(format!("a job panicked: {}", message(&*panic)))),
    }
}

/// Runs a job on this thread, in the transaction that `run` begins and ends.
pub(crate) fn run_here<T, E: From<Error>>(
    job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    run: impl FnOnce(&mut ErasedJob<'_>) -> Result<()>,
) -> Result<T, E> {
    let (mut job, mut outcome) = (Some(job), None);
    run(&mut |tx| {
        outcome = job.take().map(|job| job(tx));
        matches!(outcome, Some(Ok(_)))
    })?;
    outcome.unwrap_or_else(|| Err(E::from(never_ran())))
}

fn never_ran() -> Error {
    Error::Failed("the job never ran".into())
}

impl<T: 'static, E: From<Error> + 'static> JobAnswer<T, E> {
    /// Waits for the outcome.
    pub(crate) async fn wait(self) -> Result<T, E> {
        let finished = self.waiter.wait().await?;
        Self::outcome(finished).0
    }

    /// The same, and notes the job's times.
    pub(crate) async fn wait_noting(self, figures: &JobFigures, kind: JobKind) -> Result<T, E> {
        let finished = self.waiter.wait().await?;
        let (outcome, timings) = Self::outcome(finished);
        figures.note(kind, timings.waited, timings.ran);
        request_jobs::add_to_request(kind, timings);
        outcome
    }

    fn outcome(finished: FinishedJob) -> (Result<T, E>, JobTimings) {
        let FinishedJob { body, failure, instead, timings } = finished;
        (Self::judged(body, failure, instead), timings)
    }

    fn judged(mut body: Box<dyn JobBody>, failure: Option<Error>, instead: Option<Error>) -> Result<T, E> {
        if let Some(failure) = failure {
            return Err(E::from(failure));
        }
        let outcome = body.outcome().downcast_mut::<Option<Result<T, E>>>().and_then(Option::take);
        match (outcome, instead) {
            (Some(Err(own)), _) => Err(own),
            (_, Some(error)) => Err(E::from(error)),
            (Some(outcome), None) => outcome,
            (None, None) => Err(E::from(never_ran())),
        }
    }
}

impl JobWaiter {
    async fn wait(mut self) -> Result<FinishedJob> {
        let ended = |_| Error::Failed("a database thread ended without an answer".into());
        (&mut self.receiver).await.map_err(ended)
    }
}

impl Drop for JobWaiter {
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
