//! Locks of what threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. No holder of these locks can leave a half-made state behind.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
