//! Turns of those who look for a window of a list. After a change many want the same one at once. One looks for it, and
//! the others wait for what that one finds, instead of having the database sort the same rows as many times.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Nobody waits longer for another, which may be held up.
const LONGEST: Duration = Duration::from_secs(1);

/// The turns that are taken, by what is looked for.
#[derive(Debug)]
pub(super) struct SingleFlights<K> {
    /// By what is looked for, the number of the turn: each is another.
    taken: Mutex<(u64, HashMap<K, u64>)>,
    ended: Condvar,
}

/// The right to look for something, until it is dropped.
pub struct FlightTurn<'t, K: Eq + Hash> {
    turns: &'t SingleFlights<K>,
    key: K,
}

impl<K: Eq + Hash + Clone> SingleFlights<K> {
    /// The turn of the first caller. Nothing for callers that come meanwhile: the turn of the first is over then.
    pub(super) fn take(&self, key: K) -> Option<FlightTurn<'_, K>> {
        let mut taken = self.locked();
        if let Some(number) = taken.1.get(&key).copied() {
            let others = |taken: &mut (u64, HashMap<K, u64>)| taken.1.get(&key) == Some(&number);
            // Whether it ended or took too long: the caller looks whether anything was found.
            drop(self.ended.wait_timeout_while(taken, LONGEST, others));
            return None;
        }
        taken.0 += 1;
        let number = taken.0;
        taken.1.insert(key.clone(), number);
        Some(FlightTurn { turns: self, key })
    }
}

impl<K> SingleFlights<K> {
    fn locked(&self) -> MutexGuard<'_, (u64, HashMap<K, u64>)> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K> Default for SingleFlights<K> {
    fn default() -> Self {
        SingleFlights { taken: Mutex::default(), ended: Condvar::new() }
    }
}

impl<K: Eq + Hash> Drop for FlightTurn<'_, K> {
    fn drop(&mut self) {
        self.turns.locked().1.remove(&self.key);
        self.turns.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::SingleFlights;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::thread;

    #[test]
    fn one_looks_and_the_others_wait_for_that() {
        let (turns, found) = (SingleFlights::default(), AtomicBool::new(false));
        let turn = turns.take("a").unwrap();
        thread::scope(|scope| {
            let others: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| match turns.take("a") {
                        // A caller that came when the turn was over looks again.
                        Some(_turn) => true,
                        None => found.load(SeqCst),
                    })
                })
                .collect();
            assert!(turns.take("b").is_some());
            found.store(true, SeqCst);
            drop(turn);
            assert!(others.into_iter().all(|other| other.join().unwrap()));
        });
        assert!(turns.take("a").is_some());
        assert!(turns.take("a").is_some());
    }
}
