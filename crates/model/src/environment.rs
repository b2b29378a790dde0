//! Clock and randomness, which the domain is given and never takes.

mod database_clock;

pub use database_clock::DatabaseClock;

use jiff::Timestamp;
use std::sync::Arc;

/// Tells the time. `main` reads the system's; tests hold one that they set.
pub trait Clock: Send + Sync {
    /// The present instant.
    fn now(&self) -> Timestamp;
}

/// Gives random bytes. `main` reads the system's; tests may seed one.
pub trait Random: Send + Sync {
    /// Fills `bytes` with unpredictable ones.
    fn fill(&self, bytes: &mut [u8]);
}

/// The parts of the outside world that the domain needs.
#[derive(Clone)]
pub struct Environment {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub random: Arc<dyn Random>,
}
