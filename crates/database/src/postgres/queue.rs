//! The jobs that wait for a connection, in the order in which they came.

use super::pool::{Access, Order};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many jobs may wait for a connection.
const QUEUE: usize = 4096;
/// How many reads by key go together at most.
const TOGETHER: usize = 16;

/// The jobs that wait.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    orders: VecDeque<Order>,
    /// Threads that wait for a job.
    resting: usize,
    /// Whether one of them was woken and is not there yet: it wakes the next one where there is more than it takes.
    coming: bool,
    closed: bool,
}

/// The end into which jobs go. The threads end once it is dropped and nothing waits.
pub(super) struct Orders(pub(super) Arc<Queue>);

impl Drop for Orders {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

impl Queue {
    /// Puts a job behind the others; gives it back where too many wait.
    pub(super) fn push(&self, order: Order) -> Result<(), Order> {
        let mut state = self.lock();
        if state.orders.len() >= QUEUE {
            return Err(order);
        }
        state.orders.push_back(order);
        self.wake(state);
        Ok(())
    }

    /// Puts jobs that were taken before the others again, each to be run by itself.
    pub(super) fn give_back(&self, orders: Vec<Order>) {
        let mut state = self.lock();
        for order in orders.into_iter().rev() {
            state.orders.push_front(Order { alone: true, ..order });
        }
        self.wake(state);
    }

    /// The next job, or several reads by key of a store whose reads `may` go together, where they wait already. Waits
    /// for the first of them, and for no other; none once this is closed.
    pub(super) fn take(&self, may: impl Fn(&Order) -> bool) -> Option<Vec<Order>> {
        let mut state = self.lock();
        loop {
            if let Some(first) = state.orders.pop_front() {
                let mut taken = vec![first];
                if joins(&taken[0]) && may(&taken[0]) {
                    while taken.len() < TOGETHER
                        && let Some(next) =
                            state.orders.pop_front_if(|next| joins(next) && next.prefix == taken[0].prefix)
                    {
                        taken.push(next);
                    }
                }
                self.wake(state);
                return Some(taken);
            }
            if state.closed {
                return None;
            }
            state.resting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.resting -= 1;
            state.coming = false;
        }
    }

    /// Wakes a thread for what waits, unless one is on its way: it may take it all.
    fn wake(&self, mut state: MutexGuard<'_, State>) {
        if !state.orders.is_empty() && state.resting > 0 && !state.coming {
            state.coming = true;
            drop(state);
            self.changed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn joins(order: &Order) -> bool {
    order.access == Access::Read && !order.alone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{self, Queued};
    use crate::{Error, Tx};

    fn order(access: Access, prefix: &str) -> Order {
        let (work, _) = work::task(work::WAIT, |_: &mut Tx<'_>| Ok::<_, Error>(()));
        Order { access, prefix: prefix.into(), job: Queued::new(work), alone: false }
    }

    fn taken(queue: &Queue, may: bool) -> Vec<Order> {
        queue.take(|_| may).unwrap_or_default()
    }

    #[test]
    fn only_reads_by_key_of_one_store_that_follow_each_other_are_taken_together() {
        let queue = Queue::default();
        let kinds = [(Access::Read, "a"), (Access::Read, "a"), (Access::Read, "b"), (Access::Write, "b")];
        for (access, prefix) in kinds.into_iter().chain([(Access::Scan, "a"), (Access::Read, "a")]) {
            assert!(queue.push(order(access, prefix)).is_ok());
        }
        let sizes: Vec<usize> = (0..5).map(|_| taken(&queue, true).len()).collect();
        assert_eq!(sizes, [2, 1, 1, 1, 1]);
        for _ in 0..=TOGETHER {
            assert!(queue.push(order(Access::Read, "a")).is_ok());
        }
        assert_eq!((taken(&queue, true).len(), taken(&queue, true).len()), (TOGETHER, 1));
    }

    #[test]
    fn what_is_given_back_comes_first_and_alone() {
        let queue = Queue::default();
        assert!(queue.push(order(Access::Read, "b")).is_ok() && queue.push(order(Access::Read, "b")).is_ok());
        queue.give_back(vec![order(Access::Read, "a"), order(Access::Read, "a")]);
        let prefixes: Vec<String> = (0..3).map(|_| taken(&queue, true)[0].prefix.to_string()).collect();
        assert_eq!(prefixes, ["a", "a", "b"]);
    }

    #[test]
    fn a_full_queue_refuses_and_a_closed_one_ends_once_it_is_empty() {
        let queue = Arc::new(Queue::default());
        let orders = Orders(Arc::clone(&queue));
        for _ in 0..QUEUE {
            assert!(queue.push(order(Access::Read, "a")).is_ok());
        }
        assert!(queue.push(order(Access::Read, "a")).is_err());
        drop(orders);
        assert_eq!((0..QUEUE).filter(|_| taken(&queue, false).len() == 1).count(), QUEUE);
        assert!(queue.take(|_| true).is_none());
    }
}
