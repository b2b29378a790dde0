//! Traces that wait for a collector, within a limit of bytes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The spans of a request or a run, as the collector gets them: objects of JSON with commas between them.
#[derive(Debug)]
pub struct EncodedTrace {
    /// The objects.
    pub json: String,
    /// The number of spans.
    pub spans: u64,
}

/// Traces that wait. What finds no room is refused: nothing that waits is given up for it.
#[derive(Debug)]
pub struct SpanQueue {
    most: usize,
    waiting: Mutex<WaitingTraces>,
    came: Notify,
}

#[derive(Debug, Default)]
struct WaitingTraces {
    traces: VecDeque<EncodedTrace>,
    bytes: usize,
}

impl SpanQueue {
    /// A queue of so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        SpanQueue { most, waiting: Mutex::default(), came: Notify::new() }
    }

    /// Puts a trace behind the others; returns false where there is no room.
    pub(crate) fn push(&self, trace: EncodedTrace) -> bool {
        let mut waiting = self.lock();
        let bytes = waiting.bytes + trace.json.len();
        if bytes > self.most {
            return false;
        }
        waiting.bytes = bytes;
        waiting.traces.push_back(trace);
        drop(waiting);
        self.came.notify_one();
        true
    }

    /// Waits until one is there.
    pub async fn wait(&self) {
        while self.bytes() == 0 {
            self.came.notified().await;
        }
    }

    /// Takes the first ones, of so many bytes together; one at least, where there is any.
    pub fn take(&self, most: usize) -> Vec<EncodedTrace> {
        let mut waiting = self.lock();
        let (mut taken, mut bytes) = (Vec::new(), 0);
        while let Some(next) = waiting.traces.front()
            && (taken.is_empty() || bytes + next.json.len() <= most)
        {
            bytes += next.json.len();
            taken.extend(waiting.traces.pop_front());
        }
        waiting.bytes -= bytes;
        taken
    }

    /// The bytes that wait.
    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }

    fn lock(&self) -> MutexGuard<'_, WaitingTraces> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{EncodedTrace, SpanQueue};

    #[test]
    fn bytes_are_what_counts() {
        let queue = SpanQueue::new(10);
        let push = |length| queue.push(EncodedTrace { json: "x".repeat(length), spans: 1 });
        assert_eq!([4, 5, 2, 1].map(push), [true, true, false, true]);
        assert_eq!((queue.bytes(), queue.take(6).len(), queue.bytes()), (10, 1, 6));
        assert_eq!((queue.take(1).len(), queue.take(1).len(), queue.take(1).len()), (1, 1, 0));
        assert!(!push(11) && push(10));
    }
}
