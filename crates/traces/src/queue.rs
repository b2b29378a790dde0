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
    /// The bytes of a message that need not wait for more.
    batch: usize,
    waiting: Mutex<WaitingWork>,
    came: Notify,
}

#[derive(Debug, Default)]
struct WaitingWork {
    all: VecDeque<TracedWork>,
    bytes: usize,
}

impl SpanQueue {
    /// A queue of so many bytes, which are sent in batches of so many.
    pub(crate) fn new(most: usize, batch: usize) -> Self {
        SpanQueue { most, batch, waiting: Mutex::default(), came: Notify::new() }
    }

    /// Puts something behind the others; returns false where there is no room.
    pub(crate) fn push(&self, work: TracedWork) -> bool {
        let bytes = work.bytes();
        let mut waiting = self.lock();
        if waiting.bytes + bytes > self.most {
            return false;
        }
        let is_first = waiting.all.is_empty();
        let fills_batch = waiting.bytes < self.batch && waiting.bytes + bytes >= self.batch;
        waiting.bytes += bytes;
        waiting.all.push_back(work);
        drop(waiting);
        // The task that sends waits for these two alone.
        if is_first || fills_batch {
            self.came.notify_one();
        }
        true
    }

    /// Waits until something is there.
    pub async fn wait(&self) {
        self.wait_for(1).await;
    }

    /// Waits until a batch is there.
    pub async fn wait_for_batch(&self) {
        self.wait_for(self.batch).await;
    }

    async fn wait_for(&self, bytes: usize) {
        while self.bytes() < bytes {
            self.came.notified().await;
        }
    }

    /// Takes the first ones, a batch at most; one at least, where there is any.
    pub fn take(&self) -> Vec<TracedWork> {
        let mut waiting = self.lock();
        let mut bytes = 0;
        let fits = waiting.all.iter().map(TracedWork::bytes).take_while(|next| {
            bytes += next;
            bytes <= self.batch
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
    use std::pin::pin;
    use std::task::{Context, Waker};

    #[test]
    fn bytes_are_what_counts() {
        let size = work("a").bytes();
        let queue = SpanQueue::new(3 * size, 2 * size);
        let push = |name| queue.push(work(name));
        assert_eq!(["a", "b", "too long", "c", "d"].map(push), [true, true, false, true, false]);
        assert_eq!((queue.bytes(), queue.take().len(), queue.bytes()), (3 * size, 2, size));
        assert_eq!((queue.take().len(), queue.take().len(), queue.bytes()), (1, 0, 0));
        assert!(push("d"));
        // One that is larger than a batch is taken by itself.
        let queue = SpanQueue::new(9 * size, size / 2);
        assert_eq!((queue.push(work("a")), queue.push(work("b")), queue.take().len()), (true, true, 1));
    }

    #[test]
    fn a_batch_need_not_wait_for_more() {
        let size = work("a").bytes();
        let queue = SpanQueue::new(9 * size, 2 * size);
        let mut context = Context::from_waker(Waker::noop());
        let (mut first, mut batch) = (pin!(queue.wait()), pin!(queue.wait_for_batch()));
        let mut ready = |is_batch: bool| match is_batch {
            true => batch.as_mut().poll(&mut context).is_ready(),
            false => first.as_mut().poll(&mut context).is_ready(),
        };
        assert!(!ready(false));
        queue.push(work("a"));
        assert!(ready(false));
        assert!(!ready(true));
        queue.push(work("b"));
        assert!(ready(true));
    }
}
