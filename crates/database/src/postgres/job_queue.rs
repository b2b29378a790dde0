//! The threads that wait for jobs, and the jobs that wait for a connection.

use super::queue_state::{OTHERS, QueueBounds, QueueState};
use super::store_job::{JobAccess, StoreJob};
use crate::figures::ConnectionCounts;
use crate::{Error, Result};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The jobs that wait, and how many run.
pub(super) struct JobQueue {
    bounds: QueueBounds,
    state: Mutex<QueueState>,
    /// One for each thread, so that it is known which one wakes.
    signals: Vec<Condvar>,
}

/// The end into which jobs go. The threads end once it is dropped and nothing waits.
pub(super) struct JobSender(pub(super) Arc<JobQueue>);

impl Drop for JobSender {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        self.0.wake_all(&mut state);
    }
}

impl JobQueue {
    pub(super) fn new(connections: usize, processors: usize) -> Self {
        let connections = connections.max(1);
        let bounds = QueueBounds {
            connections,
            // Who sets many connections has a server of more processors than this machine.
            scans_beside_others: processors.saturating_sub(1).max(connections / 8).max(1),
        };
        let signals = std::iter::repeat_with(Condvar::new).take(connections).collect();
        JobQueue { bounds, state: Mutex::default(), signals }
    }

    /// Returns how many connections run something, and how many there may be.
    pub(super) fn counts(&self, open: u64) -> ConnectionCounts {
        ConnectionCounts { used: Some(self.lock().busy as u64), open, most: self.bounds.connections as u64 }
    }

    /// Notes that a store is there.
    pub(super) fn know(&self, store: Arc<str>) {
        let mut state = self.lock();
        let line = state.lines.entry(store).or_default();
        let new = !std::mem::replace(&mut line.known, true);
        state.stores += usize::from(new);
    }

    /// Notes that a store is gone.
    pub(super) fn forget(&self, store: &Arc<str>) {
        let mut state = self.lock();
        let gone = state.lines.get_mut(store).is_some_and(|line| std::mem::take(&mut line.known));
        state.stores -= usize::from(gone);
        state.tidy(store);
    }

    /// Puts a job behind those of its store; fails where too many wait there.
    pub(super) fn push(&self, job: StoreJob) -> Result<()> {
        let mut state = self.lock();
        if let Some(refused) = state.push(job, VecDeque::push_back) {
            // Nobody waits for the lock while the job is dropped, whatever it holds.
            drop(state);
            drop(refused);
            return Err(Error::Busy);
        }
        self.wake(state);
        Ok(())
    }

    /// Puts jobs that were taken before the others again, each to be run by itself.
    pub(super) fn give_back(&self, jobs: Vec<StoreJob>) {
        let mut state = self.lock();
        for job in jobs.into_iter().rev() {
            state.push(StoreJob { access: JobAccess::SingleRead, ..job }, VecDeque::push_front);
        }
        self.wake(state);
    }

    /// The next job, or several reads by key of a store whose reads `may` go together, where they wait already. Waits
    /// for the first of them, and for no other; none once this is closed. `thread` is the caller's number, below that of
    /// connections. [`JobQueue::end`] must follow.
    pub(super) fn take(&self, thread: usize, may: impl Fn(&StoreJob) -> bool) -> Option<Vec<StoreJob>> {
        let mut state = self.lock();
        loop {
            if let Some(taken) = state.take(self.bounds, &may) {
                self.wake(state);
                return Some(taken);
            }
            if state.closed && state.turns.is_empty() {
                return None;
            }
            state.resting.push(thread);
            let rests = |state: &mut QueueState| state.resting.contains(&thread);
            // What waits may begin once other stores are quiet, of which nobody tells: one thread looks again.
            if state.turns.is_empty() || state.watched {
                state = self.signals[thread].wait_while(state, rests).unwrap_or_else(PoisonError::into_inner);
            } else {
                state.watched = true;
                let waited = self.signals[thread].wait_timeout_while(state, OTHERS, rests);
                let (back, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                state = back;
                state.watched = false;
                if timeout.timed_out() {
                    state.resting.retain(|resting| *resting != thread);
                    continue;
                }
            }
            state.coming = false;
        }
    }

    /// Notes that what was taken for a store has ended. The thread takes what may begin then itself.
    pub(super) fn end(&self, store: &Arc<str>, access: JobAccess) {
        let mut state = self.lock();
        let scan = usize::from(access == JobAccess::Scan);
        state.busy -= 1;
        state.scanning -= scan;
        let state = &mut *state;
        if let Some(line) = state.lines.get_mut(store) {
            line.running -= 1;
            line.scanning -= scan;
            if line.rests() {
                state.demand.now -= 1;
            }
        }
        // Shares grow again where jobs that wait are all there is.
        state.demand.note(Instant::now());
        state.tidy(store);
        if state.closed {
            self.wake_all(state);
        }
    }

    /// Wakes a thread for what may begin, or to watch what waits, unless one is on its way: it may take it all.
    fn wake(&self, mut state: MutexGuard<'_, QueueState>) {
        let is_unwatched = !state.turns.is_empty() && !state.watched;
        if state.coming || !is_unwatched && state.next(self.bounds).is_none() {
            return;
        }
        if let Some(thread) = state.resting.pop() {
            state.coming = true;
            drop(state);
            self.signals[thread].notify_one();
        }
    }

    fn wake_all(&self, state: &mut QueueState) {
        for thread in state.resting.drain(..) {
            self.signals[thread].notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue_state::{QUEUE, TOGETHER};
    use super::*;
    use crate::job::{self, JobTimes, QueuedJob};
    use crate::{Error, Tx};
    use spec::spec;
    use std::time::Duration;

    fn order(access: JobAccess, prefix: &str) -> StoreJob {
        let (work, _) = job::create(JobTimes::default(), |_: &mut Tx<'_>| Ok::<_, Error>(()));
        StoreJob { access, prefix: prefix.into(), queued: QueuedJob::new(work) }
    }

    fn queue(connections: usize, jobs: &[(JobAccess, &str)]) -> JobQueue {
        let queue = JobQueue::new(connections, 4);
        for (access, prefix) in jobs {
            queue.know((*prefix).into());
            assert!(queue.push(order(*access, prefix)).is_ok());
        }
        queue
    }

    /// Returns the jobs that may begin, as the stores' names and how many go together.
    fn begun(queue: &JobQueue) -> Vec<(String, usize)> {
        let take = || queue.lock().take(queue.bounds, |_| true);
        std::iter::from_fn(take).map(|taken| (taken[0].prefix.to_string(), taken.len())).collect()
    }

    fn jobs(of: &[(&str, usize)]) -> Vec<(String, usize)> {
        of.iter().map(|(store, count)| ((*store).to_owned(), *count)).collect()
    }

    #[test]
    fn only_reads_by_key_of_one_store_that_follow_each_other_are_taken_together() {
        let (read, scan, write) = (JobAccess::KeyRead, JobAccess::Scan, JobAccess::Write);
        let mixed = queue(9, &[(read, "a"), (read, "a"), (read, "b"), (write, "b"), (scan, "a"), (read, "a")]);
        assert_eq!(begun(&mixed), jobs(&[("a", 3), ("b", 1), ("a", 1), ("b", 1)]));
        let many = queue(9, &[(read, "a"); TOGETHER + 1]);
        assert_eq!(begun(&many), jobs(&[("a", TOGETHER), ("a", 1)]));
    }

    #[test]
    fn a_store_leaves_a_quarter_of_the_connections_to_stores_that_have_none() {
        let write = JobAccess::Write;
        let busy = queue(8, &[(write, "a"); 9]);
        // Alone, it may have all.
        assert_eq!(begun(&busy).len(), 8);
        let busy = queue(8, &[(write, "a"); 9]);
        busy.know("b".into());
        assert_eq!(begun(&busy), jobs(&[("a", 1); 6]));
        // A second greedy store gets one of those that are left, and a third the last one.
        for store in ["b", "b", "c", "c"] {
            assert!(busy.push(order(write, store)).is_ok());
        }
        assert_eq!(begun(&busy), jobs(&[("b", 1), ("c", 1)]));
        // Of what becomes free, each gets its share: two of eight.
        for _ in 0..3 {
            busy.end(&"a".into(), write);
        }
        assert_eq!(begun(&busy), jobs(&[("b", 1), ("c", 1)]));
        for _ in 0..2 {
            busy.end(&"a".into(), write);
        }
        assert_eq!(begun(&busy), jobs(&[("a", 1)]));
    }

    #[test]
    fn a_store_has_its_share_and_one_while_others_want_connections() {
        let write = JobAccess::Write;
        let two = queue(8, &[(write, "a"), (write, "b")].repeat(9));
        assert_eq!(begun(&two).len(), 7);
        let count = |store: &str| two.lock().lines[store].running;
        assert_eq!((count("a"), count("b")), (4, 3));
        let greedy = queue(8, &[(write, "a"); 9]);
        greedy.know("b".into());
        begun(&greedy);
        assert!(greedy.push(order(write, "b")).is_ok());
        begun(&greedy);
        for _ in 0..6 {
            greedy.end(&"a".into(), write);
            begun(&greedy);
        }
        // It had six before, and has no more of its own while the other one is there.
        assert_eq!(greedy.lock().lines["a"].running, 3);
    }

    #[test]
    fn long_reads_leave_a_quarter_to_what_is_quick_and_three_quarters_to_other_stores() {
        let (scan, write) = (JobAccess::Scan, JobAccess::Write);
        let alone = queue(8, &[(scan, "a"); 9]);
        assert_eq!(begun(&alone), jobs(&[("a", 1); 6]));
        assert!(alone.push(order(write, "a")).is_ok());
        assert_eq!(begun(&alone), jobs(&[("a", 1)]));
        let several = queue(8, &[(scan, "a"), (scan, "a"), (scan, "a"), (scan, "b")]);
        assert_eq!(begun(&several), jobs(&[("a", 1), ("b", 1), ("a", 1)]));
        several.end(&"a".into(), scan);
        assert_eq!(begun(&several), jobs(&[("a", 1)]));
    }

    #[spec(plain, "E-229")]
    fn long_reads_leave_a_processor_to_other_stores_that_want_connections() {
        let scan = JobAccess::Scan;
        let two = JobQueue::new(8, 2);
        for store in ["a", "a", "b"] {
            two.know(store.into());
            assert!(two.push(order(scan, store)).is_ok());
        }
        assert_eq!(begun(&two), jobs(&[("a", 1), ("b", 1)]));
        two.end(&"a".into(), scan);
        assert_eq!(begun(&two), jobs(&[("a", 1)]));
    }

    #[spec(plain, "E-229")]
    fn a_long_read_begins_once_other_stores_are_quiet_though_nothing_happens() {
        let scan = JobAccess::Scan;
        let queue = Arc::new(JobQueue::new(8, 2));
        for store in ["a", "b"] {
            queue.know(store.into());
            assert!(queue.push(order(scan, store)).is_ok());
        }
        assert_eq!(begun(&queue), jobs(&[("a", 1), ("b", 1)]));
        let (sender, taken) = std::sync::mpsc::channel();
        for thread in 0..2 {
            let (queue, sender) = (Arc::clone(&queue), sender.clone());
            std::thread::spawn(move || sender.send(queue.take(thread, |_| true).map(|taken| taken.len())));
        }
        while queue.lock().resting.len() < 2 {
            std::thread::yield_now();
        }
        assert!(queue.push(order(scan, "a")).is_ok());
        assert_eq!(taken.recv_timeout(Duration::from_secs(30)), Ok(Some(1)));
    }

    #[test]
    fn what_is_given_back_comes_first_and_alone() {
        let queue = queue(8, &[(JobAccess::KeyRead, "a"), (JobAccess::KeyRead, "a")]);
        queue.give_back(vec![order(JobAccess::KeyRead, "a"), order(JobAccess::KeyRead, "a")]);
        assert_eq!(begun(&queue), jobs(&[("a", 1), ("a", 1), ("a", 2)]));
    }

    #[test]
    fn a_full_queue_is_full_for_its_own_store_alone() {
        let queue = Arc::new(JobQueue::new(1, 1));
        let jobs = JobSender(Arc::clone(&queue));
        for _ in 0..QUEUE {
            assert!(queue.push(order(JobAccess::Write, "a")).is_ok());
        }
        assert!(queue.push(order(JobAccess::Write, "a")).is_err());
        assert!(queue.push(order(JobAccess::Write, "b")).is_ok());
        drop(jobs);
        let taken = std::iter::from_fn(|| queue.take(0, |_| true))
            .inspect(|taken| queue.end(&taken[0].prefix, JobAccess::Write));
        assert_eq!(taken.count(), QUEUE + 1);
    }
}
