//! Abuse cases that need thousands of requests. Each has the machine to itself while it runs, since what it judges
//! are times, or since it takes all that the machine gives.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod answers;
mod bodies;
mod deadlines;
mod fairness;
mod files;
mod growth;
mod lists;
mod nodes;
mod recovery;
mod registration;
mod sign_in;
mod wire;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long one test may take on one engine: each takes a minute or two on a machine that does nothing else.
const LIMIT: Duration = Duration::from_secs(900);

/// Returns a quarter of the samples that a row asks for, and all of them with `PLINTH_ABUSE_ALL`.
fn samples(all: usize) -> usize {
    if std::env::var_os("PLINTH_ABUSE_ALL").is_some() { all } else { all / 4 }
}

/// The machine, until the guard is dropped.
fn alone() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::new(());
    // A test that failed leaves nothing behind that the next one could meet.
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}
