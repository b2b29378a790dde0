//! The stores whose writes met in a deadlock lately: those that take turns go one by one there for a while.
//!
//! The rows that a write locks follow from the rules and grants of its type, and two writes may lock the same rows in
//! opposite order. The server finds that out after a second (`deadlock_timeout`, which only its operator may change).
//! Writes one by one are done in milliseconds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time for which writes go one by one behind a deadlock.
const CAUTION: Duration = Duration::from_secs(600);

/// The times at which writes of a store last met, by the text before its tables.
#[derive(Default)]
pub(super) struct DeadlockLog(Mutex<HashMap<Arc<str>, Instant>>);

impl DeadlockLog {
    /// Notes that two writes of a store met.
    pub(super) fn note(&self, store: &Arc<str>) {
        let mut log = self.lock();
        log.retain(|_, at| at.elapsed() < CAUTION);
        log.insert(Arc::clone(store), Instant::now());
    }

    /// Returns true if writes of a store met lately.
    pub(super) fn is_recent(&self, store: &str) -> bool {
        self.lock().get(store).is_some_and(|at| at.elapsed() < CAUTION)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
