//! Requests and runs that wait for a collector, within a limit of bytes.

use crate::work::TracedWork;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Requests and runs that wait. What finds no room is refused: nothing that waits is given up for it. Bytes are about
/// those of messages.
#[derive(Debug)]
pub struct SpanQueue {
    most: usize,
    waiting: Mutex<WaitingWork>,
    came: Notify,
}

#[derive(Debug, Default)]
struct WaitingWork {
    all: VecDeque<TracedWork>,
    bytes: usize,
}

impl SpanQueue {
    /// A queue of so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        SpanQueue { most, waiting: Mutex::default(), came: Notify::new() }
    }

    /// Puts something behind the others; returns false where there is no room.
    pub(crate) fn push(&self, work: TracedWork) -> bool {
        let bytes = work.bytes();
        let mut waiting = self.lock();
        if waiting.bytes + bytes > self.most {
            return false;
        }
        waiting.bytes += bytes;
        waiting.all.push_back(work);
        let is_first = waiting.all.len() == 1;
        drop(waiting);
        // Where others wait, the task that sends knows of them.
        if is_first {
            self.came.notify_one();
        }
        true
    }

    /// Waits until something is there.
    pub async fn wait(&self) {
        while self.bytes() == 0 {
            self.came.notified().await;
        }
    }

    /// Takes the first ones, of so many bytes together; one at least, where there is any.
    pub fn take(&self, most: usize) -> Vec<TracedWork> {
        let mut waiting = self.lock();
        let mut bytes = 0;
        let fits = waiting.all.iter().map(TracedWork::bytes).take_while(|next| {
            bytes += next;
            bytes <= most
        });
        let count = fits.count().max(1).min(waiting.all.len());
        let taken: Vec<TracedWork> = waiting.all.drain(..count).collect();
        waiting.bytes -= taken.iter().map(TracedWork::bytes).sum::<usize>();
        taken
    }

    /// The bytes that wait.
    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }

    fn lock(&self) -> MutexGuard<'_, WaitingWork> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::SpanQueue;
    use crate::tests::work;

    #[test]
    fn bytes_are_what_counts() {
        let size = work("a").bytes();
        let queue = SpanQueue::new(3 * size);
        let push = |name| queue.push(work(name));
        assert_eq!(["a", "b", "too long", "c", "d"].map(push), [true, true, false, true, false]);
        assert_eq!((queue.bytes(), queue.take(2 * size).len(), queue.bytes()), (3 * size, 2, size));
        assert_eq!((queue.take(1).len(), queue.take(1).len(), queue.bytes()), (1, 0, 0));
        assert!(push("d"));
    }
}
