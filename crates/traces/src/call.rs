//! Calls to other hosts that a request or a run makes, noted by the task that makes them.

use crate::parent::TraceParent;
use crate::start::{TraceStart, mixed};
use database::{RequestJobs, with_request_timeline};
use std::cell::RefCell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::time::{Duration, Instant};

/// The most calls that are noted of a request or a run.
const MOST: usize = 20;

/// The jobs and calls of a request or a run.
#[derive(Debug, Default)]
pub struct FollowedWork {
    /// The jobs, with the times at which they began.
    pub jobs: RequestJobs,
    /// The calls.
    pub calls: Vec<NotedCall>,
}

/// A call that ended.
#[derive(Clone, Debug)]
pub struct NotedCall {
    pub(crate) span: u64,
    pub(crate) purpose: &'static str,
    pub(crate) began: Instant,
    pub(crate) took: Duration,
    pub(crate) status: Option<u16>,
    pub(crate) failed: bool,
}

/// A call under way. One that is dropped is not noted.
#[derive(Debug)]
pub struct OpenCall {
    purpose: &'static str,
    began: Instant,
    parent: TraceParent,
}

struct NotedCalls {
    /// The root span of what the task does.
    root: TraceParent,
    begun: u64,
    calls: Vec<NotedCall>,
}

tokio::task_local! {
    static CALLS: RefCell<NotedCalls>;
}

/// Does a piece of work; returns the jobs and calls of this task, too. The future stays where it is: it is large.
pub async fn followed<F: Future>(start: TraceStart, work: Pin<&mut F>) -> (F::Output, FollowedWork) {
    let noted = NotedCalls { root: start.root_parent(), begun: 0, calls: Vec::new() };
    let mut noting = pin!(CALLS.scope(RefCell::new(noted), work));
    let (output, jobs) = with_request_timeline(noting.as_mut()).await;
    let calls = noting.take_value().map(|noted| noted.into_inner().calls).unwrap_or_default();
    (output, FollowedWork { jobs, calls })
}

/// Returns the root span of what this task does, if it is followed.
pub fn current() -> Option<TraceParent> {
    CALLS.try_with(|calls| calls.borrow().root).ok()
}

/// Begins a call for a purpose such as `http`; nothing where this task is not followed.
pub fn begin_call(purpose: &'static str) -> Option<OpenCall> {
    CALLS
        .try_with(|calls| {
            let mut calls = calls.borrow_mut();
            calls.begun += 1;
            let span = mixed(calls.root.span.wrapping_sub(calls.begun)).max(1);
            OpenCall { purpose, began: Instant::now(), parent: TraceParent { span, ..calls.root } }
        })
        .ok()
}

impl OpenCall {
    /// The span of the call, for a header of it.
    pub fn parent(&self) -> TraceParent {
        self.parent
    }

    /// Notes that the other side answered with a status, or did not answer.
    pub fn end(self, status: Option<u16>, failed: bool) {
        let OpenCall { purpose, began, parent } = self;
        let noted = NotedCall { span: parent.span, purpose, began, took: began.elapsed(), status, failed };
        // The task that began it is the one that ends it; any other keeps nothing.
        let _ = CALLS.try_with(|calls| {
            let mut calls = calls.borrow_mut();
            if calls.calls.len() < MOST {
                calls.calls.push(noted);
            }
        });
    }
}
