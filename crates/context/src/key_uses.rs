//! The last use of each key. Requests note it in memory; the sweep takes the notes and writes them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The step in which uses of one key are told apart, in milliseconds: processors share the note of a key in heavy use.
const STEP: i64 = 1_000;

/// Notes of a tenant about the last use of its keys. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct KeyUses(Arc<Mutex<HashMap<i64, LastUse>>>);

/// The note of one key: milliseconds since 1970, or 0 where there is nothing to write.
#[derive(Clone, Debug, Default)]
pub struct LastUse(Arc<AtomicI64>);

impl LastUse {
    /// Notes a use. It costs a request next to nothing.
    pub fn note(&self, now: i64) {
        if now - self.0.load(Ordering::Relaxed) >= STEP {
            self.0.fetch_max(now, Ordering::Relaxed);
        }
    }
}

impl KeyUses {
    /// Returns the note of a key.
    pub fn of(&self, key: i64) -> LastUse {
        self.lock().entry(key).or_default().clone()
    }

    /// Returns the last use of a key that is not written yet.
    pub fn last(&self, key: i64) -> Option<i64> {
        let last = self.lock().get(&key).map(|noted| noted.0.load(Ordering::Relaxed));
        last.filter(|last| *last != 0)
    }

    /// Takes what is to be written, in the order of keys. Notes that no one holds any longer are forgotten.
    pub fn take(&self) -> Vec<(i64, i64)> {
        let mut notes = self.lock();
        let taken = notes.iter().map(|(key, noted)| (*key, noted.0.swap(0, Ordering::Relaxed)));
        let mut taken: Vec<(i64, i64)> = taken.filter(|(_, last)| *last != 0).collect();
        notes.retain(|_, noted| Arc::strong_count(&noted.0) > 1);
        taken.sort_unstable();
        taken
    }

    /// Notes again what was taken and could not be written.
    pub fn give_back(&self, taken: &[(i64, i64)]) {
        for (key, last) in taken {
            self.of(*key).0.fetch_max(*last, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<i64, LastUse>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
