//! A clock that stands until a step moves it, and randomness that is the same in every run.

use jiff::Timestamp;
use model::environment::{Clock, Environment, Random};
use std::sync::{Arc, Mutex, PoisonError};

/// The clock of a case.
#[derive(Clone)]
pub(super) struct FrozenClock(Arc<Mutex<Timestamp>>);

/// A sequence that looks random and is not: nothing that it protects outlives the test.
struct SeededRandom(Mutex<u64>);

impl FrozenClock {
    pub(super) fn at(now: Timestamp) -> Self {
        FrozenClock(Arc::new(Mutex::new(now)))
    }

    pub(super) fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    pub(super) fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The environment of this clock. What is made with one seed is never made with another.
    pub(super) fn environment(&self, seed: u64) -> Environment {
        Environment { clock: Arc::new(self.clone()), random: Arc::new(SeededRandom(Mutex::new(seed << 40))) }
    }
}

impl Clock for FrozenClock {
    fn now(&self) -> Timestamp {
        FrozenClock::now(self)
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for chunk in bytes.chunks_mut(8) {
            // SplitMix64.
            *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            let word = (mixed ^ (mixed >> 31)).to_be_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}
