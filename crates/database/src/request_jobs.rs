//! The jobs of a request: how long they waited and ran, and the statements that took their time.
//!
//! A job notes its statements on the thread that runs it. They go back with its answer to the task that waits for it,
//! where they are kept until the request is answered.

use crate::{JobKind, Sql};
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::time::{Duration, Instant};

/// The time from which on a statement is kept with its text.
const LONG: Duration = Duration::from_millis(1);
/// The most statements that are kept of a job, and of a request.
const MOST: usize = 20;
/// The most jobs of a request whose times are kept.
const MOST_JOBS: usize = 64;
/// The most characters of a statement.
const TEXT: usize = 2_000;

/// The jobs of a request.
#[derive(Clone, Debug, Default)]
pub struct RequestJobs {
    /// The number of jobs.
    pub count: u32,
    /// The time for which they waited for a thread or a connection.
    pub waited: Duration,
    /// The time for which they ran.
    pub ran: Duration,
    /// Their processor time in this process. That of jobs on the thread of the request is told by the clock, as is that
    /// of short ones that wait for no server.
    pub cpu: Duration,
    /// The statements that took a millisecond or longer, without their values.
    pub statements: Vec<NotedStatement>,
    /// The number of all other statements, those of look-ups by key on the thread of the request among them.
    pub quick: u32,
    /// The jobs in the order of their ends, where the request keeps them.
    pub timeline: Vec<NotedJob>,
    keeps_timeline: bool,
}

/// A job of a request.
#[derive(Clone, Debug)]
pub struct NotedJob {
    /// Its kind.
    pub kind: JobKind,
    /// The time at which it was handed over.
    pub since: Instant,
    /// The time for which it waited then.
    pub waited: Duration,
    /// The time for which it ran after that.
    pub ran: Duration,
    /// The number of its statements that the request keeps: they stand one behind the other.
    pub long: usize,
    /// The number of all others.
    pub quick: u32,
}

/// A statement that took its time.
#[derive(Clone, Debug)]
pub struct NotedStatement {
    /// Its text, which has no values. Statements of one round trip are one text.
    pub text: String,
    /// The time at which it began.
    pub began: Instant,
    /// The time until its last row was taken.
    pub took: Duration,
    /// The rows that it returned or changed.
    pub rows: u64,
    /// The last statement of the round trip where it reads, and its text is whole: its plan can be asked for.
    pub query: Option<String>,
}

/// The statements of a job.
#[derive(Debug, Default)]
pub(crate) struct JobStatements {
    long: Vec<NotedStatement>,
    quick: u32,
}

/// The times of a job that ended, and its statements.
#[derive(Debug)]
pub(crate) struct JobTimings {
    /// The time at which the job was handed over.
    pub(crate) since: Instant,
    pub(crate) waited: Option<Duration>,
    pub(crate) ran: Duration,
    pub(crate) cpu: Duration,
    pub(crate) statements: JobStatements,
}

tokio::task_local! {
    static REQUEST: RefCell<RequestJobs>;
}

thread_local! {
    static LONG_ONES: RefCell<Vec<NotedStatement>> = const { RefCell::new(Vec::new()) };
    static QUICK: Cell<u32> = const { Cell::new(0) };
    static UNTIMED: Cell<bool> = const { Cell::new(false) };
}

/// Answers a request; returns the jobs that this task waited for, too. The future stays where it is: it is large, and
/// copies of it would cost more than all that is noted.
pub async fn with_request_jobs<F: Future>(mut answer: Pin<&mut F>) -> (F::Output, RequestJobs) {
    noting(RequestJobs::default(), &mut answer).await
}

/// The same, which keeps the times of each job, too.
pub async fn with_request_timeline<F: Future>(mut answer: Pin<&mut F>) -> (F::Output, RequestJobs) {
    noting(RequestJobs { keeps_timeline: true, ..RequestJobs::default() }, &mut answer).await
}

async fn noting<F: Future>(mut jobs: RequestJobs, answer: &mut Pin<&mut F>) -> (F::Output, RequestJobs) {
    poll_fn(|context| {
        REQUEST.sync_scope(RefCell::new(std::mem::take(&mut jobs)), || {
            let polled = answer.as_mut().poll(context);
            jobs = REQUEST.with(RefCell::take);
            polled.map(|output| (output, std::mem::take(&mut jobs)))
        })
    })
    .await
}

/// Adds a job to those of the request that this task answers, if it answers one.
pub(crate) fn add_to_request(kind: JobKind, timings: JobTimings) {
    // A task that answers none keeps nothing.
    let _ = REQUEST.try_with(|request| {
        let mut request = request.borrow_mut();
        request.count += 1;
        request.waited += timings.waited.unwrap_or_default();
        request.ran += timings.ran;
        request.cpu += timings.cpu;
        request.quick += timings.statements.quick;
        let room = MOST.saturating_sub(request.statements.len());
        let long = timings.statements.long.len().min(room);
        if request.keeps_timeline && request.timeline.len() < MOST_JOBS {
            let JobTimings { since, waited, ran, statements: JobStatements { quick, .. }, .. } = timings;
            let waited = waited.unwrap_or_default();
            request.timeline.push(NotedJob { kind, since, waited, ran, long, quick });
        }
        request.statements.extend(timings.statements.long.into_iter().take(room));
    });
}

/// Takes the statements that this thread has noted.
pub(crate) fn take_statements() -> JobStatements {
    JobStatements { long: LONG_ONES.take(), quick: QUICK.take() }
}

/// Runs a job of a few look-ups by key, whose statements are only counted: two looks at the clock for each of them would
/// cost more than a hundredth of such a request.
pub(crate) fn untimed<T>(job: impl FnOnce() -> T) -> T {
    let before = UNTIMED.replace(true);
    let outcome = job();
    UNTIMED.set(before);
    outcome
}

/// Runs statements, and notes them. `run` counts the rows.
pub(crate) fn timed<T>(statements: &[&Sql], run: impl FnOnce(&mut u64) -> T) -> T {
    let mut rows = 0;
    if UNTIMED.get() {
        QUICK.set(QUICK.get().saturating_add(1));
        return run(&mut rows);
    }
    let began = Instant::now();
    let outcome = run(&mut rows);
    let took = began.elapsed();
    if took < LONG {
        QUICK.set(QUICK.get().saturating_add(1));
    } else {
        note(statements, began, took, rows);
    }
    outcome
}

fn note(statements: &[&Sql], began: Instant, took: Duration, rows: u64) {
    LONG_ONES.with_borrow_mut(|long| {
        if long.len() < MOST {
            let texts: Vec<&str> = statements.iter().map(|sql| sql.text()).collect();
            let text = texts.join("; ").chars().take(TEXT).collect();
            let reads = |text: &&str| ["SELECT ", "WITH "].iter().any(|word| text.starts_with(word));
            let query = texts.last().filter(|text| text.len() <= TEXT && reads(text)).map(|text| (*text).to_owned());
            long.push(NotedStatement { text, began, took, rows, query });
        }
    });
}
