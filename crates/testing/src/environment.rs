//! Time that stands until a test moves it, and randomness that is the same in every run.

use jiff::{SignedDuration, Timestamp};
use model::environment::{Clock, Environment, Random};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A clock that a test sets. It stands at noon UTC on Friday, 2026-11-20.
#[derive(Clone, Debug)]
pub struct TestClock(Arc<Mutex<Timestamp>>);

/// The system's clock, off by so many seconds.
struct OffClock(i64);

/// A sequence that looks random and is not.
pub(crate) struct TestRandom(Mutex<u64>);

impl TestClock {
    /// Sets it to an instant, as in `2026-12-01T00:00:00Z`.
    pub fn set(&self, instant: &str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = instant.parse().expect("a test names an instant");
    }

    /// Moves it by so many seconds.
    pub fn advance(&self, seconds: i64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += SignedDuration::from_secs(seconds);
    }
}

impl Default for TestClock {
    fn default() -> Self {
        let noon = "2026-11-20T12:00:00Z".parse().expect("this is an instant");
        Self(Arc::new(Mutex::new(noon)))
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for OffClock {
    #[expect(clippy::disallowed_methods, reason = "it stands for the clock of a machine")]
    fn now(&self) -> Timestamp {
        Timestamp::now() + SignedDuration::from_secs(self.0)
    }
}

impl TestRandom {
    pub(crate) fn state(&self) -> u64 {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Random for TestRandom {
    fn fill(&self, bytes: &mut [u8]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for byte in bytes {
            // SplitMix64, one byte a step.
            *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            *byte = (mixed ^ (mixed >> 31)).to_be_bytes()[0];
        }
    }
}

/// An environment with this clock and a seeded randomness.
pub fn environment(clock: &TestClock) -> Environment {
    environment_from(clock, 1).0
}

/// The same for a further node, with a randomness of its own: nodes share the clock, of which UUIDs are made, too.
pub(crate) fn environment_of_node(clock: &TestClock) -> Environment {
    static NODES: AtomicU64 = AtomicU64::new(2);
    environment_from(clock, NODES.fetch_add(1, Ordering::Relaxed)).0
}

/// The same with a randomness that goes on from a state.
pub(crate) fn environment_from(clock: &TestClock, state: u64) -> (Environment, Arc<TestRandom>) {
    let random = Arc::new(TestRandom(Mutex::new(state)));
    (Environment { clock: Arc::new(clock.clone()), random: Arc::clone(&random) as Arc<dyn Random> }, random)
}

/// The environment of a machine whose clock is off by so many seconds, with a randomness of its own.
pub(crate) fn environment_off_by(seconds: i64) -> Environment {
    Environment {
        clock: Arc::new(OffClock(seconds)),
        random: Arc::new(TestRandom(Mutex::new(seconds.cast_unsigned()))),
    }
}
