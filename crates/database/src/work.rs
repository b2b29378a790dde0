//! Jobs on their way to a database thread, and their answers on the way back.

use crate::deadline::{Deadline, LIMIT};
use crate::{Error, Result, TimeLimit, Tx};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The time for which a job may wait for a thread before its caller is told to come again, unless the database says
/// otherwise.
pub(crate) const WAIT: Duration = Duration::from_secs(2);

/// A job without its types.
pub(crate) trait Work: Send {
    /// When it has to end.
    fn deadline(&self) -> &Deadline;
    /// Returns the time for which it may wait for a thread.
    fn patience(&self) -> Duration;
    /// Runs the job and keeps the outcome; gives whether it is to be committed.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Sends the outcome, or `instead` where the job had been content.
    fn answer(self: Box<Self>, instead: Option<Error>);
}

/// A job in a queue.
pub(crate) struct Queued {
    pub(crate) work: Box<dyn Work>,
    since: Instant,
}

impl Queued {
    pub(crate) fn new(work: Box<dyn Work>) -> Self {
        Queued { work, since: Instant::now() }
    }

    /// When it was handed over.
    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    /// The job, unless nobody waits for it or it waited too long.
    pub(crate) fn take(self) -> Option<Box<dyn Work>> {
        self.due().map(|queued| queued.work)
    }

    /// The same, still in a queue.
    pub(crate) fn due(self) -> Option<Self> {
        if self.work.deadline().abandoned() {
            return None;
        }
        if self.since.elapsed() > self.work.patience() || self.work.deadline().passed() {
            self.work.answer(Some(Error::Busy));
            return None;
        }
        Some(self)
    }
}

struct Task<F, T, E> {
    job: F,
    patience: Duration,
    deadline: Deadline,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

/// The time for which a job may wait for a thread, and how long it may take with that.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    pub(crate) patience: Duration,
    pub(crate) limit: TimeLimit,
}

impl Default for Times {
    fn default() -> Self {
        Times { patience: WAIT, limit: LIMIT }
    }
}

/// The answer of a job. Where it is dropped before it came, the job ends.
pub(crate) struct Answer<T, E> {
    receiver: oneshot::Receiver<Result<T, E>>,
    deadline: Deadline,
}

/// Wraps a job; the answer gets its outcome.
pub(crate) fn task<T, E>(
    Times { patience, limit }: Times,
    job: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
) -> (Box<dyn Work>, Answer<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (reply, receiver) = oneshot::channel();
    let deadline = Deadline::begin(limit).with_caller();
    (Box::new(Task { job, patience, deadline: deadline.clone(), outcome: None, reply }), Answer { receiver, deadline })
}

impl<F, T, E> Work for Task<F, T, E>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    fn deadline(&self) -> &Deadline {
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

impl<T, E: From<Error>> Answer<T, E> {
    /// Waits for the outcome.
    pub(crate) async fn wait(mut self) -> Result<T, E> {
        let ended = || E::from(Error::Failed("a database thread ended without an answer".into()));
        (&mut self.receiver).await.unwrap_or_else(|_| Err(ended()))
    }
}

impl<T, E> Drop for Answer<T, E> {
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
