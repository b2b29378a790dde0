//! Slow reads of many stores on few threads: stores take turns, and none has all threads while others are there.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The most reads of one store that may wait.
const QUEUE: usize = 1024;

/// The reads that run and those that wait, by store.
pub(crate) struct FairQueue<K, T> {
    /// The most reads that run at once, in all.
    most: usize,
    /// The most reads of one store that run at once, where there are several stores.
    share: usize,
    state: Mutex<FairState<K, T>>,
    changed: Condvar,
}

struct FairState<K, T> {
    /// The stores in the order of their turns; those without a read that waits are not in it.
    order: VecDeque<K>,
    waiting: HashMap<K, VecDeque<T>>,
    running: HashMap<K, usize>,
    /// The number of reads that run in all.
    busy: usize,
    /// The stores that were ever asked for: with one alone, nobody has to be protected from it.
    stores: HashSet<K>,
    closed: bool,
}

impl<K: Clone + Eq + Hash, T> FairQueue<K, T> {
    pub(crate) fn new(most: usize, share: usize) -> Self {
        let state = FairState {
            order: VecDeque::new(),
            waiting: HashMap::new(),
            running: HashMap::new(),
            busy: 0,
            stores: HashSet::new(),
            closed: false,
        };
        FairQueue { most: most.max(1), share: share.max(1), state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Notes that a store is there.
    pub(crate) fn know(&self, store: K) {
        self.lock().stores.insert(store);
    }

    /// Notes that a store is gone.
    pub(crate) fn forget(&self, store: &K) {
        self.lock().stores.remove(store);
    }

    /// Puts a read behind those of its store; returns it where too many wait there.
    pub(crate) fn push(&self, store: &K, read: T) -> Result<(), T> {
        let mut state = self.lock();
        if !state.waiting.contains_key(store) {
            state.order.push_back(store.clone());
        }
        let waiting = state.waiting.entry(store.clone()).or_default();
        if waiting.len() >= QUEUE {
            return Err(read);
        }
        waiting.push_back(read);
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// The read that begins next, once one may; none once this is closed. [`FairQueue::end`] must follow.
    pub(crate) fn wait(&self) -> Option<(K, T)> {
        let mut state = self.lock();
        while !state.closed {
            if let Some(next) = self.take(&mut state) {
                return Some(next);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Notes that a read of a store has ended.
    pub(crate) fn end(&self, store: &K) {
        let mut state = self.lock();
        state.busy -= 1;
        if let Some(running) = state.running.get_mut(store) {
            *running -= 1;
            if *running == 0 {
                state.running.remove(store);
            }
        }
    }

    /// Lets those who wait go. What still waits for its turn is dropped.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn take(&self, state: &mut FairState<K, T>) -> Option<(K, T)> {
        if state.busy >= self.most {
            return None;
        }
        let share = if state.stores.len() > 1 { self.share } else { self.most };
        let may = |store: &K| state.running.get(store).is_none_or(|running| *running < share);
        let store = state.order.iter().position(may).and_then(|place| state.order.remove(place))?;
        let waiting = state.waiting.get_mut(&store)?;
        let read = waiting.pop_front()?;
        if waiting.is_empty() {
            state.waiting.remove(&store);
        } else {
            state.order.push_back(store.clone());
        }
        state.busy += 1;
        *state.running.entry(store.clone()).or_default() += 1;
        Some((store, read))
    }

    fn lock(&self) -> MutexGuard<'_, FairState<K, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<K: Clone + Eq + Hash, T> FairQueue<K, T> {
        /// The read that begins now, if one may.
        fn begin(&self) -> Option<(K, T)> {
            self.take(&mut self.lock())
        }
    }

    #[test]
    fn stores_take_turns_and_none_has_more_than_its_share() {
        let turns = FairQueue::new(4, 2);
        turns.know('a');
        turns.know('b');
        for number in 0..5 {
            turns.push(&'a', number).unwrap();
        }
        assert_eq!((turns.begin(), turns.begin(), turns.begin()), (Some(('a', 0)), Some(('a', 1)), None));
        turns.push(&'b', 7).unwrap();
        turns.push(&'b', 8).unwrap();
        assert_eq!((turns.begin(), turns.begin(), turns.begin()), (Some(('b', 7)), Some(('b', 8)), None));
        turns.end(&'b');
        assert_eq!(turns.begin(), None);
        turns.end(&'a');
        assert_eq!((turns.begin(), turns.begin()), (Some(('a', 2)), None));
        // Alone it may have all.
        turns.forget(&'b');
        assert_eq!((turns.begin(), turns.begin()), (Some(('a', 3)), None));
    }

    #[test]
    fn a_full_queue_is_full_for_its_own_store_alone() {
        let turns = FairQueue::new(1, 1);
        for number in 0..QUEUE {
            turns.push(&'a', number).unwrap();
        }
        assert_eq!(turns.push(&'a', 0), Err(0));
        turns.push(&'b', 1).unwrap();
        assert_eq!(turns.begin(), Some(('a', 0)));
        turns.end(&'a');
        assert_eq!(turns.begin(), Some(('b', 1)));
    }
}
