//! Calls to other hosts that a request or a run makes, noted by the task that makes them.

use crate::parent::TraceParent;
use crate::start::{TraceStart, mixed};
use database::{RequestJobs, with_request_timeline};
use std::cell::RefCell;
use std::future::{Future, poll_fn};
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
#[derive(Debug)]
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
    start: TraceStart,
    begun: u64,
    calls: Vec<NotedCall>,
}

tokio::task_local! {
    static CALLS: RefCell<NotedCalls>;
}

/// Does a piece of work; returns the jobs and calls of this task, too. The future stays where it is: it is large.
pub async fn followed<F: Future>(start: TraceStart, work: Pin<&mut F>) -> (F::Output, FollowedWork) {
    let noting = pin!(noting_calls(start, work));
    let ((output, calls), jobs) = with_request_timeline(noting).await;
    (output, FollowedWork { jobs, calls })
}

async fn noting_calls<F: Future>(start: TraceStart, mut work: Pin<&mut F>) -> (F::Output, Vec<NotedCall>) {
    let empty = || NotedCalls { start, begun: 0, calls: Vec::new() };
    let mut noted = empty();
    poll_fn(|context| {
        CALLS.sync_scope(RefCell::new(std::mem::replace(&mut noted, empty())), || {
            let polled = work.as_mut().poll(context);
            noted = CALLS.with(|calls| calls.replace(empty()));
            polled.map(|output| (output, std::mem::take(&mut noted.calls)))
        })
    })
    .await
}

/// Returns the root span of what this task does, if it is followed.
pub fn current() -> Option<TraceParent> {
    CALLS.try_with(|calls| calls.borrow().start.root_parent()).ok()
}

/// Begins a call for a purpose such as `http`; nothing where this task is not followed.
pub fn begin_call(purpose: &'static str) -> Option<OpenCall> {
    CALLS
        .try_with(|calls| {
            let mut calls = calls.borrow_mut();
            calls.begun += 1;
            let root = calls.start.root_parent();
            let span = mixed(root.span.wrapping_sub(calls.begun)).max(1);
            OpenCall { purpose, began: Instant::now(), parent: TraceParent { span, ..root } }
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
